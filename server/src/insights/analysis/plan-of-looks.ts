import type { Static } from 'typebox';
import type { Growth, LookPlan } from '../../engine/statistics/planned-looks.ts';
import { findRun } from '../../evaluation/runs/queries.ts';
import type { Database } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { CompareQuery } from './compare-schema.ts';
import { findCancelled, findNumTrials, type RunHead } from './queries.ts';

const growthOf = async (db: Database, scope: Scope, { id }: RunHead): Promise<Growth> => {
  const [found] = await db.read(scope, (sql) => findRun(sql, scope, id));
  const [executed] = await db.read(scope, (sql) => findNumTrials(sql, scope, id));
  const { numExpectedRecords, status } = JSON.parse(found!.body);
  const isOver = numExpectedRecords !== null && status === 'completed';
  const [cancelled] = await db.read(scope, (sql) => findCancelled(sql, scope, id));
  return { numTrials: executed?.numTrials ?? 1, isOver, isCancelled: cancelled !== undefined };
};

/** Parameters whose tests are for one look. */
const forOneLook = ['by', 'usage', 'slices', 'worst'] as const;

/**
 * Returns the plan of `test=planned`, else null. A run that has all the records that it expects takes its last look, also with fewer
 * testcases than planned, unless its rest was cancelled. Throws if the request has no looks, or is about more than one growing run.
 */
export const planOf = async (
  db: Database,
  scope: Scope,
  { test, looks, ...query }: Static<typeof CompareQuery>,
  runs: readonly RunHead[],
): Promise<LookPlan | null> => {
  if (test !== 'planned') {
    if (looks !== undefined) throw invalid('/looks', 'must be given with test=planned');
    return null;
  }
  if (looks === undefined) throw invalid('/looks', 'are needed for test=planned');
  if (looks.some((size, i) => i > 0 && size <= looks[i - 1]!)) throw invalid('/looks', 'must ascend');
  if (runs.length > 2) throw invalid('/runs', 'must name two runs with test=planned');
  for (const name of forOneLook)
    if (query[name]) throw invalid(`/${name}`, 'cannot be given with test=planned');
  return { looks, ...(await growthOf(db, scope, runs[1]!)) };
};

/** Returns how far the later runs of `test=sequential` are, by their ids. */
export const growthsOf = async (
  db: Database,
  scope: Scope,
  runs: readonly RunHead[],
): Promise<Record<string, Growth>> =>
  Object.fromEntries(
    await Promise.all(runs.slice(1).map(async (run) => [String(run.id), await growthOf(db, scope, run)])),
  );
