import { outcomeOf } from '../../../../client/src/run-outcome.ts';
import type { Run, RunDetail } from '../../types.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { countOf } from '../../ui/format.ts';
import { Progress } from '../../ui/progress.tsx';
import type { RunProgress } from './queries.ts';

const shown: Record<Run['status'], { label: string; tone: Tone }> = {
  pending: { label: 'Pending', tone: 'neutral' },
  awaiting_execution: { label: 'Waiting for records', tone: 'neutral' },
  running_execution: { label: 'Running', tone: 'accent' },
  awaiting_scoring: { label: 'Awaiting scoring', tone: 'neutral' },
  running_scoring: { label: 'Scoring', tone: 'accent' },
  awaiting_human_scoring: { label: 'Waiting for reviewers', tone: 'warn' },
  completed: { label: 'Completed', tone: 'pass' },
};

/** The names of the statuses. */
export const statusNames = Object.fromEntries(
  Object.entries(shown).map(([status, { label }]) => [status, label]),
) as Record<Run['status'], string>;

/** Whether a run that has ended may have errors or no scores: it lacks records or scores. The progress of the run says which. */
export const mayHaveErrors = ({
  status,
  numRecords,
  numExpectedRecords,
  numScores,
  metricIds,
}: Run): boolean =>
  status === 'completed' &&
  (numRecords < (numExpectedRecords ?? 0) || numScores < numRecords * metricIds.length);

type Ending = { word: string; more: string; tone: Tone };

/** How a run ended that is not simply completed: with errors, or without scores. */
const endingOf = (run: Run, progress: RunProgress): Ending | undefined => {
  const { ended, withoutScore, metrics } = outcomeOf(run, progress);
  const errors = `with ${countOf(progress.numErrors, 'error')}`;
  if (ended === 'failed') return { word: 'Failed', more: errors, tone: 'fail' };
  if (ended === 'withErrors') return { word: 'Completed', more: errors, tone: 'fail' };
  if (ended === 'nothingScored') return { word: 'Completed', more: 'nothing scored', tone: 'warn' };
  if (ended === 'partlyUnscored') {
    const more = `${withoutScore} of ${countOf(metrics, 'metric')} without a score`;
    return { word: 'Completed', more, tone: 'warn' };
  }
  return undefined;
};

/**
 * The status of a run. A completed run says so with its errors, or that it has no scores; a run that made no record has failed.
 * Until the progress is read, a run that may have ended in one of these ways is neutral.
 */
export const RunStatus = ({
  run,
  progress,
  short,
}: {
  run: Run | RunDetail;
  progress: RunProgress | undefined;
  short?: boolean;
}) => {
  const { tone } = shown[run.status];
  // Only the page of a run knows who makes its records.
  const isCalled = 'executions' in run && run.executions.numExecutions > 0;
  const isAwaited = run.status === 'awaiting_execution' && isCalled;
  const label = isAwaited ? 'Calling your system' : shown[run.status].label;
  const ending = progress && endingOf(run, progress);
  if (!ending) return <Badge tone={!progress && mayHaveErrors(run) ? 'neutral' : tone}>{label}</Badge>;
  const { word, more } = ending;
  if (!short)
    return (
      <Badge tone={ending.tone}>
        {word}
        {more.startsWith('with') ? ' ' : ', '}
        {more}
      </Badge>
    );
  return (
    <span className="flex flex-col items-start">
      <Badge tone={ending.tone}>{word}</Badge>
      <span className={`text-sm ${ending.tone === 'fail' ? 'text-fail' : 'text-warn'}`}>{more}</span>
    </span>
  );
};

/** The number of records, and the number that the testset makes expect. A run can have more than expected. */
export const recordsText = ({ numRecords, numExpectedRecords }: Run): string =>
  numExpectedRecords !== null && numExpectedRecords > numRecords
    ? `${numRecords.toLocaleString('en')} of ${numExpectedRecords.toLocaleString('en')}`
    : numRecords.toLocaleString('en');

/** `149K` of 149,990, never more than there are: a cell has place for two such numbers. */
const briefly = (n: number): string =>
  n < 1000
    ? String(n)
    : n.toLocaleString('en', { notation: 'compact', maximumSignificantDigits: 3, roundingMode: 'floor' });

/** The number of scores, and of those expected. */
export const ScoreProgress = ({ run }: { run: Run }) => {
  if (run.metricIds.length === 0) return <span className="text-sm text-soft">No metrics</span>;
  const records = Math.max(run.numRecords, run.numExpectedRecords ?? 0);
  // Scores of metrics that were added later count too.
  const total = Math.max(records * run.metricIds.length, run.numScores);
  return (
    <span className="flex flex-col gap-1 whitespace-nowrap">
      <Progress
        label={`Scores of run ${run.id}`}
        total={total}
        parts={[{ label: 'scored', n: run.numScores, fill: 'done' }]}
      />
      <span
        className="truncate text-sm leading-4 text-soft"
        title={`${run.numScores.toLocaleString('en')} of ${total.toLocaleString('en')}`}
      >
        {run.numScores === total && total >= 1000
          ? total.toLocaleString('en')
          : `${briefly(run.numScores)} of ${briefly(total)}`}
      </span>
    </span>
  );
};
