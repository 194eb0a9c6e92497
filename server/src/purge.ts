import { setTimeout } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { purgeSessions } from './accounts/sign-ins/queries.ts';
import type { SessionLimits } from './accounts/sign-ins/session-limits.ts';
import { removeDeletedBytes } from './evaluation/attachments/remove-bytes.ts';
import type { AttachmentStore } from './evaluation/attachments/store.ts';
import { findSnapshot, purgeChanges } from './evaluation/changes/queries.ts';
import { compactRecordTallies, compactRunTallies } from './evaluation/runs/queries.ts';
import { type Database, type Sql, system } from './platform/db/database.ts';
import { purgeIdempotencyKeys } from './platform/http/idempotency.ts';
import { addUpPayments } from './scoring/queue/queries.ts';
import { purgeAddresses } from './signals/addresses/queries.ts';
import { purgeDeliveries } from './signals/alerts/queries.ts';
import { purgeBatch, purgeRecords } from './traces/retention/purge-records.ts';
import { purgeTraces, traceBatch } from './traces/retention/purge-traces.ts';
import { packBatch, packTraces } from './traces/store/pack-together.ts';

/** Tallies that one round compacts at most. */
const maxTallies = 100;
/** Number of minutes whose counts of records one transaction adds up. */
const maxMinutes = 1_000;

/** Returns the chore that deletes changes older than the last two rounds, which every stream has sent. */
const changesPurge = () => {
  const snapshots: string[] = [];
  return async (tx: Sql) => {
    if (snapshots.length === 2) await purgeChanges(tx, snapshots.shift()!);
    snapshots.push((await findSnapshot(tx))[0]!.snapshot);
  };
};

/**
 * Starts to delete expired rows, one round every `everyMs`. Each chore has its own transaction, so a
 * chore that fails is logged and does not affect the others.
 */
export const startPurging = (
  {
    db,
    log,
    sessions,
    store,
  }: {
    db: Database;
    log: FastifyBaseLogger;
    sessions: SessionLimits;
    store: Pick<AttachmentStore, 'remove' | 'removeCutOff'>;
  },
  everyMs = 60_000,
): { stop: () => Promise<void> } => {
  const chores: Record<string, (tx: Sql) => PromiseLike<unknown>> = {
    'idempotency keys': purgeIdempotencyKeys,
    sessions: (tx) => purgeSessions(tx, sessions),
    'tallies of runs': (tx) => compactRunTallies(tx, maxTallies),
    'tallies of records': (tx) => compactRecordTallies(tx, maxMinutes),
    traces: purgeTraces,
    'old records': purgeRecords,
    'contents of traces': packTraces,
    'deliveries of alerts': purgeDeliveries,
    'addresses of mails': purgeAddresses,
    'payments of judges': addUpPayments,
    changes: changesPurge(),
  };
  /** Chores that run again at once while they find as much as this. */
  const batches: Record<string, number> = {
    'tallies of records': maxMinutes,
    'old records': purgeBatch,
    traces: traceBatch,
    'contents of traces': packBatch,
  };
  const stopping = new AbortController();
  const purge = async () => {
    for (;;) {
      await setTimeout(everyMs, undefined, { signal: stopping.signal });
      for (const [what, chore] of Object.entries(chores)) {
        for (let isFull = true; isFull; ) {
          if (stopping.signal.aborted) return;
          const begun = performance.now();
          const done = await db
            .transaction({ ...system, frees: true }, async (tx) => await chore(tx))
            .catch((error) => log.warn({ err: error, what }, 'purge failed'));
          isFull = what in batches && done === batches[what];
          // Waits as long as the round took, so that writers get half of the time.
          if (isFull) await setTimeout(performance.now() - begun, undefined, { signal: stopping.signal });
        }
      }
      for (const remove of [() => removeDeletedBytes(db, store), () => store.removeCutOff()])
        await remove().catch((error) =>
          log.warn({ err: error, what: 'bytes of attachments' }, 'purge failed'),
        );
    }
  };
  // The wait rejects when it is stopped.
  const purging = purge().catch(() => {});
  return {
    stop: async () => {
      stopping.abort();
      await purging;
    },
  };
};
