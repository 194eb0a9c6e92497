import type { Static } from 'typebox';
import type { Database } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { RecordFilter } from './filter.ts';
import { countProjectRecords, findRecordTimes, findSliceEnd, newestRecord, type Slice } from './queries.ts';
import type { RecordHistogram } from './schema.ts';
import { locate } from './search-records.ts';

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];
/**
 * Lengths that people think in, in milliseconds: what a script sends is there within a second. A start that is a multiple of
 * one since 1970 falls on the minute, the hour, the day in UTC.
 */
const lengths = [
  ...[1, 5, 10, 50, 100, 500],
  ...[1, 5, 15].map((n) => n * second),
  ...[1, 5, 15].map((n) => n * minute),
  ...[1, 3, 6, 12].map((n) => n * hour),
  ...[1, 7, 28, 91, 364].map((n) => n * day),
];

const bucketsOf = (from: number, to: number, length: number) => {
  const start = Math.floor(from / length) * length;
  return { start, count: Math.floor((to - start) / length) + 1 };
};

/** The shortest of the lengths that needs at most `most` buckets, two or more. Times in milliseconds. */
const chooseLength = (from: number, to: number, most: number): number => {
  const fits = (length: number) => bucketsOf(from, to, length).count <= most;
  const found = lengths.find(fits);
  if (found) return found;
  let length = 2 * lengths.at(-1)!;
  while (!fits(length)) length *= 2;
  return length;
};

const millis = (time: Date | string): number => new Date(time).getTime();

/** Whether each record must be read: neither an index tells which ones fit nor are they known. */
const readsRecords = ({
  among,
  metricId,
  result,
  tags,
  assigneeId,
  text,
  conditions,
}: RecordFilter): boolean =>
  among === undefined &&
  (tags.length > 0 ||
    (conditions ?? []).length > 0 ||
    [metricId, result, assigneeId, text].some((asked) => asked !== undefined));

/** The records that the filter may find in slices of `size`, newest first; in one where they need not be read. */
async function* slices(
  db: Database,
  scope: Scope,
  projectId: bigint,
  filter: RecordFilter,
  size: number,
): AsyncGenerator<Slice> {
  let before = newestRecord;
  while (readsRecords(filter)) {
    const [end] = await db.read(scope, (sql) => findSliceEnd(sql, scope, projectId, filter, before, size));
    if (!end) break;
    yield { before, to: end.place };
    before = end.place;
  }
  yield { before, to: undefined };
}

export type CountOptions = {
  /** Aborted when no client waits for the counts any more. */
  signal: AbortSignal;
  /**
   * Number of records that one statement reads, a fifth of a second on the embedded database: other requests get their turn in
   * between, and a user who has changed the search does not wait for the count of the previous search.
   */
  sliceSize?: number;
};

/** Counts a project's records that fit the filter over time, in at most `most` stretches of a length that people think in. */
export const countRecordsOverTime = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  filter: RecordFilter,
  most: number,
  { signal, sliceSize = 10_000 }: CountOptions,
): Promise<Static<typeof RecordHistogram.schema>> => {
  const [times] = await db.read(scope, (sql) => findRecordTimes(sql, scope, projectId));
  if (!times?.first || !times.last) return { total: 0, start: null, bucketSeconds: 1, counts: [] };
  const from = Math.max(millis(times.first), millis(filter.createdAfter ?? times.first));
  // createdBefore itself is not counted.
  const before =
    filter.createdBefore === undefined ? Number.POSITIVE_INFINITY : millis(filter.createdBefore) - 1;
  const to = Math.max(from, Math.min(millis(times.last), before));
  const length = chooseLength(from, to, most);
  const { start, count } = bucketsOf(from, to, length);
  const startTime = new Date(start);
  const counts = new Array<number>(count).fill(0);
  const located = await locate(db, scope, projectId, filter);
  for await (const slice of slices(db, scope, projectId, located, sliceSize)) {
    if (signal.aborted) break;
    const found = await db.read(scope, (sql) =>
      countProjectRecords(sql, scope, projectId, located, slice, startTime, length),
    );
    // A record that was made between the statements belongs to the last stretch that there is.
    for (const { since, n } of found) {
      const bucket = (millis(since) - start) / length;
      counts[Math.min(Math.max(bucket, 0), count - 1)]! += n;
    }
  }
  const total = counts.reduce((sum, n) => sum + n, 0);
  return { total, start: startTime.toISOString(), bucketSeconds: length / 1_000, counts };
};
