import { followedBy, placeMedia, type ShownMedia, takeMedia } from '../../engine/media/media.ts';
import type { AllowedAddresses } from '../../engine/models/allowed-addresses.ts';
import { type Failure, failureOf } from '../../engine/models/failure.ts';
import { openGuardedFetch } from '../../engine/models/guarded-fetch.ts';
import { openModel } from '../../engine/models/model.ts';
import { type Prices, priceOf, type Usage } from '../../engine/models/prices.ts';
import { type ProviderConfig, type ResolvedModel, resolveModel } from '../../engine/models/provider.ts';
import type { ProviderHealth, RefusedSettings } from '../../engine/models/provider-health.ts';
import type { Content } from '../../engine/models/question.ts';
import type { Renderer } from '../../engine/templates/template.ts';
import type { TraceEvidence, TraceParts } from '../../traces/read/scored-trace.ts';
import { addressesJudge, secondFraming } from './addressed.ts';
import { compare } from './compare-texts.ts';
import {
  hashInput,
  type JudgeConfig,
  type JudgedTexts,
  nonceFor,
  systemMessage,
  withMarksNamed,
} from './judge-prompt.ts';
import { combine, isCertain, type Verdict } from './verdict.ts';
import { type Call, type Vote, vote } from './vote.ts';

export type { JudgeConfig } from './judge-prompt.ts';
export type { Verdict } from './verdict.ts';

/** What one model of a jury said, with its evidence. */
export type Juror = { model: string; verdict: Verdict | null; reason?: string; evidence: JudgeEvidence };

/** Stored with each score, so that it can be replayed and audited. */
export type JudgeEvidence = {
  modelAsked: string;
  modelAnswered: string | null;
  /** The system message and the user message as sent; a label stands where a file was. */
  prompt: string;
  /** Files that the model was shown, in the order of their labels; missing where there were none. */
  media?: ShownMedia[];
  /** Every reply, in the order they came. */
  rawReply: string;
  /** Why the last reply ended: \`length\` when it was cut off. Null without a reply. */
  finishReason: string | null;
  /** Whether the last request held the model to the verdict's schema; otherwise in words only. */
  schemaSent: boolean;
  /** Why the last reply is no verdict, in words; missing where it is one. */
  problem?: string;
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
  /** Each verdict, where the metric asks for several; also those of earlier attempts. */
  votes?: Verdict[];
  /** Number of replies that were no verdict, where the metric asks for several. */
  unreadable?: number;
  /** How far the votes differ: 0 all the same, 1 as far apart as possible. */
  disagreement?: number;
  /** The output seems to speak to its judge: the signs, and the vote of the question that warns of them; null without one. */
  addressed?: { found: string[]; framing: string; second: Verdict | null };
  /** Each model's verdict and evidence, where the metric has a jury. */
  jury?: Juror[];
  /** The verdict is an earlier one of the same input hash. */
  reused?: true;
  /** What was read of the record's trace, where the template names it. */
  trace?: TraceEvidence;
};

/** What one attempt cost. Its evidence counts earlier attempts as well. */
export type Spent = Pick<JudgeEvidence, 'inputTokens' | 'outputTokens' | 'costUsd'>;

export type StoredVerdict = { verdict: Verdict; evidence: JudgeEvidence };

export type JudgeOutcome =
  | { state: 'scored'; verdict: Verdict; evidence: JudgeEvidence; spent: Spent }
  /**
   * The record or the model gave no verdict: `missing_placeholder: outputs.x`, `invalid_judge_output`, `judge_refused`, `no_majority`,
   * `judge_addressed`, `media_refused`, `media_limit: …`, `media_unsupported: …`, `media_missing: …`.
   */
  | { state: 'unscored'; reason: string; evidence?: JudgeEvidence; spent?: Spent }
  /** The model was not asked, or the request failed. */
  | ({ state: 'failed'; evidence?: JudgeEvidence; spent?: Spent } & Failure);

export type JudgeDeps = {
  renderer: Pick<Renderer, 'render'>;
  health: Pick<ProviderHealth, 'refusedSettings' | 'learnRefused'>;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** For one verdict, with its repair, of a provider that sets no time; each repeat has as long. Default 120 s. */
  timeoutMs?: number;
  allowedAddresses: AllowedAddresses;
  prices: Prices;
};

export type JudgeOptions = {
  signal?: AbortSignal;
  /** Finds the stored verdict of the same input; called only at temperature 0. Without it the model is always asked. */
  reuse?: (inputHash: string) => Promise<StoredVerdict | undefined>;
  /** Evidence of the attempt before, which failed: its votes count if it asked the same question. */
  earlier?: JudgeEvidence | undefined;
};

