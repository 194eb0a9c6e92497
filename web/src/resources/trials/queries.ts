import { apiQuery } from '../../api.ts';
import type { PinnedTrial, Rescoring, Trial } from '../../types.ts';

/** Newest trials of a run that its page shows. */
const mostTrials = 20;
/** The same of a judge: a battery counts for 180 days, in which a weekly drift trial runs 26 times. */
const mostOfJudge = 50;
/** How often a trial whose verdicts arrive is read again. */
const liveMs = 1_500;

type State<Data> = { state: { data: Data | undefined } };

export const isRescoring = (trial: Trial): trial is Rescoring => trial.kind === 'rescoring';
const isPinned = (trial: Trial): trial is PinnedTrial => !isRescoring(trial);

/** A trial that waits for a higher budget makes no progress. */
const isLive = (trial: Trial): boolean =>
  trial.state === 'running' && !(isRescoring(trial) ? trial.stoppedBy !== null : trial.stopped);

/** Lists are read half as often as a trial. */
const refetchInterval = ({ state }: State<{ data: Trial[] }>) =>
  state.data?.data.some(isLive) ? liveMs * 2 : false;

/** One request for all that the page of a judge shows of its trials. */
const judgeTrials = (metricId: string) => ({
  ...apiQuery('listTrials', {
    metricId,
    kinds: ['drift', 'succession', 'alignment', 'battery'] as const satisfies Trial['kind'][],
    limit: mostOfJudge,
  }),
  refetchInterval,
});

/** The newest trials on the pinned records of a metric without its batteries, newest first. */
export const trialsQuery = (metricId: string) => ({
  ...judgeTrials(metricId),
  select: ({ data }: { data: Trial[] }) => ({
    data: data.filter(isPinned).filter(({ kind }) => kind !== 'battery'),
  }),
});

/** The newest batteries of a metric, newest first. */
export const batteriesQuery = (metricId: string) => ({
  ...judgeTrials(metricId),
  select: ({ data }: { data: Trial[] }) => ({
    data: data.filter(isPinned).filter(({ kind }) => kind === 'battery'),
  }),
});

/** The newest rescorings of a run, newest first. */
export const rescoringsQuery = (runId: string) => ({
  ...apiQuery('listTrials', { runId, limit: mostTrials }),
  refetchInterval,
  select: ({ data }: { data: Trial[] }) => ({ data: data.filter(isRescoring) }),
});

export const trialQuery = (metricId: string, number: string) => ({
  ...apiQuery('getTrial', metricId, number),
  refetchInterval: ({ state }: State<Trial>) => (state.data && isLive(state.data) ? liveMs : false),
});

/** The trials whose candidate is the judge in use. */
export const isDrift = ({ kind }: Trial): boolean => kind === 'drift';

export const kindNames: Record<Trial['kind'], string> = {
  drift: 'Drift',
  succession: 'Successors',
  alignment: 'Alignment',
  battery: 'Bias battery',
  rescoring: 'Rescoring',
};
