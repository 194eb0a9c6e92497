import { keepPreviousData } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';

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

type Asked = { range: Range; by?: string; source?: string; monitorId?: string };

/** Latency, tokens, cost and scores of the records of a project; read again every minute. */
export const seriesQuery = (projectId: string, { range, by, source, monitorId }: Asked) => {
  // Whole hours, so that the query keeps its key while the page is open.
  const createdAfter = new Date(Math.floor(Date.now() / hour) * hour - ranges[range]).toISOString();
  return {
    ...apiQuery('getSeries', projectId, {
      createdAfter,
      ...(by && { by: by as 'model' | 'version' | 'tag' }),
      ...(source && { source: source as 'traces' | 'runs' }),
      ...(monitorId && { monitorId }),
    }),
    refetchInterval: 60_000,
    placeholderData: keepPreviousData,
  };
};
