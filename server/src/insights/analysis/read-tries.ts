import type { Database } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { findNewestRuns, type RunHead } from './queries.ts';
import { readRuns } from './read-run.ts';
import { numbersOf, type RunColumns } from './run-scores.ts';

/** Most further tries that are read, and about as many records. */
const [maxTries, maxRecords] = [20, 100_000];

/**
 * Reads the scores of the newest other runs of the testset: the best of the compared runs was chosen among these too. With two runs there is no
 * choice of a best one, so nothing is read.
 */
export const readTries = async (
  db: Database,
  scope: Scope,
  compared: { heads: readonly RunHead[]; pooled: readonly RunHead[]; runs: readonly RunColumns[] },
): Promise<RunColumns[]> => {
  const { heads, pooled, runs } = compared;
  const { testsetId, projectId } = heads[0]!;
  if (heads.length < 3 || testsetId === null) return [];
  const known = new Set([...heads, ...pooled].map(({ id }) => id));
  const newest = await db.read(scope, (sql) =>
    findNewestRuns(sql, scope, projectId, { testsetId, scored: true }, maxTries + known.size),
  );
  const numRecords = Math.max(1, numbersOf(runs[0]!.records.numbers).length);
  const ids = newest.map(({ id }) => id).filter((id) => !known.has(id));
  const metricIds = runs.flatMap(({ scores }) => scores.map(({ metricId }) => BigInt(metricId)));
  return readRuns(db, scope, ids.slice(0, Math.min(maxTries, Math.floor(maxRecords / numRecords))), [
    ...new Set(metricIds),
  ]);
};
