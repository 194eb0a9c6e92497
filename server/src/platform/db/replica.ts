import { setTimeout as delay } from 'node:timers/promises';
import type { Connections } from './connections.ts';
import {
  type Database,
  isUnavailable,
  type ReplicaReads,
  type Sql,
  type Tenant,
  takeRows,
} from './database.ts';
import type { ReadOn } from './reads.ts';

/** Pauses of a read that waits for the replica, in ms. After them it reads the primary. */
const pausesMs = [2, 5, 10, 20, 40, 80];
/** Pause before a replica that was too far behind is asked again. */
const behindMs = 1_000;
/** The same for one that did not answer. */
const awayMs = 5_000;
/** Longest wait for its position. */
const checkMs = 2_000;

/**
 * Returns a position of the log that includes every acknowledged write. A commit that does not wait for the disk may be acknowledged before
 * its log is flushed.
 */
const findPosition = (sql: Sql) => sql<{ position: string }[]>`
  select (case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end)::text
    as position`;

/** Whether the standby has everything up to this position. A promoted standby has its own history. */
const findIsThere = (sql: Sql, position: string) => sql<{ isThere: boolean }[]>`
  select coalesce(pg_is_in_recovery() and pg_last_wal_replay_lsn() >= ${position}::text::pg_lsn, false) as "isThere"`;

type Primary = Pick<Database, 'read' | 'lookUp'>;

/**
 * Reads on a streaming replica that has every write acknowledged before, so no client misses its own writes: the primary reports the end of
 * its log, and the read waits until the replica has replayed it. When it is too far behind, does not answer, or cancels the read, the
 * primary is read instead.
 */
export const readOnReplica = (primary: Primary, replica: { connections: Connections; readOn: ReadOn }) => {
  const reads: ReplicaReads = { replica: 0, primary: 0 };
  let restUntil = Number.NEGATIVE_INFINITY;
  const rest = (ms: number) => {
    restUntil = performance.now() + ms;
  };

  const ask = async <T extends object>(
    tenant: Tenant,
    statement: Parameters<typeof primary.read<T>>[1],
    longestMs?: number,
  ): Promise<T[]> => {
    const send = async (sql: Sql) => takeRows(await statement(sql).execute());
    const [result] = await replica.connections.use(tenant, replica.readOn(tenant, [send]), longestMs);
    if (result!.status === 'rejected') throw result!.reason;
    return result!.value as T[];
  };

  /** Resolves to whether the replica has everything that is committed now. */
  const isThere = async (tenant: Tenant): Promise<boolean> => {
    const [now] = await primary.lookUp(tenant, findPosition);
    for (const pauseMs of [...pausesMs, 0]) {
      const [found] = await ask(tenant, (sql) => findIsThere(sql, now!.position), checkMs);
      if (found!.isThere) return true;
      await delay(pauseMs);
    }
    return false;
  };

  const read: Database['read'] = async (tenant, statement) => {
    if (performance.now() >= restUntil) {
      try {
        if (await isThere(tenant)) {
          const rows = await ask(tenant, statement);
          reads.replica++;
          return rows;
        }
        rest(behindMs);
      } catch (error) {
        // 57014: it took too long, and would on the primary. 40001: it was in the way of the replay, and the next one may not be.
        const { code } = error as { code?: string };
        if (!isUnavailable(error) || code === '57014') throw error;
        if (code !== '40001') rest(awayMs);
      }
    }
    reads.primary++;
    return primary.read(tenant, statement);
  };
  return { read, reads };
};
