import { type Criterion, criteriaOf } from '../../../../client/src/criteria.ts';
import { askWithin, cancelled, type Failed, type Models, orCancelled } from '../../engine/models/ask.ts';
import { type Accepted, askAccepting, type Call } from '../../engine/models/ask-accepting.ts';
import { placeMedia, takeMedia } from '../../engine/models/media.ts';
import { priceOf, type Usage } from '../../engine/models/prices.ts';
import { type ProviderConfig, type ResolvedModel, resolveModel } from '../../engine/models/provider.ts';
import type { Content } from '../../engine/models/question.ts';
import type { Renderer } from '../../engine/templates/template.ts';
import { scaleFor } from '../../evaluation/metrics/scale.ts';
import { criterionUnscored } from '../../evaluation/scores/score-criteria.ts';
import { members } from '../../platform/json/json.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import type { Asker } from '../../platform/turns.ts';
import { addressesJudge, secondFraming } from './addressed.ts';
import { type Ballot, type Count, castBallots, combined, decided, type Poll } from './ballots.ts';
import { compare } from './compare-texts.ts';
import {
  type AskedCriteria,
  criteriaFormat,
  criteriaNote,
  criteriaSchema,
  seenBy,
  unscoredIn,
  voteOnCriteria,
} from './judge-criteria.ts';
import {
  type Asked,
  evidenceOf,
  type JudgeEvidence,
  type JudgeOutcome,
  type StoredVerdict,
} from './judge-evidence.ts';
import {
  hashInput,
  type JudgeConfig,
  type JudgedTexts,
  nonceFor,
  systemMessage,
  withMarksNamed,
} from './judge-prompt.ts';
import { type Verdict, verdictSchema } from './verdict.ts';
import { plainForm, vote } from './vote.ts';
import { turnSchema, walkForm, walkMessage, walkNote } from './walk.ts';

export type JudgeDeps = {
  renderer: Pick<Renderer, 'render'>;
  models: Models;
  /** Time for one verdict with its repair, if the provider sets none; each repeat has the same time. Default 120 s. */
  timeoutMs?: number;
};

/** The organization owns the turn. */
export type JudgeOptions = Asker & {
  /** Finds the stored verdict of the same input; called only at temperature 0. Without it the model is always asked. */
  reuse?: (inputHash: string) => Promise<StoredVerdict | undefined>;
  /** Evidence of the previous, failed attempt: its votes count if it asked the same question. */
  earlier?: JudgeEvidence | undefined;
  /** Asked before each request of a walk, which has many: whether the verdict is still needed, and its run has a budget left. */
  isWanted?: () => Promise<boolean>;
  /** Called with the cost of each request of a walk, so that a budget ends it and not only the next score. */
  pay?: (costUsd: number | null) => Promise<void>;
};

/** Longest reply in bytes. Many judges are asked at the same time. */
const maxBytes = 2_000_000;
/** A walk has this many times the time of a verdict. */
const walkTimes = 5;
/** Longest reply in tokens, if the provider sets none: a verdict has a hundred, and thoughts some thousand. */
const maxOutputTokens = 8_192;

/** The outputs that are judged, as JSON text: those of the span, if the metric scores spans. */
const judgedOutputs = (outputs: string, trace: JudgedTexts['trace']): string => {
  const span = trace?.texts.span;
  return span === undefined ? outputs : (members(span).get('outputs') ?? 'null');
};

export type Judge = {
  /** Makes one verdict on one record by a model. Never throws for an error of a template, a record, a model or a provider. */
  ask(
    config: JudgeConfig,
    data: JudgedTexts,
    model: ResolvedModel,
    options: JudgeOptions,
  ): Promise<JudgeOutcome>;
  /** The same by the model that the configuration names; fails when none of the providers has it. */
  judge(
    config: JudgeConfig,
    data: JudgedTexts,
    providers: ProviderConfig[],
    options: JudgeOptions,
  ): Promise<JudgeOutcome>;
  /** Cost of this number of tokens of a model in USD; null if its price is not known. */
  costOf(model: ResolvedModel, usage: Usage): number | null;
};

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

/** A question that is ready to be asked: as a message, or as two texts to compare by their embeddings. */
type Ready = {
  asked: Asked;
  content: Content;
  compared: [string, string] | undefined;
  nonce: string;
  criteria: AskedCriteria | undefined;
};

