import { DokimaError, errorOf } from './errors.ts';
import { delayMs, isTransient, retryAfterMs, sleep } from './retry.ts';
import type { CallOptions } from './types.ts';

export type ClientOptions = {
  /** Address of the service, as `http://localhost:3000`. It may end with `/api/v2`. Empty in the service's own pages. */
  baseUrl: string;
  /** An API key. A page with a session cookie needs none. */
  apiKey?: string | undefined;
  /** Replaces the global fetch: for proxies, recording, tests. */
  fetch?: typeof globalThis.fetch | undefined;
  /** How often a request is repeated after a transient failure. Default 4. */
  retries?: number | undefined;
  /** Time limit of one attempt in milliseconds. Default 60,000; an hour for a request that waits for a model. */
  timeoutMs?: number | undefined;
  /** Ends every request of this client when it aborts, also those that wait for another attempt. */
  signal?: AbortSignal | undefined;
  /** Headers to send with each request. */
  headers?: Record<string, string> | undefined;
  /** What asks, for the list of looks at a testset. Default: what the operation is. */
  looksAs?: 'gate' | 'mcp' | 'ask' | 'evaluate' | 'report' | undefined;
};

/** The header of `looksAs`. */
export const lookHeader = 'dokima-look';

type Query = Record<string, unknown>;
type Answer = { response: Response; text: string };

export type HttpRequest = {
  method: string;
  /** Path from the root of the service, as `/api/v2/projects`. */
  path: string;
  query?: Query | undefined;
  /** Value to send as JSON. */
  body?: unknown;
  /** JSON text to send unchanged, if every digit matters. */
  rawBody?: string | undefined;
};

/**
 * Sends a request, with retries after transient failures. Returns the answer's text, and calls `tagged` with its ETag. Throws a
 * DokimaError unless it is a 2xx.
 */
export type Send = (
  request: HttpRequest,
  options?: CallOptions,
  tagged?: (etag: string) => void,
) => Promise<string>;

/** A query with its question mark; empty for no parameters. A list gives its parameter several times. */
export const queryText = (query: Query): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) parameters.append(name, String(one));
    }
  }
  return parameters.size > 0 ? `?${parameters}` : '';
};

/** Returns 128 random bits as hex. crypto.randomUUID does not exist in pages that are served without TLS. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/** Returns the address of the service without a path. */
export const rootOf = (baseUrl: string): string => baseUrl.replace(/\/+$/, '').replace(/\/api\/v2$/, '');

/** Requests whose answer waits for a model, as long as the `timeoutMs` of its provider. */
const waitsForModel =
  /\/(?:ask|test|try|simulate|drafts|failure-clusters|trials|metrics\/preview|trials\/\d+\/extend)$/;
const longestAnswerMs = 3_600_000;

/** Returns the function that sends requests to one service. */
export const sender = ({
  baseUrl,
  apiKey,
  fetch = globalThis.fetch.bind(globalThis),
  retries = 4,
  timeoutMs,
  signal: always,
  headers: extraHeaders = {},
}: ClientOptions): Send => {
  const root = rootOf(baseUrl);

  return async (
    { method, path, query = {}, body, rawBody },
    { signal: ofCall, idempotencyKey, ifMatch } = {},
    tagged,
  ) => {
    const signal = ofCall && always ? AbortSignal.any([ofCall, always]) : (ofCall ?? always);
    const payload = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
    // With a key, an attempt that was carried out but whose answer was lost is not carried out twice.
    const key = idempotencyKey === undefined && retries > 0 ? newKey() : idempotencyKey;
    const headers = {
      ...extraHeaders,
      accept: 'application/json',
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      ...(method === 'POST' && typeof key === 'string' && { 'idempotency-key': key }),
    };
    const url = `${root}${path}${queryText(query)}`;
    const init = { method, headers, ...(payload !== undefined && { body: payload }) };

    const isLong = method === 'POST' && waitsForModel.test(path);
    const limitMs = timeoutMs ?? (isLong ? longestAnswerMs : 60_000);

    const attempt = async (): Promise<Answer | DokimaError> => {
      const timeout = AbortSignal.timeout(limitMs);
      try {
        const response = await fetch(url, {
          ...init,
          signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        });
        // Reads the body here, so that an interrupted answer is retried too.
        return { response, text: await response.text() };
      } catch (cause) {
        signal?.throwIfAborted();
        const why = timeout.aborted ? `within ${limitMs} ms` : `(${reasonOf(cause)})`;
        const message = `The service${root && ` at ${root}`} does not answer ${why}. Check that it runs, then try again.`;
        return new DokimaError('NO_ANSWER', message, { cause });
      }
    };

    for (let tries = 0; ; tries++) {
      signal?.throwIfAborted();
      const answer = await attempt();
      const isLast = tries >= retries;
      if (answer instanceof DokimaError) {
        // The model may still be at work: the same question again would be paid twice.
        if (isLast || (isLong && isTimeout(answer.cause))) throw answer;
        await sleep(delayMs(tries, undefined, Math.random()), signal);
        continue;
      }
      const { response, text } = answer;
      if (response.ok) {
        const etag = response.headers.get('etag');
        if (etag !== null) tagged?.(etag);
        return text;
      }
      if (isLast || !isTransient(response.status)) throw errorOf(response, text, `${method} ${path}`);
      const asked = retryAfterMs(response.headers.get('retry-after'), Date.now());
      await sleep(delayMs(tries, asked, Math.random()), signal);
    }
  };
};

/** Whether fetch gave up waiting: by the limit above, or by the limit of Node's own fetch, five minutes. */
const isTimeout = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'TimeoutError' ||
    /TIMEOUT/.test((error.cause as { code?: string } | undefined)?.code ?? ''));

/** The error of fetch only says "fetch failed"; its cause has the reason. */
const reasonOf = (error: unknown): string => {
  const { message, cause } = error as { message?: string; cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message ?? String(error);
};
