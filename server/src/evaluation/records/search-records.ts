import type { Database } from '../../platform/db/database.ts';
import type { PageRow } from '../../platform/http/pagination.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { RecordFilter } from './filter.ts';
import { findSliceEnd, findText, listProjectRecords } from './queries.ts';
import { hasTrigram } from './search-text.ts';

/** The newest records, tested one by one before the index is read: they fill a page with a frequent word in 10 ms. */
const testedFirst = 1_000;
/** Most records that are taken from the index, 0.1 s. A word that more records have fills pages soon without it. */
const maxFound = 10_000;

/** Replaces the text of a filter by the records that have it, when the index can find them and they are not too many. */
export const locateText = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  filter: RecordFilter,
): Promise<RecordFilter> => {
  const { text, ...others } = filter;
  if (text === undefined || !hasTrigram(text)) return filter;
  const among = await db.read(scope, (sql) => findText(sql, projectId, text, maxFound + 1));
  return among.length > maxFound ? filter : { ...others, among };
};

/** One page of a project's records that fit the filter, newest first, after `before`, the first `skip` of them left out. */
export const searchRecords = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  filter: RecordFilter,
  before: string,
  count: number,
  skip = 0,
): Promise<PageRow[]> => {
  const list = (narrowed: RecordFilter, to?: string) =>
    db.read(scope, (sql) => listProjectRecords(sql, scope, projectId, narrowed, { before, to }, count, skip));
  if (filter.text === undefined) return list(filter);
  const [end] = await db.read(scope, (sql) =>
    findSliceEnd(sql, scope, projectId, filter, before, testedFirst),
  );
  const newest = await list(filter, end?.place);
  if (!end || newest.length === count) return newest;
  return list(await locateText(db, scope, projectId, filter));
};
