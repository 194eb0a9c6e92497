import { criteriaOf } from '../../../../client/src/criteria.ts';
import { holdTurn, type Models } from '../../engine/models/ask.ts';
import { type ProviderConfig, type ResolvedModel, resolveModel } from '../../engine/models/provider.ts';
import type { Turn } from '../../engine/models/provider-health.ts';
import { storedCriteria } from '../../evaluation/metrics/criteria.ts';
import { scaleOf } from '../../evaluation/metrics/scale.ts';
import { system } from '../../platform/db/database.ts';
import { asJson } from '../../platform/db/text.ts';
import { settleAll } from '../../platform/jobs/keep.ts';
import { doubling, retryOf } from '../../platform/jobs/retry.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import { outcomeOfAttempt } from '../queue/outcome.ts';
import { findClaimStatus, type Outcome } from '../queue/queries.ts';
import type { Batch, Job } from '../queue/worker.ts';
import type { Judge } from './judge.ts';
import type { JudgeOutcome } from './judge-evidence.ts';
import { hashInput, judgeConfigOf } from './judge-prompt.ts';
import { juryOutcome, saidBefore } from './jury.ts';
import { type JudgedQuestion, type QuestionDeps, readQuestion } from './read-question.ts';
import { numberOf, scoreOf } from './verdict.ts';

export type JudgeScorerDeps = QuestionDeps & {
  judge: Judge;
  models: Models;
  /** From 0 to 1. */
  random: () => number;
};

/** Configurations whose provider is remembered at most. */
const maxConfigs = 10_000;
/** Six attempts that reach the provider. */
const backOff = doubling(6);
/** Another process may reach a provider that this one does not, so the scores that are not asked for are soon free for it. */
const cutOffRetryMs = 2_000;
/** An operator must repair the cause if providers cannot be read. */
const noProvidersRetryMs = 300_000;

const outcomeOf = ({ claim, config }: Job, judged: JudgeOutcome, random: () => number): Outcome => {
  const base = {
    evidence: judged.evidence ? asJson(judged.evidence) : null,
    usage: judged.spent ?? null,
    ...(judged.evidence?.walk && { isSpent: true as const }),
  };
  if (judged.state === 'scored') {
    const scale = scaleOf(config);
    const score = asJson(scoreOf(scale, judged.verdict));
    const value = numberOf(scale, judged.verdict);
    const { inputHash } = judged.evidence;
    return outcomeOfAttempt(claim, { ...base, state: 'scored', score, value, inputHash });
  }
  if (judged.state === 'unscored')
    return outcomeOfAttempt(claim, { ...base, state: 'unscored', reason: judged.reason });
  const { state, attempts, error, retryInMs } = retryOf(judged, claim.attempts, backOff, random);
  return outcomeOfAttempt(claim, { ...base, state, attempts, retryInMs, reason: error });
};

const oneToken = { inputTokens: 1, outputTokens: 1 };

const unresolved = (error: string): JudgeOutcome => ({ state: 'failed', error, retryable: false });

/** Without a price a budget cannot be enforced. */
const unpriced = (modelName: string): JudgeOutcome => ({
  state: 'failed',
  error:
    `the price of '${modelName}' is unknown, so the judge budget of the run can't be enforced: ` +
    'enter it with its provider (or in DOKIMA_PRICES_FILE), or remove the budget',
  retryable: false,
  unasked: true,
});

/**
 * The model at the time of the question, which may be long after the claim: the model, the reason why it cannot be asked, or undefined if
 * the score is no longer needed.
 */
const findModel = async (
  { db, judge, models }: JudgeScorerDeps,
  { lease }: Batch,
  { claim }: Job,
  modelName: string,
  turn: Turn,
): Promise<ResolvedModel | JudgeOutcome | undefined> => {
  const [[status], providers] = await Promise.all([
    db.read(system, (sql) => findClaimStatus(sql, lease, claim)),
    models.providersOf(claim.organizationId),
  ]);
  const { held, hasBudget, stopped } = status!;
  if (!held) return undefined;
  const model = resolveModel(modelName, providers);
  if ('error' in model) return unresolved(model.error);
  if (hasBudget && judge.costOf(model, oneToken) === null) return unpriced(modelName);
  if (stopped) return undefined;
  return turn.refusal(model) ?? model;
};

