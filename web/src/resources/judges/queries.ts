import { type Answer, apiQuery } from '../../api.ts';

export type Calibration = Answer<'calibrateMetric'>;
export type Judge = Calibration['judge'];
type Trends = Answer<'listTrends'>;
export type TrendPoint = Trends['metrics'][number]['points'][number];
/** A run, and what people were asked about its records. */
export type AskedRun = NonNullable<Trends['runs']>[number];

/** Source of people's labels, as in the URL: those of the judge's human metric, a named source, or the id of another metric. */
export type Labels = string | undefined;

/** The parameters by which the API knows these labels. */
export const labelsOf = (labels: Labels): { labels?: 'overrides' | 'thumbs'; against?: string } => {
  if (labels === undefined) return {};
  return labels === 'overrides' || labels === 'thumbs' ? { labels } : { against: labels };
};

/** The calibration of a configuration of a judge, with the corrected pass rate of a run, beside other configurations. */
export const calibrationQuery = (
  metricId: string,
  configId: string | undefined,
  labels: Labels,
  runId: string | undefined,
) =>
  apiQuery('calibrateMetric', metricId, {
    metricConfigId: configId,
    runId,
    ...labelsOf(labels),
    configurations: true,
    pinnedSet: true,
    jury: true,
  });

const trendRuns = 20;

/** The metric over the latest runs, oldest first, each point with its judge, and what people were asked about the runs. */
export const trendQuery = (projectId: string, metricId: string) => ({
  ...apiQuery('listTrends', projectId, { metricId, limit: trendRuns, judges: true }),
  select: ({ metrics, runs = [] }: Trends): { points: TrendPoint[]; runs: AskedRun[] } => ({
    points: metrics[0]?.points ?? [],
    runs,
  }),
});
