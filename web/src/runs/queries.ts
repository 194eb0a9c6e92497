import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type Page, pagedQuery } from '../api.ts';
import { recordsQuery } from '../records/queries.ts';
import type {
  ChangedTestcase,
  ExecutionSummary,
  Plan,
  RecordDetail,
  Run,
  RunComparison,
  RunNotes,
  RunProgress,
  RunSummary,
} from '../types.ts';

export const runsQuery = (projectId: string, limit = 50) =>
  pagedQuery<Run>(`/projects/${projectId}/runs`, {}, limit);

// Neither looks again by itself: what changes in a project is told by its events (live.ts).
export const runQuery = (runId: string) =>
  queryOptions({
    queryKey: [`/runs/${runId}`],
    queryFn: ({ signal }) => api.get<Run>(`/runs/${runId}`, {}, signal),
  });

/** The run's counts are in the key: what came since then is summarized anew, what is complete is not asked for again. */
export const summaryQuery = ({ id, numRecords, numScores }: Run, by?: string) =>
  queryOptions({
    queryKey: [`/runs/${id}/summary`, numRecords, numScores, by ?? ''],
    queryFn: ({ signal }) => api.get<RunSummary>(`/runs/${id}/summary`, { by }, signal),
    staleTime: 60_000,
  });

/** The run in slices; those before stay in sight until the next are there. */
export const slicesQuery = (run: Run, by: string) => ({
  ...summaryQuery(run, by),
  placeholderData: keepPreviousData,
});

export const progressQuery = (runId: string) =>
  queryOptions({
    queryKey: [`/runs/${runId}/progress`],
    queryFn: ({ signal }) => api.get<RunProgress>(`/runs/${runId}/progress`, {}, signal),
  });

export const executionsQuery = (runId: string) =>
  queryOptions({
    queryKey: [`/runs/${runId}/executions/summary`],
    queryFn: ({ signal }) => api.get<ExecutionSummary>(`/runs/${runId}/executions/summary`, {}, signal),
  });

export type PlanAsked = { metricId: string; testsetId: string; difference: number; trials: number };

/** How small a difference a coming run could see by a metric’s pass rate, and what a given one would need. */
export const planQuery = (projectId: string, { metricId, testsetId, difference, trials }: PlanAsked) => {
  const query = { metricId, testsetId: testsetId || undefined, difference, trials, measure: 'pass' };
  return queryOptions({
    queryKey: [`/projects/${projectId}/plan`, query],
    queryFn: ({ signal }) => api.get<Plan>(`/projects/${projectId}/plan`, query, signal),
    staleTime: 60_000,
  });
};

export const comparisonQuery = (runIds: readonly string[], measure: string) =>
  queryOptions({
    queryKey: ['/runs/compare', runIds, measure],
    queryFn: ({ signal }) => api.get<RunComparison>('/runs/compare', { runs: runIds, measure }, signal),
  });

/** Few a page: each is shown with both its records. */
const changesPage = 10;

export const changesQuery = (runIds: readonly [string, string], metricId: string, measure: string) =>
  pagedQuery<ChangedTestcase>('/runs/compare/testcases', { runs: runIds, metricId, measure }, changesPage);

/** The latest records of a run that failed a metric. */
export const failuresQuery = ({ id, numScores }: Run, projectId: string) => {
  const query = recordsQuery(projectId, { runId: id, result: 'fail' });
  return { ...query, queryKey: [...query.queryKey, numScores], placeholderData: keepPreviousData };
};

/** Some records of a run, to know what fields they have. */
export const someRecordsQuery = (runId: string) =>
  queryOptions({
    queryKey: [`/runs/${runId}/records`, 'some'],
    queryFn: async ({ signal }) =>
      (
        await api.get<{ data: Pick<RecordDetail, 'inputs'>[] }>(
          `/runs/${runId}/records`,
          { limit: 20 },
          signal,
        )
      ).data,
    staleTime: 60_000,
  });

export const notesQuery = (runId: string) =>
  queryOptions({
    queryKey: [`/runs/${runId}/notes`],
    queryFn: ({ signal }) => api.get<RunNotes>(`/runs/${runId}/notes`, {}, signal),
  });

/** Reads all records of a run; `onProgress` hears how many there are so far. */
export const readRunRecords = async (
  projectId: string,
  runId: string,
  onProgress: (n: number) => void,
): Promise<RecordDetail[]> => {
  const records: RecordDetail[] = [];
  let cursor = '';
  do {
    const page = await api.get<Page<RecordDetail>>(`/projects/${projectId}/records`, {
      runId,
      limit: 100,
      cursor: cursor || undefined,
    });
    records.push(...page.data);
    cursor = page.nextCursor;
    onProgress(records.length);
  } while (cursor);
  return records.reverse();
};
