import type { Static } from 'typebox';
import { findRecords } from '../../evaluation/records/queries.ts';
import type { Database, Fragment } from '../../platform/db/database.ts';
import { recordKey } from '../../platform/http/ids.ts';
import { maxPageBytes, type PageRow } from '../../platform/http/pagination.ts';
import type { Asked } from '../../platform/http/resource-routes.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { RunComparison } from './compare-schema.ts';
import { compute } from './compute.ts';
import type { Measure } from './measure-scores.ts';
import type { RunColumns } from './run-scores.ts';

type Side = { recordIds: string[] } | null;

/** The first record of each side; undefined if a run does not have the testcase. */
const firstIds = ({ body }: PageRow): [before: string | undefined, after: string | undefined] => {
  const { before, after } = JSON.parse(body) as { before: Side; after: Side };
  return [before?.recordIds[0], after?.recordIds[0]];
};

/** Reads texts for an answer, and takes its memory. */
export type ReadTexts = Asked<never, never, never>['readTexts'];

/** Most bytes of the records of an answer. */
const maxRecordBytes = maxPageBytes;

/** Returns the bytes of records as their texts, by their ids. */
const findSizes = async (
  db: Database,
  scope: Scope,
  ids: readonly string[],
): Promise<Map<string, number>> => {
  const found = await db.read(
    scope,
    (sql) => sql<{ id: string; bytes: number }[]>`
      select id, octet_length(body) as bytes from (${findRecords(sql, scope, ids.map(recordKey)) as Fragment}) found`,
  );
  return new Map(found.map(({ id, bytes }) => [id, bytes]));
};

/** Returns how many of the lists of ids, from the first, have records of at most `maxRecordBytes` together; at least `least`. */
const countFitting = (sizes: Map<string, number>, lists: readonly string[][], least: number): number => {
  let bytes = 0;
  const fits = lists.findIndex((ids, i) => {
    bytes += ids.reduce((sum, id) => sum + (sizes.get(id) ?? 0), 0);
    return i >= least && bytes > maxRecordBytes;
  });
  return fits === -1 ? lists.length : fits;
};

/** Reads the records that rows name, by their ids: of the first rows, as long as their bytes fit a page. */
const readRecords = async (
  { db, scope, readTexts }: RecordReading,
  rows: readonly PageRow[],
  idsOf: (row: PageRow) => string[],
  least = 1,
): Promise<{ texts: Map<string, string>; fitting: number }> => {
  const lists = rows.map(idsOf);
  const fitting = countFitting(await findSizes(db, scope, lists.flat()), lists, least);
  const ids = [...new Set(lists.slice(0, fitting).flat())];
  const found = await readTexts(db, (sql) => findRecords(sql, scope, ids.map(recordKey)), { kind: 'values' });
  return { texts: new Map(found.map(({ id, body }) => [id, body])), fitting };
};

/** Reads records for an answer. */
export type RecordReading = { db: Database; scope: Scope; readTexts: ReadTexts };

/** Ends a page after its first `fitting` rows. */
const endPage = (rows: readonly PageRow[], fitting: number): PageRow[] =>
  rows
    .slice(0, fitting)
    .map((row, i) => (i === fitting - 1 && fitting < rows.length ? { ...row, isCut: true } : row));

/** Adds to each row the record that it names, as its text. */
export const withRecord = async (reading: RecordReading, rows: PageRow[]): Promise<PageRow[]> => {
  const idOf = ({ body }: PageRow): string => JSON.parse(body).recordId;
  const { texts, fitting } = await readRecords(reading, rows, (row) => [idOf(row)]);
  return endPage(rows, fitting).map((row) => ({
    ...row,
    body: `${row.body.slice(0, -1)},"record":${texts.get(idOf(row)) ?? 'null'}}`,
  }));
};

const idsOfChange = (change: PageRow): string[] => firstIds(change).filter((id) => id !== undefined);

/** Adds their records to a testcase. */
const withTexts = (change: PageRow, texts: Map<string, string>): PageRow => {
  const [before, after] = firstIds(change).map((id) => texts.get(id ?? '') ?? 'null');
  return { ...change, body: `${change.body.slice(0, -1)},"records":{"before":${before},"after":${after}}}` };
};

/** Adds the first record of both sides to each testcase, as their texts. */
export const withRecords = async (reading: RecordReading, changes: PageRow[]): Promise<PageRow[]> => {
  const { texts, fitting } = await readRecords(reading, changes, idsOfChange);
  return endPage(changes, fitting).map((change) => withTexts(change, texts));
};

type Comparison = Static<typeof RunComparison.schema>;

/**
 * Adds to each metric of the pairs with the first run the testcases that lost most, with their records: as many as fit a page.
 * Returns JSON text, in which each record is as it was sent.
 */
export const withWorst = async (
  reading: RecordReading,
  comparison: Comparison,
  runs: readonly RunColumns[],
  { measure, count }: { measure: Measure; count: number },
): Promise<string> => {
  const [first] = runs;
  const list = async (after: string, metricId: string) => {
    const pair = { before: first!, after: runs.find(({ runId }) => runId === after)! };
    const asked = { metricId, measure, change: ['worse' as const], order: 'worst' as const };
    return JSON.parse(await compute('listChanges', { ...pair, ...asked, afterKey: '', count })) as PageRow[];
  };
  const worst = new Map<object, PageRow[]>();
  for (const { before, after, metrics } of comparison.pairs)
    if (before === first!.runId)
      for (const metric of metrics)
        worst.set(metric, metric.losses === 0 ? [] : await list(after, metric.metricId));
  const { texts } = await readRecords(reading, [...worst.values()].flat(), idsOfChange, 0);
  const metricText = (metric: Comparison['pairs'][number]['metrics'][number]) => {
    const changes = worst.get(metric);
    if (!changes) return JSON.stringify(metric);
    const bodies = changes.map((change) => withTexts(change, texts).body);
    return `${JSON.stringify(metric).slice(0, -1)},"worst":[${bodies.join()}]}`;
  };
  const pairs = comparison.pairs.map(
    ({ metrics, ...pair }) =>
      `${JSON.stringify(pair).slice(0, -1)},"metrics":[${metrics.map(metricText).join()}]}`,
  );
  return `${JSON.stringify({ ...comparison, pairs: undefined }).slice(0, -1)},"pairs":[${pairs.join()}]}`;
};
