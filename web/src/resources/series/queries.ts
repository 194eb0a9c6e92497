import { keepPreviousData } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import type { Series } from '../../types.ts';

const hour = 3_600_000;
const day = 24 * hour;
/** The ranges that a dashboard offers, up to now. */
export const ranges = { '24h': day, '7d': 7 * day, '30d': 30 * day, '90d': 90 * day, '1y': 365 * day };
export type Range = keyof typeof ranges;
export const rangeNames: Record<Range, string> = {
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  '1y': 'Last year',
};
export const isRange = (text: string | undefined): text is Range => text !== undefined && text in ranges;

const buckets: Record<string, string> = { hour: 'Hours', day: 'Days', week: 'Weeks' };
/** Buckets that a range may be cut into; the service makes at most a month of hours. */
export const bucketsOf = (range: Range): Record<string, string> => ({
  '': 'Bucket by range',
  ...Object.fromEntries(
    Object.entries(buckets).filter(([bucket]) => bucket !== 'hour' || ranges[range] <= ranges['30d']),
  ),
});

type Asked = {
  range: Range;
  bucket?: string | undefined;
  by?: string | undefined;
  source?: string | undefined;
  monitorId?: string | undefined;
  compare?: string | undefined;
};

/** Latency, tokens, cost and scores of the records of a project; read again every minute. */
export const seriesQuery = (projectId: string, { range, bucket, by, source, monitorId, compare }: Asked) => {
  // Whole hours, so that the query keeps its key while the page is open.
  const createdAfter = new Date(Math.floor(Date.now() / hour) * hour - ranges[range]).toISOString();
  return {
    ...apiQuery('getSeries', projectId, {
      createdAfter,
      ...(bucket && { bucket: bucket as Series['bucket'] }),
      ...(by && { by: by as 'model' | 'version' | 'tag' }),
      ...(source && { source: source as 'traces' | 'runs' }),
      ...(monitorId && { monitorId }),
      ...(compare && { compare: compare as 'buckets' | 'groups' }),
    }),
    refetchInterval: 60_000,
    placeholderData: keepPreviousData,
  };
};
