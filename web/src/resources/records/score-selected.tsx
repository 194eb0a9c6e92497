import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import type { Metric, RecordDetail } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/field.tsx';
import { countOf } from '../../ui/format.ts';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { metricsQuery } from '../metrics/queries.ts';
import { type Choice, choicesFor } from './score-choices.ts';
import type { useBulkWrites } from './use-bulk-writes.ts';

type ScoreSelectedProps = {
  projectId: string;
  records: readonly RecordDetail[];
  writes: ReturnType<typeof useBulkWrites>;
  onClose: () => void;
};

/** Gives all selected records one score by a human metric. */
export const ScoreSelected = ({ projectId, records, writes, onClose }: ScoreSelectedProps) => {
  const { data, isPending } = useQuery(metricsQuery(projectId));
  // People score the spans of a record one by one, and the criteria that its testcase brings.
  const metrics =
    data?.filter(
      ({ evalType, spans, criteria }) => evalType === 'human' && !spans && !criteria?.fromExpected,
    ) ?? [];
  return (
    <Dialog open onClose={onClose} title={`Score ${countOf(records.length, 'record')}`}>
      {isPending && <Skeleton lines={2} />}
      {data && metrics.length === 0 && (
        <p className="text-soft">
          No metric of this project lets people score a record with one value. Create one of the type Human.
        </p>
      )}
      {metrics.length > 0 && <ScoreForm {...{ metrics, records, writes, onClose }} />}
    </Dialog>
  );
};

const ScoreForm = ({
  metrics,
  records,
  writes,
  onClose,
}: Omit<ScoreSelectedProps, 'projectId'> & { metrics: Metric[] }) => {
  const [chosen, setChosen] = useState(metrics[0]!.id);
  const metric = metrics.find(({ id }) => id === chosen) ?? metrics[0]!;
  const scored = records.filter(({ scoreStates }) =>
    scoreStates.some(({ metricId, state }) => metricId === metric.id && state === 'scored'),
  );
  const give = useMutation({
    mutationFn: async (choice: Choice) => {
      const { data } = await api.listMetricVersions(metric.id, { limit: 1 });
      onClose();
      await writes.score(records, { metricName: metric.name, configId: data[0]!.id, ...choice });
    },
  });
  return (
    <div className="flex flex-col gap-3">
      <Select
        label="Metric"
        value={metric.id}
        onChange={setChosen}
        options={metrics.map(({ id, name }) => ({ value: id, label: name }))}
      />
      {scored.length > 0 && (
        <p className="text-soft">
          {countOf(scored.length, 'record')} already {scored.length === 1 ? 'has' : 'have'} a score by it.
          Your score replaces it; the earlier one stays in the history of the score.
        </p>
      )}
      {metric.criteria ? (
        <CriteriaChoice key={metric.id} metric={metric} isPending={give.isPending} onGive={give.mutate} />
      ) : (
        <fieldset className="flex flex-wrap items-center gap-1" aria-label={`Score of ${metric.name}`}>
          {choicesFor(metric).map((choice) => (
            <Button key={choice.label} disabled={give.isPending} onClick={() => give.mutate(choice)}>
              {choice.label}
            </Button>
          ))}
        </fieldset>
      )}
      {give.error && <ErrorNote error={give.error} />}
    </div>
  );
};

type CriteriaChoiceProps = { metric: Metric; isPending: boolean; onGive: (choice: Choice) => void };

/** A verdict on each criterion, for all records alike. */
const CriteriaChoice = ({ metric, isPending, onGive }: CriteriaChoiceProps) => {
  const items = metric.criteria?.items ?? [];
  const [said, setSaid] = useState<Record<string, boolean>>({});
  const criteria = items.flatMap(({ id }) => (said[id] === undefined ? [] : [{ id, met: said[id] }]));
  const met = criteria.filter((each) => each.met).length;
  return (
    <div className="flex flex-col gap-2">
      <ul aria-label="Criteria" className="flex flex-col gap-2">
        {items.map(({ id, text }) => (
          <li key={id} className="flex items-start gap-2">
            <span className="min-w-0 flex-1 break-words" dir="auto">
              {text}
            </span>
            <fieldset aria-label={text} className="flex shrink-0 gap-1">
              {([true, false] as const).map((value) => (
                <Button
                  key={String(value)}
                  aria-pressed={said[id] === value}
                  className="aria-pressed:bg-sunken aria-pressed:font-semibold"
                  onClick={() => setSaid({ ...said, [id]: value })}
                >
                  {value ? 'Yes' : 'No'}
                </Button>
              ))}
            </fieldset>
          </li>
        ))}
      </ul>
      <div>
        <Button
          look="primary"
          disabled={isPending || criteria.length < items.length}
          onClick={() => onGive({ label: `${met} of ${items.length} criteria`, score: { criteria } })}
        >
          Score
        </Button>
      </div>
    </div>
  );
};
