import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { listWaiting, noteTaken } from './fresh-queries.ts';
import { findSplitRules, splitTestcases } from './mark-queries.ts';
import { insertTestcases, takeTestcaseNumbers } from './queries.ts';
import { lockTestset } from './snapshot-queries.ts';

/** Notes which run took the fresh testcases. */
type NoteRun = (runId: bigint) => Promise<void>;

/**
 * Moves the first fresh testcases that wait into the testset, for a run that is about to start with them, in its split. Takes fewer if fewer
 * wait.
 */
export const takeFresh = async (
  tx: Sql,
  scope: Scope,
  testsetId: bigint,
  { count, split }: { count: number; split: string | undefined },
): Promise<NoteRun> => {
  await lockTestset(tx, scope, testsetId);
  const waiting = await listWaiting(tx, scope, testsetId, count);
  if (waiting.length === 0) return async () => {};
  const [taken] = await takeTestcaseNumbers(tx, scope, testsetId, waiting.length);
  const firstN = taken!.last - waiting.length + 1;
  const { edition } = taken!;
  await insertTestcases(
    tx,
    scope,
    testsetId,
    { firstN, edition },
    waiting.map(({ data }) => data),
    waiting.map(() => []),
    waiting.map(() => (split === undefined ? {} : { split })),
  );
  const [ruled] = split === undefined ? await findSplitRules(tx, scope, testsetId) : [];
  if (ruled) await splitTestcases(tx, scope, testsetId, { ...ruled, edition, after: firstN - 1 });
  return async (runId) => {
    const numbers = waiting.map(({ n }) => n);
    await noteTaken(tx, scope, { testsetId, runId, firstN }, numbers);
  };
};
