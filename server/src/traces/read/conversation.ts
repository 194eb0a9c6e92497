import { type Json, toJson } from '../conventions/attribute.ts';
import {
  agentNameOf,
  errorOf,
  isAside,
  isToolExecution,
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
import { type Entry, type Held, Thread } from './thread.ts';

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

/**
 * Returns spans by start, each with its content as far as that was read. `contents` has the contents by spanName. A tool of Claude Code also
 * failed if the span of its execution did.
 */
export const conversationSpans = (spans: SpanRow[], contents: Map<string, string>): ConversationSpan[] => {
  const failedTools = new Set(
    spans
      .filter((span) => span.failed && isToolExecution(span))
      .map(({ traceId, parentSpanId }) => `${traceId}${parentSpanId}`),
  );
  return spans
    .map((span) => {
      const content = contents.get(spanName(span));
      return {
        ...span,
        failed: span.failed || failedTools.has(spanName(span)),
        start: BigInt(span.start),
        end: BigInt(span.end),
        content: content === undefined ? null : readStored(span.name, content),
      };
    })
    .sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
};

export type Agent = {
  traceId: string;
  spanId: string;
  name: string;
  /** The sub-agent that it works for; null when it works for the main agent. */
  parentAgentSpanId: string | null;
  error: string | null;
};

/** Escapes a member's name for a JSON Pointer. */
const pointerPart = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

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

const heldMessages = (span: Readable, side: 'input' | 'output'): Held[] => {
  const held = messagesOf(span, side).map((message, i) => ({ message, path: `/${side}/${i}/content` }));
  if (held.some(({ message }) => message.role !== 'system')) return held;
  // These come from a larger value, so no path leads to their texts.
  const state = plainMessagesOf(span, side);
  if (state.length > 0) return [...held, ...state.map((message) => ({ message, path: null }))];
  const key = plainKeyOf(span, side);
  if (key === undefined) return held;
  const value = plainValueOf(span, side);
  const isAsSent = value === span.attributes.get(key);
  return [
    ...held,
    {
      message: { role: side === 'input' ? 'user' : 'assistant', content: asText(toJson(value)) },
      path: isAsSent ? `/attributes/${pointerPart(key)}` : null,
    },
  ];
};

/** What the calls of models were sent and answered. */
type Spoken = Map<ConversationSpan, Record<'input' | 'output', Held[]>>;

/**
 * Returns the messages of the calls of models that belong to the conversation. A framework's span around the one of its client is left out,
 * or the client's if it holds no messages.
 */
const spokenIn = (spans: ConversationSpan[]): Spoken => {
  const spoken: Spoken = new Map();
  for (const span of spans)
    if (span.operation === 'chat' && span.content && !isAside(span.content.attributes))
      spoken.set(span, {
        input: heldMessages(span.content, 'input'),
        output: heldMessages(span.content, 'output'),
      });
  const byName = new Map([...spoken.keys()].map((span) => [spanName(span), span]));
  for (const [span, { input, output }] of [...spoken]) {
    const outer = byName.get(`${span.traceId}${span.parentSpanId ?? ''}`);
    if (outer && outer !== span) spoken.delete(input.length + output.length > 0 ? outer : span);
  }
  return spoken;
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

type Finders = {
  agentOf: (span: ConversationSpan) => ConversationSpan | null;
  subAgent: (agent: ConversationSpan | null) => string | null;
};

/**
 * Returns the function that gives an agent's own input or output as messages: if no call of a model in its conversation holds any of
 * that side, and no agent above it speaks for it.
 */
const agentWords = (spoken: Spoken, { agentOf, subAgent }: Finders) => {
  const told = { input: new Set<ConversationSpan>(), output: new Set<ConversationSpan>() };
  const sides = { input: 'user', output: 'assistant' } as const;
  for (const [span, held] of spoken)
    for (const side of ['input', 'output'] as const) {
      if (!held[side].some(({ message }) => message.role === sides[side])) continue;
      let agent = agentOf(span);
      const thread = subAgent(agent);
      while (agent && subAgent(agent) === thread && !told[side].has(agent)) {
        told[side].add(agent);
        agent = agentOf(agent);
      }
    }
  return (agent: ConversationSpan, side: 'input' | 'output'): Held[] => {
    const above = agentOf(agent);
    const isToldAbove = above && subAgent(above) === subAgent(agent) && told[side].has(above);
    if (!agent.content || told[side].has(agent) || isToldAbove) return [];
    const held = heldMessages(agent.content, side);
    if (held.length > 0) told[side].add(agent);
    return held;
  };
};

/** Runs each action when the spans by start have passed its time, in the order of these times. */
const laterActions = () => {
  const actions: { at: bigint; run: () => void }[] = [];
  return {
    add: (at: bigint, run: () => void) => {
      const next = actions.findIndex((action) => action.at >= at);
      actions.splice(next < 0 ? actions.length : next, 0, { at, run });
    },
    runUntil: (isPast: (at: bigint) => boolean) => {
      while (actions.length > 0 && isPast(actions[0]!.at)) actions.shift()!.run();
    },
  };
};

/**
 * Returns the messages of a record, from its spans by start: the messages of the conversation itself, then those of each
 * sub-agent (an agent below another), and the sub-agents.
 */
export const conversationOf = (spans: ConversationSpan[]): { data: Entry[]; agents: Agent[] } => {
  const agentOf = agentFinder(spans);
  const subAgent = subAgentFinder(spans, agentOf);
  const { threadOf, entries } = openThreads();
  const agents: Agent[] = [];
  const spoken = spokenIn(spans);
  const wordsOf = agentWords(spoken, { agentOf, subAgent });
  const later = laterActions();
  const byName = new Map(spans.map((span) => [spanName(span), span]));
  const isWithinTool = ({ traceId, parentSpanId }: ConversationSpan, name: string): boolean => {
    const { operation, content } = byName.get(`${traceId}${parentSpanId}`) ?? {};
    return operation === 'tool' && content != null && toolRunOf(content).name === name;
  };

  const readCall = (span: ConversationSpan, agentSpanId: string | null) => {
    const { input, output } = spoken.get(span)!;
    const thread = threadOf(agentSpanId);
    thread.add(input, place(span, agentSpanId, span.start, null));
    const error = errorText(span);
    const isSilent = error !== null && output.length === 0;
    const answers = isSilent ? [{ message: { role: 'assistant', content: '' }, path: null }] : output;
    thread.say(answers, place(span, agentSpanId, span.end, error));
  };
  const readTool = (span: ConversationSpan, agentSpanId: string | null, content: Readable) => {
    const { id, name, arguments: args, result } = toolRunOf(content);
    const thread = threadOf(agentSpanId);
    const toolCallId = id ?? thread.openCall(name, args);
    thread.ask({ id: toolCallId ?? null, name, arguments: args });
    const message = {
      role: 'tool',
      name,
      content: result === null ? '' : asText(result),
      ...(toolCallId !== undefined && { toolCallId }),
    };
    const held = { message, path: '/tool/result' };
    const placed = place(span, agentSpanId, span.end, errorText(span));
    // A framework's span of a tool and that of the client below it are one run.
    if (isWithinTool(span, name)) thread.add([held], placed);
    else thread.run(held, placed);
  };
  const readAgent = (span: ConversationSpan, agentSpanId: string | null, content: Readable) => {
    const [error, above] = [errorText(span), agentOf(span)];
    // A new turn begins after all that ended before it.
    if (!above) later.runUntil((at) => at <= span.start);
    threadOf(agentSpanId).tell(wordsOf(span, 'input'), place(span, agentSpanId, span.start, null));
    const said = wordsOf(span, 'output');
    const sayIt = () => threadOf(agentSpanId).tell(said, place(span, agentSpanId, span.end, error));
    if (said.length > 0) later.add(span.end, sayIt);
    if (agentSpanId === null) return;
    const { traceId, spanId } = span;
    const [name, parentAgentSpanId] = [agentNameOf(content), subAgent(above)];
    agents.push({ traceId, spanId, name, parentAgentSpanId, error });
  };

  for (const span of spans) {
    const { operation, content } = span;
    if (!content) continue;
    later.runUntil((at) => at < span.start);
    const agentSpanId = subAgent(operation === 'agent' ? span : agentOf(span));
    if (operation === 'agent') readAgent(span, agentSpanId, content);
    else if (operation === 'tool') readTool(span, agentSpanId, content);
    else if (spoken.has(span)) readCall(span, agentSpanId);
  }
  later.runUntil(() => true);
  return { data: entries(), agents };
};
