import { type QueryClient, queryOptions, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { api } from '../api.ts';
import type { RecordDetail, RecordHistogram } from '../types.ts';
import type { Rows } from '../ui/grid-props.ts';
import { firstPageQuery, pageSize, type RecordPage, readRecordPage, recordsPath } from './queries.ts';
import type { RecordsQuery } from './search.ts';

/** A page with its place in the list. */
type NumberedPage = RecordPage & { index: number };

/** How long a page is kept that is no longer in sight: pages are 300 kB, and somebody who scrolls sees a thousand. */
const keptMs = 60_000;
/** A page is asked for at once, but not a second one within this time: who drags the scroll bar passes a thousand. */
const settleMs = 100;
/**
 * A page further down. `until` keeps records out that were made after the first page was read, so that a page's number goes on
 * meaning the same records; a page after one that is there goes on from it, any other is jumped to.
 */
const pageQuery = (
  queries: QueryClient,
  projectId: string,
  query: RecordsQuery,
  until: string,
  index: number,
) =>
  queryOptions({
    queryKey: [recordsPath(projectId), query, 'page', until, index],
    queryFn: async ({ signal }): Promise<NumberedPage> => {
      const before = queries.getQueryData<RecordPage>([
        recordsPath(projectId),
        query,
        'page',
        until,
        index - 1,
      ]);
      const place: RecordsQuery = before?.nextCursor
        ? { cursor: before.nextCursor }
        : { offset: String(index * pageSize) };
      const page = await readRecordPage(projectId, { ...query, createdBefore: until, ...place }, signal);
      return { ...page, index };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: keptMs,
  });

/** How many records a search finds, over time. */
export const histogramQuery = (projectId: string, query: RecordsQuery, buckets: number) =>
  queryOptions({
    queryKey: [`/projects/${projectId}/records/histogram`, query, buckets],
    queryFn: ({ signal }) =>
      api.get<RecordHistogram>(`/projects/${projectId}/records/histogram`, { ...query, buckets }, signal),
    staleTime: 60_000,
  });

/** The first moment after a record was made, to the thousandth of a second that the API tells. */
const justAfter = (createdAt: string): string => new Date(Date.parse(createdAt) + 1).toISOString();

const earlier = (a: string, b: string | undefined): string => (b !== undefined && b < a ? b : a);

/** The pages that show these rows, and those that the next screens will show. */
const pagesAround = (first: number, last: number, count: number): number[] => {
  const [from, to] = [Math.floor(first / pageSize), Math.floor((last + pageSize / 2) / pageSize)];
  const most = Math.max(0, Math.ceil(count / pageSize) - 1);
  return Array.from({ length: to - from + 1 }, (_, i) => from + i).filter((index) => index <= most);
};

const sameNumbers = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((n, i) => n === b[i]);

type Result = { data: NumberedPage | undefined; error: Error | null };
/** In a map, which is taken as it is: arrays would be compared record by record with those before. */
const byNumber = (results: Result[]) => ({
  pages: new Map(results.flatMap(({ data }) => (data ? [[data.index, data] as const] : []))),
  error: results.find(({ error }) => error)?.error ?? null,
});

export type RecordRows = Rows<RecordDetail> & {
  /** Reads the records from one row to another, where they are not there yet. */
  read: (from: number, to: number) => Promise<RecordDetail[]>;
};

/**
 * The records that a search finds as the rows of a table that can be scrolled to any place at once: what is in sight is read,
 * the rest is known by its number. `enabled`: whether what the search means is known yet.
 */
export const useRecordPages = (projectId: string, query: RecordsQuery, enabled: boolean) => {
  const queries = useQueryClient();
  const first = useQuery({
    ...firstPageQuery(projectId, query),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const newest = first.data?.data[0]?.createdAt;
  const until = newest && earlier(justAfter(newest), query.createdBefore as string | undefined);
  const isWhole = first.data?.hasMore === false;

  const total = useQuery({
    ...histogramQuery(projectId, query, 60),
    enabled: first.isSuccess && !isWhole,
  });
  const known = isWhole ? first.data?.data.length : total.data?.total;
  // Until the service has counted: a little more than there is, so that there is something to scroll to.
  const guess = first.data ? first.data.data.length + (isWhole ? 0 : pageSize) : 0;

  const [wanted, setWanted] = useState<readonly number[]>([]);
  const further = until === undefined || isWhole ? [] : wanted.filter((index) => index > 0);
  const { pages, error } = useQueries({
    queries: further.map((index) => pageQuery(queries, projectId, query, until!, index)),
    combine: byNumber,
  });
  // A page that is not full is the last one, whatever was counted before some of its records went.
  const last = [...pages.values()].find(({ hasMore }) => !hasMore);
  const lastRow = last && last.index * pageSize + last.data.length;
  const length = lastRow ?? Math.max(known ?? guess, first.data?.data.length ?? 0);

  const rows = useMemo<RecordRows>(() => {
    const byIndex = new Map([...pages].map(([index, { data }]) => [index, data]));
    byIndex.set(0, first.data?.data ?? []);
    const at = (index: number) => byIndex.get(Math.floor(index / pageSize))?.[index % pageSize];
    const pageAt = async (index: number): Promise<RecordDetail[]> => {
      if (index === 0 || until === undefined) return first.data?.data ?? [];
      return (await queries.fetchQuery(pageQuery(queries, projectId, query, until, index))).data;
    };
    return {
      length,
      at,
      findIndex: (test) => {
        for (const [index, records] of byIndex) {
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
    };
  }, [length, until, first.data, pages, queries, projectId, query]);

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const askedAt = useRef(Number.NEGATIVE_INFINITY);
  const onRange = useCallback(
    (from: number, to: number) => {
      const next = pagesAround(from, to, length);
      const want = () => {
        askedAt.current = performance.now();
        setWanted((before) => (sameNumbers(before, next) ? before : next));
      };
      clearTimeout(timer.current);
      if (performance.now() - askedAt.current > settleMs) want();
      else timer.current = setTimeout(want, settleMs);
    },
    [length],
  );
  useEffect(() => () => clearTimeout(timer.current), []);
  // While nobody listens to changes, what is kept grows old unseen.
  useEffect(
    () => () =>
      queries.removeQueries({
        predicate: ({ queryKey }) => queryKey[0] === recordsPath(projectId) && queryKey[2] === 'page',
      }),
    [queries, projectId],
  );

  const read = useMemo(
    () => [...(first.data ? [first.data.data] : []), ...[...pages.values()].map(({ data }) => data)],
    [first.data, pages],
  );
  return {
    rows,
    /** The pages that are in sight or were a moment ago. */
    pages: read,
    onRange,
    first,
    /** How many there are; undefined until the service has counted. */
    total: lastRow ?? known,
    histogram: total,
    error: first.error ?? error,
    /** Where the first page begins: what was made since is not in the list. */
    until,
  };
};
