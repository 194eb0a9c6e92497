import type { Database } from '../../../platform/db/database.ts';
import { invalid } from '../../../platform/errors.ts';
import { testcaseKey } from '../../../platform/http/ids.ts';
import { readTexts } from '../../../platform/http/read-texts.ts';
import type { Scope } from '../../../platform/http/scope.ts';
import type { RecordSearch } from '../read-search.ts';
import { firstKey, searchRecords } from '../search-records.ts';
import { collectColumns } from './columns.ts';
import { firstReading } from './first-reading.ts';
import { type ExportRow, markColumns, rowOf } from './row.ts';
import { type FoundMarks, findMarks, type MarkedTestcase } from './testcase-marks.ts';
import { writeArrow } from './write-arrow.ts';
import { writeCsv, writeLines } from './write-csv.ts';
import { writeParquet } from './write-parquet.ts';

export const exportFormats = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
  arrow: 'application/vnd.apache.arrow.stream',
} as const;
export type ExportFormat = keyof typeof exportFormats;

const pageSize = 500;
/** Memory of an export: a page of records and a batch of columns. */
export const exportBytes = 32 * 1024 * 1024;
/** Readers of tables are slow with more. Records with such names, such as ids as names, fit JSON lines. */
const maxColumns = 2_000;

type Exporting = {
  db: Database;
  /** Takes the memory of a page of so many bytes, in place of that of the page before. */
  holdPage: (bytes: number) => Promise<void>;
  scope: Scope;
  projectId: bigint;
  search: RecordSearch;
  /** Aborted when the client leaves. */
  signal: AbortSignal;
};

/** Gives rows the split and tags of their testcases. */
const withMarks = async (
  rows: ExportRow[],
  find: (wanted: MarkedTestcase[]) => Promise<FoundMarks[]>,
): Promise<ExportRow[]> => {
  const about = rows.filter(({ testcase }) => testcase != null);
  if (about.length === 0) return rows;
  const found = await find(
    about.map(({ run, testcase }) => ({ runId: BigInt(String(run)), ...testcaseKey(String(testcase)) })),
  );
  for (const { place, split, tags } of found) {
    const row = about[place - 1]!;
    if (split !== null) row[markColumns.split] = split;
    if (tags.length > 0) row[markColumns.tags] = tags;
  }
  return rows;
};

/** Yields the records of a search as rows, page by page. */
async function* pagesOf({ db, holdPage, scope, projectId, search, signal }: Exporting) {
  const { sort, ...filter } = search;
  const readPage: Parameters<typeof searchRecords>[0]['readPage'] = (statement) =>
    readTexts({ holdAnswer: holdPage }, (statement) => db.read(scope, statement), statement);
  for (let after = firstKey(sort); ; ) {
    signal.throwIfAborted();
    const rows = await searchRecords({ db, readPage }, scope, projectId, filter, after, pageSize, 0, sort);
    if (rows.length === 0) return;
    yield await withMarks(
      rows.map(({ body }) => rowOf(body)),
      (wanted) => db.read(scope, (sql) => findMarks(sql, scope, wanted)),
    );
    after = rows.at(-1)!.key;
  }
}

async function* known(pages: AsyncIterable<ExportRow[]>, { has }: ReturnType<typeof firstReading>) {
  for await (const rows of pages) yield rows.filter(has);
}

/** Reads the time of the database, which is the time of new records. */
const readNow = async (db: Database, scope: Scope): Promise<string> => {
  const [row] = await db.read(
    scope,
    (sql) => sql<{ now: string }[]>`select to_json(clock_timestamp()) #>> '{}' as now`,
  );
  return row!.now;
};

/**
 * Returns the records of a search as a file, in parts. A table needs all its columns before its first row, so the records are read twice:
 * first for the columns. The rows are those of the first reading, which were created before the export began, without those that were
 * deleted since. A score that changes in between has its newer value; a field that came in between is left out.
 */
export const exportRecords = async (
  exporting: Exporting,
  format: ExportFormat,
): Promise<AsyncIterable<string | Uint8Array>> => {
  const { search, db, scope } = exporting;
  const now = await readNow(db, scope);
  const { createdBefore: given = now } = search;
  const createdBefore = Date.parse(given) < Date.parse(now) ? given : now;
  const until = { ...exporting, search: { ...search, createdBefore } };
  if (format === 'jsonl') return writeLines(pagesOf(until));
  const [found, first] = [collectColumns(), firstReading()];
  for await (const rows of pagesOf(until)) {
    for (const row of rows) {
      found.add(row);
      first.add(row);
    }
    if (found.count() > maxColumns)
      throw invalid(
        '/format',
        `is jsonl for these records: they have more than ${maxColumns} different fields`,
      );
  }
  const columns = found.columns();
  const again = known(pagesOf(until), first);
  if (format === 'csv') return writeCsv(columns, again);
  return (format === 'parquet' ? writeParquet : writeArrow)(columns, again);
};
