import type { FastifyBaseLogger } from 'fastify';
import { holdTurn, type Models } from '../../engine/models/ask.ts';
import type { Failure } from '../../engine/models/failure.ts';
import { type ResolvedModel, resolveModel } from '../../engine/models/provider.ts';
import type { Turn } from '../../engine/models/provider-health.ts';
import { type Database, type Sql, system } from '../../platform/db/database.ts';
import { longestPollMs } from '../../platform/jobs/idle.ts';
import { keepLease, settleAll } from '../../platform/jobs/keep.ts';
import { startLoops, type Worker } from '../../platform/jobs/loops.ts';
import { doubling, retryOf } from '../../platform/jobs/retry.ts';
import type { Judge } from '../../scoring/judges/judge.ts';
import type { StoredVerdict } from '../../scoring/judges/judge-evidence.ts';
import { comparePair } from './ask-judge.ts';
import {
  addPairCost,
  claimPairs,
  type DuePair,
  type DueStudy,
  endPair,
  findDueStudy,
  findSpent,
  holdJudge,
  insertJudgeVote,
  type PairOutcome,
  renewPairs,
} from './judge-queries.ts';

export type PairJudgeDeps = {
  db: Database;
  log: FastifyBaseLogger;
  judge: Judge;
  models: Models;
  /** From 0 to 1. */
  random: () => number;
};

/** Studies at the same time, each in one batch: a slow provider holds up its own study. */
const loops = 8;
const batchSize = 8;
const leaseMs = 120_000;
const backOff = doubling(6);

const waiting = { reason: null, costUsd: 0, heard: null };

const isSpent = ({ budgetUsd, spentUsd }: { budgetUsd: number | null; spentUsd: number }): boolean =>
  budgetUsd !== null && spentUsd >= budgetUsd;

/** Ends a pair. Returns whether its lease was held; if not, only its cost is written. */
const settlePair = async (
  tx: Sql,
  study: DueStudy,
  pair: DuePair,
  outcome: PairOutcome,
): Promise<boolean> => {
  const [held] = await endPair(tx, study, pair, outcome);
  if (!held && outcome.costUsd > 0) await addPairCost(tx, study, pair, outcome.costUsd);
  return held !== undefined;
};

/** Has a pair wait for a larger budget. A budget raised just now is seen, since the pair would wait forever. */
const stopPair = ({ db }: PairJudgeDeps, study: DueStudy, pair: DuePair, heard: StoredVerdict | null) =>
  db.transaction(study, async (tx) => {
    await holdJudge(tx, study);
    const [spent] = await findSpent(tx, study);
    const retryInMs = spent && isSpent(spent) ? null : 0;
    await endPair(tx, study, pair, {
      ...waiting,
      heard,
      state: 'pending',
      attempts: pair.attempts,
      retryInMs,
    });
  });

type Texts = Record<'inputs' | 'expected' | 'outputsA' | 'outputsB', string>;

/**
 * Asks the model about one pair in a turn at its provider. The outcome is written before the place is free, so that the next pair knows
 * what this one cost.
 */
const comparePairInTurn = async (
  deps: PairJudgeDeps,
  {
    study,
    pair,
    texts,
    heard,
  }: { study: DueStudy; pair: DuePair; texts: Texts; heard: StoredVerdict | null },
  model: ResolvedModel,
  turn: Turn,
  signal: AbortSignal,
): Promise<void> => {
  const { db, judge, random } = deps;
  const attempts = pair.attempts + 1;
  const [spent] = await db.read(study, (sql) => findSpent(sql, study));
  if (!spent) return;
  if (isSpent(spent)) return stopPair(deps, study, pair, heard);
  const compared = await comparePair(judge, model, study, texts, { signal, heard });
  const { costUsd } = compared;
  if (signal.aborted) {
    if (costUsd > 0) await db.transaction(study, (tx) => addPairCost(tx, study, pair, costUsd));
    return;
  }
  if (texts.outputsA !== texts.outputsB)
    turn.learn(compared.state === 'compared' ? { state: 'scored' } : compared.outcome);
  if (compared.state === 'compared') {
    const preferred = compared.preferred && (compared.preferred === 'a' ? pair.runA : pair.runB);
    await db.transaction(study, async (tx) => {
      const done = { ...waiting, state: 'scored' as const, attempts, costUsd, retryInMs: null };
      if (await settlePair(tx, study, pair, done))
        await insertJudgeVote(tx, study, pair, { ...compared, preferred });
    });
    return;
  }
  const { outcome } = compared;
  const settled: PairOutcome =
    outcome.state === 'unscored'
      ? { state: 'unscored', reason: outcome.reason, attempts, costUsd, retryInMs: null, heard: null }
      : { ...settledAs(outcome, pair, random), reason: outcome.error, costUsd, heard: compared.heard };
  await db.transaction(study, (tx) => settlePair(tx, study, pair, settled));
};

