import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, keyOf } from '../../api.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';
import { countOf } from '../../ui/format.ts';
import { say } from '../../ui/toast.tsx';

const namesIn = (text: string): string[] =>
  [...new Set(text.split(',').map((name) => name.trim()))].filter(Boolean);

/** Sets the split and the tags of testcases of one testset. */
export const MarkDialog = ({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) => {
  const [split, setSplit] = useState('');
  const [added, setAdded] = useState('');
  const [removed, setRemoved] = useState('');
  const testsetId = ids[0]!.split('-')[0]!;
  const write = useMutation({
    mutationFn: () =>
      api.updateTestcaseMarks(testsetId, {
        ids: [...ids],
        ...(split.trim() !== '' && { split: split.trim() === '-' ? null : split.trim() }),
        addTags: namesIn(added),
        removeTags: namesIn(removed),
      }),
    meta: { refreshes: [keyOf('listTestcases', testsetId), keyOf('getTestsetCounts', testsetId)] },
    onSuccess: ({ numChanged }) => {
      say(`${countOf(numChanged, 'testcase')} changed.`);
      onClose();
    },
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Split and tags of ${countOf(ids.length, 'testcase')}`}
      description="A run can be about one split, such as dev or test. Search finds testcases by split and tag."
      write={write}
      action="Save"
    >
      <Input
        label="Split"
        hint="Empty: it stays. A single - takes it away."
        value={split}
        onChange={setSplit}
      />
      <Input label="Add tags" hint="Separated by commas." value={added} onChange={setAdded} />
      <Input label="Remove tags" value={removed} onChange={setRemoved} />
    </FormDialog>
  );
};
