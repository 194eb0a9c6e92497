import type { RawJson } from '../../platform/json/json.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import type { Json } from '../conventions/attribute.ts';
import { errorOf, usageOf } from '../conventions/understand.ts';
import { spanName } from '../store/record-content.ts';
import { readStored } from '../store/stored.ts';
import { conversationOf, conversationSpans } from './conversation.ts';
import { durationOf, isoTime } from './format.ts';
import type { SpanRow } from './read-queries.ts';
import type { ScoredSpan } from './scored-spans.ts';
import { type Cuts, fitted, shortenedJson } from './shorten.ts';
import type { Entry } from './thread.ts';
import { toolCallsOf } from './tool-calls.ts';
import { type Placed, treeOrder } from './tree.ts';
import type { TraceWalk } from './walk.ts';

/** The parts of a record's trace that metrics can read, by the names that templates and code use. */
export const tracePartNames = ['trace', 'conversation', 'toolCalls'] as const;
export type TracePartName = (typeof tracePartNames)[number];

/** What a score was made from. It is kept with the score's evidence. */
export type TraceEvidence = {
  /** Number of spans that the record had when it was read. */
  numSpans: number;
  /** What was left out because it exceeds a limit, in words; empty when everything was read. */
  cut: string[];
};
/** The parts that a metric reads, as JSON arrays; and the span that it scores, an object. */
export type TraceParts = {
  texts: Partial<Record<TracePartName | 'span', string>>;
  evidence: TraceEvidence;
  /** Tools that read the whole trace, for a judge whose lists leave out a part of it. */
  walk?: TraceWalk;
};

/** The spans of a record as far as they were read. */
export type ReadSpans = {
  /** By start. */
  rows: SpanRow[];
  /** Their contents by spanName. */
  contents: Map<string, string>;
  /** The record's link, if it has one. */
  link: string | null;
  /** Number of all its spans. */
  count: number;
};

/** Longest part, and longest single text within it, in characters. docs/tracing.md names them. */
export const partLimit = 200_000;
export const textLimits: Record<TracePartName, number> = {
  // Messages make attributes long, and the conversation has each of them once.
  trace: 2_000,
  conversation: 20_000,
  toolCalls: 20_000,
};
type Limits = { part: number; texts: Record<TracePartName, number> };
const usualLimits: Limits = { part: partLimit, texts: textLimits };
/** The lists of a judge that walks show the beginning and the end of the trace. */
export const walkLimits: Limits = {
  part: 20_000,
  texts: { trace: 1_000, conversation: 1_000, toolCalls: 1_000 },
};

const messageOf = (agents: Map<string, string>) => (entry: Entry) => {
  const { role, content, reasoning, toolCalls, toolCallId, name, media, agentSpanId, error, spanId } = entry;
  return {
    role,
    content,
    ...(reasoning !== undefined && { reasoning }),
    ...(toolCalls !== undefined && { toolCalls }),
    ...(toolCallId !== undefined && { toolCallId }),
    ...(name !== undefined && { name }),
    ...(media !== undefined && { media }),
    ...(agentSpanId !== null && { agent: agents.get(agentSpanId) ?? agentSpanId }),
    ...(error !== null && { error }),
    spanId,
  };
};

const known = (values: object) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

/** Returns a span as metrics see it; without attributes where its content was not read. */
const spanOf = (row: Placed<SpanRow>, content: string | undefined) => {
  const span = {
    spanId: row.spanId,
    parentSpanId: row.parentSpanId,
    depth: row.depth,
    name: row.name,
    service: row.service,
    operation: row.operation,
    model: row.model,
    failed: row.failed,
    startTime: isoTime(BigInt(row.start)),
    durationMs: durationOf(row),
  };
  if (content === undefined) return span;
  const read = readStored(row.name, content);
  return {
    ...span,
    ...(row.failed && { error: errorOf(read.statusMessage, read) }),
    ...known(usageOf(read.attributes)),
    attributes: Object.fromEntries(read.attributes) as Json,
    ...(read.events.length > 0 && {
      events: read.events.map(({ name, attributes }) => ({
        name,
        attributes: Object.fromEntries(attributes) as Json,
      })),
    }),
  };
};

