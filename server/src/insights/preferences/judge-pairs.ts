import { holdTurn, type Models } from '../../engine/models/ask.ts';
import { type ResolvedModel, resolveModel } from '../../engine/models/provider.ts';
import type { Turn } from '../../engine/models/provider-health.ts';
import { type Sql, system } from '../../platform/db/database.ts';
import { CommitUnknown, commitSurely } from '../../platform/jobs/commit-surely.ts';
import type { Worker } from '../../platform/jobs/loops.ts';
import { doubling, retryOf } from '../../platform/jobs/retry.ts';
import { type JobDeps, startJobs } from '../../platform/jobs/work.ts';
import type { Judge } from '../../scoring/judges/judge.ts';
import type { StoredVerdict } from '../../scoring/judges/judge-evidence.ts';
import { comparePair } from './ask-judge.ts';
import {
  addPairCost,
  claimPairs,
  type DuePair,
  findJudgedStudy,
  insertJudgeVote,
  type JudgedStudy,
  type PairOutcome,
  pairs,
  settlePair,
} from './judge-queries.ts';

export type PairJudgeDeps = JobDeps & {
  judge: Judge;
  models: Models;
  /** From 0 to 1. */
  random: () => number;
};

/** Studies at the same time. */
const batches = 8;
const batchSize = 8;
const leaseMs = 120_000;
const backOff = doubling(6);

type Job = DuePair & { study: JudgedStudy; model: ResolvedModel | { error: string } };
type Texts = Record<'inputs' | 'expected' | 'outputsA' | 'outputsB', string>;

const verdictBefore = ({ partialVerdict }: Job): StoredVerdict | null =>
  partialVerdict === null ? null : JSON.parse(partialVerdict);

/** Writes the outcome and the cost of an attempt. Returns whether its lease was held; if not, only its cost is written. */
const settle = async (tx: Sql, job: Job, outcome: PairOutcome): Promise<boolean> => {
  await addPairCost(tx, job.study, job, outcome.costUsd);
  return (await settlePair(tx, job.study, job, outcome)).length > 0;
};

/**
 * Asks the model about a pair in a turn at its provider. The outcome is written before the place is free, so that the next pair knows the
 * cost of this one. If the study has spent its budget, the pair is left to wait for a larger one.
 */
const compareInTurn = async (
  { db, judge, random }: PairJudgeDeps,
  job: Job,
  { texts, model, turn }: { texts: Texts; model: ResolvedModel; turn: Turn },
  signal: AbortSignal,
): Promise<void> => {
  const [study] = await db.read(job.study, (sql) => findJudgedStudy(sql, job.study.id));
  if (!study || study.stopped) return;
  const partialVerdict = verdictBefore(job);
  const compared = await comparePair(judge, model, study, texts, {
    owner: study.organizationId,
    signal,
    partialVerdict,
  });
  const { costUsd } = compared;
  const pay = () => commitSurely(db, study, signal, (tx) => addPairCost(tx, study, job, costUsd));
  if (signal.aborted) return pay();
  if (texts.outputsA !== texts.outputsB)
    turn.learn(compared.state === 'compared' ? { state: 'scored' } : compared.outcome);
  const ended = { attempts: job.attempts + 1, retryInMs: null, costUsd, partialVerdict: null };
  const settled: PairOutcome =
    compared.state === 'compared'
      ? { ...ended, state: 'scored', error: null }
      : compared.outcome.state === 'unscored'
        ? { ...ended, state: 'unscored', error: compared.outcome.reason }
        : {
            ...retryOf(compared.outcome, job.attempts, backOff, random),
            costUsd,
            partialVerdict: compared.partialVerdict,
          };
  const commit = commitSurely(db, study, signal, async (tx) => {
    const isHeld = await settle(tx, job, settled);
    if (!isHeld || compared.state !== 'compared') return;
    const preferred = compared.preferred && (compared.preferred === 'a' ? job.runA : job.runB);
    await insertJudgeVote(tx, study, job, { ...compared, preferred });
  });
  await commit.catch(async (error) => {
    // The pair is compared again, and what this time cost counts. Where that is not known to be open, it is rather lost than counted twice.
    if (!(error instanceof CommitUnknown)) await pay();
    throw error;
  });
};

/** Asks the model about a pair when its provider has a place. */
const judgePair = async (deps: PairJudgeDeps, job: Job, signal: AbortSignal): Promise<void> => {
  const { db, models, random } = deps;
  const { study, model, inputs, expected, outputsA, outputsB, attempts } = job;
  const end = async (outcome: PairOutcome): Promise<void> => {
    if (!signal.aborted) await db.transaction(study, (tx) => settle(tx, job, outcome));
  };
  const unasked = { attempts, retryInMs: null, costUsd: 0, partialVerdict: null };
  if ('error' in model) return end({ ...unasked, state: 'failed', error: model.error });
  if (inputs === null || expected === null || outputsA === null || outputsB === null)
    return end({ ...unasked, state: 'unscored', error: 'a record was deleted' });
  const texts = { inputs, expected, outputsA, outputsB };
  const place = { signal, requests: 2 };
  const notAsked = await holdTurn(models, study.organizationId, model.provider, place, async (turn) => {
    const refused = turn.refusal(model);
    if (!refused) await compareInTurn(deps, job, { texts, model, turn }, signal);
    return refused;
  });
  if (notAsked)
    await end({
      ...retryOf(notAsked, attempts, backOff, random),
      costUsd: 0,
      partialVerdict: verdictBefore(job),
    });
};

/** The model that compares the pairs of a study, or why there is none. */
const findModel = async (
  { judge, models }: PairJudgeDeps,
  { organizationId, modelName, hasBudget }: JudgedStudy,
): Promise<Job['model']> => {
  const model = resolveModel(modelName, await models.providersOf(organizationId));
  if ('error' in model || !hasBudget) return model;
  if (judge.costOf(model, { inputTokens: 1, outputTokens: 1 }) !== null) return model;
  return {
    error: `the price of '${modelName}' is unknown, so the budget can't be enforced: enter it with its provider, or remove the budget`,
  };
};

const claim = async (deps: PairJudgeDeps, studyId: string): Promise<Job[]> => {
  const { db } = deps;
  const [study] = await db.read(system, (sql) => findJudgedStudy(sql, studyId));
  if (!study) return [];
  const model = await findModel(deps, study);
  const claimed = await db.transaction(study, (tx) => claimPairs(tx, study, { limit: batchSize, leaseMs }));
  return claimed.map((pair) => ({ ...pair, study, model }));
};

/** Has models compare the pairs that are due, in loops. */
export const startPairJudges = (deps: PairJudgeDeps): Worker =>
  startJobs(deps, {
    of: pairs,
    leaseMs,
    batches,
    isAlone: true,
    claim: (studyId: string) => claim(deps, studyId),
    work: (job, signal) => judgePair(deps, job, signal),
  });
