import type { Json } from '../conventions/attribute.ts';
import { toJson } from '../conventions/attribute.ts';
import {
  hasContent,
  isAside,
  type Message,
  messagesOf,
  operationOf,
  plainMessagesOf,
  plainValueOf,
  type Readable,
} from '../conventions/understand.ts';

export type Side = 'input' | 'output';
export const sides: readonly Side[] = ['input', 'output'];

/** What ranking needs of a span beside what it says. */
type Placed = Readable & {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  start: bigint;
  end: bigint;
};

// Times run from -2^63 (JSON may write negative ones) to 2^64; shifted, and of equal length, they sort as text.
const timeText = (time: bigint) => (time + 2n ** 63n).toString().padStart(20, '0');
const latestFirst = (time: bigint) => timeText(2n ** 64n - 1n - time);

/**
 * Where a span stands among those that a record's inputs or outputs can be taken from, as text of which the smallest is
 * best; undefined when it can't. A root comes before agents, those before calls of models, roots or not, and asides come
 * last; inputs are the first ones, outputs the last. Independent of the order of arrival, so late and split traces end up the same.
 */
export const contentOrder = (span: Placed, side: Side): string | undefined => {
  const operation = operationOf(span);
  const rank =
    operation === 'chat'
      ? isAside(span.attributes)
        ? 3
        : 2
      : span.parentSpanId === ''
        ? 0
        : operation === 'agent'
          ? 1
          : undefined;
  if (rank === undefined || !hasContent(span, side)) return undefined;
  const time = side === 'input' ? timeText(span.start) : latestFirst(span.end);
  return `${rank}${time}${span.traceId}${span.spanId}`;
};

/** The span that an order speaks of. */
export const spanOfOrder = (order: string): { traceId: string; spanId: string } => ({
  traceId: order.slice(21, 53),
  spanId: order.slice(53),
});

const saidBy = (messages: Message[], role: string): string =>
  messages.findLast((message) => message.role === role)?.content ?? '';

const asObject = (value: Json, key: string): string =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? JSON.stringify(value)
    : JSON.stringify({ [key]: value });

/**
 * A record's inputs or outputs, as JSON text, from one of its spans: `{ input, messages }` and `{ output, messages }` where
 * the span has messages; else the object that it got or gave, or that value under `input` or `output`.
 */
export const contentOf = (span: Readable, side: Side): string => {
  const said = messagesOf(span, side);
  const messages = said.length > 0 ? said : plainMessagesOf(span, side);
  if (messages.length > 0)
    return JSON.stringify({ [side]: saidBy(messages, side === 'input' ? 'user' : 'assistant'), messages });
  const value = plainValueOf(span, side);
  return value === undefined ? '{}' : asObject(toJson(value), side);
};