/** Returns a part as JSON text: long texts are cut in their middle, then as many of the first and last items are kept as fit. */
const partText = (
  part: TracePartName,
  plural: string,
  items: unknown[],
  notice: (text: string) => object,
  cuts: Cuts,
  limits = usualLimits,
): string => {
  const limit = limits.texts[part];
  let shortened = 0;
  const texts = items.map((item) => {
    const { value, count } = shortenedJson(item as Json, limit);
    shortened += count;
    return JSON.stringify(value);
  });
  if (shortened > 0) cuts.push(`${part}: texts longer than ${limit} characters (${shortened})`);
  const { kept, cut } = fitted(texts, limits.part, (from, to) =>
    JSON.stringify(notice(`[cut: ${plural} ${from} to ${to} of ${texts.length}]`)),
  );
  if (cut) cuts.push(`${part}: ${plural} ${cut.from} to ${cut.to} of ${texts.length}`);
  return `[${kept.join(',')}]`;
};

const conversationText = (messages: readonly unknown[], cuts: Cuts, limits?: Limits): string =>
  partText('conversation', 'messages', [...messages], (content) => ({ role: 'cut', content }), cuts, limits);

/** Whether the lists leave out spans or contents. Texts that are cut in their middle do not count. */
export const leavesOut = ({ cut }: TraceEvidence): boolean =>
  cut.some((words) => !/: texts longer/.test(words));

/**
 * Returns the parts that a metric names, from the spans of a record. A conversation without messages is left out; a list of
 * tool calls may be empty. The same spans give the same texts.
 */
export const tracePartsOf = (
  read: ReadSpans,
  names: readonly TracePartName[],
  limits = usualLimits,
): TraceParts => {
  const { rows, contents, link, count } = read;
  const spans = treeOrder(rows, link);
  const cut: Cuts = [];
  if (count > rows.length) cut.push(`spans ${rows.length + 1} to ${count} of ${count} were not read`);
  const unread = rows.filter((row) => !contents.has(spanName(row))).length;
  if (unread > 0) cut.push(`the contents of ${unread} of ${rows.length} spans were not read`);
  const texts: TraceParts['texts'] = {};
  if (names.includes('trace')) {
    const items = spans.map((row) => spanOf(row, contents.get(spanName(row))));
    texts.trace = partText('trace', 'spans', items, (name) => ({ name }), cut, limits);
  }
  if (names.includes('conversation') || names.includes('toolCalls')) {
    const byStart = conversationSpans(spans, contents);
    const { data, agents } = conversationOf(byStart);
    if (names.includes('conversation') && data.length > 0) {
      const messages = data.map(messageOf(new Map(agents.map(({ spanId, name }) => [spanId, name]))));
      texts.conversation = conversationText(messages, cut, limits);
    }
    if (names.includes('toolCalls')) {
      const calls = toolCallsOf(data, byStart);
      const notice = (name: string) => ({ name, arguments: null, result: null, error: null });
      texts.toolCalls = partText('toolCalls', 'tool calls', calls, notice, cut, limits);
    }
  }
  return { texts, evidence: { numSpans: count, cut } };
};

const isMessage = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'role' in value && 'content' in value;

/**
 * Returns the parts with the messages of the outputs as conversation, if a metric names it and the trace has none: a simulation, or a
 * client that sends whole conversations, has no spans.
 */
export const withOutputMessages = (
  parts: TraceParts | undefined,
  names: readonly TracePartName[],
  outputs: RawJson,
): TraceParts | undefined => {
  if (!names.includes('conversation') || parts?.texts.conversation !== undefined) return parts;
  const { messages } = parseJson(outputs) as { messages?: unknown };
  if (!Array.isArray(messages) || messages.length === 0 || !messages.every(isMessage)) return parts;
  const cut: Cuts = [...(parts?.evidence.cut ?? [])];
  const conversation = conversationText(messages, cut);
  return {
    ...parts,
    texts: { ...parts?.texts, conversation },
    evidence: { numSpans: parts?.evidence.numSpans ?? 0, cut },
  };
};

/** Returns the parts of a trace that a metric reads, with the span that it scores. */
export const withSpan = (
  parts: TraceParts | undefined,
  span: ScoredSpan | undefined,
): TraceParts | undefined =>
  span
    ? {
        ...parts,
        texts: { ...parts?.texts, span: span.text },
        evidence: {
          numSpans: parts?.evidence.numSpans ?? 1,
          cut: [...(parts?.evidence.cut ?? []), ...span.cut],
        },
      }
    : parts;
