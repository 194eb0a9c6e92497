import { type ProviderConfig, type ResolvedModel, resolveModel } from '../../engine/models/provider.ts';
import { type ProviderHealth, retryOf, type Turn } from '../../engine/models/provider-health.ts';
import { outputs } from '../../evaluation/metrics/schema.ts';
import { type Database, system } from '../../platform/db/database.ts';
import { asJson } from '../../platform/db/text.ts';
import type { TraceReader } from '../../traces/read/read-scored-trace.ts';
import { settleAll } from '../queue/keep-lease.ts';
import { findClaimStatus, findEvidence, findVerdict, type Outcome } from '../queue/queries.ts';
import type { Batch, Job } from '../queue/worker.ts';
import type { Judge, JudgeEvidence, JudgeOutcome, StoredVerdict } from './judge.ts';
import { judgeConfigOf } from './judge-prompt.ts';
import { findExamples } from './queries.ts';
import { traceNamesOf } from './trace-names.ts';

export type JudgeScorerDeps = {
  db: Database;
  judge: Judge;
  health: ProviderHealth;
  /** The providers that an organization has now: a deleted one is not asked again. */
  providersOf: (organizationId: bigint) => Promise<ProviderConfig[]>;
  traces: TraceReader;
  /** Whether an equal question at temperature 0 takes the verdict that it got before. */
  reuseVerdicts: boolean;
  /** From 0 to 1. */
  random: () => number;
};

/** Configurations whose provider is remembered at most. */
const maxConfigs = 10_000;
/** Attempts that reach the provider; after the last one the score has failed. */
const maxAttempts = 6;
/** An operator has to repair what keeps providers from being read. */
const noProvidersRetryMs = 300_000;

const outcomeOf = ({ claim, config }: Job, judged: JudgeOutcome, random: () => number): Outcome => {
  const base = {
    n: claim.n,
    configId: claim.configId,
    fence: claim.fence,
    attempts: claim.attempts + 1,
    score: null,
    value: null,
    reason: null,
    retryInMs: null,
    evidence: judged.evidence ? asJson(judged.evidence) : null,
    inputHash: null,
    usage: judged.spent ?? null,
  };
  if (judged.state === 'scored') {
    const { value, reasoning } = judged.verdict;
    const score = asJson({ [outputs[config.outputType].valueField]: value, reasoning });
    return { ...base, state: 'scored', score, value: Number(value), inputHash: judged.evidence.inputHash };
  }
  if (judged.state === 'unscored') return { ...base, state: 'unscored', reason: judged.reason };
  const retry = retryOf(judged, claim.attempts, maxAttempts, random);
  return { ...base, ...retry, state: retry.retryInMs === null ? 'failed' : 'pending', reason: judged.error };
};

const oneToken = { inputTokens: 1, outputTokens: 1 };

const unresolved = (error: string): JudgeOutcome => ({ state: 'failed', error, retryable: false });

/** Without a price a budget could not be held. */
const unpriced = (modelName: string): JudgeOutcome => ({
  state: 'failed',
  error:
    `the price of '${modelName}' is unknown, so the judge budget of the run can't be enforced: ` +
    'enter it with its provider (or in DOKIMA_PRICES_FILE), or remove the budget',
  retryable: false,
  unasked: true,
});

