import { type Attached, placeMedia, type ShownMedia, takeMedia } from '../../engine/media/media.ts';
import type { AllowedAddresses } from '../../engine/models/allowed-addresses.ts';
import { openEmbedder } from '../../engine/models/embed.ts';
import { failureOf } from '../../engine/models/failure.ts';
import { openGuardedFetch } from '../../engine/models/guarded-fetch.ts';
import { openModel } from '../../engine/models/model.ts';
import { type Prices, priceOf } from '../../engine/models/prices.ts';
import {
  type ProviderConfig,
  type ProviderKind,
  type ResolvedModel,
  resolveModel,
} from '../../engine/models/provider.ts';
import type { ProviderHealth, Turn } from '../../engine/models/provider-health.ts';
import type { Content, Question as ModelQuestion, Reply } from '../../engine/models/question.ts';
import { marks, type TemplateData } from '../../engine/templates/render-template.ts';
import type { Renderer } from '../../engine/templates/template.ts';
import { asJson } from '../../platform/db/text.ts';
import type { RawJson } from '../../platform/json/json.ts';
import { nonceFor } from '../judges/judge-prompt.ts';
import { callEndpoint } from './call-endpoint.ts';
import { askedOf, outputsOf } from './prompt-outputs.ts';
import type { Answer, Failed, Message, Question, Usage } from './question.ts';
import { type EndpointSystem, messagesOf, type PromptSystem, type System } from './system-config.ts';

/** The outcome of a call, and how long the system took. */
export type Called<T> = { outcome: T | Failed; latencyMs: number };

/** A message of a simulated user, with its prompt and its cost. */
export type Said = { state: 'answered'; text: string; prompt: string; modelAnswered: string | null } & Usage;

