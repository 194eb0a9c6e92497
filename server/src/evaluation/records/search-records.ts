import type { Database, Sql, Statement } from '../../platform/db/database.ts';
import { type RecordKey, recordIdOf } from '../../platform/http/ids.ts';
import type { PageRow } from '../../platform/http/pagination.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { RecordFilter } from './filter.ts';
import { findSliceEnd, listProjectRecords, newestRecord } from './queries.ts';
import { readCandidates, readText } from './read-index.ts';
import type { Sort } from './read-search.ts';
import { hasTrigram } from './search-text.ts';
import { countSorted, hasValue, listOldest, listSorted, oldestRecord } from './sorted-queries.ts';

/** The newest records, tested one by one before an index is read: they fill a page with a frequent word in 10 ms. */
const testedFirst = 1_000;
/** Maximum number of records that are taken from an index, 0.1 s. A text that more records have fills pages soon without the index. */
const maxFound = 10_000;

/**
 * Replaces a filter by the records that one of its texts or conditions finds in an index, unless they are too many. The other conditions
 * are still tested.
 */
export const locate = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  filter: RecordFilter,
): Promise<RecordFilter> => {
  const { conditions } = filter;
  for (const condition of conditions) {
    const { text } = condition;
    if (!text || !hasTrigram(text.of)) continue;
    const among = await readText(db, scope, projectId, text.of, maxFound + 1);
    if (among.length > maxFound) continue;
    const left = text.alone ? conditions.filter((other) => other !== condition) : conditions;
    return { ...filter, conditions: left, among };
  }
  for (const condition of conditions) {
    const among = await readCandidates(db, scope, projectId, condition, maxFound + 1);
    if (among && among.length <= maxFound) return { ...filter, among: distinct(among) };
  }
  return filter;
};

const distinct = (keys: RecordKey[]): RecordKey[] => [
  ...new Map(keys.map((key) => [recordIdOf(key), key])).values(),
];

const canLocate = ({ conditions }: RecordFilter): boolean =>
  conditions.some(({ find, text }) => find ?? text);

type Reading = {
  db: Database;
  /** Reads a page of records, whose texts may be long. */
  readPage: (statement: (sql: Sql) => Statement<PageRow>) => Promise<PageRow[]>;
};

const searchNewest = async (
  { db, readPage }: Reading,
  scope: Scope,
  projectId: bigint,
  filter: RecordFilter,
  before: string,
  count: number,
  skip: number,
): Promise<PageRow[]> => {
  // A walk begins at this place, and tests the time of each record from there on.
  const start =
    before === newestRecord && filter.createdBefore !== undefined ? `${filter.createdBefore} 0 0` : before;
  const list = (narrowed: RecordFilter, to?: string) =>
    readPage((sql) =>
      listProjectRecords(sql, scope, projectId, narrowed, { before: start, to }, count, skip),
    );
  if (!canLocate(filter)) return list(filter);
  const [end] = await db.read(scope, (sql) =>
    findSliceEnd(sql, scope, projectId, filter, start, testedFirst),
  );
  const newest = await list(filter, end?.place);
  if (!end || newest.length === count || newest.at(-1)?.isCut) return newest;
  return list(await locate(db, scope, projectId, filter));
};

/** Marks the keys of records without a value. They come after all others, newest first. */
const unmeasured = '- ';

const searchSorted = async (
  { db, readPage }: Reading,
  scope: Scope,
  projectId: bigint,
  filter: RecordFilter,
  sort: Sort,
  after: string,
  count: number,
  skip: number,
): Promise<PageRow[]> => {
  const located = await locate(db, scope, projectId, filter);
  const isPast = after.startsWith(unmeasured);
  const rows = isPast
    ? []
    : await readPage((sql) => listSorted(sql, scope, projectId, located, sort, after, count, skip));
  if (rows.length >= count || rows.at(-1)?.isCut) return rows;
  let skipped = 0;
  if (skip > 0 && rows.length === 0) {
    const [counted] = await db.read(scope, (sql) => countSorted(sql, scope, projectId, located, sort));
    skipped = Math.max(0, skip - counted!.n);
  }
  const others = { ...located, conditions: [...located.conditions, hasValue(sort, false)] };
  const before = isPast ? after.slice(unmeasured.length) : newestRecord;
  const rest = await readPage((sql) =>
    listProjectRecords(
      sql,
      scope,
      projectId,
      others,
      { before, to: undefined },
      count - rows.length,
      skipped,
    ),
  );
  return [...rows, ...rest.map((row) => ({ ...row, key: unmeasured + row.key }))];
};

/** The key from which a list in this order begins. */
export const firstKey = (sort: Sort | undefined): string => {
  if (!sort || (sort.by === 'created' && sort.descending)) return newestRecord;
  return sort.by === 'created' ? oldestRecord : '';
};

/** One page of a project's records that fit the filter, in the order of `sort`, after a key, the first `skip` of them left out. */
export const searchRecords = async (
  reading: Reading,
  scope: Scope,
  projectId: bigint,
  filter: RecordFilter,
  after: string,
  count: number,
  skip = 0,
  sort?: Sort,
): Promise<PageRow[]> => {
  if (!sort || (sort.by === 'created' && sort.descending))
    return searchNewest(reading, scope, projectId, filter, after, count, skip);
  if (sort.by !== 'created') return searchSorted(reading, scope, projectId, filter, sort, after, count, skip);
  const located = await locate(reading.db, scope, projectId, filter);
  return reading.readPage((sql) => listOldest(sql, scope, projectId, located, after, count, skip));
};
