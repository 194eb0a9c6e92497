import { useMutation } from '@tanstack/react-query';
import { etagOf } from '../../../../client/src/etags.ts';
import { api, keyOf } from '../../api.ts';
import { useFields } from '../../fields.ts';
import type { Project } from '../../types.ts';
import { Input, TextArea } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { say } from '../../ui/toast.tsx';

/** The name and the description of a project. */
export const AboutProject = ({ project }: { project: Project }) => {
  const { values, setValues, fieldsOf, outdated } = useFields({
    name: project.name ?? '',
    description: project.description ?? '',
  });
  const { name, description } = values;
  const isChanged = name !== (project.name ?? '') || description !== (project.description ?? '');
  const save = useMutation({
    mutationFn: () =>
      api.updateProject(project.id, { name: name.trim(), description }, { ifMatch: etagOf(project) }),
    meta: {
      refreshes: [
        keyOf('listProjects'),
        keyOf('getProject', project.id),
        keyOf('getProjectAccess', project.id),
      ],
    },
    onSuccess: () => {
      // As it is stored.
      setValues({ name: name.trim(), description });
      say('Project saved.');
    },
  });
  const field = fieldsOf(save.error);
  return (
    <Form
      write={save}
      outdated={outdated}
      action="Save changes"
      disabled={!isChanged || !name.trim()}
      className="max-w-md"
    >
      <Input label="Name" required {...field('name')} />
      <TextArea label="Description" rows={3} {...field('description')} />
    </Form>
  );
};
