import type { AllowedAddresses } from '../../engine/models/allowed-addresses.ts';
import { type Failure, failureOf } from '../../engine/models/failure.ts';
import { openGuardedFetch } from '../../engine/models/guarded-fetch.ts';
import { openModel } from '../../engine/models/model.ts';
import { type Prices, priceOf, type Usage } from '../../engine/models/prices.ts';
import { type ProviderConfig, type ResolvedModel, resolveModel } from '../../engine/models/provider.ts';
import type { ProviderHealth } from '../../engine/models/provider-health.ts';
import type { TemplateData } from '../../engine/templates/render-template.ts';
import type { Renderer } from '../../engine/templates/template.ts';
import type { TraceEvidence, TraceParts } from '../../traces/read/scored-trace.ts';
import { hashInput, type JudgeConfig, nonceFor, systemMessage } from './judge-prompt.ts';
import { combine, type Verdict } from './verdict.ts';
import { type Ballot, type Call, type Vote, vote } from './vote.ts';

export type { JudgeConfig } from './judge-prompt.ts';
export type { Verdict } from './verdict.ts';

/** Stored with each score, so that it can be replayed and audited. */
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
  /** Cost of all calls; null where a price or a number of tokens is not known. */
  costUsd: number | null;
  latencyMs: number;
  /** Requests to the provider. 0 for a verdict that was reused. */
  attempts: number;
  /** SHA-256 over all that went in. */
  inputHash: string;
  /** Each verdict, where the metric asks for several. */
  votes?: Verdict[];
  /** How far the votes differ: 0 all the same, 1 as far apart as possible. */
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
  /** The model was not asked, or the request failed. */
  | ({ state: 'failed'; evidence?: JudgeEvidence } & Failure);

export type JudgeDeps = {
  renderer: Pick<Renderer, 'render'>;
  health: Pick<ProviderHealth, 'refusedSettings'>;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** For one verdict, with its repair; each repeat has as long. Default 60 s. */
  timeoutMs?: number;
  allowedAddresses: AllowedAddresses;
  prices: Prices;
};

export type JudgeOptions = {
  signal?: AbortSignal;
  /** Finds the stored verdict of the same input; called only at temperature 0. Without it the model is always asked. */
  reuse?: (inputHash: string) => Promise<StoredVerdict | undefined>;
};

/** What a template can name, with the evidence of the trace that was read. */
export type JudgedData = TemplateData & { trace?: TraceParts | undefined };

export type Judge = {
  /** One verdict on one record by a model. Never throws for what a template, a record, a model or a provider does. */
  ask(
    config: JudgeConfig,
    data: JudgedData,
    model: ResolvedModel,
    options?: JudgeOptions,
  ): Promise<JudgeOutcome>;
  /** The same by the model that the configuration names; fails when none of the providers has it. */
  judge(
    config: JudgeConfig,
    data: JudgedData,
    providers: ProviderConfig[],
    options?: JudgeOptions,
  ): Promise<JudgeOutcome>;
  /** What so many tokens of a model cost in USD; null where its price is not known. */
  costOf(model: ResolvedModel, usage: Usage): number | null;
  close(): void;
};

const sum = (counts: (number | null)[]): number | null =>
  counts.includes(null) ? null : counts.reduce<number>((total, count) => total + (count ?? 0), 0);

/** A record that lacks a field is unscored; a template that can't be rendered makes the score fail. */
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

/** Opens the judge, with connections of its own. */
export const openJudge = (deps: JudgeDeps): Judge => {
  const { renderer, health, clock, timeoutMs = 60_000, allowedAddresses, prices } = deps;
  const { fetch, close } = openGuardedFetch({ allowedAddresses });

  /** Asks for one verdict, within the time it has. */
  const askOnce = async (
    ballot: Omit<Ballot, 'signal'>,
    signal?: AbortSignal,
  ): Promise<Vote | { failure: Failure }> => {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      return await vote({ ...ballot, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
    } catch (error) {
      if (signal?.aborted) return { failure: { error: 'cancelled', retryable: true } };
      if (!timeout.aborted) return { failure: failureOf(error, ballot.resolved, clock()) };
      const who = `provider '${ballot.resolved.provider.name}'`;
      return { failure: { error: `${who} took longer than ${timeoutMs / 1000} s`, retryable: true } };
    }
  };

  /** The evidence after these calls. */
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

  const ask: Judge['ask'] = async (config, data, resolved, { signal, reuse } = {}) => {
    const { outputType, temperature, judgeRepeats } = config;
    const inputHash = hashInput(config, data, resolved);
    const nonce = nonceFor(inputHash, data);
    const system = systemMessage(outputType, nonce);
    const rendered = await renderer.render(
      config.promptTemplate,
      { ...data, guidelines: config.guidelines },
      nonce,
    );
    if (!rendered.ok) return unrendered(rendered.reason);
    const stored = temperature === 0 ? await reuse?.(inputHash) : undefined;
    if (stored) return reused(stored);

    const { prompt } = rendered;
    const trace = data.trace?.evidence;
    const asked: Asked = { config, resolved, system, prompt, inputHash, startedAt: clock(), trace };
    const calls: Call[] = [];
    const votes: Verdict[] = [];
    const reasons: string[] = [];
    const ballot = {
      ...{ ask: openModel(resolved, fetch), resolved, refused: health.refusedSettings(resolved) },
      ...{ system, prompt, outputType, temperature, record: (call: Call) => calls.push(call) },
    };
    // One after the other: a provider's limit on concurrent calls counts judgements, and each is one call at a time.
    for (let i = 0; i < judgeRepeats; i++) {
      const cast = await askOnce(ballot, signal);
      if ('failure' in cast) {
        return { state: 'failed', ...cast.failure, evidence: evidenceOf(asked, calls, votes) };
      }
      if ('verdict' in cast) votes.push(cast.verdict);
      else reasons.push(cast.reason);
    }
    const evidence = evidenceOf(asked, calls, votes);
    // Unreadable votes are no votes; a verdict needs readable ones of more than half.
    if (votes.length * 2 <= judgeRepeats) return { state: 'unscored', reason: reasons[0]!, evidence };
    const combined = combine(votes, outputType);
    if (!combined) return { state: 'unscored', reason: 'no_majority', evidence };
    const { verdict, disagreement } = combined;
    return { state: 'scored', verdict, evidence: { ...evidence, ...(judgeRepeats > 1 && { disagreement }) } };
  };

  const judge: Judge['judge'] = async (config, data, providers, options) => {
    const resolved = resolveModel(config.evalModelName, providers);
    if ('error' in resolved) return { state: 'failed', error: resolved.error, retryable: false };
    return ask(config, data, resolved, options);
  };

  return {
    ask,
    judge,
    costOf: (model, usage) => priceOf(prices, model, { ...usage, modelAnswered: null }),
    close,
  };
};
