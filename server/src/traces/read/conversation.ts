import { type Json, toJson } from '../conventions/attribute.ts';
import {
  agentNameOf,
  errorOf,
  isAside,
  type Message,
  messagesOf,
  plainKeyOf,
  plainMessagesOf,
  plainValueOf,
  type Readable,
  toolRunOf,
} from '../conventions/understand.ts';
import { spanName } from '../store/record-content.ts';
import { readStored } from '../store/stored.ts';
import { isoTime } from './format.ts';
import type { SpanRow } from './read-queries.ts';

/** A span of a record with its content. */
export type ConversationSpan = {
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  operation: string | null;
  model: string | null;
  failed: boolean;
  start: bigint;
  end: bigint;
  /** null when it was not read: the span is not of a model, tool or agent, or the conversation is too long. */
  content: (Readable & { statusMessage: string }) | null;
};

/** Returns spans by start, each with its content as far as that was read. `contents` has the contents by spanName. */
export const conversationSpans = (spans: SpanRow[], contents: Map<string, string>): ConversationSpan[] =>
  spans
    .map((span) => {
      const content = contents.get(spanName(span));
      return {
        ...span,
        start: BigInt(span.start),
        end: BigInt(span.end),
        content: content === undefined ? null : readStored(span.name, content),
      };
    })
    .sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));

/** A message of a conversation and where it comes from. */
export type Entry = Message & {
  traceId: string;
  spanId: string;
  /** The sub-agent whose conversation it belongs to; null for the conversation itself. */
  agentSpanId: string | null;
  /** JSON Pointer to the text in the span as the API returns it; null when the span does not hold it as it is. */
  path: string | null;
  time: string;
  modelName: string | null;
  error: string | null;
};

/** A message that a span holds, with the path of its text. */
type Held = { message: Message; path: string | null };
/** Source and time of a message, without the path of its text. */
type Place = Omit<Entry, keyof Message | 'path'>;

export type Agent = {
  traceId: string;
  spanId: string;
  name: string;
  /** The sub-agent that it works for; null when it works for the main agent. */
  parentAgentSpanId: string | null;
  error: string | null;
};

const keyOf = ({ role, content, toolCalls = [], toolCallId, media = [] }: Message): string =>
  role === 'tool' && toolCallId !== undefined
    ? `tool ${toolCallId}`
    : JSON.stringify([
        role,
        content.trim(),
        toolCalls.map(({ id, name, arguments: args }) => [id, name, args]),
        media,
      ]);

/** Escapes a member's name for a JSON Pointer. */
const pointerPart = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** One conversation with each message once, although every call of a model is sent all earlier messages. */
class Thread {
  readonly entries: Entry[] = [];
  readonly #keys: string[] = [];

  /** Adds the messages that are not there yet, in their order. */
  add(messages: Held[], place: Place): void {
    let at = 0;
    for (const { message, path } of messages) {
      const key = keyOf(message);
      const found = this.#keys.indexOf(key, at);
      if (found >= 0) {
        // A tool's span may lack its answer; then the next call of the model holds it.
        const entry = this.entries[found]!;
        if (entry.content === '' && message.content !== '') {
          entry.content = message.content;
          // The text is in the other span.
          entry.path = null;
        }
        entry.error ??= place.error;
        at = found + 1;
        continue;
      }
      this.#keys.push(key);
      this.entries.push({ ...message, ...place, path });
      at = this.#keys.length;
    }
  }

  /** Adds a message, even one that was said before. */
  say({ message, path }: Held, place: Place): void {
    this.#keys.push(keyOf(message));
    this.entries.push({ ...message, ...place, path });
  }

  /**
   * Returns the id of the first call of a tool that has no answer yet; of several with its name, the one with these arguments.
   * Undefined when there is none: many instrumentations do not write the id into the tool's span.
   */
  openCall(name: string, args: Json): string | undefined {
    const answered = new Set(this.entries.flatMap((entry) => entry.toolCallId ?? []));
    const open = this.entries
      .flatMap(({ toolCalls = [] }) => toolCalls)
      .filter((call) => call.name === name && call.id !== null && !answered.has(call.id));
    const text = JSON.stringify(args);
    return (open.find((call) => JSON.stringify(call.arguments) === text) ?? open[0])?.id ?? undefined;
  }

  has(role: string): boolean {
    return this.entries.some((entry) => entry.role === role);
  }
}

/** Returns the function that finds the nearest agent above a span. */
const agentFinder = (spans: ConversationSpan[]) => {
  const byName = new Map(spans.map((span) => [spanName(span), span]));
  const nearest = new Map<ConversationSpan, ConversationSpan | null>();
  const parentOf = (span: ConversationSpan) =>
    span.parentSpanId === null ? undefined : byName.get(`${span.traceId}${span.parentSpanId}`);
  return (span: ConversationSpan): ConversationSpan | null => {
    const path: ConversationSpan[] = [];
    let agent: ConversationSpan | null = null;
    // Each span is visited once; a cycle of parents ends at the first span that comes again.
    const walked = new Set([span]);
    for (let at: ConversationSpan | undefined = span; at; ) {
      const known = nearest.get(at);
      if (known !== undefined) {
        agent = known;
        break;
      }
      path.push(at);
      const parent = parentOf(at);
      if (!parent || walked.has(parent)) break;
      walked.add(parent);
      if (parent.operation === 'agent') {
        agent = parent;
        break;
      }
      at = parent;
    }
    for (const each of path) nearest.set(each, agent);
    return agent;
  };
};

/**
 * Returns the function that names the sub-agent of an agent's conversation; null for the conversation itself, in which a
 * main agent speaks: one with no agent above it, or the only agent below a main agent that calls no model itself.
 */
