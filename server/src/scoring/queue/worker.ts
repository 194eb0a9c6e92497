import type { FastifyBaseLogger } from 'fastify';
import type { Counter } from 'prom-client';
import { noModel } from '../../engine/models/provider.ts';
import type { Lane } from '../../evaluation/metrics/queries.ts';
import { type Database, isOvertaken, type Sql, system } from '../../platform/db/database.ts';
import { newUuid } from '../../platform/http/ids.ts';
import { takeTurns } from '../../platform/jobs/claim.ts';
import { longestPollMs } from '../../platform/jobs/idle.ts';
import { keepLease } from '../../platform/jobs/keep.ts';
import { startLoops, type Worker } from '../../platform/jobs/loops.ts';
import { inTurn } from '../../platform/turns.ts';
import type { ScoredSpan } from '../../traces/read/scored-spans.ts';
import {
  addPayments,
  beginClaim,
  type ClaimedScore,
  claimScores,
  clearLeases,
  commitOutcomes,
  findDueRun,
  findRecordParts,
  findWorkerConfigs,
  type KeptConfig,
  keepRun,
  type Lease,
  narrowLease,
  type Outcome,
  type Payment,
  type Queue,
  type RecordParts,
  renewLease,
  type WorkerConfig,
} from './queries.ts';

/** A score to make, with all data for it; of the span, if there is one, of the record. */
export type Job = { claim: ClaimedScore; config: WorkerConfig; record: RecordParts; span?: ScoredSpan };

export type Spent = Omit<Payment, 'number'>;

/** What the verdicts of a lease cost. */
export type Payments = {
  /** Notes what was paid. */
  add: (spent: Spent) => void;
  /** Sends statements in a transaction that also counts what was noted. */
  write: (statements: (tx: Sql) => Write[]) => Promise<void>;
  /** Counts what is left. */
  flush: () => Promise<void>;
};

/** Scores of one run that this worker holds until their lease ends. */
export type Batch = {
  lease: Lease;
  jobs: Job[];
  /** Aborted when the worker stops, and when the scores are no longer its own: deleted, cancelled, given by someone else. */
  signal: AbortSignal;
  /** Writes outcomes. Those of a lost lease are left out, without an error. */
  commit: (outcomes: Outcome[]) => Promise<void>;
  payments: Payments;
  /** Tells the worker that busy configurations may be free again. */
  more: () => void;
};

/** A lane and its way of making scores. Scores that `score` does not commit go back to the queue. */
export type LaneOptions = {
  lane: Lane;
  batchSize: number;
  /** Batches at the same time. */
  batches: number;
  score: (batch: Batch) => Promise<void>;
  /** Configurations whose scores should not be claimed now, because they would only wait. */
  busyConfigs?: () => string[];
};

export type WorkerDeps = {
  db: Database;
  log: FastifyBaseLogger;
  /** Counts the outcomes that were written. */
  outcomes?: Counter<'lane' | 'state'>;
  pollMs?: number;
};

/** Time after the death of a process until others take its scores. */
const leaseMs = 60_000;

/** Cost of these verdicts in USD, and the number of verdicts with unknown cost. */
export const spendingOf = (outcomes: Outcome[]): Spent => {
  const usages = outcomes.flatMap(({ usage, isSpent }) => (isSpent ? [] : (usage ?? [])));
  return {
    costUsd: usages.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0),
    unpriced: usages.filter(({ costUsd }) => costUsd === null).length,
  };
};

/**
 * Ends the leases that earlier processes left. Called before any worker starts: an embedded database has this one process; on a server
 * a lease that has not ended may be another process's.
 */
export const clearDeadLeases = (db: Database): Promise<unknown> =>
  db.transaction(system, (tx) => clearLeases(tx, db.engine === 'embedded' ? 'all' : 'ended'));

/** Names a score of a run. */
const keyOf = ({ n, configId }: { n: number; configId: string }): string => `${n} ${configId}`;

const recordsOf = (scores: Iterable<{ n: number }>): number[] => [...new Set([...scores].map(({ n }) => n))];

