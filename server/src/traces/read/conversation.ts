import type { Json } from '../conventions/attribute.ts';
import { toJson } from '../conventions/attribute.ts';
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
import { isoTime } from './format.ts';

/** A span of a record, in the order of the tree's starts, with what it holds. */
export type ConversationSpan = {
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  operation: string | null;
  model: string | null;
  failed: boolean;
  start: bigint;
  end: bigint;
  /** null when it was not read: it says nothing of models, tools or agents, or the conversation is too long. */
  content: (Readable & { statusMessage: string }) | null;
};

/** A message and where it was said. */
export type Entry = Message & {
  traceId: string;
  spanId: string;
  /** The sub-agent whose conversation it belongs to; null for the conversation itself. */
  agentSpanId: string | null;
  /** Where the text stands in the span as the API gives it; null when it stands nowhere. */
  path: string | null;
  time: string;
  model: string | null;
  error: string | null;
};

/** A message that a span holds, and where in it. */
type Held = { message: Message; path: string | null };
/** Where and when something was said, but for the text's place in the span. */
type Place = Omit<Entry, keyof Message | 'path'>;

export type Agent = {
  traceId: string;
  spanId: string;
  name: string;
  /** The agent that it works for, when that is a sub-agent itself. */
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

/** A member's name as a JSON Pointer has it. */
const pointerPart = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** One conversation: each message once, although every call of a model is sent all that was said before it. */
class Thread {
  readonly entries: Entry[] = [];
  readonly #keys: string[] = [];

  /** Adds the messages that are new, in their order. */
  add(messages: Held[], place: Place): void {
    let at = 0;
    for (const { message, path } of messages) {
      const key = keyOf(message);
      const found = this.#keys.indexOf(key, at);
      if (found >= 0) {
        // A tool's span may not hold what it answered; then the next call of the model does.
        const entry = this.entries[found]!;
        if (entry.content === '' && message.content !== '') {
          entry.content = message.content;
          // It stands in the other span then.
          entry.path = null;
        }
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

  has(role: string): boolean {
    return this.entries.some((entry) => entry.role === role);
  }
}

const nameOf = ({ traceId, spanId }: { traceId: string; spanId: string }) => `${traceId}${spanId}`;

/** For each span the agents that it works within, the nearest first. */
const agentsAbove = (spans: ConversationSpan[]) => {
  const byName = new Map(spans.map((span) => [nameOf(span), span]));
  const nearest = new Map<ConversationSpan, ConversationSpan | null>();
  const parentOf = (span: ConversationSpan) =>
    span.parentSpanId === null ? undefined : byName.get(`${span.traceId}${span.parentSpanId}`);
  return (span: ConversationSpan): ConversationSpan | null => {
    const path: ConversationSpan[] = [];
    let agent: ConversationSpan | null = null;
    // Each span is walked once; a cycle of parents ends at the first that comes again.
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

const heldMessages = (span: Readable, side: 'input' | 'output'): Held[] => {
  const messages = messagesOf(span, side);
  if (messages.length > 0) return messages.map((message, i) => ({ message, path: `/${side}/${i}/content` }));
  // Taken out of a value that holds more: their texts stand nowhere as they are.
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

/**
 * What was said in a record, from the spans of models, tools and agents: the conversation itself, and that of each
 * sub-agent (an agent that works within another).
 */
export const conversationOf = (spans: ConversationSpan[]): { data: Entry[]; agents: Agent[] } => {
  const agentOf = agentsAbove(spans);
  const threads = new Map<string, Thread>();
  const agents: Agent[] = [];
  const errorText = (span: ConversationSpan) =>
    span.failed ? ((span.content && errorOf(span.content.statusMessage, span.content)) ?? 'failed') : null;
  /** An agent that works within no other speaks in the conversation itself. */
  const subAgent = (agent: ConversationSpan | null) => (agent && agentOf(agent) ? agent.spanId : null);
  const threadOf = (agentSpanId: string | null): Thread => {
    const found = threads.get(agentSpanId ?? '');
    if (found) return found;
    const made = new Thread();
    threads.set(agentSpanId ?? '', made);
    return made;
  };
  const place = (span: ConversationSpan, agentSpanId: string | null, time: bigint, error: string | null) => ({
    traceId: span.traceId,
    spanId: span.spanId,
    agentSpanId,
    time: isoTime(time),
    model: span.model,
    error,
  });

  threadOf(null);
  for (const span of spans) {
    const { content } = span;
    if (!content || isAside(content.attributes)) continue;
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
      const { id, name, result } = toolRunOf(content);
      const message = {
        role: 'tool',
        name,
        content: result === null ? '' : asText(result),
        ...(id !== null && { toolCallId: id }),
      };
      threadOf(agentSpanId).add(
        [{ message, path: '/tool/result' }],
        place(span, agentSpanId, span.end, error),
      );
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
  // An agent whose calls of models say nothing speaks itself.
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
  return { data: [...threads.values()].flatMap((thread) => thread.entries), agents };
};
