import { useMutation } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { api, keyOf } from '../../api.ts';
import { ConnectModel } from '../../resources/providers/connect-model.tsx';
import { usd } from '../../resources/rescoring/amounts.ts';
import { testsetLists } from '../../resources/testsets/queries.ts';
import type { JsonObject } from '../../types.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { cellText } from '../../ui/csv.ts';
import { Input, TextArea } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { countOf } from '../../ui/format.ts';
import { freshKey, useDraft } from '../../ui/local-storage.ts';
import { ifThere } from './made.ts';
import type { Testcases } from './use-testcases.ts';

/** The testset of drafts: a question, and what a right answer says. */
const draftedTestset = {
  jsonSchema: {
    type: 'object',
    properties: {
      question: { type: 'string', description: 'What the system is asked.' },
      expected: { type: 'string', description: 'What a right answer says, in a few words.' },
    },
    required: ['question', 'expected'],
  },
  fieldMapping: { inputs: ['question'], expected: ['expected'], metadata: ['origin'] },
};

const useWriteDrafts = (projectId: string, { drafts, drafted, keepDrafted }: Testcases) => {
  const testsetFor = async (description: string) => {
    const there = drafted?.testsetId && (await ifThere(api.getTestset(drafted.testsetId)));
    if (there) return there;
    const isSame = drafted && !drafted.testsetId && drafted.description === description;
    const key = isSame ? drafted.key : freshKey();
    keepDrafted({ key, description });
    const made = await api.createTestset(
      projectId,
      { name: description.slice(0, 60), description, ...draftedTestset },
      { idempotencyKey: `first-${key}` },
    );
    keepDrafted({ key, testsetId: made.id, description });
    return made;
  };
  return useMutation({
    mutationFn: async ({ description, count }: { description: string; count: number }) => {
      const testset = await testsetFor(description);
      const answer = await api.draftTestcases(testset.id, { description, numTestcases: count });
      if (answer.error !== null) throw new Error(answer.error);
      const fresh = answer.drafts.filter(({ similarTo }) => similarTo === null);
      if (fresh.length === 0) throw new Error('The model wrote nothing new. Describe more of the topic.');
      const rows = fresh.map(({ jsonData }) => jsonData);
      await drafts.read.mutateAsync({ source: JSON.stringify(rows), name: testset.name });
      return { ...answer, numLike: answer.drafts.length - fresh.length };
    },
    meta: { refreshes: [...testsetLists(projectId), keyOf('getTestset')] },
  });
};

type DraftListProps = { rows: readonly JsonObject[]; onRemove: (i: number) => void };

/** The drafts, to read before they count. */
const DraftList = ({ rows, onRemove }: DraftListProps) => (
  <ul aria-label="Drafts" className="divide-y divide-line rounded-md border">
    {rows.map((row, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: drafts have no identity
      <li key={i} className="flex items-start gap-2 px-3 py-1.5">
        <div className="min-w-0 flex-1">
          <p className="break-words">
            <bdi>{cellText(row.question)}</bdi>
          </p>
          <p className="text-sm break-words text-soft">
            Expected: <bdi>{cellText(row.expected) || 'nothing'}</bdi>
          </p>
        </div>
        {rows.length > 1 && (
          <IconButton icon={X} label={`Leave out draft ${i + 1}`} onClick={() => onRemove(i)} />
        )}
      </li>
    ))}
  </ul>
);

type DraftsProps = { projectId: string; testcases: Testcases; lacksModel: boolean };

/** Lets a model write testcases about a topic. They become testcases when the run starts. */
export const DraftedTestcases = ({ projectId, testcases, lacksModel }: DraftsProps) => {
  const [description = '', setDescription] = useDraft<string>(`first ${projectId} topic`);
  const [count, setCount] = useState('10');
  const { drafts } = testcases;
  const write = useWriteDrafts(projectId, testcases);
  const { found, name, read } = drafts;
  const ask = { ...write, mutate: () => write.mutate({ description, count: Number(count) }) };
  const remove = (i: number) =>
    read.mutate({ source: JSON.stringify(found!.rows.filter((_, j) => j !== i)), name });
  return (
    <div className="flex flex-col gap-3">
      {lacksModel && (
        <div>
          <ConnectModel />
        </div>
      )}
      <Form
        write={ask}
        action={write.isPending ? 'The model writes…' : `Draft ${countOf(Number(count), 'testcase')}`}
        disabled={description.trim() === '' || lacksModel}
        className="max-w-2xl"
      >
        <TextArea
          label="What they should be about"
          rows={2}
          maxLength={10_000}
          placeholder="Customers of a lamp shop who ask about delivery, returns and guarantees"
          value={description}
          onChange={setDescription}
        />
        <div className="w-24">
          <Input label="Number" type="number" required min={1} max={50} value={count} onChange={setCount} />
        </div>
      </Form>
      {found && (
        <>
          <p role="status" className="text-soft">
            {countOf(found.rows.length, 'draft')}
            {write.data?.costUsd != null && ` for ${usd(write.data.costUsd)}`}
            {write.data !== undefined &&
              write.data.numLike > 0 &&
              `, ${countOf(write.data.numLike, 'near-duplicate')} left out`}
            . Read them: the model wrote the expected answers too. They become testcases when you start.
          </p>
          <DraftList rows={found.rows} onRemove={remove} />
          <Button look="quiet" className="self-start max-md:-ml-3" onClick={drafts.clear}>
            Discard the drafts
          </Button>
        </>
      )}
    </div>
  );
};
