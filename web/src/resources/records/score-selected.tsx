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
import { choices } from './score-choices.ts';
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
  // People score the spans of a record, and each criterion, one by one.
  const metrics =
    data?.filter(({ evalType, spans, criteria }) => evalType === 'human' && !spans && !criteria) ?? [];
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
    mutationFn: async (choice: (typeof choices)['boolean'][number]) => {
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
      <fieldset className="flex flex-wrap items-center gap-1" aria-label={`Score of ${metric.name}`}>
        {choices[metric.outputType].map((choice) => (
          <Button key={choice.label} disabled={give.isPending} onClick={() => give.mutate(choice)}>
            {choice.label}
          </Button>
        ))}
      </fieldset>
      {give.error && <ErrorNote error={give.error} />}
    </div>
  );
};