/** The state of a pair after a failure, and when it is due again. */
const settledAs = (failure: Failure, { attempts }: DuePair, random: () => number) => {
  const retry = retryOf(failure, attempts, backOff, random);
  return { ...retry, state: retry.retryInMs === null ? ('failed' as const) : ('pending' as const) };
};

/** Asks the model about one pair when its provider has a place. */
const judgePair = async (
  deps: PairJudgeDeps,
  study: DueStudy,
  pair: DuePair,
  model: ResolvedModel,
  signal: AbortSignal,
): Promise<void> => {
  const { db, models, random } = deps;
  const heard = pair.heard === null ? null : JSON.parse(pair.heard);
  const end = async (outcome: PairOutcome): Promise<void> => {
    if (!signal.aborted) await db.transaction(study, (tx) => settlePair(tx, study, pair, outcome));
  };
  const { inputs, expected, outputsA, outputsB, attempts } = pair;
  if (inputs === null || expected === null || outputsA === null || outputsB === null) {
    const reason = 'a record was deleted';
    return end({ ...waiting, state: 'unscored', reason, attempts, retryInMs: null });
  }
  const texts = { inputs, expected, outputsA, outputsB };
  const place = { signal, requests: 2 };
  const notAsked = await holdTurn(models, study.organizationId, model.provider, place, async (turn) => {
    const refused = turn.refusal(model);
    if (!refused) await comparePairInTurn(deps, { study, pair, texts, heard }, model, turn, signal);
    return refused;
  });
  if (notAsked)
    await end({ ...waiting, ...settledAs(notAsked, pair, random), heard, reason: notAsked.error });
};

const judgeBatch = async (
  deps: PairJudgeDeps,
  study: DueStudy,
  pairs: DuePair[],
  signal: AbortSignal,
): Promise<void> => {
  const { db, judge, models } = deps;
  const model = resolveModel(study.modelName, await models.providersOf(study.organizationId));
  const [spent] = await db.read(study, (sql) => findSpent(sql, study));
  const isPriced = 'error' in model || judge.costOf(model, { inputTokens: 1, outputTokens: 1 }) !== null;
  const problem =
    'error' in model
      ? model.error
      : spent?.budgetUsd != null && !isPriced
        ? `the price of '${study.modelName}' is unknown, so the budget can't be enforced: enter it with its provider, or remove the budget`
        : undefined;
  await settleAll(pairs, async (pair) => {
    if (problem === undefined && !('error' in model)) return judgePair(deps, study, pair, model, signal);
    const failed = { ...waiting, state: 'failed' as const, attempts: pair.attempts, retryInMs: null };
    await db.transaction(study, (tx) => endPair(tx, study, pair, { ...failed, reason: problem! }));
  });
};

/** Has models compare the pairs that are due, in loops. */
export const startPairJudges = (deps: PairJudgeDeps): Worker => {
  const { db, log } = deps;
  const busy = new Set<string>();
  return startLoops({
    count: loops,
    next: async (stopping, more) => {
      const [study] = await db.read(system, (sql) => findDueStudy(sql, [...busy]));
      // Another loop may have taken it while this one read.
      if (!study || busy.has(study.id)) return false;
      busy.add(study.id);
      try {
        const pairs = await db.transaction(study, (tx) =>
          claimPairs(tx, study, { count: batchSize, leaseMs }),
        );
        if (pairs.length === 0) return false;
        more();
        const renew = async () =>
          (await db.transaction(study, (tx) => renewPairs(tx, study, pairs, leaseMs))).length > 0;
        const failed = (error: unknown) => log.error({ err: error }, 'the lease of pairs was not renewed');
        await keepLease({ leaseMs, stopping, renew, failed }, (signal) =>
          judgeBatch(deps, study, pairs, signal),
        );
        return true;
      } finally {
        busy.delete(study.id);
      }
    },
    failed: (error) => log.error({ err: error }, 'pairs were not compared; the next poll retries'),
    longestPollMs: longestPollMs(db),
  });
};
