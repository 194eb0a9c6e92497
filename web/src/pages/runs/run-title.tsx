import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, keyOf } from '../../api.ts';
import type { ListedRun } from '../../types.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';

type Props = { run: ListedRun; projectId: string; onClose: () => void };

/** Changes the name and the tags of a run. */
export const RenameDialog = ({ run, projectId, onClose }: Props) => {
  const [name, setName] = useState(run.name ?? '');
  const [tags, setTags] = useState(run.tags.join(', '));
  const write = useMutation({
    mutationFn: () => {
      const given = tags.split(',').map((tag) => tag.trim());
      return api.updateRunDetails(run.id, {
        name: name.trim() || null,
        tags: [...new Set(given.filter(Boolean))],
      });
    },
    meta: { refreshes: [keyOf('getRunDetails', run.id), keyOf('listRunDetails', projectId)] },
    onSuccess: onClose,
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Name and tags"
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
    </FormDialog>
  );
};
