import type { Static } from 'typebox';
import { findRecords } from '../../evaluation/records/queries.ts';
import type { Database } from '../../platform/db/database.ts';
import { recordKey } from '../../platform/http/ids.ts';
import type { PageRow } from '../../platform/http/pagination.ts';
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

const findTexts = async (
  db: Database,
  scope: Scope,
  ids: readonly string[],
): Promise<Map<string, string>> => {
  const found = await db.read(scope, (sql) => findRecords(sql, scope, ids.map(recordKey)));
  return new Map(found.map(({ id, body }) => [id, body]));
};

/** Adds to each row the record that it names, as its text. */
export const withRecord = async (db: Database, scope: Scope, rows: PageRow[]): Promise<PageRow[]> => {
  const idOf = ({ body }: PageRow): string => JSON.parse(body).recordId;
  const records = await findTexts(db, scope, rows.map(idOf));
  return rows.map((row) => ({
    ...row,
    body: `${row.body.slice(0, -1)},"record":${records.get(idOf(row)) ?? 'null'}}`,
  }));
};

/** Adds the first record of both sides to each testcase, as their texts. */
export const withRecords = async (db: Database, scope: Scope, changes: PageRow[]): Promise<PageRow[]> => {
  const records = await findTexts(
    db,
    scope,
    changes.flatMap(firstIds).filter((id) => id !== undefined),
  );
  return changes.map((change) => {
    const [before, after] = firstIds(change).map((id) => records.get(id ?? '') ?? 'null');
    const body = `${change.body.slice(0, -1)},"records":{"before":${before},"after":${after}}}`;
    return { ...change, body };
  });
};

type Comparison = Static<typeof RunComparison.schema>;

/**
 * Adds to each metric of the pairs with the first run the testcases that lost most, with their records.
 * Returns JSON text, in which each record is as it was sent.
 */
export const withWorst = async (
  db: Database,
  scope: Scope,
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
  const metricText = async (after: string, metric: Comparison['pairs'][number]['metrics'][number]) => {
    const changes = metric.losses === 0 ? [] : await list(after, metric.metricId);
    const bodies = (await withRecords(db, scope, changes)).map(({ body }) => body);
    return `${JSON.stringify(metric).slice(0, -1)},"worst":[${bodies.join()}]}`;
  };
  const pairs: string[] = [];
  for (const { metrics, ...pair } of comparison.pairs) {
    const texts: string[] = [];
    for (const metric of metrics)
      texts.push(
        pair.before === first!.runId ? await metricText(pair.after, metric) : JSON.stringify(metric),
      );
    pairs.push(`${JSON.stringify(pair).slice(0, -1)},"metrics":[${texts.join()}]}`);
  }
  return `${JSON.stringify({ ...comparison, pairs: undefined }).slice(0, -1)},"pairs":[${pairs.join()}]}`;
};
