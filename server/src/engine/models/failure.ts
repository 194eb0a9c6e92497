import { AddressRefused } from './allowed-addresses.ts';
import { ResponseTooLarge } from './guarded-fetch.ts';
import { isOllama, ollamaSentence } from './ollama.ts';
import { type ResolvedModel, withoutSecrets } from './provider.ts';
import { isUnreadable, type ProviderError, providerErrorOf } from './provider-error.ts';
import { Unreachable } from './unreachable.ts';

/** Why there is no reply, and whether and when to try again. */
export type Failure = {
  error: string;
  retryable: boolean;
  retryAfterMs?: number;
  /** The provider refuses this model or this key for every request. */
  refuses?: true;
  /** No request was made. */
  unasked?: true;
  /** There was no connection, which may be so for this machine alone. */
  unreached?: true;
  /** The error of an earlier request that prevented this one. */
  because?: string;
};

/** Statuses below 500 of temporary failures; 424 is Bedrock's for a model that failed. */
export const retryableStatuses = new Set([408, 409, 424, 425, 429]);
/** Longest wait: if a provider asks for more, the next attempt comes after this time anyway. */
const longestRetryAfterMs = 3_600_000;
const longestMessage = 500;

/** A text of a provider, cut and without its secrets. */
export const quoted = (text: string, { provider }: ResolvedModel): string => {
  const clean = withoutSecrets(text, provider);
  return clean.length > longestMessage ? `${clean.slice(0, longestMessage)}…` : clean;
};

const inMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** The wait that a message or Google's RetryInfo names, such as `try again in 1m2.5s` or `"retryDelay": "8s"`. */
const waitInWords = (text: string): number | undefined => {
  const found =
    /(?:(?:re)?try(?: again)? (?:in|after) |"retry_?delay":\s*")((?:\d+(?:\.\d+)? ?(?:ms|s|m|h))+)/i.exec(
      text,
    );
  if (!found) return undefined;
  const parts = found[1]!.matchAll(/(\d+(?:\.\d+)?) ?(ms|s|m|h)/gi);
  return [...parts].reduce((sum, [, count, unit]) => sum + Number(count) * inMs[unit!.toLowerCase()]!, 0);
};

/** The wait until a limit that is used up begins again: seconds, or a time in seconds or in milliseconds, as OpenRouter gives it. */
const waitForReset = (headers: Record<string, string>, now: number): number | undefined => {
  if (headers['x-ratelimit-remaining'] !== '0') return undefined;
  const reset = Number(headers['x-ratelimit-reset'] || Number.NaN);
  if (reset > 1e12) return reset - now;
  return reset > 1e9 ? reset * 1000 - now : reset * 1000;
};

/** `Retry-After` as seconds or as a date, OpenAI's `retry-after-ms`, or the wait that the error itself names. */
export const retryAfter = (
  headers: Record<string, string> = {},
  now: number,
  said = '',
): number | undefined => {
  const milliseconds = Number(headers['retry-after-ms'] ?? Number.NaN);
  const text = headers['retry-after']?.trim() || 'none';
  const seconds = Number(text) * 1000;
  const date = Date.parse(text) - now;
  const wait = [milliseconds, seconds, date, waitInWords(said), waitForReset(headers, now)].find(
    (candidate) => Number.isFinite(candidate),
  );
  return wait === undefined ? undefined : Math.min(Math.max(Math.round(wait), 0), longestRetryAfterMs);
};

/** This error and its causes, itself first. */
const causesOf = (error: unknown): Error[] => {
  const causes: Error[] = [];
  for (let at = error; at instanceof Error && causes.length < 10; at = at.cause) causes.push(at);
  return causes;
};

/** How providers say that the quota or credit is used up, with 402, 429, 400 and 403. Slowing down does not help. */
const quotaWords =
  /insufficient[_ ](quota|balance|funds|credit)|, limit: 0\b|exceeded your current quota|credit balance is too low|billing[_ ]hard[_ ]limit/i;

/** Google says the same of every limit. Its RetryInfo tells a limit of a minute; the name of the quota tells that of a day. */
const isLimitOfAMinute = (body: string): boolean =>
  /"retry_?delay"/i.test(body) && !/PerDay|, limit: 0\b/i.test(body);

/** Reads only the provider's own message: the body of a 400 or 403 may quote the record, which may be about money. */
const isOutOfQuota = ({ status, message, body }: ProviderError): boolean =>
  status === 402 ||
  ([400, 403].includes(status) && quotaWords.test(message)) ||
  (status === 429 && quotaWords.test(`${message} ${body}`) && !isLimitOfAMinute(body));

/** Shortest wait between attempts while the account has no credit. */
const topUpMs = 300_000;

/** Google and others answer a wrong key with 400. The message is the provider's, not the record's. */
const keyWords =
  /api[ _]key[ _](is )?(not valid|not found|invalid|expired)|(invalid|incorrect) api[ _]key|security token .*(invalid|expired)/i;

const refusesKey = (status: number, message: string): boolean =>
  status === 401 || ([400, 403].includes(status) && keyWords.test(message));

