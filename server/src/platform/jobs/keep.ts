import type { Sql } from '../db/database.ts';
import { rowsOf } from '../db/rows.ts';
import { fromNow, type Held, type JobTable } from './job.ts';

/** Moves the end of the leases that are still held to `inMs` from now; 0 gives the jobs back. Its count is the number of held leases. */
export const renewJobs = <Id extends string>(
  tx: Sql,
  { table, parent, id, idType }: JobTable<Id>,
  parentId: bigint | string,
  jobs: Held<Id>[],
  inMs: number,
) => tx`
  update ${tx(table)} job set due_at = ${fromNow(tx, inMs)}
  from ${rowsOf(
    tx,
    jobs.map((job) => ({ id: job[id] as number | string, fence: job.fence })),
    { id: idType, fence: 'integer' },
    { as: 'held' },
  )}
  where job.${tx(parent)} = ${parentId} and job.${tx(id as string)} = held.id and job.fence = held.fence and job.state = 'pending'`;

/** Gives back all jobs that may be held, for a process that knows that no other process holds jobs. Fence 0: never held. */
export const releaseJobs = (tx: Sql, { table }: JobTable, leaseMs: number) => tx`
  update ${tx(table)} set due_at = now(), fence = fence + 1
  where state = 'pending' and fence > 0 and due_at > now() and due_at <= ${fromNow(tx, leaseMs)}`;

export type KeptLease = {
  leaseMs: number;
  /** Aborted when the worker stops. */
  stopping: AbortSignal;
  /** Moves the end of the lease. Returns whether anything is still held under it. */
  renew: () => Promise<boolean>;
  /** Called with the error of `renew`; the next renewal tries again. */
  failed: (error: unknown) => void;
};

/** Renews a lease while `work` runs. The signal aborts when the worker stops, and when a renewal finds that the lease was lost. */
export const keepLease = async (
  { leaseMs, stopping, renew, failed }: KeptLease,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> => {
  const lost = new AbortController();
  // Renewed three times before it ends, so that a slow database or a paused process seldom loses it.
  const heartbeat = setInterval(() => {
    renew().then((isHeld) => isHeld || lost.abort(new Error('the lease was lost')), failed);
  }, leaseMs / 3);
  try {
    await work(AbortSignal.any([stopping, lost.signal]));
  } finally {
    clearInterval(heartbeat);
  }
};

/** Does all jobs at the same time and waits for each: if one throws, the others still store their results. Then throws the first error. */
export const settleAll = async <T>(jobs: T[], work: (job: T) => Promise<void>): Promise<void> => {
  const ended = await Promise.allSettled(jobs.map(work));
  const broken = ended.find((one) => one.status === 'rejected');
  if (broken) throw broken.reason;
};
