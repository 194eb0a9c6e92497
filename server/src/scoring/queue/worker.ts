import type { FastifyBaseLogger } from 'fastify';
import type { Lane } from '../../evaluation/metrics/queries.ts';
import { type Database, isOvertaken, type Sql, system } from '../../platform/db/database.ts';
import { newUuid } from '../../platform/http/ids.ts';
import {
  addJudgeSpending,
  beginClaim,
  type ClaimedScore,
  claimScores,
  clearLeases,
  commitOutcomes,
  findDueRun,
  findRecordParts,
  findWorkerConfigs,
  type Lease,
  narrowLease,
  type Outcome,
  type Queue,
  type RecordParts,
  renewLease,
  type WorkerConfig,
} from './queries.ts';
import { startLoops, type Worker } from './work-loops.ts';

/** A score to make, with everything that making it needs. */
export type Job = { claim: ClaimedScore; config: WorkerConfig; record: RecordParts };

/** Scores of one run that are this worker's, until their lease ends. */
export type Batch = {
  lease: Lease;
  jobs: Job[];
  /** Aborted when the worker stops and when the scores were taken back: deleted, cancelled, given by someone else. */
  signal: AbortSignal;
  /** Writes outcomes. Those of a lost lease are left out, without an error. */
  commit: (outcomes: Outcome[]) => Promise<void>;
};

/** How one lane makes its scores. What `score` leaves undone goes back to the queue. */
export type LaneOptions = {
  lane: Lane;
  batchSize: number;
  /** Batches in hand at the same time. */
  batches: number;
  score: (batch: Batch) => Promise<void>;
};

export type WorkerDeps = {
  db: Database;
  log: FastifyBaseLogger;
  leaseMs?: number;
  pollMs?: number | undefined;
};

// Long enough that a slow database or a paused process seldom loses its lease; renewed at every third of it.
const defaultLeaseMs = 60_000;

/** What judges cost beyond what was known before. Verdicts of which the cost is not known are counted. */
const spendingOf = (outcomes: Outcome[]) => {
  const usages = outcomes.flatMap(({ usage }) => usage ?? []);
  return {
    costUsd: usages.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0),
    unpriced: usages.filter(({ costUsd }) => costUsd === null).length,
  };
};

/**
 * Before any worker starts: the embedded database has one process, this one, so what was in hand when it ended last is nobody's
 * and need not wait for its lease to end. On a server it may be another process's.
 */
export const takeBackFromTheDead = (db: Database): Promise<unknown> =>
  db.transaction(system, (tx) => clearLeases(tx, db.engine === 'embedded' ? 'all' : 'ended'));

/** Names a score of a run. */
const keyOf = ({ n, configId }: { n: number; configId: string }): string => `${n} ${configId}`;

const recordsOf = (scores: Iterable<{ n: number }>): number[] => [...new Set([...scores].map(({ n }) => n))];

