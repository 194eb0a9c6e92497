import { apiQuery } from '../../api.ts';
import type { Trial } from '../../types.ts';

/** Newest trials of a metric that its page shows. */
const mostTrials = 20;
/** How often a trial whose verdicts arrive is read again. */
const liveMs = 2_000;

type State<Data> = { state: { data: Data | undefined } };

const isLive = ({ state }: Trial): boolean => state === 'running';

/** The newest trials of a metric of all kinds, newest first. */
export const trialsQuery = (metricId: string) => ({
  ...apiQuery('listTrials', metricId, { limit: mostTrials }),
  refetchInterval: ({ state }: State<{ data: Trial[] }>) => (state.data?.data.some(isLive) ? liveMs : false),
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
};
