import type { Gate } from '../../engine/models/gate.ts';
import { type ProviderConfig, resolveModel } from '../../engine/models/provider.ts';
import type { Refusals } from '../../engine/models/refusals.ts';
import { outputs } from '../../evaluation/metrics/schema.ts';
import { type Database, system } from '../../platform/db/database.ts';
import { asJson } from '../../platform/db/text.ts';
import type { TraceReader } from '../../traces/read/read-scored-trace.ts';
import { findLeave, findVerdict, type Outcome, type WorkerConfig } from '../queue/queries.ts';
import type { Batch, Job } from '../queue/worker.ts';
import type { Judge, JudgeConfig, JudgeOutcome, StoredVerdict } from './judge.ts';
import { traceNamesOf } from './trace-names.ts';

export type JudgeScorerDeps = {
  db: Database;
  judge: Judge;
  gate: Gate;
  refusals: Refusals;
  /** Where an organization's models are asked, as of now: a provider that was deleted is asked no more. */
  providersOf: (organizationId: bigint) => Promise<ProviderConfig[]>;
  traces: TraceReader;
  /** Whether the verdict of an equal question at temperature 0 is taken again. */
  reuseVerdicts: boolean;
  /** From 0 to 1. */
  random: () => number;
};

/** Tries that reach the provider; after the last one the score has failed. */
const maxAttempts = 6;
const backoff = { firstMs: 2_000, longestMs: 300_000 };

/** Exponential, with half of it left to chance, so that those who failed together don't come back together. */
export const retryDelay = (attempts: number, random: () => number): number =>
  Math.min(backoff.firstMs * 2 ** (attempts - 1), backoff.longestMs) * (0.5 + random() / 2);

export const judgeConfigOf = (config: WorkerConfig): JudgeConfig => ({
  outputType: config.outputType,
  promptTemplate: config.promptTemplate ?? '',
  guidelines: config.guidelines,
  evalModelName: config.evalModelName ?? '',
  temperature: config.temperature ?? 0,
  judgeRepeats: config.judgeRepeats,
});

/** What came of a job; `asked` is false where the gate turned it away: that is no attempt. */
type Judged = { outcome: JudgeOutcome; asked: boolean };

const outcomeOf = (
  { claim, config }: Job,
  { outcome: judged, asked }: Judged,
  random: () => number,
): Outcome => {
  const attempts = claim.attempts + (asked ? 1 : 0);
  const base = {
    n: claim.n,
    configId: claim.configId,
    fence: claim.fence,
    attempts,
    score: null,
    value: null,
    reason: null,
    retryInMs: null,
    evidence: judged.evidence ? asJson(judged.evidence) : null,
    inputHash: null,
    usage: judged.evidence ?? null,
  };
  if (judged.state === 'scored') {
    const { value, reasoning } = judged.verdict;
    const score = asJson({ [outputs[config.outputType].valueField]: value, reasoning });
    return { ...base, state: 'scored', score, value: Number(value), inputHash: judged.evidence.inputHash };
  }
  if (judged.state === 'unscored') return { ...base, state: 'unscored', reason: judged.reason };
  if (!judged.retryable || attempts >= maxAttempts) return { ...base, state: 'failed', reason: judged.error };
  const retryInMs = Math.max(judged.retryAfterMs ?? 0, retryDelay(Math.max(1, attempts), random));
  return { ...base, state: 'pending', reason: judged.error, retryInMs };
};

const oneToken = { inputTokens: 1, outputTokens: 1 };

/** A budget that can't be held is no budget. */
const unpriced = ({ evalModelName }: JudgeConfig): JudgeOutcome => ({
  state: 'failed',
  error:
    `the price of '${evalModelName}' is not known, so the judge budget of the run can't be held: ` +
    'add it to the price table (DOKIMA_PRICES_FILE), or lift the budget',
  retryable: false,
});

