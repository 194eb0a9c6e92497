import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, keyOf } from '../../api.ts';
import { useFields } from '../../fields.ts';
import { requireAsRead } from '../../resources/runs/require-as-read.ts';
import type { ListedRun, RunDetail } from '../../types.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';

type Props = { run: ListedRun; projectId: string; onClose: () => void };

const listOf = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  ),
];

type Read = Pick<RunDetail, 'id' | 'name' | 'tags' | 'marks'>;
const written = ['name', 'tags', 'marks'] as const;
const textsOf = ({ name, tags, marks }: Read) => ({
  name: name ?? '',
  tags: tags.join(', '),
  marks: marks.join(', '),
});

/** Changes the name, the tags and the marks of a run. */
export const RenameDialog = ({ run, projectId, onClose }: Props) => {
  const [read, setRead] = useState<Read>(run);
  const start = textsOf(read);
  const { values, fieldsOf, outdated } = useFields(start);
  const { name, tags, marks } = values;
  const write = useMutation({
    mutationFn: async () => {
      // A gate may mark the run at any time: what the user did not change is left as it is.
      const changed = written.filter((each) => values[each] !== start[each]);
      if (changed.length > 0) await requireAsRead(read, changed, setRead);
      return api.updateRunDetails(run.id, {
        ...(changed.includes('name') && { name: name.trim() || null }),
        ...(changed.includes('tags') && { tags: listOf(tags) }),
        ...(changed.includes('marks') && { marks: listOf(marks) }),
      });
    },
    meta: { refreshes: [keyOf('getRunDetails', run.id), keyOf('listRunDetails', projectId)] },
    onSuccess: onClose,
  });
  const field = fieldsOf(write.error);
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Name, tags and marks"
      action="Save"
      write={{ ...write, mutate: () => write.mutate() }}
      outdated={outdated}
    >
      <Input
        label="Name"
        {...field('name')}
        maxLength={200}
        placeholder={run.title}
        hint="Without a name, the run is called by its number, system and testset."
      />
      <Input label="Tags" {...field('tags')} hint="Separate tags with commas." />
      <Input
        label="Marks"
        {...field('marks')}
        hint="The newest run with a mark is the baseline latest:MARK of a gate. Separate marks with commas."
      />
    </FormDialog>
  );
};
