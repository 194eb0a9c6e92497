import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, apiData, apiQuery, keyOf } from '../api.ts';
import { metricsQuery } from '../metrics/queries.ts';
import { paths } from '../paths.ts';
import { useMay } from '../session/me.ts';
import type { CreateMetricBody, Metric, Run } from '../types.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { Select } from '../ui/field.tsx';
import { countOf } from '../ui/format.ts';
import { ErrorNote } from '../ui/states.tsx';
import type { Calibration } from './queries.ts';

/** Enough to know the errors of most judges: 20 labels and 5 of each kind are the least. */
const firstLabels = 40;
const newMetric = 'new';

/** How many labels to ask for next, and what they are good for. */
const wantedOf = ({ judge, corrected }: Calibration): { size: number; why: string } => {
  if (judge.state !== 'calibrated' && judge.labels < firstLabels) {
    const size = firstLabels - judge.labels;
    return {
      size,
      why: `${countOf(size, 'label')} usually show how often the judge errs; at least 20 are needed, with 5 passes and 5 failures.`,
    };
  }
  const { labelsToHalve, moreLabels } = corrected?.predictionPowered ?? {};
  if (labelsToHalve)
    return {
      size: labelsToHalve,
      why: `${countOf(labelsToHalve, 'more label')} ${labelsToHalve === 1 ? 'halves' : 'halve'} the interval of the corrected rate.`,
    };
  return {
    size: firstLabels,
    why: moreLabels
      ? `${moreLabels.slice(0, 1).toUpperCase()}${moreLabels.slice(1)}.`
      : `${firstLabels} more labels narrow the intervals.`,
  };
};

type Props = { projectId: string; metric: Metric; run: Run; calibration: Calibration };

/** Draws a random sample of the run for people to label, and opens the queue. */
export const LabelMore = ({ projectId, metric, run, calibration }: Props) => {
  const may = useMay();
  const navigate = useNavigate();
  const { data: metrics = [] } = useQuery(metricsQuery(projectId));
  const { data: samples } = useQuery(apiData('listReviewSamples', run.id));
  const { data: progress } = useQuery(apiQuery('getReviewProgress', projectId));
  const [chosen, setChosen] = useState<string>();
  const people = metrics.filter(({ evalType }) => evalType === 'human');
  const peopleId = chosen ?? calibration.judge.peopleMetricId ?? samples?.at(-1)?.metricId ?? newMetric;
  const sample = samples?.findLast(({ metricId }) => metricId === peopleId);
  const queue = progress?.queues.filter(({ metricId }) => metricId === peopleId) ?? [];
  const waiting = queue.reduce((sum, { numPending }) => sum + numPending, 0);
  const { size, why } = wantedOf(calibration);
  const left = run.numRecords - (sample?.numDrawn ?? 0);
  const drawn = Math.min(size, left);
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
          guidelines: metric.guidelines,
          ...(metric.passingThreshold !== undefined && { passingThreshold: metric.passingThreshold }),
        } as CreateMetricBody;
        ({ id: metricId } = await api.createMetric(projectId, body));
        // If the draw fails, the next attempt must not create another one.
        setChosen(metricId);
      }
      await api.createReviewSample(run.id, { metricId, size: (sample?.numDrawn ?? 0) + drawn });
      return metricId;
    },
    meta: {
      refreshes: [
        keyOf('listMetrics', projectId),
        keyOf('listReviewSamples', run.id),
        keyOf('getReviewProgress', projectId),
        keyOf('nextReview', projectId),
      ],
    },
    onSuccess: (metricId) => navigate(paths.review(projectId, metricId)),
  });
  if (!may.write || !samples) return <div className="h-7" />;
  const open = waiting > 0 && (
    <Link {...paths.review(projectId, peopleId)} className={buttonClass('primary')}>
      Label {countOf(waiting, 'waiting record')}
    </Link>
  );
  return (
    <div className="flex flex-col gap-2">
      <p className="text-soft">
        {queuesAll ? 'This run asks people about each of its records.' : why}
        {!queuesAll && left === 0 && ' All records of this run are in the sample: choose another run above.'}
      </p>
      <div className="flex flex-wrap items-end gap-2">
        {open}
        {!queuesAll && drawn > 0 && (
          <Button look={open ? 'plain' : 'primary'} disabled={draw.isPending} onClick={() => draw.mutate()}>
            Draw {countOf(drawn, 'record')} of run {run.id} and label them
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