/** A walk makes many requests: it pays for each when it is made, and makes no other when the run's budget is used up. */
const budgetOf = ({ db }: JudgeScorerDeps, { lease, payments }: Batch, { claim }: Job) => {
  let isUnpriced = false;
  return {
    isWanted: async () => {
      const [status] = await db.read(system, (sql) => findClaimStatus(sql, lease, claim));
      return status!.held && !status!.stopped;
    },
    pay: async (costUsd: number | null) => {
      const unpriced = costUsd === null && !isUnpriced ? 1 : 0;
      isUnpriced ||= costUsd === null;
      if (!costUsd && unpriced === 0) return;
      payments.add({ costUsd: costUsd ?? 0, unpriced });
      await payments.flush();
    },
  };
};

/** A model of a metric, and its question. */
type Juror = { modelName: string; provider: ProviderConfig; read: () => Promise<JudgedQuestion> };

/**
 * Asks one model when its provider has a place; undefined if the score is no longer needed. The outcome is written before the place is
 * free, so that the next score knows the cost of this one: only the calls in flight can exceed a budget.
 */
const askModel = async (
  deps: JudgeScorerDeps,
  batch: Batch,
  job: Job,
  { modelName, provider, read }: Juror,
  write: (outcome: JudgeOutcome) => Promise<void>,
): Promise<JudgeOutcome | undefined> => {
  const { judge, models } = deps;
  const { claim, config } = job;
  const { signal, more } = batch;
  const criteria = storedCriteria(config.criteria);
  // A testcase may have more criteria: the limit of requests then counts too few, and the provider's own refusal is waited for.
  const each = criteria?.isolate ? Math.max(1, criteria.items.length) : 1;
  const stay = { signal, requests: config.judgeRepeats * each, onRoom: more };
  let hasTurn = false;
  const outcome = await holdTurn(models, claim.organizationId, provider, stay, async (turn) => {
    hasTurn = true;
    const model = await findModel(deps, batch, job, modelName, turn);
    if (!model || 'state' in model) {
      if (model) await write(model);
      return model;
    }
    const { data, earlier, options } = await read();
    const judgeConfig = { ...judgeConfigOf(config), evalModelName: modelName };
    const said = earlier?.jury ? saidBefore(earlier.jury, hashInput(judgeConfig, data, model)) : undefined;
    const judged =
      said ??
      (await judge.ask(judgeConfig, data, model, {
        ...options,
        ...budgetOf(deps, batch, job),
        owner: claim.organizationId,
        earlier,
      }));
    await write(judged);
    // A record that cannot fill the template, or a reused verdict, tells nothing about the provider.
    if (!said && !signal.aborted && judged.evidence?.attempts) turn.learn(judged);
    return judged;
  });
  if (!hasTurn && outcome) await write(outcome);
  return outcome;
};