/** The criteria of a record; undefined for a metric without any. */
const criteriaFor = (
  { criteria }: JudgeConfig,
  expected: string,
): { criteria: Criterion[] } | { reason: string } | undefined =>
  criteria ? criteriaOf(criteria, criteria.fromExpected ? parseJson(expected) : undefined) : undefined;

/** Makes the question about a record, or returns an outcome that needs no question: no prompt, no files, or a reused verdict. */
const prepare = async (
  { renderer, models }: JudgeDeps,
  config: JudgeConfig,
  data: JudgedTexts,
  resolved: ResolvedModel,
  { reuse, earlier, ...asker }: JudgeOptions,
): Promise<Ready | JudgeOutcome> => {
  const judged = criteriaFor(config, data.expected);
  if (judged && 'reason' in judged) return { state: 'unscored', reason: judged.reason };
  const inputHash = hashInput(config, data, resolved);
  const nonce = nonceFor(inputHash, data);
  const { inputs, outputs, expected, attached } = data;
  const { texts, found: files } = takeMedia({ inputs, outputs, expected }, nonce, attached);
  const { promptTemplate, guidelines, temperature } = config;
  const scale = scaleFor(config);
  const rendered = await orCancelled(
    renderer.render(promptTemplate, { ...data, ...texts, guidelines }, nonce, asker),
    asker.signal,
  );
  if ('state' in rendered) return rendered;
  if (!rendered.ok) return unrendered(rendered.reason);
  const stored = temperature === 0 ? await reuse?.(inputHash) : undefined;
  if (stored) return reused(stored);

  const { compared } = rendered;
  if (judged && compared)
    return {
      state: 'failed',
      error: 'similarity() gives one number: it has no criteria',
      retryable: false,
    };
  const criteria = judged && {
    list: judged.criteria,
    seen: seenBy(rendered.prompt ?? ''),
    isolate: config.criteria!.isolate,
  };
  const listed = criteria && !criteria.isolate ? `\n\n${criteriaNote(criteria.list)}` : '';
  const walk = compared ? undefined : data.trace?.walk;
  const placed = await placeMedia(
    compared
      ? compared.join('\n\n')
      : withMarksNamed(rendered.prompt + listed + (walk ? walkNote(walk) : ''), nonce),
    files,
    { attached, kind: resolved.provider.kind },
  ).catch((error: Error) => ({ error: error.message }));
  if ('error' in placed) return { state: 'failed', ...placed, retryable: true, unasked: true };
  if ('reason' in placed) return { state: 'unscored', reason: placed.reason };
  const { content, text: prompt, media } = placed;
  if (compared && media.length > 0)
    return { state: 'unscored', reason: 'media_unsupported: similarity() compares texts' };
  const asked: Asked = {
    config,
    resolved,
    prompt,
    media,
    inputHash,
    calls: [],
    system: compared
      ? ''
      : [systemMessage(scale, criteria && criteriaFormat), ...(walk ? [walkMessage(scale)] : [])].join(
          '\n\n',
        ),
    startedAt: models.clock(),
    trace: data.trace?.evidence,
    walk: walk && { numSpans: walk.numSpans, calls: [], numNotFound: 0 },
    // Votes are for one question: a changed metric or record begins again.
    earlier: earlier?.inputHash === inputHash ? earlier : undefined,
    found: compared ? [] : addressesJudge(judgedOutputs(texts.outputs, data.trace)),
  };
  return { asked, content, compared, nonce, criteria };
};

/** The votes that an earlier attempt has paid for. */
const countOf = (earlier: JudgeEvidence | undefined): Count => ({
  votes: [...(earlier?.votes ?? [])],
  unreadable: Array.from({ length: earlier?.unreadable ?? 0 }, () => ({ reason: 'invalid_judge_output' })),
});

