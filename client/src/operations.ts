import { withEtag } from './etags.ts';
import { type Operations, operations, type Streams, streams } from './generated.ts';
import { queryText, type Send } from './http.ts';
import { listOf } from './list.ts';
import type { CallOptions, OperationFacts, Page } from './types.ts';

type Query = Record<string, unknown>;

/** A path with its ids, which are the first of the arguments, and the arguments that follow them. */
const fill = (path: string, args: readonly unknown[]): { url: string; rest: unknown[] } => {
  const parts = path.split(/\{\w+\}/);
  const ids = args.slice(0, parts.length - 1).map((id) => encodeURIComponent(String(id)));
  return { url: String.raw({ raw: parts }, ...ids), rest: args.slice(ids.length) };
};

const callOf = (
  send: Send,
  { method, path, body: hasBody, query: hasQuery, list, keyless }: OperationFacts,
  parse: (text: string) => unknown,
) => {
  return (...args: unknown[]) => {
    const { url, rest } = fill(path, args);
    const body = hasBody ? rest.shift() : undefined;
    const query = hasQuery ? ((rest.shift() as Query | undefined) ?? {}) : {};
    const given = rest.shift() as CallOptions | undefined;
    const options = keyless ? { ...given, idempotencyKey: null } : given;
    const ask = async (more: Query = {}): Promise<unknown> => {
      let etag: string | undefined;
      const request = { method, path: url, query: { ...query, ...more }, body };
      const answer = parse(await send(request, options, (tag) => (etag = tag)));
      return etag === undefined ? answer : withEtag(answer, etag);
    };
    return list
      ? listOf(
          (more) =>
            ask({ ...more, ...(more.cursor ? { ...query, cursor: more.cursor } : query) }) as Promise<
              Page<unknown>
            >,
        )
      : ask();
  };
};

/**
 * Returns an object with a method for every operation. `parse` reads the answers: `parseAnswer` and `parseAsWritten` keep the
 * digits of numbers.
 */
export const operationsOver = (send: Send, parse: (text: string) => unknown): Operations =>
  Object.fromEntries(
    Object.entries(operations).map(([name, facts]) => [name, callOf(send, facts, parse)]),
  ) as unknown as Operations;

type WithoutLast<List extends unknown[]> = number extends List['length']
  ? List
  : List['length'] extends 0 | 1
    ? []
    : List extends [infer First, ...infer Rest]
      ? [First, ...WithoutLast<Rest>]
      : List extends [(infer First)?, ...infer Rest]
        ? [First?, ...WithoutLast<Rest>]
        : [];

/** Arguments of an operation, without the options. */
export type ArgumentsOf<Name extends keyof Operations> = WithoutLast<Parameters<Operations[Name]>>;

/**
 * Calls an operation by its name, for caches, whose keys are names and arguments. `more` is added to its query where the query does
 * not say it itself, as the cursor of a page.
 */
export const callByName = <Name extends keyof Operations>(
  api: Operations,
  name: Name,
  args: ArgumentsOf<Name>,
  options: CallOptions,
  more?: Query,
): ReturnType<Operations[Name]> => {
  const { path, body, query }: OperationFacts = operations[name];
  const full: unknown[] = [...args];
  full.length = path.split('{').length - 1 + (body ? 1 : 0) + (query ? 1 : 0);
  if (more) full[full.length - 1] = { ...more, ...(full.at(-1) as Query | undefined) };
  return (api[name] as (...args: unknown[]) => ReturnType<Operations[Name]>)(...full, options);
};

/** The address of each stream of server-sent events, for an `EventSource`. */
export const streamsAt = (root: string): Streams =>
  Object.fromEntries(
    Object.entries(streams).map(([name, path]) => [
      name,
      (...args: unknown[]) => {
        const { url, rest } = fill(path, args);
        return `${root}${url}${queryText((rest[0] as Query | undefined) ?? {})}`;
      },
    ]),
  ) as unknown as Streams;