/** How hosts stop a prompt with an error: Azure, OpenAI, Qwen, DeepSeek, xAI, Moonshot, MiniMax, Zhipu, OpenRouter. */
const contentWords =
  /content management policy|content[ _]filter|content policy|usage (?:policy|guidelines)|(?:input|prompt|text).{0,20} flagged|data_inspection_failed|inappropriate content|content exists risk|considered high risk|sensitive content|new_sensitive|不安全或敏感|requires moderation/i;

const refusesContent = (status: number, message: string): boolean =>
  [400, 403].includes(status) && contentWords.test(message);

/** Whether the provider refuses every request: no such address, key, permission or model. */
const refusesAll = (status: number, message: string): boolean =>
  !refusesContent(status, message) &&
  ((status >= 300 && status < 400) || [403, 404].includes(status) || refusesKey(status, message));

const statusSentence = (status: number, message: string, { provider, model }: ResolvedModel): string => {
  const who = `provider '${provider.name}'`;
  // A server's message about a key may quote the key.
  if (refusesKey(status, message))
    return `${who} refuses the API key (${status}): set the right one for it, then retry the scores that failed`;
  if (status === 403)
    return `${who} does not let this API key use '${model}' (403): allow it there or set another key, then retry the scores that failed`;
  if (status === 404) {
    return `${who} does not know '${model}' or nothing is at its base URL (404): correct the base URL and retry, or correct the metric's model name and re-score the run`;
  }
  if (status >= 300 && status < 400) {
    return `${who} answers with a redirect (${status}), which is not followed: set its base URL to where it leads`;
  }
  if (status === 429) return `${who} asks to slow down (429): ${message}`;
  if (status >= 500) return `${who} failed (${status}): ${message}`;
  return `${who} refuses the request (${status}): ${message}`;
};

/** The provider's message about a refused request; undefined if it refused none. */
export const refusalOf = (
  error: unknown,
): { status: number; text: string; ofKey: boolean; ofContent: boolean } | undefined => {
  const said = providerErrorOf(error);
  if (!said) return undefined;
  const { status, message, body } = said;
  return {
    status,
    text: `${message} ${body}`,
    ofKey: refusesKey(status, message),
    ofContent: refusesContent(status, message),
  };
};

const failureOfProvider = (said: ProviderError, resolved: ResolvedModel, now: number): Failure => {
  const { status, headers } = said;
  const message = quoted(said.message, resolved);
  // Retryable, because the account can be topped up. The circuit breaker keeps ten thousand scores from trying.
  const isPassing = isOutOfQuota(said);
  const asked = retryAfter(headers, now, `${said.message} ${said.body}`);
  // Google names half a minute for a limit that ends with the day.
  const retryAfterMs = isPassing ? Math.max(asked ?? 0, topUpMs) : asked;
  return {
    error: isPassing
      ? `provider '${resolved.provider.name}' says that its quota or credit is used up (${status}): ${message}. Add to it or raise its limit there; it is tried again`
      : (ollamaSentence(status, said.message, message, resolved) ??
        statusSentence(status, message, resolved)),
    retryable: isPassing || retryableStatuses.has(status) || status >= 500,
    ...(!isPassing && refusesAll(status, said.message) && { refuses: true as const }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
};

/** Turns the error of a call into a sentence for the score and a decision for the worker. */
export const failureOf = (error: unknown, resolved: ResolvedModel, now: number): Failure => {
  const who = `provider '${resolved.provider.name}'`;
  const causes = causesOf(error);
  const refused = causes.find((cause) => cause instanceof AddressRefused);
  if (refused) {
    return {
      error: `${who} is at an address that is not allowed: ${refused.message}`,
      retryable: false,
    };
  }
  const tooLarge = causes.find((cause) => cause instanceof ResponseTooLarge);
  if (tooLarge) return { error: `${who} gives no usable answer: ${tooLarge.message}`, retryable: false };

  const cutOff = causes.find((cause) => cause instanceof Unreachable);
  if (cutOff)
    return {
      error: `${who} can't be reached: ${cutOff.message}`,
      retryable: cutOff.isPassing,
      unreached: true,
    };

  const said = providerErrorOf(error);
  if (said) return failureOfProvider(said, resolved, now);
  if (isUnreadable(error)) {
    const isCut = causes.some((cause) => 'code' in cause && cause.code === 'ECONNRESET');
    const what = isCut ? 'broke off its answer' : 'gives an answer that is not a model’s reply';
    return { error: `${who} ${what}`, retryable: true };
  }
  const code = causes
    .flatMap((cause) => ('code' in cause && typeof cause.code === 'string' ? [cause.code] : []))
    .at(-1);
  if (code && /^(E|HPE_|UND_ERR_)/.test(code)) {
    const isDown = code === 'ECONNREFUSED' && isOllama(resolved);
    const advice = isDown
      ? 'start it with `ollama serve`, or correct its base URL'
      : 'see whether it runs and its base URL is right';
    return {
      error: `${who} can't be reached (${code}): ${advice}; it is tried again`,
      retryable: true,
      unreached: true,
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { error: `${who}: ${quoted(message, resolved)}`, retryable: false };
};
