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

/** An answer of status 200 whose reply ended with an error of the provider. */
export class ReplyFailed extends Error {
  readonly body: unknown;
  constructor(body: unknown) {
    super('the reply ended with an error');
    this.name = 'ReplyFailed';
    this.body = body;
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
  [/rate.?limit|too.?many.?requests|resource.?exhausted|insufficient.?quota/i, 429],
  [/overloaded|unavailable/i, 503],
  [/authentication|unauthenticated|invalid.?api.?key/i, 401],
  [/permission/i, 403],
  [/not.?found/i, 404],
  [/invalid.?request|invalid.?argument|bad.?request|content.?filter/i, 400],
];

/** An error that names no status counts as one of the provider's own: it is tried again. */
const unnamed = 502;

const statusOf = (error: Fields): number => {
  const named = [error.code, error.status, error.status_code, error.http_code].map(Number);
  const status = named.find((code) => Number.isInteger(code) && code >= 400 && code <= 599);
  const words = [error.type, error.code, error.status].filter((each) => typeof each === 'string').join(' ');
  return status ?? statusOfWords.find(([pattern]) => pattern.test(words))?.[1] ?? unnamed;
};

/** The error in the body of an answer: OpenAI's and Anthropic's `error`, vLLM's whole body, an error of OpenRouter's choice, MiniMax's status. */
const errorIn = (body: unknown): { status: number; message: string } | undefined => {
  const whole = fieldsOf(body);
  const first = fieldsOf(Array.isArray(whole?.choices) ? whole.choices[0] : undefined);
  for (const error of [whole?.error, first?.error]) {
    const text = textIn(error);
    if (text) return { status: statusOf(whole!), message: text };
    const fields = fieldsOf(error);
    if (fields)
      return { status: statusOf(fields), message: textIn(fields.message) ?? JSON.stringify(fields) };
  }
  const base = fieldsOf(whole?.base_resp);
  const said = textIn(base?.status_msg);
  if (said && base!.status_code !== 0)
    return { status: /sensitive/i.test(said) ? 400 : unnamed, message: said };
  const message = textIn(whole?.message);
  if (message && (whole!.object === 'error' || whole!.type === 'error'))
    return { status: statusOf(whole!), message };
  return undefined;
};

/** Reads what a provider said in place of a reply. Undefined for an error of another kind, and for an answer of 200 without an error in it. */
export const providerErrorOf = (error: unknown): ProviderError | undefined => {
  if (error instanceof ReplyFailed) {
    const found = errorIn(error.body) ?? { status: unnamed, message: error.message };
    return { ...found, body: JSON.stringify(error.body) ?? '', headers: {} };
  }
  if (!isApiCallError(error) || error.statusCode === undefined) return undefined;
  const { statusCode: status, message, responseBody: body = '', responseHeaders: headers = {} } = error;
  if (status >= 300) return { status, message, body, headers };
  const found = errorIn(parsed(body));
  return found && { ...found, body, headers };
};

/** Whether the call failed after the answer began: it is not known whether it costs anything. */
export const isUnreadable = (error: unknown): boolean =>
  isApiCallError(error) && error.statusCode !== undefined && error.statusCode < 300;
