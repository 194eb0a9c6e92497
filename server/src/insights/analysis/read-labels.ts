import type { Database } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { findRecordLabels, type TestcaseLabels } from './queries.ts';
import { readTestcaseLabels } from './read-run.ts';
import { type RunColumns, textsOf } from './run-scores.ts';
import { findSliceFields } from './slice-queries.ts';
import type { RecordLabels } from './slices.ts';

/** Reads the labels of a run's records: their tags, a field of their inputs or, after `metadata.`, of their testcases. */
export const readLabels = async (
  db: Database,
  scope: Scope,
  { runId, records }: RunColumns,
  by: string,
): Promise<RecordLabels> => {
  const field = by.slice(by.indexOf('.') + 1);
  if (by.startsWith('metadata.')) return { testcases: await readTestcaseLabels(db, scope, records, field) };
  const [labels] = await db.read(scope, (sql) =>
    findRecordLabels(sql, scope, BigInt(runId), by === 'tag' ? null : field),
  );
  return { records: labels! };
};

/** Reads the fields that divide the testcases of runs into slices. */
export const readSliceFields = async (
  db: Database,
  scope: Scope,
  runs: readonly RunColumns[],
): Promise<TestcaseLabels[]> => {
  const testsetIds = new Set(runs.flatMap(({ records }) => textsOf(records.testsets)));
  testsetIds.delete('NULL');
  if (testsetIds.size === 0) return [];
  return db.read(scope, (sql) => findSliceFields(sql, scope, [...testsetIds]));
};
