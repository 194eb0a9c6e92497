import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { api, apiQuery, keyOf } from '../../api.ts';
import { paths } from '../../paths.ts';
import { HeldAgainst } from '../../resources/judges/held-against.tsx';
import { createNamed, peopleNameOf, refreshesOfPeople } from '../../resources/judges/people.ts';
import type { AskedRun, Calibration } from '../../resources/judges/queries.ts';
import { useMay } from '../../resources/session/me.ts';
import type { Metric } from '../../types.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { countOf, sentenceOf } from '../../ui/format.ts';
import { ErrorNote } from '../../ui/states.tsx';

/** Enough to know the errors of most judges: 20 labels and 5 of each kind are the least. */
const firstLabels = 40;

/** Largest number of labels that the page asks for at once. */
const mostLabels = 400;

/**
 * Number of labels, about half of each kind, after which a judge with the errors seen so far may gate alone: the upper end of the larger
 * error rate then lies at 20 points. Null if its errors are too large for that, or if too many labels are missing.
 */
const labelsToGateAlone = ({ grade, loss, numLabels }: Calibration['judge']): number | null => {
  if (grade !== 'useWithCorrection' || !loss || loss.estimate >= 0.17) return null;
  const error = Math.max(loss.estimate, 0.02);
  const needed = Math.ceil(2 * (1.96 / (0.2 - error)) ** 2 * error * (1 - error));
  const more = Math.max(10, needed - numLabels);
  return more > mostLabels ? null : more;
};

/** Number of labels to ask for next, and their effect; 0 where more labels do not help. */
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
  const toGateAlone = labelsToGateAlone(judge);
  if (toGateAlone !== null)
    return {
      size: toGateAlone,
      why: `About ${countOf(toGateAlone, 'more label')} show whether it may gate alone, if it errs as often as so far.`,
    };
  if (judge.state === 'noBetterThanChance')
    return { size: 0, why: 'Change its prompt or its model first: read where it disagrees with people.' };
  if (moreLabels) return { size: 0, why: sentenceOf(moreLabels) };
  return { size: firstLabels, why: `${firstLabels} more labels narrow the intervals.` };
};

/** Runs that are drawn from when the first has too few records: small testsets need several. */
const mostRuns = 6;

/** `isFirst`: the run has no sample yet, so its design is free. */
type Draw = { runId: string; more: number; size: number; isFirst: boolean };

/** Divides the wanted labels among runs, the first first. A run that asks people about all of its records has nothing to draw. */
const drawsOf = (runs: readonly AskedRun[], metricId: string | null, wanted: number): Draw[] => {
  let left = wanted;
  return runs.flatMap((run) => {
    if (metricId !== null && run.metricIds.includes(metricId)) return [];
    const sample = run.samples.findLast((sample) => sample.metricId === metricId);
    const drawn = sample?.numDrawn ?? 0;
    const more = Math.min(left, run.numRecords - drawn);
    if (more <= 0) return [];
    left -= more;
    return [{ runId: run.runId, more, size: drawn + more, isFirst: !sample }];
  });
};

type Props = {
  projectId: string;
  metric: Metric;
  /** The human metrics of the project, and the one that is the truth about the judge; null before one is created. */
  people: readonly Metric[];
  peopleMetricId: string | null;
  /** The run that is shown, then the others that this configuration of the judge scored, newest first. */
  runs: readonly [AskedRun, ...AskedRun[]];
  calibration: Calibration;
};

type Draws = Pick<Props, 'projectId' | 'metric' | 'peopleMetricId'> & { draws: ReturnType<typeof drawsOf> };

/** Draws the samples, by a new metric if people have none yet, and opens the queue. */
const useDraw = ({ projectId, metric, peopleMetricId, draws }: Draws) => {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async () => {
      // Before the draw: if that fails, the next attempt must not create another one.
      const metricId = peopleMetricId ?? (await createNamed(projectId, metric, null));
      // A size is that of the whole sample, so that an attempt after a failure draws nothing twice.
      for (const { runId, size, isFirst } of draws)
        await api.createReviewSample(runId, {
          metricId,
          size,
          // Verdicts of both kinds, however rare one is: few failures among 40 records would not show how often the judge misses one.
          ...(isFirst && { stratifyBy: { metricId: metric.id }, allocation: 'equal' as const }),
        });
      return metricId;
    },
    meta: {
      refreshes: [
        ...refreshesOfPeople(projectId, metric),
        keyOf('getReviewProgress', projectId),
        keyOf('nextReview', projectId),
      ],
    },
    onSuccess: (metricId) => navigate(paths.review(projectId, metricId, metric.id)),
  });
};

/** Draws random samples of the runs for people to label, the given run first, and opens the queue. */
export const LabelMore = ({ projectId, metric, people, peopleMetricId, runs, calibration }: Props) => {
  const may = useMay();
  const { data: progress } = useQuery(apiQuery('getReviewProgress', projectId));
  const [run] = runs;
  const queue = progress?.queues.filter(({ metricId }) => metricId === peopleMetricId) ?? [];
  const waiting = queue.reduce((sum, { numPending }) => sum + numPending, 0);
  const { size, why } = wantedOf(calibration);
  const draws = drawsOf(runs.slice(0, mostRuns), peopleMetricId, size);
  const drawn = draws.reduce((sum, { more }) => sum + more, 0);
  const queuesAll = peopleMetricId !== null && run.metricIds.includes(peopleMetricId);
  const draw = useDraw({ projectId, metric, peopleMetricId, draws });
  if (!may.write) return null;
  const open = waiting > 0 && peopleMetricId !== null && (
    <Link {...paths.review(projectId, peopleMetricId, metric.id)} className={buttonClass('primary')}>
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
          size > 0 &&
          ' All records of the newest runs are in a sample: run the judge on more.'}
        {draws.some(({ isFirst }) => isFirst) &&
          ' Half of those drawn passed and half failed by the judge, so that both kinds of its errors show. Weights then correct the rates for the unequal chances of being drawn.'}
      </p>
      <div className="flex flex-wrap items-end gap-2">
        {open}
        {drawn > 0 && (
          <Button look={open ? 'plain' : 'primary'} disabled={draw.isPending} onClick={() => draw.mutate()}>
            Draw {countOf(drawn, 'record')} of{' '}
            {draws.length <= 2
              ? `${draws.length === 1 ? 'run' : 'runs'} ${draws.map(({ runId }) => runId).join(' and ')}`
              : countOf(draws.length, 'run')}{' '}
            and label them
          </Button>
        )}
        {peopleMetricId === null ? (
          <span className="text-sm text-soft">This creates the metric {peopleNameOf(metric)}.</span>
        ) : (
          <HeldAgainst projectId={projectId} judge={metric} people={people} peopleMetricId={peopleMetricId} />
        )}
      </div>
      {draw.error && <ErrorNote error={draw.error} />}
    </div>
  );
};
