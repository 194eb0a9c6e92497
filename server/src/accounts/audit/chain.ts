import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { type Database, type Sql, system } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import {
  checkEntries,
  findChain,
  insertChains,
  lengthenChain,
  listUnchained,
  lockWaitingChain,
} from './queries.ts';
import type { AuditVerification } from './schema.ts';

/** Entries that one transaction chains: some 20 ms. */
const batchSize = 500;

/**
 * Puts committed entries of one organization into its chain, and returns their number. Writers add entries without waiting for each
 * other; only here they get an order, which is that of their commits from batch to batch.
 */
export const chainEvents = async (tx: Sql, most = batchSize): Promise<number> => {
  await insertChains(tx);
  const [end] = await lockWaitingChain(tx);
  if (!end) return 0;
  const waiting = await listUnchained(tx, end, most);
  if (waiting.length === 0) return 0;
  let last = end.hash;
  const entries = waiting.map(({ id, content }) => {
    last = createHash('sha256').update(last).update(content).digest();
    return { id, hash: last.toString('hex') };
  });
  await lengthenChain(tx, end, entries);
  return entries.length;
};

/** In an idle service, a transaction for each look would be half of the load. */
const isWaiting = async (db: Database): Promise<boolean> => {
  const found = await db.read(
    system,
    (sql) => sql<object[]>`select from audit_event where place is null limit 1`,
  );
  return found.length > 0;
};

/**
 * Starts to chain the entries of all organizations: at once while there are many, else every `everyMs`. While there are none, the time
 * between two looks doubles up to `longestMs`: a look every two seconds was a quarter of all queries of an idle service.
 */
export const startChaining = (
  { db, log }: { db: Database; log: FastifyBaseLogger },
  everyMs = 2_000,
  longestMs = 5 * everyMs,
): { stop: () => Promise<void> } => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const chainAll = async () => {
    for (let waitMs = everyMs; ; ) {
      await setTimeout(waitMs, undefined, { signal });
      waitMs = Math.min(waitMs * 2, longestMs);
      let chained: number;
      do {
        chained = await isWaiting(db)
          .then((waiting) => (waiting ? db.transaction(system, (tx) => chainEvents(tx)) : 0))
          .catch((error) => {
            log.warn({ err: error }, 'entries of the audit log were not chained; the next round retries');
            return 0;
          });
        if (chained > 0) waitMs = everyMs;
      } while (chained > 0 && !signal.aborted);
    }
  };
  // The wait rejects when it is stopped.
  const chaining = chainAll().catch(() => {});
  return {
    stop: async () => {
      stopping.abort();
      await chaining;
    },
  };
};

/** Entries that one statement checks: some 100 ms. */
const checkSize = 5_000;
const maxBreaks = 100;

/** Checks the whole chain of an organization, and that the entry at `noted.place` has the hash that was noted. */
export const verifyChain = async (
  db: Database,
  scope: Scope,
  noted?: { place: number; hash: string },
): Promise<AuditVerification> => {
  const breaks: AuditVerification['breaks'] = [];
  let chained = 0;
  let erased = 0;
  let last: { place: bigint; hash: string; id: string | null; createdAt: string | null } = {
    place: 0n,
    hash: '',
    id: null,
    createdAt: null,
  };
  let notedHash: string | undefined;
  // Read before the entries: the chain may grow while they are read.
  const [end] = await db.read(scope, (sql) => findChain(sql, scope));
  for (;;) {
    const page = await db.read(scope, (sql) => checkEntries(sql, scope, last, checkSize));
    for (const { place, id, createdAt, hash, follows, holds, isErased } of page) {
      const found = { place: Number(place), id, createdAt };
      if (isErased) erased += 1;
      // After a gap, the hash of the entry before it is unknown.
      if (!follows) breaks.push({ ...found, kind: 'missing' });
      else if (!holds) breaks.push({ ...found, kind: 'changed' });
      if (noted?.place === found.place) notedHash = hash;
      if (place === end!.place && hash !== end!.hash) breaks.push({ ...found, kind: 'replaced' });
    }
    chained += page.length;
    last = page.at(-1) ?? last;
    if (page.length < checkSize) break;
  }
  if (last.place < end!.place)
    breaks.push({ place: Number(last.place), id: last.id, createdAt: last.createdAt, kind: 'cut' });
  if (noted && notedHash !== noted.hash)
    breaks.push({ place: noted.place, id: null, createdAt: null, kind: 'replaced' });
  return {
    intact: breaks.length === 0,
    chained,
    unchained: end!.unchained,
    numErased: erased,
    place: Number(last.place),
    hash: last.hash,
    breaks: breaks.slice(0, maxBreaks),
  };
};
