import type { FastifyBaseLogger } from 'fastify';
import { purgeSessions } from './accounts/sessions/queries.ts';
import { findSnapshot, purgeChanges } from './evaluation/changes/queries.ts';
import { compactRunTallies } from './evaluation/runs/queries.ts';
import { type Database, type Sql, system } from './platform/db/database.ts';
import { purgeIdempotencyKeys } from './platform/http/idempotency.ts';
import { purgeTraces } from './traces/store/delete-traces.ts';

const mostTallies = 100;

/** Returns the chore that forgets the changes that everybody has been told of. */
const changesPurge = () => {
  const snapshots: string[] = [];
  return async (tx: Sql) => {
    // Of two rounds ago: nobody looks further back.
    if (snapshots.length === 2) await purgeChanges(tx, snapshots.shift()!);
    snapshots.push((await findSnapshot(tx))[0]!.snapshot);
  };
};

/**
 * Deletes over and over what nobody needs any more, one round at a time. Each chore has a transaction of its own: one that fails
 * takes back nothing of the others, and keeps none of them from its turn.
 */
export const startTidying = (
  { db, log }: { db: Database; log: FastifyBaseLogger },
  everyMs = 60_000,
): { stop: () => Promise<void> } => {
  const chores: Record<string, (tx: Sql) => PromiseLike<unknown>> = {
    'idempotency keys': purgeIdempotencyKeys,
    sessions: purgeSessions,
    'tallies of runs': (tx) => compactRunTallies(tx, mostTallies),
    traces: purgeTraces,
    changes: changesPurge(),
  };
  let timer: NodeJS.Timeout;
  let round = Promise.resolve();
  let isStopping = false;
  const tidy = async () => {
    for (const [what, chore] of Object.entries(chores)) {
      if (isStopping) return;
      await db
        .transaction(system, async (tx) => void (await chore(tx)))
        .catch((error) => log.warn({ err: error, what }, 'purge failed'));
    }
    if (!isStopping) wait();
  };
  const wait = () => {
    timer = setTimeout(() => {
      round = tidy();
    }, everyMs);
  };
  wait();
  return {
    stop: async () => {
      isStopping = true;
      clearTimeout(timer);
      await round;
    },
  };
};