export type Systems = {
  /** Sends a testcase to a system, if it is still wanted when its turn comes. Never throws for what a system does. */
  answer(
    organizationId: bigint,
    system: System,
    question: Question,
    signal: AbortSignal,
    isWanted: () => Promise<boolean>,
    /** Gets a prompt's text while the model writes it. */
    onText?: (delta: string) => void,
  ): Promise<Called<Answer>>;
  /** Returns the next message of the simulated user that the prompt describes. `rules` follow the prompt. */
  simulate(
    organizationId: bigint,
    system: PromptSystem,
    data: { inputs: RawJson; expected: RawJson; rules?: string },
    messages: readonly Message[],
    signal: AbortSignal,
    isWanted?: () => Promise<boolean>,
  ): Promise<Said | Failed>;
  /** Returns the embeddings of texts, or why there are none. */
  embed(
    organizationId: bigint,
    modelName: string,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<{ vectors: number[][] } | { error: string }>;
  close(): void;
};

export type SystemsDeps = {
  renderer: Pick<Renderer, 'render'>;
  health: ProviderHealth;
  providersOf: (organizationId: bigint) => Promise<ProviderConfig[]>;
  prices: Prices;
  allowedAddresses: AllowedAddresses;
};

/** Larger than any answer that would fit a request to create a record by hand. */
const maxAnswerBytes = 10_000_000;
/** Calls to one endpoint at a time. */
const endpointConcurrency = 8;

/** Texts in one request for embeddings; providers take at least this many. */
const embeddedAtOnce = 100;

/** How a call is cancelled: at once, or before it begins; and who reads it as it comes. */
type Wish = {
  signal: AbortSignal;
  isWanted: () => Promise<boolean>;
  onText?: ((delta: string) => void) | undefined;
};

type PromptData = TemplateData & { attached?: Attached | undefined };
type Failing = { ok: false; reason: string };

/** Renders a prompt without the marks that a judge gets around untrusted text, with the files of the inputs in their places. */
const renderPlain = async (
  renderer: SystemsDeps['renderer'],
  template: string,
  { attached, ...data }: PromptData,
  kind: ProviderKind,
): Promise<Failing | { ok: true; content: Content; text: string; media: ShownMedia[] }> => {
  const nonce = nonceFor('system', data);
  const { texts, found } = takeMedia({ inputs: data.inputs }, nonce, attached);
  const rendered = await renderer.render(template, { ...data, ...texts }, nonce);
  if (!rendered.ok) return rendered;
  if (rendered.compared) return { ok: false, reason: 'template_error: similarity() is for metrics' };
  const { open, close } = marks(nonce);
  const plain = rendered.prompt.replaceAll(open, '').replaceAll(close, '');
  const placed = await placeMedia(plain, found, { attached, kind });
  return 'reason' in placed ? { ok: false, ...placed } : { ok: true, ...placed };
};

type Rendered = { role: string; text: string; content: Content; media: ShownMedia[] }[];

const renderMessages = async (
  renderer: SystemsDeps['renderer'],
  messages: { role: string; content: string }[],
  data: PromptData,
  kind: ProviderKind,
): Promise<Failing | { ok: true; rendered: Rendered }> => {
  const rendered: Rendered = [];
  for (const { role, content } of messages) {
    const one = await renderPlain(renderer, content, data, kind);
    if (!one.ok) return one;
    if (one.media.length > 0 && role !== 'user')
      return {
        ok: false,
        reason: `a message of role ${role} can't show files: name them in one of role user`,
      };
    rendered.push({ role, ...one });
  }
  return { ok: true, rendered };
};

/**
 * The messages of a prompt that come before a conversation: all but the last, whose place the conversation takes. A prompt of one
 * message is the system message.
 */
const beforeConversation = (system: PromptSystem) => {
  const messages = messagesOf(system);
  return messages.length === 1 ? [{ role: 'system', content: messages[0]!.content }] : messages.slice(0, -1);
};

const plainText = (rendered: Rendered): string => rendered.map(({ text }) => text).join('\n\n');
/** The prompt as it is shown in evidence: with roles, unless it is the user's message alone. */
const shownText = (rendered: Rendered): string =>
  rendered.length === 1
    ? plainText(rendered)
    : rendered.map(({ role, text }) => `${role}:\n${text}`).join('\n\n');

/**
 * The conversation as the simulated user sees it: its own messages are the model's replies, the system's messages are the prompts. Turns
 * alternate, and begin and end with a prompt, as models require.
 */
export const turnsOf = (messages: readonly Message[]): string[] => {
  const turns: string[] = [];
  for (const { role, content } of messages) {
    // A user does not see tool and system messages.
    if (role !== 'user' && role !== 'assistant') continue;
    const isOwn = role === 'user';
    if (turns.length === 0 && isOwn) turns.push('(The conversation begins.)');
    if ((turns.length % 2 === 0) === isOwn) turns.push(`${turns.pop()}\n\n${content}`);
    else turns.push(content);
  }
  if (turns.length === 0) turns.push('(The conversation begins: write your first message.)');
  else if (turns.length % 2 === 0) turns.push('(There is no answer yet: go on.)');
  return turns;
};

/** Calls a system for at most its time. Throws nothing for a call that was cancelled. */
const withinTime = async <T>(
  timeoutMs: number,
  signal: AbortSignal,
  call: (deadline: AbortSignal) => Promise<T | Failed>,
): Promise<T | Failed> => {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return await call(AbortSignal.any([signal, timeout]));
  } catch (error) {
    if (signal.aborted) return cancelled;
    if (!timeout.aborted) throw error;
    return { state: 'failed', error: `the system took longer than ${timeoutMs / 1000} s`, retryable: true };
  }
};

const cancelled: Failed = { state: 'failed', error: 'cancelled', retryable: true, unasked: true };
const failed = (error: string): Failed => ({ state: 'failed', error, retryable: false });

