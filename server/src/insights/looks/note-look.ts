import { lockTestset } from '../../evaluation/testsets/snapshot-queries.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import {
  compareLook,
  findLookedAt,
  findLookOfVersion,
  insertLooks,
  type KnownLook,
  listLooksOfRun,
  type NewLook,
} from './queries.ts';
import type { Kind } from './schema.ts';

/** A run whose verdict leaves the service, with the runs that it is compared with. */
export type Asked = {
  kind: Kind;
  runId: bigint;
  baselineRunIds: readonly bigint[];
  /** Whether a gate with a ledger tests it, also alone. */
  isTest?: boolean;
};

/** Where the ledger has it: the testset, and the number of the look there. */
export type Noted = { testsetId: bigint; n: number };

/** Returns the rows that are asked for and are not known, and the number of those that are. */
const sought = ({ baselineRunIds }: Asked, configIds: readonly string[], known: readonly KnownLook[]) => {
  const pairs: NewLook[] = (baselineRunIds.length === 0 ? [null] : baselineRunIds).flatMap((baselineRunId) =>
    configIds.map((configId) => ({ baselineRunId, configId })),
  );
  const found = (pair: NewLook) =>
    known.find(
      ({ baselineRunId, configId }) => baselineRunId === pair.baselineRunId && configId === pair.configId,
    );
  return {
    missing: pairs.filter((pair) => !found(pair)),
    n: Math.max(0, ...pairs.map((pair) => found(pair)?.n ?? 0)),
  };
};

/**
 * Notes a look in the ledger of the testset, once for each pair of runs and metric configuration. A summary counts for a version that no look
 * was at, and becomes the look at the first comparison of its run. A test by the ledger
 * always counts. Returns null for what is no look.
 */
export const noteLook = async (tx: Sql, scope: Scope, asked: Asked): Promise<Noted | null> => {
  const { runId, baselineRunIds, kind, isTest } = asked;
  const [lookedAt] = await findLookedAt(tx, scope, runId);
  if (!lookedAt) return null;
  const { testsetId, configIds } = lookedAt;
  const read = async () => sought(asked, configIds, await listLooksOfRun(tx, scope, runId));
  let { missing, n } = await read();
  if (missing.length === 0) return { testsetId, n };
  await lockTestset(tx, scope, testsetId);
  if (baselineRunIds.length === 0 && !isTest) {
    const seen = await findLookOfVersion(tx, scope, testsetId, runId);
    if (seen.length > 0) return null;
  }
  // Another request may have noted it before the lock.
  ({ missing, n } = await read());
  let own: number | null = null;
  if (n === 0 && baselineRunIds[0] !== undefined) {
    await compareLook(tx, scope, runId, baselineRunIds[0]);
    ({ missing, n } = await read());
    own = n === 0 ? null : n;
  }
  if (missing.length === 0) return { testsetId, n };
  const [made] = await insertLooks(tx, scope, { testsetId, runId, n: own, kind }, missing);
  return { testsetId, n: Math.max(n, made?.n ?? 0) };
};
