import { type Failure, failureOf } from '../../engine/models/failure.ts';
import { openGuardedFetch } from '../../engine/models/guarded-fetch.ts';
import { openModel } from '../../engine/models/model.ts';
import { type Prices, priceOf, type Usage } from '../../engine/models/prices.ts';
import { type ProviderConfig, type ResolvedModel, resolveModel } from '../../engine/models/provider.ts';
import type { TemplateData } from '../../engine/templates/render-template.ts';
import type { Renderer } from '../../engine/templates/template.ts';
import type { TraceEvidence, TraceParts } from '../../traces/read/scored-trace.ts';
import { hashInput, type JudgeConfig, nonceFor, systemMessage } from './judge-prompt.ts';
import { combine, type Verdict } from './verdict.ts';
import { type Ballot, type Call, openVoting, type Vote } from './vote.ts';

export type { JudgeConfig } from './judge-prompt.ts';
export type { Verdict } from './verdict.ts';

/** Kept with each score so that it can be replayed and audited. */
export type JudgeEvidence = {
  modelAsked: string;
  modelAnswered: string | null;
  /** The system message and the user message as sent. */
  prompt: string;
  /** Every reply, in the order they came. */
  rawReply: string;
  /** Null where the model did not accept one. */
  temperatureSent: number | null;
  inputTokens: number | null;
  outputTokens: number | null;
  /** Of all calls; null where a price or a count of tokens is not known. */
  costUsd: number | null;
  latencyMs: number;
  /** Requests to the provider. 0 for a verdict that was reused. */
  attempts: number;
  /** SHA-256 over all that went in. */
  inputHash: string;
  /** Each verdict, where the metric asks for several. */
  votes?: Verdict[];
  /** From 0, all the same, to 1, as far apart as can be. */
  disagreement?: number;
  /** The verdict is an earlier one of the same input hash. */
  reused?: true;
  /** What was read of the record's trace, where the template names it. */
  trace?: TraceEvidence;
};

export type StoredVerdict = { verdict: Verdict; evidence: JudgeEvidence };

export type JudgeOutcome =
  | { state: 'scored'; verdict: Verdict; evidence: JudgeEvidence }
  /** The record or the model gave no verdict: `missing_placeholder: outputs.x`, `invalid_judge_output`, `judge_refused`, `no_majority`. */
  | { state: 'unscored'; reason: string; evidence?: JudgeEvidence }
  /** It could not be tried, or the trying went wrong. */
  | ({ state: 'failed'; evidence?: JudgeEvidence } & Failure);

export type JudgeDeps = {
  renderer: Pick<Renderer, 'render'>;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** In place of one that guards against private addresses and long answers. */
  fetch?: typeof globalThis.fetch;
  /** For one verdict, with its repair. A metric with repeats may take as many times that. Default 60 s. */
  timeoutMs?: number;
  allowPrivateAddresses: boolean;
  prices: Prices;
};

export type JudgeOptions = {
  signal?: AbortSignal;
  /** Finds the stored verdict of the same input; asked only at temperature 0. Leave it out to judge anew. */
  reuse?: (inputHash: string) => Promise<StoredVerdict | undefined>;
};

export type Estimate = { inputTokens: number; outputTokens: number; costUsd: number | null };

/** What a prompt may speak of, with what is kept of the trace that it was taken from. */
export type JudgedData = TemplateData & { trace?: TraceParts | undefined };

export type Judge = {
  /** One verdict on one record. Never throws for what a template, a record, a model or a provider does. */
  judge(
    config: JudgeConfig,
    data: JudgedData,
    providers: ProviderConfig[],
    options?: JudgeOptions,
  ): Promise<JudgeOutcome>;
  /** What so many tokens of the configuration's model cost; null where its price is not known, or it can't be asked. */
  costOf(config: JudgeConfig, providers: ProviderConfig[], usage: Usage): number | null;
  /** About what judging the record will take, or null where the template does not render over it. */
  estimate(config: JudgeConfig, data: JudgedData, providers?: ProviderConfig[]): Promise<Estimate | null>;
  close(): void;
};

/** English takes about four bytes a token; other scripts take more bytes and about as many tokens. */
export const bytesPerToken = 4;
/** The reasoning of a verdict, generously. */
export const tokensPerVerdict = 200;

const sum = (counts: (number | null)[]): number | null =>
  counts.includes(null) ? null : counts.reduce<number>((total, count) => total + (count ?? 0), 0);

/** A record without the field is no score; a template that can't be rendered is a metric that does not work. */
const unrendered = (reason: string): JudgeOutcome =>
  reason.startsWith('missing_placeholder')
    ? { state: 'unscored', reason }
    : { state: 'failed', error: reason, retryable: false };

const reused = ({ verdict, evidence }: StoredVerdict): JudgeOutcome => {
  const free = { attempts: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, latencyMs: 0 };
  return { state: 'scored', verdict, evidence: { ...evidence, ...free, reused: true } };
};

/** A question that is being put to a model. */
type Asked = {
  config: JudgeConfig;
  resolved: ResolvedModel;
  system: string;
  prompt: string;
  inputHash: string;
  startedAt: number;
  trace: TraceEvidence | undefined;
};

