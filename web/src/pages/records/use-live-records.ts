import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { type Changes, useChanges } from '../../live.ts';
import { untilStored } from '../../optimistic.ts';
import { refreshRecord } from '../../resources/records/record-cache.ts';
import { filterValue } from '../../resources/search/search.ts';
import {
  firstPageQuery,
  isLaterPage,
  type RecordsQuery,
  readRecordPage,
  refreshHistogram,
} from './queries.ts';
import { histogramQuery } from './record-pages.ts';

/** Many changes are shown as one, this long after the first of them. */
const gatherMs = 1_000;
/** Up to this number of records is read one by one; if more have changed, the visible pages are read. */
const mostSingle = 20;

/** The records that changed; undefined if they are not known one by one. */
const singleRecords = (changes: readonly Changes[]): string[] | undefined => {
  const ids = new Set<string>();
  for (const change of changes) {
    if (change === 'anything') return undefined;
    for (const { recordIds } of change.runs) {
      if (!recordIds) return undefined;
      for (const id of recordIds) ids.add(id);
    }
  }
  return ids.size <= mostSingle ? [...ids] : undefined;
};

type LiveRecords = {
  projectId: string;
  query: RecordsQuery;
  /** Records from here on are not in the table. */
  until: string | undefined;
  /** Whether new records may be added at the top: not while the user reads further down. */
  isFollowing: () => boolean;
};

/**
 * Keeps the table up to date as the project changes. No row moves while the user reads: new records are only counted until
 * `showNewer` adds them.
 */
export const useLiveRecords = ({ projectId, query, until, isFollowing }: LiveRecords) => {
  const queries = useQueryClient();
  const isLimited = query.q !== undefined && filterValue(query.q, 'before') !== undefined;
  const newer = useQuery({
    ...histogramQuery(projectId, { ...query, createdAfter: until ?? '' }, 2),
    enabled: false,
  });

  const showNewer = useCallback(async () => {
    await queries.refetchQueries({ queryKey: firstPageQuery(projectId, query).queryKey });
    await refreshHistogram(queries, projectId);
  }, [queries, projectId, query]);

  /** Reads again what is shown, without newer records. */
  const readAgain = async () => {
    const page = await readRecordPage(projectId, { ...query, ...(until && { createdBefore: until }) });
    queries.setQueryData(firstPageQuery(projectId, query).queryKey, page);
    await queries.invalidateQueries({ predicate: ({ queryKey }) => isLaterPage(projectId, queryKey) });
    await refreshHistogram(queries, projectId);
    if (until && !isLimited) await newer.refetch();
  };

  const gathered = useRef<Changes[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const flush = async () => {
    await untilStored(queries);
    timer.current = undefined;
    const ids = singleRecords(gathered.current.splice(0));
    if (!ids) return isFollowing() ? showNewer() : readAgain();
    await Promise.all(ids.map((id) => refreshRecord(queries, id)));
  };
  useChanges((changes) => {
    gathered.current.push(changes);
    // What can't be read now is read with the next change.
    timer.current ??= setTimeout(() => void latest.current().catch(() => {}), gatherMs);
  });
  const latest = useRef(flush);
  useEffect(() => {
    latest.current = flush;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return { newer: newer.data?.numRecords ?? 0, showNewer };
};
