import type { Database } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { compute } from './compute.ts';
import { findInputTexts, type NearDuplicates } from './queries.ts';
import type { RunColumns } from './run-scores.ts';

/** Most inputs of a run that are compared with each other: a tenth of a second. */
const mostInputs = 2_000;
const maxKept = 1_000;
/** Inputs of testcases do not change, so that a run with the same number of records has the same ones. */
const kept = new Map<string, NearDuplicates>();

const readOfRun = async (db: Database, scope: Scope, run: RunColumns): Promise<NearDuplicates> => {
  const key = `${scope.organizationId}/${run.runId}/${run.records.numbers?.length}`;
  const known = kept.get(key);
  if (known) return known;
  const [found] = await db.read(scope, (sql) => findInputTexts(sql, scope, BigInt(run.runId), mostInputs));
  const counted: NearDuplicates = JSON.parse(await compute('countNear', { texts: found!.texts }));
  kept.set(key, counted);
  if (kept.size > maxKept) kept.delete(kept.keys().next().value!);
  return counted;
};

/** Adds to each run how many of its inputs are near-duplicates. A testset with a grouping field says itself what belongs together. */
export const withNearDuplicates = async (
  db: Database,
  scope: Scope,
  runs: readonly RunColumns[],
): Promise<RunColumns[]> => {
  const found: RunColumns[] = [];
  for (const run of runs)
    found.push(run.groups.length > 0 ? run : { ...run, nearDuplicates: await readOfRun(db, scope, run) });
  return found;
};
