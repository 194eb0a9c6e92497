import { type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query';
import type { Page } from '../../../../client/src/types.ts';
import { api, keyOf } from '../../api.ts';
import type { ListProjectRecordsQuery, RecordDetail } from '../../types.ts';

/** The filters of the list of records. */
export type RecordsQuery = Omit<ListProjectRecordsQuery, 'limit' | 'cursor' | 'offset'>;

/** The query of a search as it was typed. */
export const recordsQuery = (q: string): RecordsQuery => (q ? { q } : {});

export type RecordPage = Page<RecordDetail>;
/** The number of records that the table reads at once. */
export const pageSize = 100;

/**
 * Reads a page of the table. The service returns fewer records when they are very large; this reads on, since the table derives
 * the place of a record from its page.
 */
export const readRecordPage = async (
  projectId: string,
  query: RecordsQuery & { offset?: number; cursor?: string },
  signal?: AbortSignal,
): Promise<RecordPage> => {
  let page: RecordPage = await api.listProjectRecords(projectId, { ...query, limit: pageSize }, { signal });
  while (page.hasMore && page.data.length < pageSize) {
    const rest = { cursor: page.nextCursor, offset: undefined, limit: pageSize - page.data.length };
    const next = await api.listProjectRecords(projectId, { ...query, ...rest }, { signal });
    page = { ...next, data: [...page.data, ...next.data] };
  }
  return page;
};

/** The newest records that a search finds. */
export const firstPageQuery = (projectId: string, query: RecordsQuery) =>
  queryOptions({
    queryKey: [...keyOf('listProjectRecords', projectId, query), 'first'],
    queryFn: ({ signal }) => readRecordPage(projectId, query, signal),
  });

/** The pages of the table after the first. */
export const isLaterPage = (projectId: string, [name, id, , kind]: QueryKey): boolean =>
  name === 'listProjectRecords' && id === projectId && kind === 'page';

/** Reads again the count of the records over time. */
export const refreshHistogram = (queries: QueryClient, projectId: string): Promise<void> =>
  queries.invalidateQueries({ queryKey: keyOf('getRecordHistogram', projectId) });
