import type { FastifyBaseLogger } from 'fastify';
import { type Database, system } from '../db/database.ts';
import { makeOnce } from '../make-once.ts';
import { findDueParent, takeTurns } from './claim.ts';
import { longestPollMs } from './idle.ts';
import type { Held, JobTable } from './job.ts';
import { keepLease, releaseJobs, renewJobs, settleAll } from './keep.ts';
import { type LoopOptions, startLoops, type Worker } from './loops.ts';

export type JobWork<Id extends string, Parent, Job extends Held<Id>> = {
  of: JobTable<Id>;
  /** Time after the death of a process until others take its jobs. */
  leaseMs: number;
  /** Batches at the same time. */
  batches: number;
  /** Whether a parent has one batch at a time in this process, so that a slow one does not take the places of others. */
  isAlone?: boolean;
  /** Takes jobs of a parent that are due. */
  claim: (parent: Parent) => Promise<Job[]>;
  /** Does a job and settles it, or leaves it to be given back. Called outside any transaction. */
  work: (job: Job, signal: AbortSignal) => Promise<void>;
};

export type JobDeps = { db: Database; log: FastifyBaseLogger; pollMs?: number | undefined };

/** Returns a function that does a batch of due jobs, for one parent after another. It returns false if nothing is due. */
export const openJobs = <Id extends string, Parent extends bigint | string, Job extends Held<Id>>(
  { db, log }: JobDeps,
  { of, leaseMs, isAlone = false, claim, work }: JobWork<Id, Parent, Job>,
): LoopOptions['next'] => {
  const { table } = of;
  /** Parents with a running batch. */
  const busy = new Set<Parent>();

  // An embedded database has only this process, so all leases that it finds at its start belong to an earlier process.
  const release = makeOnce(async () => {
    if (db.engine === 'embedded') await db.transaction(system, (tx) => releaseJobs(tx, of, leaseMs));
  });

  /** Looks outside of a transaction: most looks of an idle service find nothing. */
  const nextParent = takeTurns<Parent>(async (after) => {
    for (let last = after; ; ) {
      const [next] = await db.read(system, (sql) => findDueParent(sql, of, last));
      if (!next || !busy.has(next.id)) return next?.id;
      last = next.id;
    }
  });

  /** Unsettled jobs are given back. Settled jobs have another fence. */
  const workOn = (parent: Parent, jobs: Job[], stopping: AbortSignal): Promise<void> => {
    const renew = (inMs: number) => db.transaction(system, (tx) => renewJobs(tx, of, parent, jobs, inMs));
    const lease = {
      leaseMs,
      stopping,
      renew: async () => (await renew(leaseMs)).count > 0,
      failed: (error: unknown) => log.warn({ err: error, table }, 'leases of jobs were not renewed'),
    };
    const kept = keepLease(lease, (signal) => settleAll(jobs, (job) => work(job, signal)));
    return kept.finally(() => renew(0));
  };

  return async (stopping, more) => {
    await release();
    const parent = await nextParent();
    if (parent === undefined) return false;
    // Another loop may have taken it during this read.
    if (busy.has(parent)) return true;
    if (isAlone) busy.add(parent);
    try {
      const jobs = await claim(parent);
      if (jobs.length === 0) return true;
      more();
      await workOn(parent, jobs, stopping);
      return true;
    } finally {
      busy.delete(parent);
    }
  };
};

/** Does the jobs of a table in loops. */
export const startJobs = <Id extends string, Parent extends bigint | string, Job extends Held<Id>>(
  deps: JobDeps,
  work: JobWork<Id, Parent, Job>,
): Worker => {
  const { db, log, pollMs } = deps;
  const { table } = work.of;
  return startLoops({
    count: work.batches,
    next: openJobs(deps, work),
    pollMs,
    longestPollMs: longestPollMs(db),
    failed: (error) => log.error({ err: error, table }, 'jobs were not done; they will be retried'),
  });
};
