import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { Page } from '../../../../client/src/types.ts';
import { api, apiList, apiQuery, keyOf } from '../../api.ts';
import { isWriting, untilStored } from '../../optimistic.ts';
import type { Annotation, RecordDetail, Thread } from '../../types.ts';
import type { RecordChange } from './record-changes.ts';

/** How an optimistic update changes a record and what is beside it. */
export type Change = {
  record?: RecordChange;
  annotations?: (annotations: Annotation[]) => Annotation[];
  threads?: (threads: Thread[]) => Thread[];
};

/** A cached list: a page of the table, or an infinite query. */
type Records = Page<RecordDetail> | InfiniteData<Page<RecordDetail>>;

const recordsOf = (list: Records): RecordDetail[] =>
  'pages' in list ? list.pages.flatMap((page) => page.data) : list.data;

/** A page without any of the records stays the same object, so that it is not rendered again. */
const changeList = <List extends Records>(
  list: List,
  ids: ReadonlySet<string>,
  change: (record: RecordDetail) => RecordDetail,
): List => {
  if (!recordsOf(list).some(({ id }) => ids.has(id))) return list;
  if ('pages' in list) return { ...list, pages: list.pages.map((page) => changeList(page, ids, change)) };
  return { ...list, data: list.data.map((record) => (ids.has(record.id) ? change(record) : record)) };
};

const lists = { queryKey: keyOf('listProjectRecords') };
export const recordKey = (id: string) => apiQuery('getRecord', id).queryKey;
export const annotationsKey = (id: string) => apiQuery('listAnnotations', id).queryKey;
export const threadsKey = (id: string) => apiList('listThreads', id).queryKey;

/** Changes records wherever they are cached: by themselves and in every list. */
export const showRecords = (queries: QueryClient, ids: ReadonlySet<string>, change: RecordChange): void => {
  for (const id of ids) queries.setQueryData(recordKey(id), (held) => held && change(held));
  queries.setQueriesData<Records>(lists, (list) => list && changeList(list, ids, change));
};

export const show = (queries: QueryClient, id: string, { record, annotations, threads }: Change): void => {
  if (record) showRecords(queries, new Set([id]), record);
  if (annotations)
    queries.setQueryData(annotationsKey(id), (held) => held && { data: annotations(held.data) });
  if (threads) queries.setQueryData(threadsKey(id), (held) => held && threads(held));
};

/** Returns a function that shows a record again as it is cached now. */
export const remember = (queries: QueryClient, id: string): (() => void) => {
  const listed = queries
    .getQueriesData<Records>(lists)
    .flatMap(([, list]) => (list ? recordsOf(list) : []))
    .find((each) => each.id === id);
  const record = queries.getQueryData(recordKey(id)) ?? listed;
  const annotations = queries.getQueryData(annotationsKey(id));
  const threads = queries.getQueryData(threadsKey(id));
  return () =>
    show(queries, id, {
      ...(record && { record: () => record }),
      ...(annotations && { annotations: () => annotations.data }),
      ...(threads && { threads: () => threads }),
    });
};

/** Reads a record again and shows it wherever it is cached. */
export const refreshRecord = async (queries: QueryClient, id: string): Promise<void> => {
  await untilStored(queries);
  const record = await api.getRecord(id);
  // A write since then may be missing in the answer.
  if (isWriting(queries)) return refreshRecord(queries, id);
  queries.setQueryData(recordKey(id), record);
  show(queries, id, { record: () => record });
};
