import { parseJson } from '../../platform/json/parse-json.ts';
import type { NotAsked } from './circuit-breaker.ts';
import { type Embeddings, openEmbedder } from './embed.ts';
import { type Failure, failureOf } from './failure.ts';
import { type GuardedFetch, type Network, openGuardedFetch } from './guarded-fetch.ts';
import { showUris } from './media.ts';
import { openModel } from './model.ts';
import { type Prices, priceOf } from './prices.ts';
import { type ProviderConfig, type ResolvedModel, resolveModel } from './provider.ts';
import { refusingErrors } from './provider-error.ts';
import type { ProviderHealth, Turn } from './provider-health.ts';
import type { JsonSchema, Question, Reply } from './question.ts';

/**
 * The one way to put a question to a model: it waits for its turn at the provider, has a time limit, and reports its cost. No other file
 * opens a model or takes a turn.
 */

/** Dependencies of a question. The whole process shares them, because a provider's limits hold for all questions of an organization. */
export type Models = GuardedFetch & {
  health: ProviderHealth;
  /** The providers that an organization has now: a deleted one is not asked again. */
  providersOf: (organizationId: bigint) => Promise<ProviderConfig[]>;
  /** The prices by which calls are priced now. */
  prices: () => Prices;
  /** Milliseconds since 1970. */
  clock: () => number;
};

/** A model by the name that an organization uses, such as `openai/gpt-4o`. */
export type NamedModel = { organizationId: bigint; modelName: string };

/** Limits of an answer. */
export type Budget = {
  /** Counted from the start of the turn. */
  timeoutMs: number;
  /** Ends the call, also while it waits for its turn. */
  signal?: AbortSignal | undefined;
  /** Longest reply, in bytes. Default 10 MB. */
  maxBytes?: number;
  /** Asked when the turn comes: whether the answer, which may cost money, is still needed. */
  isWanted?: (() => Promise<boolean>) | undefined;
  /** Receives the text while the model writes it. The reply has the whole text again. */
  onText?: ((delta: string) => void) | undefined;
};

/** Tokens and cost of a call; null if the provider does not report them, or the price is not known. */
export type Usage = { inputTokens: number | null; outputTokens: number | null; costUsd: number | null };
/** Why there is no answer, and the cost of an unusable reply. */
export type Failed = { state: 'failed'; spent?: Usage } & Failure;
export type Answered = { state: 'answered'; reply: Reply; usage: Usage };
/** The outcome of a call, and its duration from the start of its turn. */
export type Called<T> = { outcome: T | Failed; latencyMs: number };

/** Larger than any answer that would fit a request to create a record by hand. */
export const longestReplyBytes = 10_000_000;
/** In characters. */
const longestPrompt = 4_000_000;
/** Texts in one request for embeddings; providers take at least this many. */
const embeddedAtOnce = 100;
const embeddingTimeoutMs = 60_000;

/** Opens the connections to providers; `close` ends them. */
export const openModels = ({
  allowedAddresses,
  proxy,
  ...deps
}: Omit<Models, keyof GuardedFetch> & Network): Models => ({
  ...deps,
  ...openGuardedFetch({ allowedAddresses, ...(proxy && { proxy }), maxBytes: longestReplyBytes }),
});

/** The outcome of a question that is not needed any more. */
export const cancelled: Failed = { state: 'failed', error: 'cancelled', retryable: true, unasked: true };
/** The outcome of work that the caller may have given up. */
export const orCancelled = <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T | Failed> =>
  work.catch((error) => {
    if (signal?.aborted) return cancelled;
    throw error;
  });

const failed = (error: string): Failed => ({ state: 'failed', error, retryable: false });

type Place = Pick<ProviderConfig, 'name' | 'maxConcurrency' | 'requestsPerMinute'>;

/** How a place is taken. */
type Stay = {
  signal?: AbortSignal | undefined;
  /** Requests that the caller is going to make. */
  requests?: number;
  /** Called when this turn ends and makes room, if the queue was so long that the caller began no further calls. */
  onRoom?: () => void;
};

