import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, apiQuery, keyOf } from '../../api.ts';
import { Fields } from '../../resources/records/fields.tsx';
import { RecordError } from '../../resources/records/record-error.tsx';
import { choicesFor } from '../../resources/records/score-choices.ts';
import { valueText } from '../../resources/records/score-value.tsx';
import type { JsonObject, Metric } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Input } from '../../ui/field.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { say } from '../../ui/toast.tsx';

/** The scores to choose from. A float is chosen among those that the reviewers gave. */
const choicesOf = (metric: Metric, given: readonly JsonObject[]): JsonObject[] => {
  const { outputType } = metric;
  if (outputType === 'category') return choicesFor(metric).map(({ score }) => score);
  if (outputType === 'boolean') return [{ binaryScore: true }, { binaryScore: false }];
  if (outputType === 'int') return [1, 2, 3, 4, 5].map((intScore) => ({ intScore }));
  const values = new Set(given.map(({ floatScore }) => floatScore as number));
  return [...values].toSorted((a, b) => a - b).map((floatScore) => ({ floatScore }));
};

type Props = {
  metric: Metric;
  recordId: string;
  metricConfigId: string;
  /** The scores that reviewers gave. */
  given: readonly JsonObject[];
};

/** Decides a record on which reviewers differ. The decision is the score that counts; every review stays. */
export const Adjudicate = ({ metric, recordId, metricConfigId, given }: Props) => {
  const { data: record, error } = useQuery(apiQuery('getRecord', recordId));
  const [reasoning, setReasoning] = useState('');
  const decide = useMutation({
    mutationFn: (value: JsonObject) =>
      api.upsertScore(recordId, metricConfigId, {
        score: { ...value, ...(reasoning.trim() && { reasoning: reasoning.trim() }) },
      }),
    meta: { refreshes: [keyOf('getRecord', recordId), keyOf('getReviewProgress')] },
    onSuccess: () => say('Decided. The reviews stay.'),
  });
  if (error) return <RecordError error={error} />;
  if (!record) return <Skeleton lines={4} />;
  const state = record.scoreStates.find((one) => one.metricConfigId === metricConfigId);
  const now = valueText(state?.score ?? null);
  return (
    <div className="mt-2 rounded-md border p-3">
      <Fields title="Inputs" fields={record.inputs} />
      <Fields title="Outputs" fields={record.outputs} against={record.expected} />
      <Fields title="Expected" fields={record.expected} />
      <p role="status" className="mt-2">
        {now ? (
          <>
            Counts now: <span className="font-medium">{now}</span>
          </>
        ) : (
          'No score counts yet.'
        )}
      </p>
      <div className="mt-2 flex flex-wrap items-end gap-2">
        <div className="min-w-48 flex-1">
          <Input label="Reason (optional)" value={reasoning} onChange={setReasoning} />
        </div>
        {choicesOf(metric, given).map((value) => (
          <Button
            key={JSON.stringify(value)}
            disabled={decide.isPending}
            onClick={() => decide.mutate(value)}
          >
            Decide: {valueText(value)}
          </Button>
        ))}
      </div>
      {decide.error && <ErrorNote error={decide.error} />}
    </div>
  );
};
