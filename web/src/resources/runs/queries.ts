import { keepPreviousData } from '@tanstack/react-query';
import { api, apiPages, apiQuery } from '../../api.ts';
import type { ListedRun, RecordDetail, Run, RunDetail } from '../../types.ts';
import { weightsOf } from './weights.tsx';

export type RunProgress = RunDetail['progress'];

/** Neither attempts of calls that fail nor the cost of judges are events of a run, so it is read again at these intervals. */
const [callsMs, costMs] = [2_000, 4_500];
const againMs = ({ executions, judgeBudget }: RunDetail): number | false => {
  if (executions.pending > 0) return callsMs;
  return judgeBudget.numWaiting > 0 && !judgeBudget.stopped && costMs;
};

/** A run with all that its page shows beside results and records. */
export const runQuery = (runId: string) => ({
  ...apiQuery('getRunDetails', runId),
  refetchInterval: ({ state: { data } }: { state: { data: RunDetail | undefined } }) =>
    data !== undefined && againMs(data),
});

type RunFilter = { q?: string; testset?: string; kind?: string };

/** The runs of a project, newest first; the previous ones are shown while others are read. */
export const runsQuery = (projectId: string, { q, testset, kind }: RunFilter = {}) => ({
  ...apiPages('listRunDetails', projectId, {
    limit: 50,
    ...(q && { q }),
    ...(testset && { testsetId: testset }),
    ...(kind && { kind: kind as ListedRun['kind'] }),
  }),
  placeholderData: keepPreviousData,
});

/** The counts of the run are in the key: the summary is read again only when there are new records or scores. */
export const summaryQuery = ({ id, numRecords, numScores }: Run, by?: string, across?: string) => {
  const query = apiQuery('summarizeRun', id, { by, across });
  return { ...query, queryKey: [...query.queryKey, numRecords, numScores], staleTime: 60_000 };
};

/** The run in slices, perhaps weighted. The previous slices are shown until the next ones are read. */
export const slicesQuery = ({ id, numRecords, numScores }: Run, by: string, weights?: string) => {
  const query = apiQuery('summarizeRun', id, { by, ...weightsOf(weights) });
  return {
    ...query,
    queryKey: [...query.queryKey, numRecords, numScores],
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  };
};

export type PlanAsked = {
  metricId: string;
  testsetId: string;
  split?: string | undefined;
  difference: number;
  trials: number;
};

/** The smallest difference in a metric's pass rate that a new run would detect, and the testcases a given one would need. */
export const planQuery = (projectId: string, { testsetId, split, ...asked }: PlanAsked) => ({
  ...apiQuery('planRun', projectId, {
    ...asked,
    testsetId: testsetId || undefined,
    split: split || undefined,
    measure: 'pass',
  }),
  staleTime: 60_000,
});

/** The latest records of a run that failed a metric. */
export const failuresQuery = ({ id, numScores }: Run, projectId: string) => {
  const query = apiPages('listProjectRecords', projectId, { runId: id, result: 'fail' });
  return { ...query, queryKey: [...query.queryKey, numScores], placeholderData: keepPreviousData };
};

/** Reads all records of a run, oldest first. `onProgress` gets the number that is read so far. */
export const readRunRecords = async (
  projectId: string,
  runId: string,
  onProgress: (n: number) => void,
): Promise<RecordDetail[]> => {
  const records: RecordDetail[] = [];
  for await (const page of api.listProjectRecords(projectId, { runId }).pages()) {
    records.push(...page.data);
    onProgress(records.length);
  }
  return records.reverse();
};