const subAgentFinder = (
  spans: ConversationSpan[],
  agentOf: (span: ConversationSpan) => ConversationSpan | null,
) => {
  const agents = Map.groupBy(
    spans.filter(({ operation }) => operation === 'agent'),
    agentOf,
  );
  const speakers = new Set(spans.filter(({ operation }) => operation === 'chat').map(agentOf));
  const known = new Map<ConversationSpan, boolean>();
  const isMain = (agent: ConversationSpan): boolean => {
    const way: ConversationSpan[] = [];
    let found = known.get(agent);
    // Walks up: a deep tree must not exhaust the stack. No agent of a cycle is a main agent.
    for (let at = agent; found === undefined; ) {
      way.push(at);
      known.set(at, false);
      const above = agentOf(at);
      if (!above) found = true;
      else if (speakers.has(above) || agents.get(above)!.length > 1) found = false;
      else {
        found = known.get(above);
        at = above;
      }
    }
    for (const span of way) known.set(span, found);
    return found;
  };
  return (agent: ConversationSpan | null) => (agent && !isMain(agent) ? agent.spanId : null);
};

/** Returns the calls of models that contain another: a framework's span around the one of its client. */
const wrappersOf = (spans: ConversationSpan[]): Set<ConversationSpan> => {
  const calls = spans.filter(({ operation }) => operation === 'chat');
  const byName = new Map(calls.map((span) => [spanName(span), span]));
  return new Set(
    calls.flatMap(({ traceId, parentSpanId }) => byName.get(`${traceId}${parentSpanId ?? ''}`) ?? []),
  );
};

const heldMessages = (span: Readable, side: 'input' | 'output'): Held[] => {
  const messages = messagesOf(span, side);
  if (messages.length > 0) return messages.map((message, i) => ({ message, path: `/${side}/${i}/content` }));
  // These come from a larger value, so no path leads to their texts.
  const state = plainMessagesOf(span, side);
  if (state.length > 0) return state.map((message) => ({ message, path: null }));
  const key = plainKeyOf(span, side);
  if (key === undefined) return [];
  const value = plainValueOf(span, side);
  const isAsSent = value === span.attributes.get(key);
  return [
    {
      message: { role: side === 'input' ? 'user' : 'assistant', content: asText(toJson(value)) },
      path: isAsSent ? `/attributes/${pointerPart(key)}` : null,
    },
  ];
};

const errorText = ({ failed, content }: ConversationSpan): string | null =>
  failed ? ((content && errorOf(content.statusMessage, content)) ?? 'failed') : null;

/** The threads of a conversation by the agent that speaks in it; null is the conversation itself. */
const openThreads = () => {
  const threads = new Map<string | null, Thread>();
  const threadOf = (agentSpanId: string | null): Thread => {
    const found = threads.get(agentSpanId) ?? new Thread();
    threads.set(agentSpanId, found);
    return found;
  };
  threadOf(null);
  return { threadOf, entries: () => [...threads.values()].flatMap((thread) => thread.entries) };
};

const place = (span: ConversationSpan, agentSpanId: string | null, time: bigint, error: string | null) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  agentSpanId,
  time: isoTime(time),
  modelName: span.model,
  error,
});

/**
 * Returns the messages of a record, from its spans by start: the messages of the conversation itself, then those of each
 * sub-agent (an agent below another), and the sub-agents.
 */
export const conversationOf = (spans: ConversationSpan[]): { data: Entry[]; agents: Agent[] } => {
  const agentOf = agentFinder(spans);
  const { threadOf, entries } = openThreads();
  const agents: Agent[] = [];
  const subAgent = subAgentFinder(spans, agentOf);
  const wrappers = wrappersOf(spans);
  for (const span of spans) {
    const { content } = span;
    if (!content || isAside(content.attributes) || wrappers.has(span)) continue;
    const agentSpanId = subAgent(span.operation === 'agent' ? span : agentOf(span));
    const error = errorText(span);
    if (span.operation === 'chat') {
      const thread = threadOf(agentSpanId);
      thread.add(heldMessages(content, 'input'), place(span, agentSpanId, span.start, null));
      const answers = heldMessages(content, 'output');
      if (error !== null && answers.length === 0)
        answers.push({ message: { role: 'assistant', content: '' }, path: null });
      for (const answer of answers) thread.say(answer, place(span, agentSpanId, span.end, error));
    } else if (span.operation === 'tool') {
      const { id, name, arguments: args, result } = toolRunOf(content);
      const thread = threadOf(agentSpanId);
      const toolCallId = id ?? thread.openCall(name, args);
      const message = {
        role: 'tool',
        name,
        content: result === null ? '' : asText(result),
        ...(toolCallId !== undefined && { toolCallId }),
      };
      thread.add([{ message, path: '/tool/result' }], place(span, agentSpanId, span.end, error));
    } else if (agentSpanId !== null) {
      const above = agentOf(span);
      agents.push({
        traceId: span.traceId,
        spanId: span.spanId,
        name: agentNameOf(content),
        parentAgentSpanId: subAgent(above),
        error,
      });
    }
  }
  // If an agent's calls of models hold no messages, its own span may.
  for (const span of spans) {
    if (span.operation !== 'agent' || !span.content) continue;
    const agentSpanId = subAgent(span);
    const thread = threadOf(agentSpanId);
    const [hasInput, hasOutput] = [thread.has('user'), thread.has('assistant')];
    const said = place(span, agentSpanId, span.start, null);
    if (!hasInput)
      thread.entries.unshift(
        ...heldMessages(span.content, 'input').map(({ message, path }) => ({ ...message, ...said, path })),
      );
    if (!hasOutput)
      thread.add(heldMessages(span.content, 'output'), place(span, agentSpanId, span.end, errorText(span)));
  }
  return { data: entries(), agents };
};