/** Opens the judge. What a model does not accept is remembered as long as it is open. */
export const openJudge = (deps: JudgeDeps): Judge => {
  const { renderer, clock, timeoutMs = 60_000, allowPrivateAddresses, prices } = deps;
  const guarded = openGuardedFetch({ allowPrivateAddresses });
  const fetch = deps.fetch ?? guarded.fetch;
  const voting = openVoting();

  const prepare = async (config: JudgeConfig, data: JudgedData, resolved: ResolvedModel) => {
    const inputHash = hashInput(config, data, resolved);
    const nonce = nonceFor(inputHash, data);
    const rendered = await renderer.render(
      config.promptTemplate,
      { ...data, guidelines: config.guidelines },
      nonce,
    );
    return { inputHash, system: systemMessage(config.outputType, nonce), rendered };
  };

  /** Asks for one verdict, within the time it has. */
  const askOnce = async (
    ballot: Omit<Ballot, 'signal'>,
    signal?: AbortSignal,
  ): Promise<Vote | { failure: Failure }> => {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      return await voting.vote({ ...ballot, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
    } catch (error) {
      if (signal?.aborted) return { failure: { error: 'cancelled', retryable: true } };
      if (!timeout.aborted) return { failure: failureOf(error, ballot.resolved, clock()) };
      const who = `provider '${ballot.resolved.provider.name}'`;
      return { failure: { error: `${who} took longer than ${timeoutMs / 1000} s`, retryable: true } };
    }
  };

  /** What is known after these calls. */
  const evidenceOf = (asked: Asked, calls: Call[], votes: Verdict[]): JudgeEvidence => ({
    modelAsked: asked.config.evalModelName,
    modelAnswered: calls.findLast((call) => call.modelAnswered !== null)?.modelAnswered ?? null,
    prompt: `[system]\n${asked.system}\n\n[user]\n${asked.prompt}`,
    rawReply: calls.flatMap(({ text }) => (text === null ? [] : [text])).join('\n\n'),
    temperatureSent: calls.at(-1)?.temperatureSent ?? null,
    inputTokens: sum(calls.map((call) => call.inputTokens)),
    outputTokens: sum(calls.map((call) => call.outputTokens)),
    costUsd: sum(calls.map((call) => priceOf(prices, asked.resolved, call))),
    latencyMs: Math.round(clock() - asked.startedAt),
    attempts: calls.length,
    inputHash: asked.inputHash,
    ...(asked.config.judgeRepeats > 1 && { votes }),
    ...(asked.trace && { trace: asked.trace }),
  });

  const judge: Judge['judge'] = async (config, data, providers, { signal, reuse } = {}) => {
    const { outputType, temperature, judgeRepeats } = config;
    const resolved = resolveModel(config.evalModelName, providers);
    if ('error' in resolved) return { state: 'failed', error: resolved.error, retryable: false };
    const { inputHash, system, rendered } = await prepare(config, data, resolved);
    if (!rendered.ok) return unrendered(rendered.reason);
    const stored = temperature === 0 ? await reuse?.(inputHash) : undefined;
    if (stored) return reused(stored);

    const { prompt } = rendered;
    const trace = data.trace?.evidence;
    const asked: Asked = { config, resolved, system, prompt, inputHash, startedAt: clock(), trace };
    const calls: Call[] = [];
    const votes: Verdict[] = [];
    const reasons: string[] = [];
    const ask = openModel(resolved, fetch);
    const record = (call: Call) => calls.push(call);
    // One after the other: a provider's limit on concurrent calls counts judgements, and each is one call at a time.
    for (let i = 0; i < judgeRepeats; i++) {
      const vote = await askOnce({ ask, resolved, system, prompt, outputType, temperature, record }, signal);
      if ('failure' in vote) {
        return { state: 'failed', ...vote.failure, evidence: evidenceOf(asked, calls, votes) };
      }
      if ('verdict' in vote) votes.push(vote.verdict);
      else reasons.push(vote.reason);
    }
    const evidence = evidenceOf(asked, calls, votes);
    // Unreadable votes are no votes; a verdict needs readable ones of more than half.
    if (votes.length * 2 <= judgeRepeats) return { state: 'unscored', reason: reasons[0]!, evidence };
    const combined = combine(votes, outputType);
    if (!combined) return { state: 'unscored', reason: 'no_majority', evidence };
    const { verdict, disagreement } = combined;
    return { state: 'scored', verdict, evidence: { ...evidence, ...(judgeRepeats > 1 && { disagreement }) } };
  };

  const estimate: Judge['estimate'] = async (config, data, providers = []) => {
    const found = resolveModel(config.evalModelName, providers);
    // The number of tokens does not depend on who is asked.
    const nobody: ProviderConfig = { name: 'nobody', kind: 'openai-compatible', maxConcurrency: 1 };
    const resolved = 'error' in found ? { provider: nobody, model: config.evalModelName } : found;
    const { system, rendered } = await prepare(config, data, resolved);
    if (!rendered.ok) return null;
    const bytes = Buffer.byteLength(system) + Buffer.byteLength(rendered.prompt);
    const usage = {
      inputTokens: Math.ceil(bytes / bytesPerToken) * config.judgeRepeats,
      outputTokens: tokensPerVerdict * config.judgeRepeats,
    };
    return { ...usage, costUsd: priceOf(prices, resolved, { ...usage, modelAnswered: null }) };
  };

  const costOf: Judge['costOf'] = ({ evalModelName }, providers, usage) => {
    const resolved = resolveModel(evalModelName, providers);
    return 'error' in resolved ? null : priceOf(prices, resolved, { ...usage, modelAnswered: null });
  };

  return { judge, estimate, costOf, close: guarded.close };
};
