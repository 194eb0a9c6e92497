import type { Static } from 'typebox';
import type { Database } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { RecordFilter } from './filter.ts';
import { countProjectRecords, findRecordTimes, findSliceEnd, newestRecord, type Slice } from './queries.ts';
import type { RecordHistogram } from './schema.ts';
import { locate } from './search-records.ts';
import { estimateFitting, type Minutes, sumTallies } from './tally-queries.ts';

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];
/**
 * Round lengths in milliseconds, the shortest for records that a script sends within a second. Multiples of a length since 1970 fall on the
 * minute, the hour or the day in UTC.
 */
const lengths = [
  1,
  5,
  10,
  50,
  100,
  500,
  ...[1, 5, 15].map((n) => n * second),
  ...[1, 5, 15].map((n) => n * minute),
  ...[1, 3, 6, 12].map((n) => n * hour),
  ...[1, 7, 28, 91, 364].map((n) => n * day),
];

const longest = lengths.at(-1)!;

const bucketsOf = (from: number, to: number, length: number) => {
  const start = Math.floor(from / length) * length;
  return { start, count: Math.floor((to - start) / length) + 1 };
};

/** The shortest of the lengths that needs at most `most` buckets, two or more. Times in milliseconds. */
const chooseLength = (from: number, to: number, most: number): number => {
  const fits = (length: number) => bucketsOf(from, to, length).count <= most;
  const found = lengths.find(fits);
  if (found) return found;
  let length = 2 * longest;
  while (!fits(length)) length *= 2;
  return length;
};

const millis = (time: Date | string): number => new Date(time).getTime();

/** Whether each record must be read: no index finds the records, and they are not known. */
const readsRecords = ({ among, conditions }: RecordFilter): boolean =>
  among === undefined && conditions.length > 0;

/** The records that the filter may find, in slices of `size`, newest first; in a single slice if they need not be read. */
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

const minuteOf = (time: number): number => Math.floor(time / minute) * minute;

export type CountOptions = {
  /** Aborted when no client waits for the counts any more. */
  signal: AbortSignal;
  /**
   * Number of records that one statement reads, a fifth of a second on the embedded database. Other requests run in between, and a user who
   * changes the search does not wait for the count of the previous search.
   */
  sliceSize?: number;
  /** Maximum number of records that are read for a count. If there are more, minutes are drawn, and the count is an estimate. */
  mostRead?: number;
  /** Maximum number of records whose times are read one by one. If there are more, intervals are at least a minute long. */
  mostTimed?: number;
};

type Count = Static<typeof RecordHistogram.schema>;

/** Counts a project's records that fit the filter over time, in at most `most` intervals of a round length. */
export const countRecordsOverTime = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  filter: RecordFilter,
  most: number,
  { signal, sliceSize = 10_000, mostRead = 50_000, mostTimed = 200_000 }: CountOptions,
): Promise<Count> => {
  const [times] = await db.read(scope, (sql) => findRecordTimes(sql, scope, projectId));
  if (!times?.first || !times.last)
    return { numRecords: 0, start: null, bucketSeconds: 1, counts: [], estimated: false };
  const from = Math.max(millis(times.first), millis(filter.createdAfter ?? times.first));
  // createdBefore itself is not counted.
  const before =
    filter.createdBefore === undefined ? Number.POSITIVE_INFINITY : millis(filter.createdBefore) - 1;
  const to = Math.max(from, Math.min(millis(times.last), before));
  const located = await locate(db, scope, projectId, filter);
  // Counts by minute are kept for whole projects.
  const hasTallies = located.among === undefined && located.runId === undefined;
  const minutes = { from: new Date(minuteOf(from)), to: new Date(minuteOf(to) + minute) };
  const sum = (time: Minutes, start: number, millis: number) =>
    db.read(scope, (sql) => sumTallies(sql, scope, projectId, time, new Date(start), millis));
  const shortest = chooseLength(from, to, most);
  const needsTotal = hasTallies && (shortest < minute || readsRecords(located));
  const stored = needsTotal ? (await sum(minutes, 0, longest)).reduce((all, { n }) => all + n, 0) : 0;
  const estimated = stored > mostRead && readsRecords(located);
  const length = estimated || stored > mostTimed ? Math.max(shortest, minute) : shortest;
  const { start, count } = bucketsOf(from, to, length);
  const counts = new Array<number>(count).fill(0);
  // A record that was created between the statements counts in the last interval.
  const put = (found: { since: Date; n: number }[]) => {
    for (const { since, n } of found)
      counts[Math.min(Math.max((millis(since) - start) / length, 0), count - 1)]! += n;
  };
  const countEach = async (part: RecordFilter) => {
    for await (const slice of slices(db, scope, projectId, part, sliceSize)) {
      if (signal.aborted) return;
      put(
        await db.read(scope, (sql) =>
          countProjectRecords(sql, scope, projectId, part, slice, new Date(start), length),
        ),
      );
    }
  };
  const after = filter.createdAfter === undefined ? minuteOf(from) : minuteOf(from - 1) + minute;
  const until = filter.createdBefore === undefined ? minuteOf(to) + minute : minuteOf(to + 1);
  if (estimated)
    put(
      await db.read(scope, (sql) =>
        estimateFitting(sql, scope, projectId, located, minutes, new Date(start), length),
      ),
    );
  else if (!hasTallies || readsRecords(located) || length < minute || after >= until)
    await countEach(located);
  else {
    put(await sum({ from: new Date(after), to: new Date(until) }, start, length));
    if (after > from) await countEach({ ...located, createdBefore: new Date(after).toISOString() });
    if (until <= to) await countEach({ ...located, createdAfter: new Date(until).toISOString() });
  }
  const total = counts.reduce((all, n) => all + n, 0);
  return {
    numRecords: total,
    start: new Date(start).toISOString(),
    bucketSeconds: length / 1_000,
    counts,
    estimated,
  };
};