/** Holds a place at an organization's provider while `use` asks, or returns why no request may be made now. */
export const holdTurn = async <T>(
  { health }: Pick<Models, 'health'>,
  organizationId: bigint,
  provider: Place,
  { signal, requests = 1, onRoom }: Stay,
  use: (turn: Turn) => Promise<T>,
): Promise<T | NotAsked> => {
  const turn = await health.enter(organizationId, provider, signal, requests);
  if ('unasked' in turn) return turn;
  try {
    return await use(turn);
  } finally {
    const wasFull = health.isFull(organizationId, provider);
    turn.end();
    if (wasFull && !health.isFull(organizationId, provider)) onRoom?.();
  }
};

/** Makes a call of at most its time. A call that the caller gave up ends as cancelled. `who` is the name in the error of a timeout. */
const withinTime = async <T>(
  who: string,
  { timeoutMs, signal }: Budget,
  call: (deadline: AbortSignal) => Promise<T | Failed>,
): Promise<T | Failed> => {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return await call(signal ? AbortSignal.any([signal, timeout]) : timeout);
  } catch (error) {
    if (signal?.aborted) return cancelled;
    if (!timeout.aborted) throw error;
    return { state: 'failed', error: `${who} took longer than ${timeoutMs / 1000} s`, retryable: true };
  }
};

/** Makes one call in its turn and within its time, measures it, and reports the outcome to the provider's health. */
export const callInTurn = async <T extends { state: string }>(
  models: Pick<Models, 'health'>,
  organizationId: bigint,
  place: Place & { who: string },
  budget: Budget,
  call: (deadline: AbortSignal, turn: Turn) => Promise<T | Failed>,
): Promise<Called<T>> => {
  let latencyMs = 0;
  const outcome = await holdTurn(models, organizationId, place, budget, async (turn) => {
    if (budget.isWanted && !(await budget.isWanted())) return cancelled;
    const startedAt = performance.now();
    const made = await withinTime(place.who, budget, (deadline) => call(deadline, turn));
    turn.learn(made);
    latencyMs = Math.round(performance.now() - startedAt);
    return made;
  });
  return { outcome, latencyMs };
};

const whoIs = ({ name }: ProviderConfig): string => `provider '${name}'`;

/** A model that is opened for one answer. Both throw the errors of the provider's library. */
export type OpenModel = {
  ask: (question: Omit<Question, 'signal'>) => Promise<Reply>;
  embed: (texts: string[]) => Promise<Embeddings>;
};

/**
 * Opens a model for `put`, which asks as often as one answer needs. Returns the reason if the provider gives no answer; throws after the
 * deadline.
 */
const putTo = async <T>(
  { clock, fetchAtMost }: Models,
  model: ResolvedModel,
  deadline: AbortSignal,
  maxBytes: number,
  put: (model: OpenModel) => Promise<T>,
): Promise<T | Failed> => {
  const fetch = refusingErrors(fetchAtMost(maxBytes));
  const [ask, embed] = [openModel(model, fetch), openEmbedder(model, fetch)];
  try {
    return await put({
      ask: (question) => ask({ ...question, signal: deadline }),
      embed: (texts) => embed(texts, deadline),
    });
  } catch (error) {
    deadline.throwIfAborted();
    return { state: 'failed', ...failureOf(error, model, clock()) };
  }
};

/**
 * Opens a model for `put` within the time of one answer. The caller holds a turn, or a member waits and no turn is needed. Never throws for
 * a failure of the provider.
 */
export const askWithin = <T>(
  models: Models,
  model: ResolvedModel,
  budget: Budget,
  put: (model: OpenModel) => Promise<T>,
): Promise<T | Failed> =>
  withinTime(whoIs(model.provider), budget, (deadline) =>
    putTo(models, model, deadline, budget.maxBytes ?? longestReplyBytes, put),
  );

/** Makes one request, and adds its cost. */
const request = async (
  { prices }: Models,
  resolved: ResolvedModel,
  model: OpenModel,
  question: Omit<Question, 'signal'>,
): Promise<Answered | Failed> => {
  const reply = await model.ask(question);
  const { inputTokens, outputTokens } = reply;
  const usage = { inputTokens, outputTokens, costUsd: priceOf(prices(), resolved, reply) };
  if (reply.finishReason !== 'content-filter') return { state: 'answered', reply, usage };
  return { ...failed("the provider's content filter stopped the model"), spent: usage };
};

