import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, apiQuery, keyOf } from '../../api.ts';
import { paths } from '../../paths.ts';
import type { AskedRun, Calibration } from '../../resources/judges/queries.ts';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { useMay } from '../../resources/session/me.ts';
import type { CreateMetricBody, Metric } from '../../types.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { countOf } from '../../ui/format.ts';
import { ErrorNote } from '../../ui/states.tsx';

/** Enough to know the errors of most judges: 20 labels and 5 of each kind are the least. */
const firstLabels = 40;
const newMetric = 'new';

/** How many labels to ask for next, and what they are good for. */
const wantedOf = ({ judge, corrected }: Calibration): { size: number; why: string } => {
  if (judge.state !== 'calibrated' && judge.numLabels < firstLabels) {
    const size = firstLabels - judge.numLabels;
    return {
      size,
      why: `${countOf(size, 'label')} usually show how often the judge errs; at least 20 are needed, with 5 passes and 5 failures.`,
    };
  }
  const { numLabelsToHalve, moreLabels } = corrected?.predictionPowered ?? {};
  if (numLabelsToHalve)
    return {
      size: numLabelsToHalve,
      why: `${countOf(numLabelsToHalve, 'more label')} ${numLabelsToHalve === 1 ? 'halves' : 'halve'} the interval of the corrected rate.`,
    };
  return {
    size: firstLabels,
    why: moreLabels
      ? `${moreLabels.slice(0, 1).toUpperCase()}${moreLabels.slice(1)}.`
      : `${firstLabels} more labels narrow the intervals.`,
  };
};

/** Runs that are drawn from when the first has too few records: small testsets need several. */
const mostRuns = 6;

type Draw = { runId: string; more: number; size: number };

/** Divides the wanted labels among runs, the first first. A run that asks people about all of its records has nothing to draw. */
const drawsOf = (runs: readonly AskedRun[], metricId: string, wanted: number): Draw[] => {
  let left = wanted;
  return runs.flatMap((run) => {
    if (run.metricIds.includes(metricId)) return [];
    const drawn = run.samples.findLast((sample) => sample.metricId === metricId)?.numDrawn ?? 0;
    const more = Math.min(left, run.numRecords - drawn);
    if (more <= 0) return [];
    left -= more;
    return [{ runId: run.runId, more, size: drawn + more }];
  });
};

type Props = {
  projectId: string;
  metric: Metric;
  /** The run that is shown, then the others that this configuration of the judge scored, newest first. */
  runs: readonly [AskedRun, ...AskedRun[]];
  calibration: Calibration;
};

/** Draws random samples of the runs for people to label, the given run first, and opens the queue. */
export const LabelMore = ({ projectId, metric, runs, calibration }: Props) => {
  const may = useMay();
  const navigate = useNavigate();
  const { data: metrics = [] } = useQuery(metricsQuery(projectId));
  const { data: progress } = useQuery(apiQuery('getReviewProgress', projectId));
  const [chosen, setChosen] = useState<string>();
  const [run] = runs;
  const people = metrics.filter(({ evalType }) => evalType === 'human');
  const peopleId = chosen ?? calibration.judge.peopleMetricId ?? run.samples.at(-1)?.metricId ?? newMetric;
  const queue = progress?.queues.filter(({ metricId }) => metricId === peopleId) ?? [];
  const waiting = queue.reduce((sum, { numPending }) => sum + numPending, 0);
  const { size, why } = wantedOf(calibration);
  const draws = drawsOf(runs.slice(0, mostRuns), peopleId, size);
  const drawn = draws.reduce((sum, { more }) => sum + more, 0);
  const queuesAll = run.metricIds.includes(peopleId);
  const draw = useMutation({
    mutationFn: async () => {
      let metricId = peopleId;
      if (metricId === newMetric) {
        const body = {
          name: `${metric.name} (people)`,
          description: null,
          evalType: 'human',
          outputType: metric.outputType,
          // A judge may have its question in its prompt alone.
          guidelines: metric.guidelines || (metric.description ?? ''),
          ...(metric.passingThreshold !== undefined && { passingThreshold: metric.passingThreshold }),
        } as CreateMetricBody;
        ({ id: metricId } = await api.createMetric(projectId, body));
        // If the draw fails, the next attempt must not create another one.
        setChosen(metricId);
      }
      // A size is that of the whole sample, so that an attempt after a failure draws nothing twice.
      for (const { runId, size } of draws) await api.createReviewSample(runId, { metricId, size });
      return metricId;
    },
    meta: {
      refreshes: [
        keyOf('listMetrics', projectId),
        keyOf('listTrends', projectId),
        keyOf('getReviewProgress', projectId),
        keyOf('nextReview', projectId),
      ],
    },
    onSuccess: (metricId) => navigate(paths.review(projectId, metricId, undefined, metric.id)),
  });
  if (!may.write) return null;
  const open = waiting > 0 && (
    <Link {...paths.review(projectId, peopleId, undefined, metric.id)} className={buttonClass('primary')}>
      Label {countOf(waiting, 'waiting record')}
    </Link>
  );
  return (
    <div className="flex flex-col gap-2">
      <p className="text-soft">
        {queuesAll && 'This run asks people about each of its records. '}
        {(!queuesAll || drawn > 0) && why}
        {!queuesAll &&
          drawn === 0 &&
          ' All records of the newest runs are in a sample: run the judge on more.'}
      </p>
      <div className="flex flex-wrap items-end gap-2">
        {open}
        {drawn > 0 && (
          <Button look={open ? 'plain' : 'primary'} disabled={draw.isPending} onClick={() => draw.mutate()}>
            Draw {countOf(drawn, 'record')} of {draws.length === 1 ? 'run' : 'runs'}{' '}
            {draws.map(({ runId }) => runId).join(' and ')} and label them
          </Button>
        )}
        <div className="w-64">
          <Select
            label="Metric that people score"
            hideLabel
            value={peopleId}
            options={[
              { value: newMetric, label: `New metric “${metric.name} (people)”` },
              ...people.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={setChosen}
          />
        </div>
      </div>
      {draw.error && <ErrorNote error={draw.error} />}
    </div>
  );
};
