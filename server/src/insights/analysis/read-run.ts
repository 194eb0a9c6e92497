import type { Database } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { numericId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import {
  findRecordColumns,
  findRunHeads,
  findScoreColumns,
  findTestcaseLabels,
  type RecordColumns,
  type RunHead,
  type TestcaseLabels,
} from './queries.ts';
import { numbersOf, type RunColumns, textsOf } from './run-scores.ts';

/** The runs of these ids, in their order. Throws notFound for the first that is not there to read. */
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

/** Up to this many records their testcases are looked up one by one; beyond it the whole testset is read. */
const fewRecords = 1000;
/** Runs that are read at once: as many statements, and twice that, keep a small server busy without taking all its connections. */
const atOnce = 2;

/** A field of the testcases that these records answer: the one given, else the grouping field of each testset that names one. */
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
 * What statistics need of a run. Records are read before their scores: what comes in between belongs to no record that was
 * read, and is left out.
 */
export const readRun = async (
  db: Database,
  scope: Scope,
  runId: bigint,
  metricIds?: bigint[],
): Promise<RunColumns> => {
  const [records] = await db.read(scope, (sql) => findRecordColumns(sql, scope, runId));
  const [groups, scores] = await Promise.all([
    readTestcaseLabels(db, scope, records!, null),
    db.read(scope, (sql) => findScoreColumns(sql, scope, runId, metricIds)),
  ]);
  return { runId: String(runId), records: records!, groups, scores };
};

/** The same of several runs, a few of them at once. */
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
