import { infiniteQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query';
import { DokimaError } from '../../client/src/errors.ts';
import type { Operations } from '../../client/src/generated.ts';
import { sender } from '../../client/src/http.ts';
import { type ArgumentsOf, callByName, operationsOver, streamsAt } from '../../client/src/operations.ts';
import type { List, Page } from '../../client/src/types.ts';
import { parseAnswer, parseAsWritten } from '../../client/src/written-number.ts';
import { base } from './base.ts';
import { doubtConnection } from './connection.ts';
import { requestedBy } from './presence.ts';

type Name = keyof Operations;
type ListName = { [name in Name]: ReturnType<Operations[name]> extends List<unknown> ? name : never }[Name];
type ItemOf<name extends ListName> = ReturnType<Operations[name]> extends List<infer Item> ? Item : never;

/** What an operation answers; a list answers its first page. */
export type Answer<name extends Name> = Awaited<ReturnType<Operations[name]>>;

/** Statuses of proxies whose service is unavailable. */
const away = new Set([502, 503, 504]);

const watched: typeof fetch = async (url, init) => {
  try {
    const response = await fetch(url, init);
    if (away.has(response.status)) doubtConnection();
    return response;
  } catch (error) {
    if (!init?.signal?.aborted) doubtConnection();
    throw error;
  }
};

const send = sender({
  // The pages and the API have the same address.
  baseUrl: base,
  // A deletion that can be undone is sent when the page is left, and must outlive it.
  fetch: (url, init) => {
    // The session cookie goes along. The header tells the service that the request comes from its own pages.
    const headers = new Headers(init?.headers);
    headers.set('x-requested-with', requestedBy());
    return watched(url, { ...init, headers, keepalive: init?.method === 'DELETE' });
  },
  // React Query retries reads (routes.tsx).
  retries: 0,
  timeoutMs: 600_000,
});

/** The public API. Numbers of free-form JSON that JavaScript would print differently come as a WrittenNumber and are sent digit by digit. */
export const api = operationsOver(send, parseAnswer);

/** The same for JSON that is edited and sent back whole: every number keeps its digits, as 1.10. */
export const apiAsWritten = operationsOver(send, parseAsWritten);

/** Addresses of server-sent events. */
export const streams = streamsAt(base);

/** The items of a list that is short by its nature (members, metrics), at most about `most` of them. */
export const allOf = async <Item>(list: List<Item>, most = 2_000): Promise<Item[]> => {
  const items: Item[] = [];
  for await (const page of list.pages()) {
    items.push(...page.data);
    if (items.length >= most) break;
  }
  return items;
};

type DataName = {
  [name in Exclude<Name, ListName>]: Answer<name> extends { data: unknown[] } ? name : never;
}[Exclude<Name, ListName>];
// One function, so that React Query selects once and not at each render.
const dataOf = ({ data }: { data: unknown[] }) => data;

const queriesOver = (from: Operations) => ({
  /** Options of a query that calls one operation. */
  apiQuery: <name extends Name>(name: name, ...args: ArgumentsOf<name>) =>
    queryOptions({
      queryKey: [name, ...args] as QueryKey,
      queryFn: async ({ signal }): Promise<Answer<name>> => await callByName(from, name, args, { signal }),
    }),

  /** Options of a query for the whole of a short list. */
  apiList: <name extends ListName>(name: name, ...args: ArgumentsOf<name>) =>
    queryOptions({
      queryKey: [name, ...args, 'all'] as QueryKey,
      queryFn: ({ signal }) => allOf(callByName(from, name, args, { signal }) as List<ItemOf<name>>),
    }),

  /** Options of a query for a list that is read page by page as the user scrolls. */
  apiPages: <name extends ListName>(name: name, ...args: ArgumentsOf<name>) =>
    infiniteQueryOptions({
      queryKey: [name, ...args, 'pages'] as QueryKey,
      queryFn: async ({ pageParam, signal }): Promise<Page<ItemOf<name>>> => {
        const page = callByName(
          from,
          name,
          args,
          { signal },
          { limit: 100, ...(pageParam && { cursor: pageParam }) },
        );
        return (await page) as Page<ItemOf<name>>;
      },
      initialPageParam: '',
      getNextPageParam: (page) => (page.hasMore ? page.nextCursor : undefined),
    }),
});

export const { apiQuery, apiList, apiPages } = queriesOver(api);

/** Options of a query for the `data` of a list that comes whole. The cache holds the answer around it. */
export const apiData = <name extends DataName>(name: name, ...args: ArgumentsOf<name>) => ({
  ...apiQuery(name, ...args),
  select: dataOf as (answer: Answer<name>) => Answer<name>['data'],
});

export const asWritten = queriesOver(apiAsWritten);

/** The start of the keys of an operation's queries: invalidates those that were called with these arguments and any more. */
export const keyOf = <name extends Name>(name: name, ...args: Partial<ArgumentsOf<name>>) => [name, ...args];

/** Returns what the error of a request says about one field of its body, by the field's JSON Pointer. */
export const issuesOf =
  (error: Error | null) =>
  (path: string): string | undefined =>
    error instanceof DokimaError ? error.issueAt(path) : undefined;

declare module '@tanstack/react-query' {
  interface Register {
    /** `refreshes`: the queries that are out of date once the mutation has succeeded (routes.tsx). */
    mutationMeta: { refreshes?: readonly QueryKey[] };
  }
}
