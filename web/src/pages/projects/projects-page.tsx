import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, apiList } from '../../api.ts';
import { useFields } from '../../fields.ts';
import { TextLink } from '../../links.tsx';
import { ManagedTable, NameCell, type RowForm } from '../../managed-table.tsx';
import { paths } from '../../paths.ts';
import { accessQuery, useMay, useMe } from '../../resources/session/me.ts';
import type { Project } from '../../types.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input, TextArea } from '../../ui/field.tsx';
import { countOf } from '../../ui/format.ts';

const NewProject = ({ dialog, saving }: RowForm<Project>) => {
  const { values, fieldsOf } = useFields({ name: '', description: '' });
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: () => api.createProject(values),
    meta: saving.meta,
    onSuccess: ({ id }) => navigate(paths.home(id)),
  });
  const field = fieldsOf(create.error);
  return (
    <FormDialog
      {...dialog}
      description="A project holds everything about one AI system under test."
      write={create}
    >
      <Input label="Name" required {...field('name')} />
      <TextArea label="Description" rows={3} {...field('description')} />
    </FormDialog>
  );
};

/** How many records of a project wait for the reader: all that people who only review come for. */
const ToReview = ({ projectId }: { projectId: string }) => {
  const { data } = useQuery(accessQuery(projectId));
  if (!data) return null;
  if (data.numToReview === 0) return 'Nothing waits for you';
  return (
    <TextLink {...paths.review(projectId)}>
      {countOf(data.numToReview, 'record')} {data.numToReview === 1 ? 'waits' : 'wait'} for you
    </TextLink>
  );
};

export const ProjectsPage = () => {
  const { write } = useMay();
  const isReviewer = useMe().user.role === 'annotator';
  return (
    <ManagedTable
      title="Projects"
      noun="project"
      list={apiList('listProjects')}
      may={write}
      empty={`A project holds the testsets, metrics and runs of one AI system under test. ${write ? 'Create the first one.' : 'Ask a member or an admin to create one.'}`}
      page={({ id }) => paths.home(id)}
      columns={[
        { head: 'Project', cell: (project) => <NameCell of={project} to={paths.home(project.id)} /> },
        ...(isReviewer
          ? [{ head: 'To review', cell: ({ id }: Project) => <ToReview projectId={id} /> }]
          : []),
        { head: 'Id', className: 'whitespace-nowrap text-soft', cell: ({ id }) => id },
        {
          head: 'Description',
          className: 'max-w-md truncate text-soft',
          cell: ({ description }) => description,
        },
      ]}
      fixed
      form={(form) => <NewProject {...form} />}
    />
  );
};
