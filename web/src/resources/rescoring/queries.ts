import { apiQuery } from '../../api.ts';
import type { Rescoring } from '../../types.ts';

/** How often a rescoring that makes progress is read again. One that waits for a higher budget makes none. */
const liveMs = 1_500;
const isLive = ({ state, stoppedBy }: Rescoring): boolean => state === 'running' && stoppedBy === null;

type State<Data> = { state: { data: Data | undefined } };

export const rescoringQuery = (runId: string, id: string) => ({
  ...apiQuery('getRescoring', runId, id),
  refetchInterval: ({ state }: State<Rescoring>) => (state.data && isLive(state.data) ? liveMs : false),
});

/** The newest rescorings of a run. */
export const rescoringsQuery = (runId: string) => ({
  ...apiQuery('listRescorings', runId, { limit: 20 }),
  refetchInterval: ({ state }: State<{ data: Rescoring[] }>) =>
    state.data?.data.some(isLive) ? liveMs * 2 : false,
});
