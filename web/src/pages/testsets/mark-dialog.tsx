import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, apiQuery, keyOf } from '../../api.ts';
import type { Testcase } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';
import { countOf } from '../../ui/format.ts';
import { say } from '../../ui/toast.tsx';

const namesIn = (text: string): string[] =>
  [...new Set(text.split(',').map((name) => name.trim()))].filter(Boolean);

type Change = 'add' | 'remove';

type TagButtonsProps = {
  testcases: readonly Testcase[];
  /** Tags of the whole testset. */
  known: readonly string[];
  changes: ReadonlyMap<string, Change>;
  onChange: (tag: string, change: Change | undefined) => void;
};

/** A row for each tag: how many of the testcases have it, and buttons that give it to all of them or take it from all. */
const TagButtons = ({ testcases, known, changes, onChange }: TagButtonsProps) => {
  const own = testcases.flatMap(({ tags = [] }) => tags);
  const tags = [...new Set([...own, ...known])];
  if (tags.length === 0) return null;
  return (
    <ul aria-label="Tags" className="flex max-h-48 flex-col gap-1 overflow-auto">
      {tags.map((tag) => {
        const n = own.filter((one) => one === tag).length;
        const button = (change: Change, label: string, isUseless: boolean) => (
          <Button
            look={changes.get(tag) === change ? 'primary' : 'quiet'}
            aria-label={`${label} ${tag}`}
            aria-pressed={changes.get(tag) === change}
            disabled={isUseless}
            onClick={() => onChange(tag, changes.get(tag) === change ? undefined : change)}
          >
            {label}
          </Button>
        );
        return (
          <li key={tag} className="flex items-center gap-2">
            <Badge>{tag}</Badge>
            <span className="flex-1 text-sm text-soft">
              {n} of {testcases.length}
            </span>
            {button('add', 'Add', n === testcases.length)}
            {button('remove', 'Remove', n === 0)}
          </li>
        );
      })}
    </ul>
  );
};

type MarkDialogProps = { testcases: readonly Testcase[]; onClose: () => void };

/** Sets the split and the tags of testcases of one testset. */
export const MarkDialog = ({ testcases, onClose }: MarkDialogProps) => {
  const ids = testcases.map(({ id }) => id);
  const [split, setSplit] = useState('');
  const [added, setAdded] = useState('');
  const [changes, setChanges] = useState<ReadonlyMap<string, Change>>(new Map());
  const testsetId = ids[0]!.split('-')[0]!;
  const { data: counts } = useQuery(apiQuery('getTestsetCounts', testsetId));
  const tagsTo = (change: Change) => [...changes].filter(([, each]) => each === change).map(([tag]) => tag);
  const write = useMutation({
    mutationFn: () =>
      api.updateTestcaseMarks(testsetId, {
        ids,
        ...(split.trim() !== '' && { split: split.trim() === '-' ? null : split.trim() }),
        addTags: [...new Set([...namesIn(added), ...tagsTo('add')])],
        removeTags: tagsTo('remove'),
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
      <TagButtons
        testcases={testcases}
        known={counts?.tags.map(({ tag }) => tag) ?? []}
        changes={changes}
        onChange={(tag, change) => {
          const next = new Map(changes);
          if (change) next.set(tag, change);
          else next.delete(tag);
          setChanges(next);
        }}
      />
      <Input label="New tags" hint="Separated by commas." value={added} onChange={setAdded} />
    </FormDialog>
  );
};