type Work = { queue: Queue; runId: bigint };
type Claimed = { lease: Lease; claimed: ClaimedScore[]; jobs: Job[] };

/**
 * Returns a function that finds a run with scores to make. Runs take turns, and so do the queues: proposals and scores do not wait for each
 * other's long runs. It looks outside of a transaction: most looks of an idle service find nothing.
 */
const openTurns = (db: Database, lane: Lane, busyConfigs: () => string[]) => {
  let queues: Queue[] = ['score', 'proposed_score'];
  const turnsOf = (queue: Queue) =>
    takeTurns<bigint>(async (after = 0n) => {
      const [due] = await db.read(system, (sql) => findDueRun(sql, { queue, lane }, after, busyConfigs()));
      return due?.runId;
    });
  const nextRun = { score: turnsOf('score'), proposed_score: turnsOf('proposed_score') };
  return async (): Promise<Work | undefined> => {
    for (const queue of queues) {
      const runId = await nextRun[queue]();
      if (runId === undefined) continue;
      queues = queue === 'score' ? ['proposed_score', 'score'] : ['score', 'proposed_score'];
      return { queue, runId };
    }
    return undefined;
  };
};

/** A statement that is sent without waiting for the answers of others. */
type Write = { execute: () => PromiseLike<unknown> };
const sendAll = (writes: Write[]): Promise<unknown> => Promise.all(writes.map((write) => write.execute()));

/** Returns a function that claims scores of a run, with all data for them. */
const openClaims = (db: Database, { lane, batchSize, busyConfigs = () => [] }: LaneOptions) => {
  const configs = new Map<string, KeptConfig>();
  const readJobs = async ({ runId }: Lease, claimed: ClaimedScore[]): Promise<Job[]> => {
    // A default model may have been set since, or a quoted record deleted.
    for (const [id, { evalModelName, quotes }] of configs)
      if (evalModelName === noModel || quotes) configs.delete(id);
    const unknown = [...new Set(claimed.map(({ configId }) => configId))].filter((id) => !configs.has(id));
    const [records, found] = await Promise.all([
      db.read(system, (sql) => findRecordParts(sql, runId, recordsOf(claimed))),
      unknown.length > 0 ? db.read(system, (sql) => findWorkerConfigs(sql, unknown)) : [],
    ]);
    // Others never change; cleared only to bound memory.
    if (configs.size > 1_000) configs.clear();
    for (const config of found) configs.set(config.id, config);
    const byNumber = new Map(records.map((record) => [record.n, record]));
    return claimed.flatMap((claim) => {
      const [config, record] = [configs.get(claim.configId), byNumber.get(claim.n)];
      return config && record ? [{ claim, config, record }] : [];
    });
  };
  return async (work: Work): Promise<Claimed> => {
    const lease: Lease = { ...work, id: newUuid(), lane };
    const limits = { limit: batchSize, leaseMs, busyConfigs: busyConfigs() };
    // Sent together with the commit: other claims from the run wait until then.
    const [, claimed] = await db.batch(system, (tx) =>
      Promise.all([beginClaim(tx, lease).execute(), claimScores(tx, lease, limits).execute()]),
    );
    try {
      return { lease, claimed, jobs: claimed.length > 0 ? await readJobs(lease, claimed) : [] };
    } catch (error) {
      // If this fails too, others take the scores when the lease ends.
      await db.transaction(system, (tx) => narrowLease(tx, lease, [])).catch(() => {});
      throw error;
    }
  };
};

/**
 * Counts what the verdicts of a lease cost, each payment once. One is kept until its commit is known, and sent again with the next: the
 * database knows by their numbers which it has. Writes go one after the other, because it compares the last number.
 */
const openPayments = (db: Database, lease: Lease): Payments => {
  let unpaid: Payment[] = [];
  let count = 0;
  let last: Promise<unknown> = Promise.resolve();
  const write: Payments['write'] = (statements) => {
    const pay = async () => {
      const paying = unpaid;
      await db.transaction(system, (tx) => {
        const paid = paying.length > 0 ? [addPayments(tx, lease, paying)] : [];
        return sendAll([keepRun(tx, lease), ...statements(tx), ...paid]);
      });
      unpaid = unpaid.slice(paying.length);
    };
    const done = last.then(pay, pay);
    last = done;
    return done;
  };
  return {
    add: (spent) => {
      if (spent.costUsd > 0 || spent.unpriced > 0) unpaid = [...unpaid, { number: ++count, ...spent }];
    },
    write,
    flush: async () => {
      if (unpaid.length > 0) await write(() => []);
    },
  };
};