/** Opens the caller of systems, with connections of its own. */
export const openSystems = (deps: SystemsDeps): Systems => {
  const { renderer, health, providersOf, prices, allowedAddresses } = deps;
  const guarded = openGuardedFetch({ allowedAddresses, maxBytes: maxAnswerBytes });

  /** Calls a system when its turn has come, and measures it from then on. */
  const inTurn = async <T extends { state: string }>(
    organizationId: bigint,
    provider: Pick<ProviderConfig, 'name' | 'maxConcurrency' | 'requestsPerMinute'>,
    { timeoutMs }: Pick<System, 'timeoutMs'>,
    { signal, isWanted }: Wish,
    call: (deadline: AbortSignal, turn: Turn) => Promise<T | Failed>,
  ): Promise<Called<T>> => {
    const turn = await health.enter(organizationId, provider, signal);
    if ('unasked' in turn) return { outcome: turn, latencyMs: 0 };
    try {
      if (!(await isWanted())) return { outcome: cancelled, latencyMs: 0 };
      const startedAt = performance.now();
      const outcome = await withinTime(timeoutMs, signal, (deadline) => call(deadline, turn));
      turn.learn(outcome);
      return { outcome, latencyMs: Math.round(performance.now() - startedAt) };
    } finally {
      turn.end();
    }
  };

  type Sent = { prompt: string; media: ShownMedia[] };
  type Asked = { state: 'answered'; reply: Reply; usage: Usage } & Sent;

  const usageOf = (reply: Reply, resolved: ResolvedModel): Usage => ({
    ...{ inputTokens: reply.inputTokens, outputTokens: reply.outputTokens },
    costUsd: priceOf(prices, resolved, reply),
  });

  const askOnce = async (
    resolved: ResolvedModel,
    question: ModelQuestion,
    sent: Sent,
  ): Promise<Asked | Failed> => {
    try {
      const reply = await openModel(resolved, guarded.fetch)(question);
      const usage = usageOf(reply, resolved);
      if (reply.finishReason !== 'content-filter') return { state: 'answered', reply, usage, ...sent };
      return { ...failed("the provider's content filter stopped the model"), spent: usage };
    } catch (error) {
      question.signal.throwIfAborted();
      return { state: 'failed', ...failureOf(error, resolved, Date.now()) };
    }
  };

  /** Asks the system's model. `toQuestion` makes the question of the rendered prompt. */
  const askModel = async (
    organizationId: bigint,
    system: PromptSystem,
    messages: { role: string; content: string }[],
    data: PromptData,
    toQuestion: (rendered: Rendered) => Pick<ModelQuestion, 'system' | 'messages' | 'tools' | 'schema'>,
    wish: Wish,
  ): Promise<Called<Asked>> => {
    const { modelName, temperature, maxOutputTokens } = system;
    const claimed = resolveModel(modelName, await providersOf(organizationId));
    // A prompt that can't be rendered says so first.
    const kind = 'error' in claimed ? 'fake' : claimed.provider.kind;
    const prompt = await renderMessages(renderer, messages, data, kind);
    if (!prompt.ok) return { outcome: failed(prompt.reason), latencyMs: 0 };
    if ('error' in claimed) return { outcome: failed(claimed.error), latencyMs: 0 };
    // Judges enter by the same name: a provider's limits hold for all that one organization asks of it.
    return inTurn<Asked>(organizationId, claimed.provider, system, wish, async (deadline, turn) => {
      // By now the provider may be revoked, or have another key.
      const model = resolveModel(modelName, await providersOf(organizationId));
      if ('error' in model) return failed(model.error);
      const question = {
        ...toQuestion(prompt.rendered),
        schemaName: 'answer',
        signal: deadline,
        ...(wish.onText && { onText: wish.onText }),
        ...(temperature !== undefined && { temperature }),
        ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      };
      const sent = {
        prompt: shownText(prompt.rendered),
        media: prompt.rendered.flatMap(({ media }) => media),
      };
      return turn.refusal(model) ?? askOnce(model, question, sent);
    });
  };

  const embedBatch = async (
    organizationId: bigint,
    modelName: string,
    texts: string[],
    signal: AbortSignal,
  ) => {
    const resolved = resolveModel(modelName, await providersOf(organizationId));
    if ('error' in resolved) return failed(resolved.error);
    const wish = { signal, isWanted: async () => true };
    const { outcome } = await inTurn<{ state: 'answered'; vectors: number[][] }>(
      organizationId,
      resolved.provider,
      { timeoutMs: 60_000 },
      wish,
      async (deadline, turn) => {
        const refused = turn.refusal(resolved);
        if (refused) return refused;
        try {
          const { vectors } = await openEmbedder(resolved, guarded.fetch)(texts, deadline);
          if (vectors.length === texts.length) return { state: 'answered', vectors };
          return failed(`the model made ${vectors.length} embeddings of ${texts.length} texts`);
        } catch (error) {
          deadline.throwIfAborted();
          return { state: 'failed', ...failureOf(error, resolved, Date.now()) };
        }
      },
    );
    return outcome;
  };

  const answerByPrompt = async (
    organizationId: bigint,
    system: PromptSystem,
    { inputs, attached, conversation }: Question,
    wish: Wish,
  ): Promise<Called<Answer>> => {
    const data = { inputs, outputs: '{}', expected: '{}', guidelines: '', attached };
    const toQuestion = (rendered: Rendered) => {
      const [first] = rendered;
      const isSystem = first?.role === 'system';
      const asked = rendered.slice(isSystem ? 1 : 0).map(({ content }) => content);
      return {
        system: isSystem ? first.text : '',
        messages: [...asked, ...(conversation?.messages.map(({ content }) => content) ?? [])],
        ...askedOf(system),
      };
    };
    const messages = conversation ? beforeConversation(system) : messagesOf(system);
    const { outcome, latencyMs } = await askModel(organizationId, system, messages, data, toQuestion, wish);
    if (outcome.state === 'failed') return { outcome, latencyMs };
    const { reply, usage, prompt, media } = outcome;
    const outputs = outputsOf(reply, system);
    if (outputs === undefined) {
      const noObject = failed('the model did not answer with the JSON object of outputSchema');
      return { outcome: { ...noObject, spent: usage }, latencyMs };
    }
    const { modelAnswered, finishReason } = reply;
    const evidence = {
      modelAsked: system.modelName,
      modelAnswered,
      finishReason,
      prompt,
      ...(media.length > 0 && { media }),
    };
    const answered: Answer = {
      state: 'answered',
      outputs,
      evidence: asJson(evidence),
      ...usage,
    };
    return { outcome: answered, latencyMs };
  };

  const answerByEndpoint = (
    organizationId: bigint,
    system: EndpointSystem,
    question: Question,
    wish: Wish,
  ): Promise<Called<Answer>> => {
    const place = { name: new URL(system.endpoint).origin, maxConcurrency: endpointConcurrency };
    return inTurn(organizationId, place, system, wish, (deadline) =>
      callEndpoint(guarded.fetch, system, question, deadline),
    );
  };

  return {
    answer: (organizationId, system, question, signal, isWanted, onText) => {
      const wish = { signal, isWanted, onText };
      return system.kind === 'prompt'
        ? answerByPrompt(organizationId, system, question, wish)
        : answerByEndpoint(organizationId, system, question, wish);
    },
    simulate: async (
      organizationId,
      system,
      { inputs, expected, rules },
      messages,
      signal,
      isWanted = async () => true,
    ) => {
      const data = { inputs, outputs: '{}', expected, guidelines: '' };
      const toQuestion = (rendered: Rendered) => ({
        system: [plainText(rendered), rules].filter(Boolean).join('\n\n'),
        messages: turnsOf(messages),
      });
      const wish = { signal, isWanted };
      const { outcome } = await askModel(organizationId, system, messagesOf(system), data, toQuestion, wish);
      if (outcome.state === 'failed') return outcome;
      const { reply, usage, prompt } = outcome;
      const { text, modelAnswered } = reply;
      return { state: 'answered', text, prompt, modelAnswered, ...usage };
    },
    embed: async (organizationId, modelName, texts, signal) => {
      const vectors: number[][] = [];
      for (let at = 0; at < texts.length; at += embeddedAtOnce) {
        const batch = texts.slice(at, at + embeddedAtOnce);
        const outcome = await embedBatch(organizationId, modelName, batch, signal);
        if (outcome.state === 'failed') return { error: outcome.because ?? outcome.error };
        vectors.push(...outcome.vectors);
      }
      return { vectors };
    },
    close: guarded.close,
  };
};
