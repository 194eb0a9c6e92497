import { withoutBase64 } from '../../../../client/src/without-base64.ts';
import { asText } from '../../platform/db/text.ts';
import { parseAsWritten } from '../../platform/json/parse-as-written.ts';
import { isObject, type Json, member, toJson } from '../conventions/attribute.ts';
import {
  allMessagesOf,
  hasContent,
  isAside,
  isDump,
  type Message,
  type Operation,
  operationOf,
  plainValueOf,
  type Readable,
} from '../conventions/understand.ts';

export type Side = 'input' | 'output';
export const sides: readonly Side[] = ['input', 'output'];

/** The fields of a span that contentOrder needs. */
export type Placed = Readable & {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  start: bigint;
  end: bigint;
};

// Times run from -2^63 (JSON may have negative ones) to 2^64. Shifted and padded to one length, they sort as text.
const timeText = (time: bigint) => (time + 2n ** 63n).toString().padStart(20, '0');
const latestFirst = (time: bigint) => timeText(2n ** 64n - 1n - time);

/** Operations that are part of an answer. A span of them that has lost its parent does not speak for the trace if another can. */
const parts = new Set<Operation | null>(['tool', 'retrieval', 'embedding']);

const rankOf = (span: Placed, operation: Operation | null): number | undefined => {
  if (operation === 'chat') return isAside(span.attributes) ? 4 : 2;
  if (span.parentSpanId === '') return parts.has(operation) ? 3 : 0;
  return operation === 'agent' ? 1 : undefined;
};

/**
 * Returns the place of a span among those that a record's inputs or outputs can be taken from, as a text: the smallest is the
 * best. Undefined when the span holds none. Roots come first, then agents, calls of models, dumps of objects and tools without a parent, and
 * asides last; among equals
 * the earliest start wins for inputs and the latest end for outputs. The order of arrival makes no difference.
 */
export const contentOrder = (span: Placed, side: Side): string | undefined => {
  const operation = operationOf(span);
  const rank = rankOf(span, operation);
  if (rank === undefined || !hasContent(span, side)) return undefined;
  const time = side === 'input' ? timeText(span.start) : latestFirst(span.end);
  // Behind the calls of models, before their asides.
  const place = rank < 4 && isDump(span, side) ? 3 : rank;
  return `${place}${time}${span.traceId}${span.spanId}`;
};

/** Names a span within a project. */
export const spanName = ({ traceId, spanId }: { traceId: string; spanId: string }): string =>
  `${traceId}${spanId}`;

/** Returns the ids of the span that an order belongs to. */
export const spanOfOrder = (order: string): { traceId: string; spanId: string } => ({
  traceId: order.slice(21, 53),
  spanId: order.slice(53),
});

const lastContent = (messages: Message[], role: string): string =>
  messages.findLast((message) => message.role === role)?.content ?? '';

const asObject = (value: Json, key: string): string =>
  isObject(value) ? JSON.stringify(value) : JSON.stringify({ [key]: value });

/**
 * Returns a record's inputs or outputs, as JSON text, from one of its spans. With messages they are `{ input, messages }` or
 * `{ output, messages }`, else the span's own object, or its value under `input` or `output`.
 */
export const contentOf = (span: Readable, side: Side): string => {
  const messages = allMessagesOf(span, side);
  const value = plainValueOf(span, side);
  if (messages.some(({ role }) => role !== 'system') || (messages.length > 0 && value === undefined))
    return JSON.stringify({
      [side]: lastContent(messages, side === 'input' ? 'user' : 'assistant'),
      messages,
    });
  return value === undefined ? '{}' : asObject(toJson(value), side);
};

const maxPreview = 300;

/** The most informative fields, by the names that people and frameworks give them. */
const tellingNames = /^(input|question|prompt|query|text|message|output|answer|response|result|content)s?$/i;

/** Returns the text of an object: its most informative field, else its first text, else all of it as JSON. */
const gistOf = (content: Record<string, Json>): string => {
  const texts = Object.entries(content).filter(([, value]) => typeof value === 'string' && value !== '');
  const [, text] = texts.find(([name]) => tellingNames.test(name)) ?? texts[0] ?? [];
  return typeof text === 'string' ? text : JSON.stringify(content);
};

/** Returns what stands for the last message when it has files and no text. */
const filesOf = (messages: Json | undefined): string => {
  const last = Array.isArray(messages) ? messages.at(-1) : undefined;
  const media = isObject(last) ? member(last, 'media') : undefined;
  if (!Array.isArray(media) || media.length === 0) return '';
  return media.length === 1 ? '[1 file]' : `[${media.length} files]`;
};

/**
 * Returns the beginning of a span's input or output as one line of text: its last message, else the text of its value. The list of
 * records summarizes them in the same way (web/src/resources/records/one-line.ts).
 */
export const previewOf = (span: Readable, side: Side): string => {
  const content = parseAsWritten(contentOf(span, side)) as Record<string, Json>;
  const said = content[side];
  const value = said === '' ? filesOf(content.messages) : typeof said === 'string' ? said : gistOf(content);
  const line = asText(withoutBase64(value.slice(0, 4 * maxPreview)))
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > maxPreview ? `${line.slice(0, maxPreview - 1).toWellFormed()}…` : line;
};
