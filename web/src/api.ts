import { infiniteQueryOptions } from '@tanstack/react-query';
import { exactText, parseAsWritten, parseExact } from './ui/exact-json.ts';

/** What the service says is wrong. `message` is for people and is shown as it is. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly issues: readonly { path: string; message: string }[];

  constructor(
    status: number,
    body: {
      code?: string;
      message?: string;
      details?: Record<string, unknown> & { issues?: ApiError['issues'] };
    },
  ) {
    super(body.message ?? `The service answered ${status}.`);
    this.status = status;
    this.code = body.code ?? '';
    this.details = body.details ?? {};
    this.issues = body.details?.issues ?? [];
  }

  /** What is wrong with one field of the body. */
  issueOf(path: string): string | undefined {
    return this.issues.find((issue) => issue.path === path)?.message;
  }
}

type Query = Record<string, string | number | readonly string[] | undefined>;
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const urlOf = (path: string, query: Query = {}): string => {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of [value ?? []].flat()) params.append(name, String(item));
  }
  const text = params.toString();
  return `/api/v2${path}${text && `?${text}`}`;
};

declare global {
  /** Answers that public/early.js asked for before this program was there, by their URL. */
  var earlyAnswers: Map<string, Promise<Response>> | undefined;
}

/** The answer that has been asked for early, once; undefined for all that has not. */
const takeEarly = (method: Method, url: string): Promise<Response> | undefined => {
  // What was read before a write may be wrong after it: signed in, for one.
  if (method !== 'GET') globalThis.earlyAnswers?.clear();
  const answer = globalThis.earlyAnswers?.get(url);
  globalThis.earlyAnswers?.delete(url);
  return answer;
};

type Parse = (text: string) => unknown;

const call = async <T>(
  parse: Parse,
  method: Method,
  url: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<T> => {
  const asked =
    takeEarly(method, url) ??
    fetch(url, {
      method,
      // A deletion that waits to be undone is sent as the page is left, and must outlive it.
      keepalive: method === 'DELETE',
      // The session cookie goes along; the header says that it is our own page that asks.
      headers: {
        'x-requested-with': 'Dokima',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: exactText(body) }),
      ...(signal && { signal }),
    });
  const response = await asked.catch((cause) => {
    if (signal?.aborted) throw cause;
    throw new Error('The service does not answer. Check that it runs, then try again.', { cause });
  });
  if (!response.ok) throw new ApiError(response.status, await response.json().catch(() => ({})));
  const text = await response.text();
  return (text ? parse(text) : {}) as T;
};

const apiReadBy = (parse: Parse) => ({
  get: <T>(path: string, query?: Query, signal?: AbortSignal) =>
    call<T>(parse, 'GET', urlOf(path, query), undefined, signal),
  post: <T>(path: string, body?: unknown) => call<T>(parse, 'POST', urlOf(path), body),
  put: <T>(path: string, body?: unknown) => call<T>(parse, 'PUT', urlOf(path), body),
  patch: <T>(path: string, body?: unknown) => call<T>(parse, 'PATCH', urlOf(path), body),
  delete: <T>(path: string) => call<T>(parse, 'DELETE', urlOf(path)),
  /** Server-sent events; the session cookie goes along. Close it when nobody listens any more. */
  events: (path: string, query?: Query) => new EventSource(urlOf(path, query)),
});

/**
 * The public API, and nothing else. Paths begin after /api/v2. Of free-form JSON, integers that a number can't hold come as
 * bigint and are sent digit by digit.
 */
export const api = apiReadBy(parseExact);

/** The same for what is edited and sent back whole: its numbers come as they are written, 1.10 as a `Number` that says so. */
export const apiAsWritten = apiReadBy(parseAsWritten);

export type Page<T> = { data: T[]; nextCursor: string; hasMore: boolean };

/** A list that is read page by page as far as somebody scrolls. Its key begins with the path, so that a write can refresh it. */
export const pagedQuery = <T>(path: string, query: Query = {}, limit = 100, from = api) =>
  infiniteQueryOptions({
    queryKey: [path, query, limit],
    queryFn: ({ pageParam, signal }) =>
      from.get<Page<T>>(path, { ...query, limit, cursor: pageParam || undefined }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => (page.hasMore ? page.nextCursor : undefined),
  });

/** The whole of a list that is short by its nature (members, metrics), `most` items of it. */
export const listAll = async <T>(
  path: string,
  signal?: AbortSignal,
  most = 2_000,
  from = api,
): Promise<T[]> => {
  const items: T[] = [];
  let cursor = '';
  do {
    const page = await from.get<Page<T>>(path, { limit: 100, cursor: cursor || undefined }, signal);
    items.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor && items.length < most);
  return items;
};