/** Verdict from the votes of one model, with the evidence. */
const concluded = (models: Models, asked: Asked, poll: Poll, count: Count): JudgeOutcome => {
  const { stopped, votes, unreadable, second } = count;
  const { found, repeats } = poll;
  const { evidence, spent } = evidenceOf(asked, count, models);
  if (stopped) return { ...stopped, evidence, spent };
  const unscored = (reason: string, more = {}): JudgeOutcome => ({
    state: 'unscored',
    reason,
    spent,
    evidence: { ...evidence, ...more },
  });
  const first = decided(count, poll);
  if (!first) return unscored(votes.length * 2 > repeats ? 'no_majority' : unreadable[0]!.reason);
  const scored = (verdict: Verdict, more = {}): JudgeOutcome => {
    const said = { ...(repeats > 1 && { disagreement: first.disagreement }), ...more };
    const open = unscoredIn(verdict);
    if (open.length > 0) return unscored(criterionUnscored(open), { ...said, criteria: verdict.criteria });
    return { state: 'scored', verdict, spent, evidence: { ...evidence, ...said } };
  };
  if (found.length === 0) return scored(first.verdict);
  const addressed = { found, framing: secondFraming(found), second: second ?? null };
  const confirmed = second ? combined([first.verdict, second], poll) : undefined;
  return confirmed && unscoredIn(confirmed.verdict).length === 0
    ? scored(confirmed.verdict, { addressed })
    : unscored('judge_addressed', { addressed });
};

/** Puts the requests of a walk: each is paid for when it is answered, and the walk ends when its verdict is not needed. */
const payingFor =
  (
    { prices }: Models,
    { calls, resolved }: Asked,
    { isWanted, pay }: JudgeOptions,
    put: (messages: Content[]) => Promise<Accepted>,
  ) =>
  async (messages: Content[]): Promise<Accepted | Failed> => {
    if (isWanted && !(await isWanted())) return cancelled;
    const before = calls.length;
    try {
      return await put(messages);
    } finally {
      for (const call of calls.slice(before)) await pay?.(priceOf(prices(), resolved, call));
    }
  };

/** Opens the judge. */
export const openJudge = (deps: JudgeDeps): Judge => {
  const { models, timeoutMs: usualMs = 120_000 } = deps;

  const ask: Judge['ask'] = async (config, data, resolved, options) => {
    const ready = await prepare(deps, config, data, resolved, options);
    if ('state' in ready) return ready;
    const { asked, content, compared, nonce, criteria } = ready;
    const { temperature } = config;
    const scale = scaleFor(config);
    const { signal } = options;
    const record = (call: Call) => asked.calls.push(call);
    const walking = asked.walk && data.trace?.walk && { walk: data.trace.walk, noted: asked.walk };
    const question = {
      system: asked.system,
      temperature,
      schema: walking ? turnSchema(scale) : verdictSchema(scale),
      maxOutputTokens: resolved.provider.maxOutputTokens ?? maxOutputTokens,
    };
    const questions = criteria?.isolate ? criteria.list.length : 1;
    const timeoutMs = (resolved.provider.timeoutMs ?? usualMs) * (walking ? walkTimes : questions);
    const budget = { timeoutMs, signal, maxBytes };
    const cast = (ballot: Ballot) =>
      askWithin(models, resolved, budget, (model) => {
        if (compared) return compare(model, compared, record);
        const put = (messages: Content[]) =>
          askAccepting(models, resolved, model, { ...question, messages }, record);
        if (criteria) {
          const putOn = (list: readonly Criterion[]) => (messages: Content[]) =>
            askAccepting(
              models,
              resolved,
              model,
              { ...question, schema: criteriaSchema(list), messages },
              record,
            );
          return voteOnCriteria(criteria, (list, ...rest) => vote(putOn(list), ...rest), ballot.question);
        }
        if (!walking) return vote(put, ballot.question, plainForm(scale));
        const form = walkForm(walking.walk, scale, nonce, walking.noted);
        return vote(payingFor(models, asked, options, put), ballot.question, form);
      });
    // Embeddings are the same each time, and follow no instructions in a text.
    const repeats = compared ? 1 : config.judgeRepeats;
    const poll = { question: content, scale, repeats, found: asked.found, criteria: criteria?.list };
    const count = countOf(asked.earlier);
    await castBallots(poll, count, cast, signal);
    return concluded(models, asked, poll, count);
  };

  const judge: Judge['judge'] = async (config, data, providers, options) => {
    const resolved = resolveModel(config.evalModelName, providers);
    if ('error' in resolved) return { state: 'failed', error: resolved.error, retryable: false };
    return ask(config, data, resolved, options);
  };

  return {
    ask,
    judge,
    costOf: (model, usage) => priceOf(models.prices(), model, { ...usage, modelAnswered: null }),
  };
};
