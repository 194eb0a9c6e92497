import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, keyOf } from '../../api.ts';
import type { ListedRun } from '../../types.ts';
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

/** Changes the name, the tags and the marks of a run. */
export const RenameDialog = ({ run, projectId, onClose }: Props) => {
  const [name, setName] = useState(run.name ?? '');
  const [tags, setTags] = useState(run.tags.join(', '));
  const [marks, setMarks] = useState(run.marks.join(', '));
  const write = useMutation({
    mutationFn: () =>
      api.updateRunDetails(run.id, {
        name: name.trim() || null,
        tags: listOf(tags),
        // A gate may have marked the run since this was read.
        ...(marks !== run.marks.join(', ') && { marks: listOf(marks) }),
      }),
    meta: { refreshes: [keyOf('getRunDetails', run.id), keyOf('listRunDetails', projectId)] },
    onSuccess: onClose,
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Name, tags and marks"
      action="Save"
      write={{ ...write, mutate: () => write.mutate() }}
    >
      <Input
        label="Name"
        value={name}
        onChange={setName}
        maxLength={200}
        placeholder={run.title}
        hint="Without a name, the run is called by its number, system and testset."
      />
      <Input label="Tags" value={tags} onChange={setTags} hint="Separate tags with commas." />
      <Input
        label="Marks"
        value={marks}
        onChange={setMarks}
        hint="The newest run with a mark is the baseline latest:MARK of a gate. Separate marks with commas."
      />
    </FormDialog>
  );
};
