import { type Answer, apiQuery } from '../../api.ts';

export type Calibration = Answer<'calibrateMetric'>;
export type Judge = Calibration['judge'];
export type TrendPoint = Answer<'listTrends'>['metrics'][number]['points'][number];

/** What people's labels are, as in the URL: found by the service, a source of their own, or the id of a human metric. */
export type Labels = string | undefined;

/** The parameters by which the API knows these labels. */
export const labelsOf = (labels: Labels): { labels?: 'auto' | 'overrides' | 'thumbs'; against?: string } => {
  if (labels === undefined) return { labels: 'auto' };
  return labels === 'overrides' || labels === 'thumbs' ? { labels } : { against: labels };
};

/** A configuration of a judge against people; with a run, also the corrected pass rate of the run. */
export const calibrationQuery = (
  metricId: string,
  configId: string | undefined,
  labels: Labels,
  runId?: string,
) => apiQuery('calibrateMetric', metricId, { metricConfigId: configId, runId, ...labelsOf(labels) });

const trendRuns = 20;

/** The metric over the latest runs, oldest first. */
export const trendQuery = (projectId: string, metricId: string) => ({
  ...apiQuery('listTrends', projectId, { metricId, limit: trendRuns }),
  select: ({ metrics }: Answer<'listTrends'>): TrendPoint[] => metrics[0]?.points ?? [],
});