/**
 * Outcomes that arrive during a write are written together afterwards, and finished records leave the lease.
 * Outcomes that could not be written are written with the next ones: verdicts are paid for.
 */
const commitTo = (
  { outcomes: counter }: WorkerDeps,
  lease: Lease,
  open: Map<string, ClaimedScore>,
  payments: Payments,
): Batch['commit'] => {
  let waiting: Outcome[] = [];
  let writing = Promise.resolve();
  const write = async () => {
    const outcomes = waiting;
    waiting = [];
    if (outcomes.length === 0) return;
    const written = new Set(outcomes.map(keyOf));
    const left = recordsOf([...open.values()].filter((score) => !written.has(keyOf(score))));
    try {
      await payments.write((tx) => [commitOutcomes(tx, lease, outcomes), narrowLease(tx, lease, left)]);
    } catch (error) {
      waiting.unshift(...outcomes);
      throw error;
    }
    for (const { state } of outcomes) counter?.inc({ lane: lease.lane, state });
    for (const key of written) open.delete(key);
  };
  return (outcomes) => {
    waiting.push(...outcomes);
    payments.add(spendingOf(outcomes));
    writing = writing.then(write, write);
    return writing;
  };
};

/** Claims scores, makes them outside any transaction and commits the outcomes, in loops. */
export const startWorker = (deps: WorkerDeps, options: LaneOptions): Worker => {
  const { db, log, pollMs } = deps;
  const { lane, batches, score, busyConfigs = () => [] } = options;
  const nextWork = openTurns(db, lane, busyConfigs);
  const claim = openClaims(db, options);
  const turn = inTurn();

  const scoreBatch = async ({ lease, claimed, jobs }: Claimed, stopping: AbortSignal, more: () => void) => {
    const open = new Map(claimed.map((score) => [keyOf(score), score]));
    const kept = {
      leaseMs,
      stopping,
      renew: async () => {
        const scores = [...open.values()];
        const [renewed] = await db.transaction(system, (tx) => renewLease(tx, lease, scores, leaseMs));
        return renewed!.held > 0 || open.size === 0;
      },
      failed: (error: unknown) => log.warn({ err: error, lane }, 'leases were not renewed'),
    };
    const payments = openPayments(db, lease);
    const commit = commitTo(deps, lease, open, payments);
    try {
      await keepLease(kept, (signal) => score({ lease, jobs, signal, commit, payments, more }));
    } finally {
      // What was paid counts, also when its verdict could not be written and is asked for again.
      await payments.flush().catch((error) => log.warn({ err: error, lane }, 'a payment was not counted'));
      if (open.size > 0) await db.transaction(system, (tx) => narrowLease(tx, lease, []));
    }
  };

  /**
   * If the run is being deleted, claims nothing; the next look reports what is left. One loop after the other: in the database, the
   * sixteen loops of a process would wait for each other's claims, each with a connection.
   */
  const claimNext = async (signal: AbortSignal): Promise<Claimed | undefined> => {
    try {
      return await turn({ owner: lane, signal }, async () => {
        const work = await nextWork();
        return work && (await claim(work));
      });
    } catch (error) {
      if (isOvertaken(error)) return undefined;
      throw error;
    }
  };

  const next = async (stopping: AbortSignal, more: () => void): Promise<boolean> => {
    const batch = await claimNext(stopping);
    if (!batch || batch.claimed.length === 0) return batch !== undefined;
    more();
    await scoreBatch(batch, stopping, more);
    return true;
  };

  return startLoops({
    count: batches,
    next,
    pollMs,
    longestPollMs: longestPollMs(db),
    failed: (error) => log.error({ err: error, lane }, 'a batch of scores failed; it will be retried'),
  });
};
