import { askFake } from './fake.ts';
import { type ChatModel, openLibrary } from './library.ts';
import { type ResolvedModel, withoutSecrets } from './provider.ts';
import { ReplyFailed } from './provider-error.ts';
import type { AskOnce, JsonSchema, Media, Question } from './question.ts';
import { collect, withheld } from './stream.ts';

/** Gemini accepts `enum` only for texts. readVerdict checks the bounds of numbers anyway. */
const withoutLists = (schema: JsonSchema): JsonSchema =>
  JSON.parse(
    JSON.stringify(schema, (key, value) =>
      key === 'enum' && Array.isArray(value) && value.some((each) => typeof each !== 'string')
        ? undefined
        : value,
    ),
  );

/** The name that the provider gave. Bedrock gives none, and its library repeats the name that was asked for. */
const answeredBy = (
  { kind }: ResolvedModel['provider'],
  response: { modelId?: string; body?: unknown } | undefined,
): string | undefined => {
  if (kind === 'bedrock') return undefined;
  if (kind === 'google') return (response?.body as { modelVersion?: string } | undefined)?.modelVersion;
  return response?.modelId;
};

/** More tokens than any model reads. A larger number is not a count, and no column could hold the sum. */
const mostTokens = 10_000_000;
const tokens = (count: number | undefined): number | null =>
  Number.isInteger(count) && count! >= 0 && count! <= mostTokens ? count! : null;

/** The cost of a call as OpenRouter and others bill it, in USD. */
const billedIn = (usage: unknown): number | null => {
  const { cost } = (usage ?? {}) as { cost?: unknown };
  return typeof cost === 'number' && cost >= 0 && Number.isFinite(cost) ? cost : null;
};

/** Returns the temperature in the request that a library made: the library may leave it out, or lower it to the provider's maximum. */
const temperatureIn = (body: unknown): number | null => {
  type Settings = { temperature?: number } | undefined;
  // The library for OpenAI-compatible servers returns the body as text.
  const sent = (typeof body === 'string' ? JSON.parse(body) : body) as Settings & {
    generationConfig?: Settings;
    inferenceConfig?: Settings;
  };
  return (
    sent?.temperature ?? sent?.generationConfig?.temperature ?? sent?.inferenceConfig?.temperature ?? null
  );
};

const partOf = (part: string | Media) =>
  typeof part === 'string'
    ? { type: 'text' as const, text: part }
    : {
        type: 'file' as const,
        mediaType: part.mediaType,
        data: { type: 'data' as const, data: part.base64 },
      };

const promptOf = ({ system, messages }: Question) => [
  ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
  ...messages.map((message, i) => {
    const content = (typeof message === 'string' ? [message] : message).map(partOf);
    return i % 2 === 0 ? { role: 'user' as const, content } : { role: 'assistant' as const, content };
  }),
];

/** Arguments of a call of the library. */
const callOptionsOf = (question: Question, { provider }: ResolvedModel) => {
  const { temperature, maxOutputTokens, schema, schemaName = 'verdict', tools = [], signal } = question;
  return {
    prompt: promptOf(question),
    abortSignal: signal,
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function' as const, ...tool })) }),
    ...(schema && {
      responseFormat: {
        type: 'json' as const,
        name: schemaName,
        schema: provider.kind === 'google' ? withoutLists(schema) : schema,
      },
    }),
  };
};

type FinishReason = Generated['finishReason'];

/** Returns how the provider ended the reply by itself: OpenRouter when the model behind it fails, vLLM when it stops, Google with no reply at all. */
const brokenOff = (
  { provider }: ResolvedModel,
  { raw, unified }: FinishReason,
  body: unknown,
): string | undefined => {
  if (raw === 'error' || raw === 'abort' || unified === 'error')
    return `the reply ended with ${raw === 'abort' ? 'an abort' : 'an error'}`;
  if (provider.kind !== 'google' || body === undefined) return undefined;
  const { candidates, promptFeedback } = body as { candidates?: unknown[]; promptFeedback?: object };
  return !candidates?.length && !promptFeedback ? 'it gave no reply' : undefined;
};

/** Bedrock's library does not know this reason. */
const isTooLong = ({ raw }: FinishReason): boolean => raw === 'model_context_window_exceeded';

type Generated = Pick<
  Awaited<ReturnType<ChatModel['doGenerate']>>,
  'content' | 'usage' | 'request' | 'response' | 'finishReason'
>;

/**
 * Opens a model. Calls the provider's own interface instead of `generateText`, which retries, parses and follows links in prompts:
 * here each call makes one request.
 */
export const openModel = (resolved: ResolvedModel, fetch: typeof globalThis.fetch): AskOnce => {
  const { provider } = resolved;
  if (provider.kind === 'fake') return askFake(resolved.model);
  const clean = (text: string) => withoutSecrets(text, provider);
  let opened: Promise<ChatModel> | undefined;
  return async (question) => {
    opened ??= openLibrary(provider, fetch).then((library) => library.chat(resolved.model));
    const model = await opened;
    const options = callOptionsOf(question, resolved);
    const { onText } = question;
    const { content, usage, request, response, finishReason }: Generated = onText
      ? await collect(await model.doStream(options), withheld(provider, onText))
      : await model.doGenerate(options);
    const { body } = (response ?? {}) as { body?: unknown };
    const broken = brokenOff(resolved, finishReason, body);
    if (broken) throw new ReplyFailed(body, broken);
    const answered = answeredBy(provider, response);
    const textOf = (type: 'text' | 'reasoning') =>
      clean(content.map((part) => (part.type === type ? part.text : '')).join(''));
    return {
      text: textOf('text'),
      reasoning: textOf('reasoning'),
      toolCalls: content.flatMap((part) =>
        part.type === 'tool-call' ? [{ name: clean(part.toolName), arguments: clean(part.input) }] : [],
      ),
      modelAnswered: answered ? clean(answered) : null,
      inputTokens: tokens(usage.inputTokens.total),
      outputTokens: tokens(usage.outputTokens.total),
      cachedTokens: tokens(usage.inputTokens.cacheRead),
      cacheWriteTokens: tokens(usage.inputTokens.cacheWrite),
      billedUsd: billedIn(usage.raw),
      finishReason: isTooLong(finishReason) ? 'length' : finishReason.unified,
      temperatureSent: temperatureIn(request?.body),
    };
  };
};