/** Longest reply of a provider that sets none, in tokens: a verdict has a hundred, and thoughts some thousand. */
const maxOutputTokens = 8_192;

/** What a template can name, with the evidence of the trace that was read. */
export type JudgedData = JudgedTexts & { trace?: TraceParts | undefined };

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
  const spent = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
  return {
    state: 'scored',
    verdict,
    evidence: { ...evidence, ...spent, attempts: 0, latencyMs: 0, reused: true },
    spent,
  };
};

/** A question that is being put to a model. */
type Asked = {
  config: JudgeConfig;
  resolved: ResolvedModel;
  system: string;
  prompt: string;
  media: ShownMedia[];
  inputHash: string;
  startedAt: number;
  trace: TraceEvidence | undefined;
  /** Evidence of the attempt before, if it asked the same question. */
  earlier: JudgeEvidence | undefined;
  /** Signs that the output speaks to its judge. */
  found: string[];
};

/** What the replies gave so far. */
type Ballots = { votes: Verdict[]; unreadable: { reason: string; problem?: string }[] };

/** Opens the judge, with connections of its own. */
export const openJudge = (deps: JudgeDeps): Judge => {
  const { renderer, health, clock, timeoutMs: usualMs = 120_000, allowedAddresses, prices } = deps;
  const { fetch, close } = openGuardedFetch({ allowedAddresses });

  /** Asks for one verdict, within the time it has. */
  const askOnce = async (
    resolved: ResolvedModel,
    cast: (signal: AbortSignal) => Promise<Vote>,
    signal?: AbortSignal,
  ): Promise<Vote | { failure: Failure }> => {
    const timeoutMs = resolved.provider.timeoutMs ?? usualMs;
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      return await cast(signal ? AbortSignal.any([signal, timeout]) : timeout);
    } catch (error) {
      if (signal?.aborted) return { failure: { error: 'cancelled', retryable: true } };
      if (!timeout.aborted) return { failure: failureOf(error, resolved, clock()) };
      const who = `provider '${resolved.provider.name}'`;
      return { failure: { error: `${who} took longer than ${timeoutMs / 1000} s`, retryable: true } };
    }
  };

  const spentOn = (asked: Asked, calls: Call[]): Spent => ({
    inputTokens: sum(calls.map((call) => call.inputTokens)),
    outputTokens: sum(calls.map((call) => call.outputTokens)),
    costUsd: sum(calls.map((call) => priceOf(prices, asked.resolved, call))),
  });

  /** The evidence after these calls, and what they cost. */
  const evidenceOf = (asked: Asked, calls: Call[], { votes, unreadable }: Ballots) => {
    const { config, earlier } = asked;
    const spent = spentOn(asked, calls);
    const replies = calls.flatMap(({ text }) => (text === null ? [] : [text]));
    const last = calls.at(-1);
    const problem = unreadable.at(-1)?.problem;
    const total = (name: keyof Spent) => (earlier ? sum([earlier[name], spent[name]]) : spent[name]);
    const evidence: JudgeEvidence = {
      modelAsked: config.evalModelName,
      modelAnswered: calls.findLast((call) => call.modelAnswered !== null)?.modelAnswered ?? null,
      prompt: asked.system === '' ? asked.prompt : `[system]\n${asked.system}\n\n[user]\n${asked.prompt}`,
      ...(asked.media.length > 0 && { media: asked.media }),
      rawReply: [...(earlier?.rawReply ? [earlier.rawReply] : []), ...replies].join('\n\n'),
      finishReason: last?.finishReason ?? null,
      schemaSent: last?.schemaSent ?? false,
      temperatureSent: last?.temperatureSent ?? null,
      inputTokens: total('inputTokens'),
      outputTokens: total('outputTokens'),
      costUsd: total('costUsd'),
      latencyMs: Math.round(clock() - asked.startedAt),
      attempts: (earlier?.attempts ?? 0) + calls.length,
      inputHash: asked.inputHash,
      ...(problem !== undefined && { problem }),
      ...((config.judgeRepeats > 1 || asked.found.length > 0) && { votes }),
      ...(config.judgeRepeats > 1 && unreadable.length > 0 && { unreadable: unreadable.length }),
      ...(asked.trace && { trace: asked.trace }),
    };
    return { evidence, spent };
  };

  const ask: Judge['ask'] = async (config, data, resolved, { signal, reuse, earlier } = {}) => {
    const { outputType, temperature } = config;
    const inputHash = hashInput(config, data, resolved);
    const nonce = nonceFor(inputHash, data);
    const { inputs, outputs, expected, attached } = data;
    const { texts, found: files } = takeMedia({ inputs, outputs, expected }, nonce, attached);
    const rendered = await renderer.render(
      config.promptTemplate,
      { ...data, ...texts, guidelines: config.guidelines },
      nonce,
    );
    if (!rendered.ok) return unrendered(rendered.reason);
    const stored = temperature === 0 ? await reuse?.(inputHash) : undefined;
    if (stored) return reused(stored);

    const { compared } = rendered;
    const system = compared ? '' : systemMessage(outputType);
    const placed = await placeMedia(
      compared ? compared.join('\n\n') : withMarksNamed(rendered.prompt, nonce),
      files,
      { attached, kind: resolved.provider.kind },
    ).catch((error: Error) => ({ error: error.message }));
    if ('error' in placed) return { state: 'failed', ...placed, retryable: true, unasked: true };
    if ('reason' in placed) return { state: 'unscored', reason: placed.reason };
    const { content, text: prompt, media } = placed;
    if (compared && media.length > 0)
      return { state: 'unscored', reason: 'media_unsupported: similarity() compares texts' };
    // Embeddings are the same each time, and obey no one.
    const judgeRepeats = compared ? 1 : config.judgeRepeats;
    const found = compared ? [] : addressesJudge(texts.outputs);
    const trace = data.trace?.evidence;
    // Votes are for one question: a changed metric or record begins again.
    const known = earlier?.inputHash === inputHash ? earlier : undefined;
    const asked: Asked = {
      config,
      resolved,
      system,
      prompt,
      media,
      inputHash,
      startedAt: clock(),
      trace,
      earlier: known,
      found,
    };
    const calls: Call[] = [];
    const ballots: Ballots = {
      votes: [...(known?.votes ?? [])],
      unreadable: Array.from({ length: known?.unreadable ?? 0 }, () => ({ reason: 'invalid_judge_output' })),
    };
    const { votes, unreadable } = ballots;
    const ballot = {
      ...{ ask: openModel(resolved, fetch), resolved, refused: health.refusedSettings(resolved) },
      learn: (refused: RefusedSettings) => health.learnRefused(resolved, refused),
      maxOutputTokens: resolved.provider.maxOutputTokens ?? maxOutputTokens,
      ...{ system, outputType, temperature, record: (call: Call) => calls.push(call) },
    };
    const cast = (question: Content) =>
      compared
        ? (within: AbortSignal) => compare(resolved, fetch, compared, ballot.record, within)
        : (within: AbortSignal) => vote({ ...ballot, prompt: question, signal: within });
    const decided = (least: number) => (votes.length > least ? combine(votes, outputType) : undefined);
    const unscored = (reason: string, addressed?: JudgeEvidence['addressed']): JudgeOutcome => {
      const { evidence, spent } = evidenceOf(asked, calls, ballots);
      return { state: 'unscored', reason, evidence: { ...evidence, ...(addressed && { addressed }) }, spent };
    };
    const failed = (failure: Failure): JudgeOutcome => ({
      state: 'failed',
      ...failure,
      ...evidenceOf(asked, calls, ballots),
    });
    // One after the other: a provider's limit on concurrent calls counts judgements, and each is one call at a time.
    while (votes.length + unreadable.length < judgeRepeats) {
      const given = await askOnce(resolved, cast(content), signal);
      if ('failure' in given) {
        if (isCertain(votes, judgeRepeats) && !signal?.aborted) break;
        return failed(given.failure);
      }
      // Repeats would be refused as well.
      if ('reason' in given && given.reason === 'media_refused') {
        unreadable.push(given);
        return unscored(given.reason);
      }
      if ('verdict' in given) votes.push(given.verdict);
      else unreadable.push(given);
    }
    // Unreadable votes are no votes; a verdict needs readable ones of more than half.
    const first = decided(judgeRepeats / 2);
    if (!first) return unscored(votes.length * 2 > judgeRepeats ? 'no_majority' : unreadable[0]!.reason);
    const scored = (
      { verdict }: { verdict: Verdict },
      addressed?: JudgeEvidence['addressed'],
    ): JudgeOutcome => {
      const { evidence, spent } = evidenceOf(asked, calls, ballots);
      const more = {
        ...(judgeRepeats > 1 && { disagreement: first.disagreement }),
        ...(addressed && { addressed }),
      };
      return { state: 'scored', verdict, evidence: { ...evidence, ...more }, spent };
    };
    if (found.length === 0) return scored(first);

    const framing = secondFraming(found);
    const second = await askOnce(resolved, cast(followedBy(content, framing)), signal);
    if ('failure' in second) return failed(second.failure);
    const confirmed = 'verdict' in second ? combine([first.verdict, second.verdict], outputType) : undefined;
    const addressed = { found, framing, second: 'verdict' in second ? second.verdict : null };
    return confirmed ? scored(confirmed, addressed) : unscored('judge_addressed', addressed);
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
