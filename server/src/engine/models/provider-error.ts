import type { APICallError } from 'ai';
import { parseJson } from '../../platform/json/parse-json.ts';

/** What a provider said in place of a reply. */
export type ProviderError = {
  /** The status of the answer; for an error inside an answer of 200, the status that the error names. */
  status: number;
  /** The provider's own message. */
  message: string;
  body: string;
  headers: Record<string, string>;
};

/** An answer of status 200 that holds an error of the provider in place of a reply, or whose reply ended with one. */
export class ReplyFailed extends Error {
  readonly body: unknown;
  readonly headers: Record<string, string>;
  constructor(body: unknown, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.name = 'ReplyFailed';
    this.body = body;
    this.headers = headers;
  }
}

/** Compares the name, so that the libraries need not be loaded. */
const isApiCallError = (error: unknown): error is APICallError =>
  error instanceof Error && error.name === 'AI_APICallError';

type Fields = Record<string, unknown>;
const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

const parsed = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
};

/** What errors are called where they have no status, and the status that they stand for. */
const statusOfWords: [RegExp, number][] = [
  [/rate.?(?:limit|quota)|too.?many.?requests|throttl|resource.?exhausted|insufficient.?quota/i, 429],
  [/overloaded|unavailable/i, 503],
  [/authentication|unauthenticated|invalid.?api.?key/i, 401],
  [/permission|access.?denied/i, 403],
  [/not.?found/i, 404],
  [/invalid.?request|invalid.?argument|bad.?request|validation|content.?filter/i, 400],
];

/** An error that names no status counts as one of the provider's own: it is tried again. */
const unnamed = 502;

/** The words that name the kind of an error; `__type` is Amazon's. */
const namedStatus = (error: Fields): number | undefined => {
  const words = [error.type, error.code, error.status, error.__type].filter(
    (each) => typeof each === 'string',
  );
  return statusOfWords.find(([pattern]) => pattern.test(words.join(' ')))?.[1];
};

const statusOf = (error: Fields): number => {
  const named = [error.code, error.status, error.status_code, error.statusCode, error.http_code].map(Number);
  const status = named.find((code) => Number.isInteger(code) && code >= 400 && code <= 599);
  return status ?? namedStatus(error) ?? unnamed;
};

/** MiniMax's own numbers: slow down, wrong key, no balance, stopped by its filter, too many tokens a minute, wrong request. */
const statusOfMiniMax: Record<number, number> = {
  1002: 429,
  1004: 401,
  1008: 402,
  1026: 400,
  1027: 400,
  1039: 429,
  2013: 400,
};

/** OpenRouter's `metadata.raw` has the words of the provider behind it. */
const messageOf = (error: Fields): string | undefined => {
  const behind = textIn(fieldsOf(error.metadata)?.raw);
  const message =
    textIn(error.message) ?? textIn(error.msg) ?? textIn(error.error_msg) ?? textIn(error.detail);
  return message && behind ? `${message} (${behind})` : (message ?? behind);
};

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);

type Said = { status: number; message: string };

const saidBy = (error: unknown, around: Fields): Said | undefined => {
  const text = textIn(error);
  if (text) return { status: statusOf(around), message: text };
  const fields = fieldsOf(error);
  if (!fields) return undefined;
  return { status: statusOf(fields), message: messageOf(fields) ?? JSON.stringify(fields) };
};

/**
 * The error in the body of an answer: OpenAI's, Anthropic's and Google's `error`, also in a list; an error of OpenRouter's choice; MiniMax's
 * status; `errors` of Cloudflare; `detail` of FastAPI; and a message beside no reply, as of vLLM, Mistral, DashScope, Baidu and Amazon.
 */