/** Has models judge a batch, all of its scores at the same time as far as the providers' limits let them. */
export const judgeScorer = (deps: JudgeScorerDeps) => {
  const { db, judge, gate, refusals, providersOf, traces, reuseVerdicts, random } = deps;
  const reuse = (organizationId: bigint) => async (inputHash: string) => {
    const [found] = await db.read({ organizationId }, (sql) => findVerdict(sql, organizationId, inputHash));
    return (
      found && ({ verdict: JSON.parse(found.verdict), evidence: JSON.parse(found.evidence) } as StoredVerdict)
    );
  };

  const scoreOne = async (
    { lease, commit, signal: ended }: Batch,
    job: Job,
    providers: ProviderConfig[],
  ): Promise<void> => {
    const { claim, record } = job;
    const config = judgeConfigOf(job.config);
    // Aborted for this score alone: the gate then learns nothing of the provider from it.
    const left = new AbortController();
    const signal = AbortSignal.any([ended, left.signal]);
    // Who rescores, or checks a judge's drift, wants to know what it says now.
    const mayReuse = reuseVerdicts && lease.queue === 'score' && !claim.fresh;
    const options = { signal, ...(mayReuse && { reuse: reuse(claim.organizationId) }) };
    const names = traceNamesOf(job.config);
    const trace =
      names.length > 0 ? await traces.read(claim, { runId: lease.runId, n: claim.n }, names) : undefined;
    let [asked, written] = [false, false];
    const ask = (from: ProviderConfig[]) => {
      asked = true;
      return judge.judge(config, { ...record, guidelines: config.guidelines, trace }, from, options);
    };
    const askUnlessRefused = (from: ProviderConfig[]) => {
      const whom = resolveModel(config.evalModelName, from);
      return 'error' in whom ? ask(from) : refusals.run(claim.organizationId, whom, () => ask(from));
    };
    const write = async (outcome: JudgeOutcome) => {
      written = true;
      if (!signal.aborted) await commit([outcomeOf(job, { outcome, asked }, random)]);
      return outcome;
    };
    // A score's turn may come long after it was claimed: by then it may be cancelled, the budget be used up, the provider be
    // revoked or have another key.
    const askIfWanted = async (): Promise<JudgeOutcome> => {
      const [[leave], now] = await Promise.all([
        db.read(system, (sql) => findLeave(sql, lease, claim)),
        providersOf(claim.organizationId),
      ]);
      const { held, budgetUsd, spentUsd } = leave!;
      if (budgetUsd !== null && judge.costOf(config, now, oneToken) === null) return write(unpriced(config));
      if (held && (budgetUsd === null || spentUsd < budgetUsd)) return write(await askUnlessRefused(now));
      left.abort();
      return { state: 'failed', error: 'cancelled', retryable: true };
    };
    const resolved = resolveModel(config.evalModelName, providers);
    if ('error' in resolved) {
      await write(await ask(providers));
      return;
    }
    const { provider } = resolved;
    const limits = {
      maxConcurrency: provider.maxConcurrency,
      requests: config.judgeRepeats,
      ...(provider.requestsPerMinute !== undefined && { requestsPerMinute: provider.requestsPerMinute }),
    };
    // What a verdict took is written before its place at the gate is free, so that who comes next knows of it: a budget is
    // overshot by what is in flight and no more.
    const outcome = await gate.run(`${claim.organizationId} ${provider.name}`, limits, signal, askIfWanted);
    if (!written) await write(outcome);
  };

  return async (batch: Batch): Promise<void> => {
    const { jobs, commit } = batch;
    const [first] = jobs;
    if (!first) return;
    const { organizationId } = first.claim;
    const providers = await providersOf(organizationId).catch((error: Error) => error);
    if (providers instanceof Error) {
      // Said on each score, and tried again: the operator mends this, not the metric's author.
      const outcome = {
        state: 'failed' as const,
        error: providers.message,
        retryable: true,
        retryAfterMs: backoff.longestMs,
      };
      return commit(jobs.map((job) => outcomeOf(job, { outcome, asked: false }, random)));
    }
    // Each ends by itself: were the batch over when one throws, what the others have paid for would find no lease to be written with.
    const ended = await Promise.allSettled(jobs.map((job) => scoreOne(batch, job, providers)));
    const broken = ended.find((one) => one.status === 'rejected');
    if (broken) throw broken.reason;
  };
};
