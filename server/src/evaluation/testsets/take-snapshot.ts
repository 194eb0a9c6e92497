import type { Sql } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { requireOne } from '../../platform/http/http.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { takeEdition } from './queries.ts';
import {
  deleteAllBut,
  findEdition,
  findPresent,
  insertSnapshot,
  lockTestset,
  type MadeBy,
  renameSnapshot,
  revertTestcases,
  reviveTestcases,
  type SnapshotKey,
} from './snapshot-queries.ts';

export type Taken = { n: number; numTestcases: number };

/**
 * Returns the snapshot of the testset as it is now, and makes it if there is none: testcases that did not change have one snapshot, however
 * many runs start with them. A name replaces an earlier one. Throws notFound.
 */
export const takeSnapshot = async (
  tx: Sql,
  scope: Scope,
  testsetId: bigint,
  { name, madeBy }: { name?: string | undefined; madeBy: MadeBy },
): Promise<Taken> => {
  const found = async () => {
    const { n, numTestcases, edition } = requireOne(
      await findPresent(tx, scope, testsetId),
      'testset',
      String(testsetId),
    );
    return { edition, taken: n === null ? undefined : { n, numTestcases: numTestcases! } };
  };
  let { edition, taken } = await found();
  if (!taken) {
    // Another request may have made it, or changed a testcase, before the lock.
    await lockTestset(tx, scope, testsetId);
    ({ edition, taken } = await found());
  }
  if (!taken) {
    const [made] = await insertSnapshot(tx, scope, testsetId, { edition, name: name ?? '', madeBy });
    return made!;
  }
  if (name !== undefined) await renameSnapshot(tx, scope, { testsetId, n: taken.n }, name);
  return taken;
};

/** Makes the testcases of a testset what they were in a snapshot. Snapshots the present first, so that this can be undone. */
export const restoreSnapshot = async (tx: Sql, scope: Scope, key: SnapshotKey): Promise<string> => {
  const { testsetId } = key;
  await lockTestset(tx, scope, testsetId);
  const [former] = await findEdition(tx, scope, key);
  if (!former) throw notFound('snapshot', String(key.n));
  const before = await takeSnapshot(tx, scope, testsetId, { madeBy: 'restore' });
  const [taken] = await takeEdition(tx, scope, testsetId);
  const at = [testsetId, former.edition, taken!.edition] as const;
  const removed = await deleteAllBut(tx, scope, ...at);
  const changed = await revertTestcases(tx, scope, ...at);
  const added = await reviveTestcases(tx, scope, ...at);
  return JSON.stringify({
    before: before.n,
    numAdded: added.count,
    numChanged: changed.count,
    numRemoved: removed.count,
  });
};