/** Calls a model in its turn. Looks up the provider again then, because it may be revoked or have another key. */
const callModel = <T extends { state: string }>(
  models: Models,
  { organizationId, modelName }: NamedModel,
  place: Place & { who: string },
  budget: Budget,
  call: (model: OpenModel, resolved: ResolvedModel) => Promise<T | Failed>,
): Promise<Called<T>> =>
  callInTurn<T>(models, organizationId, place, budget, async (deadline, turn) => {
    const model = resolveModel(modelName, await models.providersOf(organizationId));
    if ('error' in model) return failed(model.error);
    const refused = turn.refusal(model);
    if (refused) return refused;
    const maxBytes = budget.maxBytes ?? longestReplyBytes;
    return putTo<T | Failed>(models, model, deadline, maxBytes, (opened) => call(opened, model));
  });

/**
 * Asks a model one question in its turn. `provider` is where the model was found when the question was made; `who` is the name in the error
 * of a timeout.
 */
export const askInTurn = (
  models: Models,
  model: NamedModel & { provider: ProviderConfig; who?: string },
  question: Omit<Question, 'signal'>,
  budget: Budget,
): Promise<Called<Answered>> => {
  const { provider, who = whoIs(provider) } = model;
  return callModel(models, model, { ...provider, who }, budget, (opened, resolved) =>
    request(models, resolved, opened, question),
  );
};

/**
 * Asks a model for a text. Files that stand in the prompt as data URIs are shown to it. The time of its provider comes before that of the
 * budget.
 */
export const ask = async (
  models: Models,
  model: NamedModel,
  prompt: string,
  budget: Budget,
  schema?: JsonSchema,
): Promise<Answered | Failed> => {
  const found = resolveModel(model.modelName, await models.providersOf(model.organizationId));
  if ('error' in found) return failed(found.error);
  const { provider } = found;
  const shown = await showUris(prompt, provider.kind);
  if ('reason' in shown) return failed(shown.reason);
  if (shown.text.length > longestPrompt)
    return failed(`the prompt is longer than ${longestPrompt} characters`);
  const question = {
    system: '',
    messages: [shown.content],
    schemaName: 'answer',
    ...(schema && { schema }),
    ...(budget.onText && { onText: budget.onText }),
  };
  const { timeoutMs = budget.timeoutMs } = provider;
  const { outcome } = await askInTurn(models, { ...model, provider }, question, { ...budget, timeoutMs });
  return outcome;
};

const objectIn = (text: string): Record<string, unknown> | undefined => {
  try {
    const value = parseJson(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
};

/** Asks a model for a JSON object of the schema. The caller checks its fields: not every provider enforces the schema. */
export const askForObject = async (
  models: Models,
  model: NamedModel,
  prompt: string,
  schema: JsonSchema,
  budget: Budget,
): Promise<({ state: 'answered'; object: Record<string, unknown> } & Usage) | Failed> => {
  const answer = await ask(models, model, prompt, budget, schema);
  if (answer.state === 'failed') return answer;
  const object = objectIn(answer.reply.text);
  if (object) return { state: 'answered', object, ...answer.usage };
  return { ...failed('the model did not answer with the JSON object of the schema'), spent: answer.usage };
};

type Embedded = { state: 'embedded'; vectors: number[][] };

/** Returns the embeddings of texts, or why there are none. */
export const embed = async (
  models: Models,
  model: NamedModel,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Embedded | Failed> => {
  const vectors: number[][] = [];
  for (let at = 0; at < texts.length; at += embeddedAtOnce) {
    const batch = texts.slice(at, at + embeddedAtOnce);
    const found = resolveModel(model.modelName, await models.providersOf(model.organizationId));
    if ('error' in found) return failed(found.error);
    const place = { ...found.provider, who: whoIs(found.provider) };
    const budget = { timeoutMs: found.provider.timeoutMs ?? embeddingTimeoutMs, signal };
    const { outcome } = await callModel<Embedded>(models, model, place, budget, async (opened) => {
      const made = await opened.embed(batch);
      if (made.vectors.length === batch.length) return { state: 'embedded', vectors: made.vectors };
      return failed(`the model made ${made.vectors.length} embeddings of ${batch.length} texts`);
    });
    if (outcome.state === 'failed') return outcome;
    vectors.push(...outcome.vectors);
  }
  return { state: 'embedded', vectors };
};