/** Lets the models of a metric judge one record. */
const scoreRecord = async (
  deps: JudgeScorerDeps,
  batch: Batch,
  job: Job,
  jurors: readonly Pick<Juror, 'modelName' | 'provider'>[],
  isCutOff: (job: Job) => boolean,
): Promise<void> => {
  const write = async (judged: JudgeOutcome): Promise<void> => {
    if (batch.signal.aborted) return;
    const outcome = outcomeOf(job, judged, deps.random);
    const isFreed =
      outcome.retryInMs !== null && judged.state === 'failed' && judged.unasked && isCutOff(job);
    const retryInMs = isFreed ? Math.min(outcome.retryInMs!, cutOffRetryMs) : outcome.retryInMs;
    await batch.commit([{ ...outcome, retryInMs }]);
  };
  let reading: Promise<JudgedQuestion> | undefined;
  const read = () => (reading ??= readQuestion(deps, batch, job));
  const isJury = jurors.length > 1;
  const outcomes: { modelName: string; outcome: JudgeOutcome }[] = [];
  // One after the other, as the votes of one model: a score never holds two places at once.
  for (const juror of jurors) {
    const outcome = await askModel(deps, batch, job, { ...juror, read }, isJury ? async () => {} : write);
    if (!outcome) return;
    outcomes.push({ modelName: juror.modelName, outcome });
    if (outcome.state === 'failed') break;
  }
  if (!isJury) return;
  // Verdicts of others in earlier attempts stay in the evidence until the score has its verdict.
  const isOpen = outcomes.at(-1)?.outcome.state === 'failed';
  const before = isOpen ? (await read()).earlier?.jury : undefined;
  const settings = storedCriteria(job.config.criteria);
  const found =
    settings && criteriaOf(settings, settings.fromExpected ? parseJson(job.record.expected) : undefined);
  const asked = {
    numModels: jurors.length,
    scale: scaleOf(job.config),
    criteria: found && 'criteria' in found ? found.criteria : undefined,
    before,
  };
  await write(juryOutcome(outcomes, asked));
};

/** The models of a metric at their providers, or why one of them can't be asked. */
const jurorsOf = ({ config }: Job, providers: ProviderConfig[]) => {
  const jurors: Pick<Juror, 'modelName' | 'provider'>[] = [];
  for (const modelName of [config.evalModelName ?? '', ...config.juryModelNames]) {
    const model = resolveModel(modelName, providers);
    if ('error' in model) return model;
    jurors.push({ modelName, provider: model.provider });
  }
  return jurors;
};

/** Lets models judge a batch, all scores at the same time as far as the providers' limits allow. */
export const judgeScorer = (deps: JudgeScorerDeps) => {
  const { models, random } = deps;
  /** The provider that a configuration asked last. */
  const askedBy = new Map<string, { organizationId: bigint; provider: ProviderConfig }>();

  const note = ({ claim, config }: Job, provider: ProviderConfig): void => {
    if (askedBy.size >= maxConfigs) askedBy.clear();
    askedBy.set(config.id, { organizationId: claim.organizationId, provider });
  };

  const isCutOff = ({ config }: Job): boolean => {
    const asked = askedBy.get(config.id);
    return asked !== undefined && models.health.isCutOff(asked.organizationId, asked.provider);
  };

  /**
   * Configurations of a slow provider, or of one that this process can't reach: their scores stay in the queue, so that they do not take the places of
   * others, and other processes can make them.
   */
  const busyConfigs = (): string[] =>
    [...askedBy].flatMap(([id, { organizationId, provider }]) =>
      models.health.isFull(organizationId, provider) || models.health.isCutOff(organizationId, provider)
        ? [id]
        : [],
    );

  const score = async (batch: Batch): Promise<void> => {
    const { jobs, commit, signal } = batch;
    const [first] = jobs;
    if (!first) return;
    const providers = await models.providersOf(first.claim.organizationId).catch((error: Error) => error);
    if (providers instanceof Error) {
      const outcome = {
        state: 'failed' as const,
        error: providers.message,
        retryable: true,
        retryAfterMs: noProvidersRetryMs,
        unasked: true as const,
      };
      return commit(jobs.map((job) => outcomeOf(job, outcome, random)));
    }
    await settleAll(jobs, async (job) => {
      const jurors = jurorsOf(job, providers);
      if ('error' in jurors) {
        if (!signal.aborted) await commit([outcomeOf(job, unresolved(jurors.error), random)]);
        return;
      }
      note(job, jurors[0]!.provider);
      await scoreRecord(deps, batch, job, jurors, isCutOff);
    });
  };
  return { score, busyConfigs };
};