/** Claims scores, has them made outside any transaction, and commits what comes of it, over and over. */
export const startWorker = (
  { db, log, leaseMs = defaultLeaseMs, pollMs }: WorkerDeps,
  { lane, batchSize, batches, score }: LaneOptions,
): Worker => {
  const configs = new Map<string, WorkerConfig>();
  const lastRun: Record<Queue, bigint> = { score: 0n, proposed_score: 0n };
  let queues: Queue[] = ['score', 'proposed_score'];

  const nextRun = async (tx: Sql, queue: Queue): Promise<bigint | undefined> => {
    const after = lastRun[queue];
    const [due] = await findDueRun(tx, queue, lane, after);
    const [next] = due || after === 0n ? [due] : await findDueRun(tx, queue, lane, 0n);
    lastRun[queue] = next?.runId ?? 0n;
    return next?.runId;
  };

  /** The queues take turns: who tries out a new configuration waits for nobody's long run, and keeps nobody waiting. */
  const nextWork = async (tx: Sql): Promise<{ queue: Queue; runId: bigint } | undefined> => {
    for (const queue of queues) {
      const runId = await nextRun(tx, queue);
      if (runId === undefined) continue;
      queues = queue === 'score' ? ['proposed_score', 'score'] : ['score', 'proposed_score'];
      return { queue, runId };
    }
    return undefined;
  };

  const claimNext = () =>
    db.transaction(system, async (tx) => {
      const next = await nextWork(tx);
      if (!next) return undefined;
      const lease: Lease = { ...next, id: newUuid(), lane };
      const [, claimed] = await Promise.all([
        beginClaim(tx, lease),
        claimScores(tx, lease, batchSize, leaseMs),
      ]);
      const unknown = [...new Set(claimed.map(({ configId }) => configId))].filter((id) => !configs.has(id));
      const [records, found] = await Promise.all([
        findRecordParts(tx, lease.runId, recordsOf(claimed)),
        unknown.length > 0 ? findWorkerConfigs(tx, unknown) : [],
      ]);
      // Configurations never change, so one that was read once is known for good; but memory is not endless.
      if (configs.size > 1_000) configs.clear();
      for (const config of found) configs.set(config.id, config);
      return { lease, claimed, records: new Map(records.map((record) => [record.n, record])) };
    });

  /** Of a run that somebody was deleting meanwhile there is nothing to do; the next look tells. */
  const claim = () =>
    claimNext().catch((error) => {
      if (isOvertaken(error)) return undefined;
      throw error;
    });

  /**
   * Outcomes that come while others are being written are then written together, and records of which all are written given back.
   * Those that could not be written are tried again with the next: verdicts are paid for.
   */
  const commitTo = (lease: Lease, open: Map<string, ClaimedScore>): Batch['commit'] => {
    let waiting: Outcome[] = [];
    let writing = Promise.resolve();
    const write = async () => {
      const outcomes = waiting;
      waiting = [];
      if (outcomes.length === 0) return;
      const { costUsd, unpriced } = spendingOf(outcomes);
      const written = new Set(outcomes.map(keyOf));
      const left = recordsOf([...open.values()].filter((score) => !written.has(keyOf(score))));
      try {
        await db.transaction(system, async (tx) => {
          if (costUsd > 0 || unpriced > 0) await addJudgeSpending(tx, lease.runId, costUsd, unpriced);
          await Promise.all([commitOutcomes(tx, lease, outcomes), narrowLease(tx, lease, left)]);
        });
      } catch (error) {
        waiting.unshift(...outcomes);
        throw error;
      }
      for (const key of written) open.delete(key);
    };
    return (outcomes) => {
      waiting.push(...outcomes);
      writing = writing.then(write, write);
      return writing;
    };
  };

  const scoreNext = async (stopping: AbortSignal, more: () => void): Promise<boolean> => {
    const work = await claim();
    if (!work || work.claimed.length === 0) return work !== undefined;
    more();
    const { lease, claimed, records } = work;
    const open = new Map(claimed.map((score) => [keyOf(score), score]));
    const renew = async () => {
      const [renewed] = await db.transaction(system, (tx) =>
        renewLease(tx, lease, [...open.values()], leaseMs),
      );
      if (renewed!.held === 0 && open.size > 0) lost.abort(new Error('the scores were taken back'));
    };
    const lost = new AbortController();
    const heartbeat = setInterval(() => {
      renew().catch((error) => log.warn({ err: error, lane }, 'leases were not renewed'));
    }, leaseMs / 3);
    const jobs = claimed.flatMap((claim) => {
      const [config, record] = [configs.get(claim.configId), records.get(claim.n)];
      return config && record ? [{ claim, config, record }] : [];
    });
    try {
      const signal = AbortSignal.any([stopping, lost.signal]);
      await score({ lease, jobs, signal, commit: commitTo(lease, open) });
    } finally {
      clearInterval(heartbeat);
      if (open.size > 0) await db.transaction(system, (tx) => narrowLease(tx, lease, []));
    }
    return true;
  };

  return startLoops({
    count: batches,
    next: scoreNext,
    pollMs,
    failed: (error) =>
      log.error({ err: error, lane }, 'a batch of scores was not made; it will be tried again'),
  });
};
