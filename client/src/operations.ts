import { type Operations, operations } from './generated.ts';
import type { Send } from './http.ts';
import { listOf } from './list.ts';
import type { CallOptions, OperationFacts, Page } from './types.ts';

type Query = Record<string, unknown>;

const callOf = (send: Send, { method, path, body: hasBody, query: hasQuery, list }: OperationFacts) => {
  const parts = path.split(/\{\w+\}/);
  return (...args: unknown[]) => {
    const ids = args.slice(0, parts.length - 1).map((id) => encodeURIComponent(String(id)));
    const rest = args.slice(ids.length);
    const body = hasBody ? rest.shift() : undefined;
    const query = hasQuery ? ((rest.shift() as Query | undefined) ?? {}) : {};
    const options = rest.shift() as CallOptions | undefined;
    const url = String.raw({ raw: parts }, ...ids);
    const ask = async (more: Query = {}): Promise<unknown> =>
      JSON.parse(await send({ method, path: url, query: { ...query, ...more }, body }, options));
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

/** Returns an object with a method for every operation. */
export const operationsOver = (send: Send): Operations =>
  Object.fromEntries(
    Object.entries(operations).map(([name, facts]) => [name, callOf(send, facts)]),
  ) as unknown as Operations;