/** Has models judge a batch, all scores at the same time as far as the providers' limits allow. */
export const judgeScorer = (deps: JudgeScorerDeps) => {
  const { db, judge, health, providersOf, traces, reuseVerdicts, random } = deps;
  /** The provider that a configuration asked last. */
  const askedBy = new Map<string, { organizationId: bigint; provider: ProviderConfig }>();

  const note = ({ claim, config }: Job, provider: ProviderConfig): void => {
    if (askedBy.size >= maxConfigs) askedBy.clear();
    askedBy.set(config.id, { organizationId: claim.organizationId, provider });
  };

  const findReusable = (organizationId: bigint) => async (inputHash: string) => {
    const [found] = await db.read({ organizationId }, (sql) => findVerdict(sql, organizationId, inputHash));
    return (
      found && ({ verdict: JSON.parse(found.verdict), evidence: JSON.parse(found.evidence) } as StoredVerdict)
    );
  };

  /** The evidence of the attempt before, whose votes were paid for. */
  const findEarlier = async (lease: Batch['lease'], claim: Job['claim']) => {
    const [found] = await db.read(claim, (sql) => findEvidence(sql, lease, claim));
    return found?.evidence ? (JSON.parse(found.evidence) as JudgeEvidence) : undefined;
  };

  /** What may be asked now, long after the claim: the model, why not, or undefined when the score is not wanted any more. */
  const findModel = async (
    { lease }: Batch,
    { claim, config: { evalModelName } }: Job,
    turn: Turn,
  ): Promise<ResolvedModel | JudgeOutcome | undefined> => {
    const [[status], providers] = await Promise.all([
      db.read(system, (sql) => findClaimStatus(sql, lease, claim)),
      providersOf(claim.organizationId),
    ]);
    const { held, budgetUsd, spentUsd } = status!;
    if (!held) return undefined;
    const model = resolveModel(evalModelName ?? '', providers);
    if ('error' in model) return unresolved(model.error);
    if (budgetUsd !== null && judge.costOf(model, oneToken) === null) return unpriced(evalModelName ?? '');
    if (budgetUsd !== null && spentUsd >= budgetUsd) return undefined;
    return turn.refusal(model) ?? model;
  };

  const ask = async ({ lease, signal }: Batch, { claim, config, record }: Job, model: ResolvedModel) => {
    const names = traceNamesOf(config);
    const trace =
      names.length > 0 ? await traces.read(claim, { runId: lease.runId, n: claim.n }, names) : undefined;
    const question = {
      ...{ organizationId: claim.organizationId, configId: claim.configId, runId: lease.runId },
      inputs: record.inputs,
    };
    const examples = config.promptTemplate?.includes('gradingInstructionsAndExamples')
      ? await db.read(claim, (sql) => findExamples(sql, question))
      : undefined;
    const data = { ...record, guidelines: config.guidelines, trace, examples };
    // A rescoring and a drift check want to know what the judge says now.
    const mayReuse = reuseVerdicts && lease.queue === 'score' && !claim.fresh;
    const earlier = claim.attempts > 0 ? await findEarlier(lease, claim) : undefined;
    const options = { signal, earlier, ...(mayReuse && { reuse: findReusable(claim.organizationId) }) };
    return judge.ask(judgeConfigOf(config), data, model, options);
  };

  const scoreOne = async (batch: Batch, job: Job, providers: ProviderConfig[]): Promise<void> => {
    const { signal, commit, more } = batch;
    const { evalModelName, judgeRepeats } = job.config;
    const write = async (outcome: JudgeOutcome): Promise<void> => {
      if (!signal.aborted) await commit([outcomeOf(job, outcome, random)]);
    };
    const claimed = resolveModel(evalModelName ?? '', providers);
    if ('error' in claimed) return write(unresolved(claimed.error));
    const { organizationId } = job.claim;
    note(job, claimed.provider);
    const turn = await health.enter(organizationId, claimed.provider, signal, judgeRepeats);
    if ('unasked' in turn) return write(turn);
    try {
      const model = await findModel(batch, job, turn);
      if (!model) return;
      if ('state' in model) return await write(model);
      const outcome = await ask(batch, job, model);
      // Written before the place is free, so that the next one knows what this one cost: a budget is overshot by the calls in flight
      // and no more.
      await write(outcome);
      // A record that fills no template, or a verdict that is reused, says nothing about the provider.
      if (!signal.aborted && outcome.evidence?.attempts) turn.learn(outcome);
    } finally {
      const wasFull = health.isFull(organizationId, claimed.provider);
      turn.end();
      if (wasFull && !health.isFull(organizationId, claimed.provider)) more();
    }
  };

  /** Configurations of a slow provider: their scores stay in the queue, so that they do not take the places of others. */
  const busyConfigs = (): string[] =>
    [...askedBy].flatMap(([id, { organizationId, provider }]) =>
      health.isFull(organizationId, provider) ? [id] : [],
    );

  const score = async (batch: Batch): Promise<void> => {
    const { jobs, commit } = batch;
    const [first] = jobs;
    if (!first) return;
    const providers = await providersOf(first.claim.organizationId).catch((error: Error) => error);
    if (providers instanceof Error) {
      const outcome = {
        ...{ state: 'failed' as const, error: providers.message },
        ...{ retryable: true, retryAfterMs: noProvidersRetryMs, unasked: true as const },
      };
      return commit(jobs.map((job) => outcomeOf(job, outcome, random)));
    }
    await settleAll(jobs, (job) => scoreOne(batch, job, providers));
  };
  return { score, busyConfigs };
};
