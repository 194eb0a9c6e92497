import type { Database } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { numericId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { criterionOf, findCriterionColumns } from './criterion-queries.ts';
import {
  findOwnColumns,
  findRecordColumns,
  findRunHeads,
  findScoreColumns,
  findSpanColumns,
  findTestcaseLabels,
  findUnequalDraws,
  type RecordColumns,
  type RunHead,
  type TestcaseLabels,
} from './queries.ts';
import { numbersOf, type RunColumns, textsOf } from './run-scores.ts';

/** Finds runs, in the order of their ids. Throws 404 for the first that does not exist. */
export const requireRuns = async (db: Database, scope: Scope, ids: string[]): Promise<RunHead[]> => {
  const numbers = ids.map((id) => numericId('run', id));
  const found = await db.read(scope, (sql) => findRunHeads(sql, scope, numbers));
  const byId = new Map(found.map((run) => [run.id, run]));
  return numbers.map((number, i) => {
    const run = byId.get(number);
    if (!run) throw notFound('run', ids[i]!);
    return run;
  });
};

/** Finds the run that a request is about, if it names one. Throws 404 for a run that is not in the metric's project. */
export const requireRunOf = async (
  db: Database,
  scope: Scope,
  metric: { projectId: bigint },
  id: string | undefined,
): Promise<RunHead | null> => {
  if (id === undefined) return null;
  const [run] = await requireRuns(db, scope, [id]);
  if (run!.projectId !== metric.projectId) throw notFound('run', id);
  return run!;
};

/** Up to this many records, testcases are looked up one by one; for more the whole testset is read. */
const fewRecords = 1000;
/** Runs that are read at a time, by two statements each. More would take the connections of other requests. */
const atOnce = 2;

/** Reads a field of the testcases that records answer: the one given, else the grouping field of each testset that has one. */
export const readTestcaseLabels = async (
  db: Database,
  scope: Scope,
  records: RecordColumns,
  field: string | null,
): Promise<TestcaseLabels[]> => {
  const testsetIds = [...new Set(textsOf(records.testsets))].filter((id) => id !== 'NULL');
  if (testsetIds.length === 0) return [];
  const testcases = numbersOf(records.testcases);
  const numbers = testcases.length <= fewRecords ? testcases.filter((n) => !Number.isNaN(n)) : null;
  return db.read(scope, (sql) => findTestcaseLabels(sql, scope, { testsetIds, numbers }, field));
};

/**
 * Reads the data of a run for statistics. Records are read before scores, and scores of records that came in between are left out.
 */
export const readRun = async (
  db: Database,
  scope: Scope,
  runId: bigint,
  metricIds?: bigint[],
): Promise<RunColumns> => {
  const [records] = await db.read(scope, (sql) => findRecordColumns(sql, scope, runId));
  const [groups, given, replaced, unequal] = await Promise.all([
    readTestcaseLabels(db, scope, records!, null),
    db.read(scope, (sql) => findScoreColumns(sql, scope, runId, metricIds)),
    db.read(scope, (sql) => findOwnColumns(sql, scope, runId)),
    db.read(scope, (sql) => findUnequalDraws(sql, scope, runId)),
  ]);
  const ofSpans = given.filter((columns) => columns.ofSpans).map(({ configId }) => configId);
  const spans =
    ofSpans.length > 0 ? await db.read(scope, (sql) => findSpanColumns(sql, scope, runId, ofSpans)) : [];
  const noSpans = { numbers: null, values: null };
  const scores = given.map(({ ofSpans, ...columns }) => ({
    ...columns,
    spans: ofSpans ? (spans.find(({ configId }) => configId === columns.configId) ?? noSpans) : null,
    own: replaced.find(({ configId }) => configId === columns.configId) ?? null,
    draw: unequal.find(({ metricId }) => metricId === columns.metricId) ?? null,
  }));
  return { runId: String(runId), records: records!, groups, scores };
};

/** Reads the verdicts on the criteria of a metric in a run, each criterion as a boolean metric of its own. */
export const readCriteria = async (
  db: Database,
  scope: Scope,
  runId: bigint,
  metricId: bigint,
): Promise<RunColumns & { numCriteriaLeftOut: number }> => {
  const [records] = await db.read(scope, (sql) => findRecordColumns(sql, scope, runId));
  const [groups, given, unequal] = await Promise.all([
    readTestcaseLabels(db, scope, records!, null),
    db.read(scope, (sql) => findCriterionColumns(sql, scope, runId, metricId)),
    db.read(scope, (sql) => findUnequalDraws(sql, scope, runId)),
  ]);
  const scores = given.map(criterionOf).map(({ ofMetricId, columns }) => ({
    ...columns,
    own: null,
    spans: null,
    draw: unequal.find((draw) => draw.metricId === ofMetricId) ?? null,
  }));
  const numCriteriaLeftOut = Math.max(0, (given[0]?.numCriteria ?? 0) - given.length);
  return { runId: String(runId), records: records!, groups, scores, numCriteriaLeftOut };
};

/** Reads several runs, a few at a time. */
export const readRuns = async (
  db: Database,
  scope: Scope,
  runIds: bigint[],
  metricIds?: bigint[],
): Promise<RunColumns[]> => {
  const runs: RunColumns[] = [];
  for (let i = 0; i < runIds.length; i += atOnce) {
    const next = runIds.slice(i, i + atOnce);
    runs.push(...(await Promise.all(next.map((id) => readRun(db, scope, id, metricIds)))));
  }
  return runs;
};
