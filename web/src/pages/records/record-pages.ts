import { type QueryClient, queryOptions, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { apiQuery, keyOf } from '../../api.ts';
import { sortingOf } from '../../resources/search/search.ts';
import type { RecordDetail } from '../../types.ts';
import type { Rows } from '../../ui/grid-props.ts';
import {
  firstPageQuery,
  isLaterPage,
  pageSize,
  type RecordPage,
  type RecordsQuery,
  readRecordPage,
} from './queries.ts';

/** A page with its place in the list. */
type NumberedPage = RecordPage & { index: number };

/** How long a page that is out of view is kept: a page has 300 kB, and a user who scrolls sees a thousand. */
const keptMs = 60_000;
/** The least time between two reads of pages, and how long a dragged scroll bar must rest: it passes a thousand pages. */
const settleMs = 100;

/**
 * A page further down. `until` leaves out the records that were made after the first page was read, so that the number of a page
 * keeps its meaning. A page is read by the cursor of the page before it when that is there, else by its offset.
 */
const pageQuery = (
  queries: QueryClient,
  projectId: string,
  query: RecordsQuery,
  until: string,
  index: number,
) => {
  const keyOfPage = (n: number) => [...keyOf('listProjectRecords', projectId, query), 'page', until, n];
  return queryOptions({
    queryKey: keyOfPage(index),
    queryFn: async ({ signal }): Promise<NumberedPage> => {
      const cursor = queries.getQueryData<RecordPage>(keyOfPage(index - 1))?.nextCursor;
      const place = cursor ? { cursor } : { offset: index * pageSize };
      const page = await readRecordPage(projectId, { ...query, createdBefore: until, ...place }, signal);
      return { ...page, index };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: keptMs,
  });
};

/** The number of records that a search finds, over time. */
export const histogramQuery = (projectId: string, query: RecordsQuery, buckets: number) => ({
  ...apiQuery('getRecordHistogram', projectId, { ...query, buckets }),
  staleTime: 60_000,
});

/** Only a list that is sorted by time is cut where it was first read: in any other, the first record may not be the newest. */
const endOfTime = '9999-12-31T00:00:00.000Z';

/** The first millisecond after a record was made. */
const justAfter = (createdAt: string): string => new Date(Date.parse(createdAt) + 1).toISOString();

const earlier = (a: string, b: string | undefined): string => (b !== undefined && b < a ? b : a);

/** The pages of these rows and of the next half screen. */
const pagesAround = (first: number, last: number, count: number): number[] => {
  const [from, to] = [Math.floor(first / pageSize), Math.floor((last + pageSize / 2) / pageSize)];
  const most = Math.max(0, Math.ceil(count / pageSize) - 1);
  return Array.from({ length: to - from + 1 }, (_, i) => from + i).filter((index) => index <= most);
};

const sameNumbers = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((n, i) => n === b[i]);

type Result = { data: NumberedPage | undefined; error: Error | null };
/** In a map: React Query would compare arrays record by record with the previous result. */
const byNumber = (results: Result[]) => ({
  pages: new Map(results.flatMap(({ data }) => (data ? [[data.index, data] as const] : []))),
  error: results.find(({ error }) => error)?.error ?? null,
});

export type RecordRows = Rows<RecordDetail> & {
  /** Reads the records from one row to another, as far as they are not read yet. */
  read: (from: number, to: number) => Promise<RecordDetail[]>;
};

type PageAt = (index: number) => Promise<RecordDetail[]>;

/** Returns the rows of a table from the pages that are read, and `pageAt`, which reads the others. */
const rowsOf = (length: number, pages: ReadonlyMap<number, RecordDetail[]>, pageAt: PageAt): RecordRows => ({
  length,
  at: (index) => pages.get(Math.floor(index / pageSize))?.[index % pageSize],
  findIndex: (test) => {
    for (const [index, records] of pages) {
      const i = records.findIndex(test);
      if (i >= 0) return index * pageSize + i;
    }
    return -1;
  },
  read: async (from, to) => {
    const found: RecordDetail[] = [];
    for (let index = Math.floor(from / pageSize); index <= Math.floor(to / pageSize); index++) {
      const records = await pageAt(index);
      found.push(...records.slice(Math.max(0, from - index * pageSize), to - index * pageSize + 1));
    }
    return found;
  },
});

/** The numbers of the pages to read, which follow the rows in view: at once while they scroll, after a rest when they jump. */
const useWantedPages = () => {
  const [wanted, setWanted] = useState<readonly number[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const askedAt = useRef(Number.NEGATIVE_INFINITY);
  const shownFrom = useRef(0);
  const want = useCallback((from: number, to: number, length: number) => {
    const isJump = Math.abs(from - shownFrom.current) > to - from;
    shownFrom.current = from;
    const next = pagesAround(from, to, length);
    const read = () => {
      askedAt.current = performance.now();
      setWanted((before) => (sameNumbers(before, next) ? before : next));
    };
    clearTimeout(timer.current);
    if (!isJump && performance.now() - askedAt.current > settleMs) read();
    else timer.current = setTimeout(read, settleMs);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  return { wanted, want };
};

/** The records of a search as the rows of a table that can be scrolled to any place at once: it reads the pages in view. */
export const useRecordPages = (projectId: string, query: RecordsQuery) => {
  const queries = useQueryClient();
  const first = useQuery({
    ...firstPageQuery(projectId, query),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const newest = first.data?.data[0]?.createdAt;
  const isSorted = query.q !== undefined && sortingOf(query.q) !== undefined;
  const until = newest && (isSorted ? endOfTime : earlier(justAfter(newest), query.createdBefore));
  const isWhole = first.data?.hasMore === false;

  const total = useQuery({
    ...histogramQuery(projectId, query, 60),
    enabled: first.isSuccess && !isWhole,
  });
  const known = isWhole ? first.data?.data.length : total.data?.numRecords;
  // Until the service has counted, the table is one page longer than what is read, so that it can be scrolled.
  const guess = first.data ? first.data.data.length + (isWhole ? 0 : pageSize) : 0;

  const { wanted, want } = useWantedPages();
  const further = until === undefined || isWhole ? [] : wanted.filter((index) => index > 0);
  const { pages, error } = useQueries({
    queries: further.map((index) => pageQuery(queries, projectId, query, until!, index)),
    combine: byNumber,
  });
  // The page that has no next one is the last, whatever was counted before records were deleted.
  const last = [...pages.values()].find(({ hasMore }) => !hasMore);
  const lastRow = last && last.index * pageSize + last.data.length;
  const isEstimate = lastRow === undefined && !isWhole && total.data?.estimated === true;
  // An estimate may be too low: each page that has a next one has rows after it.
  const least = isEstimate ? [...pages.values()].map(({ index }) => (index + 2) * pageSize) : [];
  const length = lastRow ?? Math.max(known ?? guess, first.data?.data.length ?? 0, ...least);

  const rows = useMemo<RecordRows>(() => {
    const byIndex = new Map([...pages].map(([index, { data }]) => [index, data]));
    byIndex.set(0, first.data?.data ?? []);
    const pageAt = async (index: number): Promise<RecordDetail[]> => {
      if (index === 0 || until === undefined) return first.data?.data ?? [];
      return (await queries.fetchQuery(pageQuery(queries, projectId, query, until, index))).data;
    };
    return rowsOf(length, byIndex, pageAt);
  }, [length, until, first.data, pages, queries, projectId, query]);

  const onRange = useCallback((from: number, to: number) => want(from, to, length), [want, length]);
  // Without the table, no change updates its pages.
  useEffect(
    () => () =>
      queries.removeQueries({
        predicate: ({ queryKey }) => isLaterPage(projectId, queryKey),
      }),
    [queries, projectId],
  );

  const read = useMemo(
    () => [...(first.data ? [first.data.data] : []), ...[...pages.values()].map(({ data }) => data)],
    [first.data, pages],
  );
  return {
    rows,
    /** The pages that are in view or were a moment ago. */
    pages: read,
    onRange,
    first,
    /** The number of records; undefined until the service has counted. */
    total: lastRow ?? known,
    /** Whether that is an estimate. */
    isEstimate,
    histogram: total,
    error: first.error ?? error,
    /** When the first page was read: records that were made later are not in the list. */
    until,
  };
};
