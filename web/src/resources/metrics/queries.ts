import { useSuspenseQuery } from '@tanstack/react-query';
import { apiList, apiQuery } from '../../api.ts';
import type { Metric } from '../../types.ts';

// Every variant has these fields; the union of the nine variants would have to be narrowed at each use.
const allVariants = (metrics: Metric[]): Metric[] => metrics;
const anyVariant = (metric: Metric): Metric => metric;

export const metricsQuery = (projectId: string) => ({
  ...apiList('listMetrics', projectId),
  select: allVariants,
  staleTime: 60_000,
});

export const metricQuery = (metricId: string) => ({ ...apiQuery('getMetric', metricId), select: anyVariant });

/** A metric, from the list of its project if it is there. Suspends until it is read; throws if there is none. */
export const useMetric = (projectId: string, metricId: string): Metric => {
  const { data: metrics } = useSuspenseQuery(apiList('listMetrics', projectId));
  const listed = metrics.find(({ id }) => id === metricId);
  return useSuspenseQuery({
    ...apiQuery('getMetric', metricId),
    ...(listed && { initialData: listed, staleTime: 60_000 }),
  }).data;
};