const errorIn = (body: unknown): Said | undefined => {
  const whole = fieldsOf(firstOf(body));
  if (!whole) return undefined;
  const inside = [
    whole.error,
    fieldsOf(firstOf(whole.choices))?.error,
    firstOf(whole.errors),
    firstOf(whole.detail),
  ];
  for (const error of inside) {
    const said = saidBy(error, whole);
    if (said) return said;
  }
  const base = fieldsOf(whole.base_resp);
  const said = textIn(base?.status_msg);
  if (said && base!.status_code !== 0)
    return { status: statusOfMiniMax[Number(base!.status_code)] ?? unnamed, message: said };
  const message = messageOf(whole);
  return message === undefined ? undefined : { status: statusOf(whole), message };
};

/** Names under which replies and embeddings stand in answers. */
const replyFields = [
  'choices',
  'candidates',
  'promptFeedback',
  'content',
  'output',
  'data',
  'embedding',
  'embeddings',
];
const holdsReply = (body: unknown): boolean =>
  replyFields.some((name) => {
    const value = fieldsOf(body)?.[name];
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
  });

/** Longer answers are no errors. */
const longestError = 100_000;

/** A fetch that throws the error of an answer of 200 that holds one in place of a reply: the libraries lose it or take it for an empty reply. */
export const refusingErrors =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    if (!response.ok || /stream/.test(response.headers.get('content-type') ?? '')) return response;
    const text = await response.text();
    const body = text.length > longestError ? undefined : parsed(text);
    const said = body !== undefined && !holdsReply(body) && errorIn(body);
    if (said) throw new ReplyFailed(body, said.message, Object.fromEntries(response.headers));
    return new Response(text, { status: response.status, headers: response.headers });
  };

/** The headers of an answer, with those of the provider behind OpenRouter. */
const headersWith = (headers: Record<string, string>, body: unknown): Record<string, string> => {
  const behind = fieldsOf(fieldsOf(fieldsOf(fieldsOf(body)?.error)?.metadata)?.headers) ?? {};
  const named = Object.entries(behind).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return { ...Object.fromEntries(named), ...headers };
};

/** A body that is no JSON, if it is not a page. Only where it can't quote what was asked. */
const plainText = (status: number, body: string): string =>
  (status >= 500 || status === 429) && !/^\s*</.test(body) ? body.trim() : '';

/** Amazon throttles some models with 400. */
const temporary = [429, 503];

const errorOfStatus = (
  status: number,
  told: string,
  body: string,
  headers: Record<string, string>,
): ProviderError => {
  const given = parsed(body);
  const whole = fieldsOf(firstOf(given)) ?? {};
  const kind = { type: headers['x-amzn-errortype'], ...(fieldsOf(whole.error) ?? whole) };
  const named = status === 400 ? namedStatus(kind) : undefined;
  return {
    status: named !== undefined && temporary.includes(named) ? named : status,
    message: errorIn(given)?.message ?? (told.trim() || plainText(status, body)),
    body,
    headers: headersWith(headers, given),
  };
};

/** Reads what a provider said in place of a reply. Undefined for an error of another kind, and for an answer of 200 without an error in it. */
export const providerErrorOf = (error: unknown): ProviderError | undefined => {
  if (error instanceof ReplyFailed) {
    const found = errorIn(error.body) ?? { status: unnamed, message: error.message };
    return {
      ...found,
      body: JSON.stringify(error.body) ?? '',
      headers: headersWith(error.headers, error.body),
    };
  }
  if (!isApiCallError(error) || error.statusCode === undefined) return undefined;
  const { statusCode: status, message, responseBody: body = '', responseHeaders: headers = {} } = error;
  if (status >= 300) return errorOfStatus(status, message, body, headers);
  const found = errorIn(parsed(body));
  return found && { ...found, body, headers };
};

/** Errors of the libraries about an answer that is not a model's reply. */
const unreadableErrors = new Set([
  'AI_EmptyResponseBodyError',
  'AI_InvalidResponseDataError',
  'AI_JSONParseError',
  'AI_NoContentGeneratedError',
  'AI_TypeValidationError',
]);

/** Whether the call failed after the answer began: it is not known whether it costs anything. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof Error &&
  (unreadableErrors.has(error.name) ||
    (isApiCallError(error) && error.statusCode !== undefined && error.statusCode < 300));
