import { type ProviderConfig, type ResolvedModel, resolveModel } from '../../engine/models/provider.ts';
import type { ProviderHealth, Turn } from '../../engine/models/provider-health.ts';
import type { AttachedReader } from '../../evaluation/attachments/read-attached.ts';
import { outputs } from '../../evaluation/metrics/schema.ts';
import { type Database, system } from '../../platform/db/database.ts';
import { asJson } from '../../platform/db/text.ts';
import { settleAll } from '../../platform/jobs/keep.ts';
import { doubling, retryOf } from '../../platform/jobs/retry.ts';
import type { TraceReader } from '../../traces/read/read-scored-trace.ts';
import { withOutputMessages } from '../../traces/read/scored-trace.ts';
import { findClaimStatus, findEvidence, findVerdict, type Outcome } from '../queue/queries.ts';
import type { Batch, Job } from '../queue/worker.ts';
import type { Judge, JudgeEvidence, JudgeOutcome, StoredVerdict } from './judge.ts';
import { hashInput, judgeConfigOf } from './judge-prompt.ts';
import { juryOutcome, saidBefore } from './jury.ts';
import { findExamples } from './queries.ts';
import { traceNamesOf } from './trace-names.ts';

export type JudgeScorerDeps = {
  db: Database;
  judge: Judge;
  health: ProviderHealth;
  /** The providers that an organization has now: a deleted one is not asked again. */
  providersOf: (organizationId: bigint) => Promise<ProviderConfig[]>;
  traces: TraceReader;
  readAttached: AttachedReader;
  /** Whether an equal question at temperature 0 takes the verdict that it got before. */
  reuseVerdicts: boolean;
  /** From 0 to 1. */
  random: () => number;
};

/** Configurations whose provider is remembered at most. */
const maxConfigs = 10_000;
/** Six attempts that reach the provider. */
const backOff = doubling(6);
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
  const retry = retryOf(judged, claim.attempts, backOff, random);
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
  const { db, judge, health, providersOf, traces, readAttached, reuseVerdicts, random } = deps;
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
    { claim }: Job,
    modelName: string,
    turn: Turn,
  ): Promise<ResolvedModel | JudgeOutcome | undefined> => {
    const [[status], providers] = await Promise.all([
      db.read(system, (sql) => findClaimStatus(sql, lease, claim)),
      providersOf(claim.organizationId),
    ]);
    const { held, budgetUsd, spentUsd } = status!;
    if (!held) return undefined;
    const model = resolveModel(modelName, providers);
    if ('error' in model) return unresolved(model.error);
    if (budgetUsd !== null && judge.costOf(model, oneToken) === null) return unpriced(modelName);
    if (budgetUsd !== null && spentUsd >= budgetUsd) return undefined;
    return turn.refusal(model) ?? model;
  };

  /** Reads what every model of the metric is asked with. */
  const readQuestion = async ({ lease, signal }: Batch, { claim, config, record }: Job) => {
    const names = traceNamesOf(config);
    const read =
      names.length > 0 ? await traces.read(claim, { runId: lease.runId, n: claim.n }, names) : undefined;
    const trace = withOutputMessages(read, names, record.outputs);
    const question = {
      ...{ organizationId: claim.organizationId, configId: claim.configId, runId: lease.runId },
      inputs: record.inputs,
    };
    const examples = config.promptTemplate?.includes('gradingInstructionsAndExamples')
      ? await db.read(claim, (sql) => findExamples(sql, question))
      : undefined;
    const { inputs, outputs, expected } = record;
    const attached = await readAttached(claim, { runId: lease.runId }, [inputs, outputs, expected]);
    const data = { ...record, guidelines: config.guidelines, trace, examples, attached };
    // A rescoring and a drift check want to know what the judge says now.
    const mayReuse = reuseVerdicts && lease.queue === 'score' && !claim.fresh;
    // A model of a jury may have answered in an attempt that another one's provider put off.
    const earlier =
      claim.attempts > 0 || config.juryModels.length > 0 ? await findEarlier(lease, claim) : undefined;
    const options = { signal, ...(mayReuse && { reuse: findReusable(claim.organizationId) }) };
    return { data, earlier, options };
  };
  type Read = Awaited<ReturnType<typeof readQuestion>>;

  /** Asks one model when its provider has a place; undefined when the score is not wanted any more. */
  const askModel = async (
    batch: Batch,
    job: Job,
    asked: { modelName: string; provider: ProviderConfig; read: () => Promise<Read> },
    write: (outcome: JudgeOutcome) => Promise<void>,
  ): Promise<JudgeOutcome | undefined> => {
    const { signal, more } = batch;
    const { claim, config } = job;
    const { modelName, provider, read } = asked;
    const turn = await health.enter(claim.organizationId, provider, signal, config.judgeRepeats);
    if ('unasked' in turn) {
      await write(turn);
      return turn;
    }
    try {
      const model = await findModel(batch, job, modelName, turn);
      if (!model) return undefined;
      if ('state' in model) {
        await write(model);
        return model;
      }
      const { data, earlier, options } = await read();
      const judgeConfig = { ...judgeConfigOf(config), evalModelName: modelName };
      const said = earlier?.jury ? saidBefore(earlier.jury, hashInput(judgeConfig, data, model)) : undefined;
      const outcome = said ?? (await judge.ask(judgeConfig, data, model, { ...options, earlier }));
      // Written before the place is free, so that the next one knows what this one cost: a budget is overshot by the calls in flight
      // and no more.
      await write(outcome);
      // A record that fills no template, or a verdict that is reused, says nothing about the provider.
      if (!said && !signal.aborted && outcome.evidence?.attempts) turn.learn(outcome);
      return outcome;
    } finally {
      const wasFull = health.isFull(claim.organizationId, provider);
      turn.end();
      if (wasFull && !health.isFull(claim.organizationId, provider)) more();
    }
  };

  const scoreOne = async (batch: Batch, job: Job, providers: ProviderConfig[]): Promise<void> => {
    const { signal, commit } = batch;
    const { evalModelName, juryModels, outputType } = job.config;
    const write = async (outcome: JudgeOutcome): Promise<void> => {
      if (!signal.aborted) await commit([outcomeOf(job, outcome, random)]);
    };
    const models = [evalModelName ?? '', ...juryModels];
    const claimed = models.map((name) => resolveModel(name, providers));
    const unknown = claimed.find((model) => 'error' in model);
    if (unknown && 'error' in unknown) return write(unresolved(unknown.error));
    const resolved = claimed as ResolvedModel[];
    note(job, resolved[0]!.provider);
    let reading: Promise<Read> | undefined;
    const read = () => (reading ??= readQuestion(batch, job));
    const isJury = models.length > 1;
    const heard: { model: string; outcome: JudgeOutcome }[] = [];
    // One after the other, as the votes of one model: a score never holds two places at once.
    for (const [i, { provider }] of resolved.entries()) {
      const modelName = models[i]!;
      const outcome = await askModel(
        batch,
        job,
        { modelName, provider, read },
        isJury ? async () => {} : write,
      );
      if (!outcome) return;
      heard.push({ model: modelName, outcome });
      if (outcome.state === 'failed') break;
    }
    if (!isJury) return;
    // What others said in earlier attempts stays in the evidence until the score has its verdict.
    const isOpen = heard.at(-1)?.outcome.state === 'failed';
    const before = isOpen ? (await read()).earlier?.jury : undefined;
    await write(juryOutcome(heard, { numModels: models.length, outputType, before }));
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
