import type { ConversationEntry } from '../../types.ts';
import type { Conversation } from './queries.ts';

type Agent = Conversation['agents'][number];
type Call = NonNullable<ConversationEntry['toolCalls']>[number];
/** A tool call with what the tool answered, when that is in the trace. */
export type AnsweredCall = { key: string; call: Call; answer: ConversationEntry | undefined };

/** A row of the conversation: a message, or a sub-agent below which its own messages stand. */
export type Item =
  | { kind: 'message'; key: string; depth: number; entry: ConversationEntry; calls: AnsweredCall[] }
  | { kind: 'agent'; key: string; depth: number; agent: Agent; numMessages: number }
  /** A turn of a session begins. `afterMs`: how long nothing was said before it. */
  | { kind: 'turn'; key: string; depth: 0; place: number; traceId: string; time: string; afterMs: number }
  /** Messages of earlier turns, which the first call of a trace repeats. */
  | { kind: 'earlier'; key: string; depth: 0; count: number; isOpen: boolean };

type MessageItem = Extract<Item, { kind: 'message' }>;
type ThreadItem = Extract<Item, { kind: 'message' | 'agent' }>;

/** The messages of one thread, with each tool result attached to its call. */
const messagesOf = (entries: ConversationEntry[], thread: string, depth: number) => {
  const items: MessageItem[] = [];
  const waiting = new Map<string, AnsweredCall[]>();
  for (const [i, entry] of entries.entries()) {
    const asked =
      entry.role === 'tool' && entry.toolCallId ? waiting.get(entry.toolCallId)?.shift() : undefined;
    if (asked) {
      asked.answer = entry;
      continue;
    }
    const key = `${thread} ${i}`;
    const calls = (entry.toolCalls ?? []).map((call, n) => ({ key: `${key} ${n}`, call, answer: undefined }));
    for (const each of calls as AnsweredCall[]) {
      const { id } = each.call;
      if (id) waiting.set(id, [...(waiting.get(id) ?? []), each]);
    }
    items.push({ kind: 'message', key, depth, entry, calls });
  }
  return items;
};

/**
 * The conversation in the order in which it is read: each sub-agent with what it said stands in the thread that it works for,
 * before the first message that came after it began. Messages in a folded sub-agent are left out.
 */
export const readThreads = ({ data, agents }: Conversation, folded: ReadonlySet<string>): ThreadItem[] => {
  const entries = Map.groupBy(data, ({ agentSpanId }) => agentSpanId ?? '');
  const known = new Set(agents.map(({ spanId }) => spanId));
  // An agent with an unknown parent is shown as well.
  const below = Map.groupBy(agents, ({ parentAgentSpanId: id }) => (id !== null && known.has(id) ? id : ''));
  const seen = new Set<Agent>();
  const beganAt = (agent: Agent) => entries.get(agent.spanId)?.[0]?.time;
  const read = (thread: string, depth: number): ThreadItem[] => {
    const messages = messagesOf(entries.get(thread) ?? [], thread, depth);
    const workers = (below.get(thread) ?? []).filter((agent) => !seen.has(agent));
    for (const agent of workers) seen.add(agent);
    const items: ThreadItem[] = [];
    let next = 0;
    const add = (agent: Agent) => {
      const key = `agent ${agent.traceId} ${agent.spanId}`;
      const numMessages = entries.get(agent.spanId)?.length ?? 0;
      items.push({ kind: 'agent', key, depth, agent, numMessages });
      const inside = read(agent.spanId, depth + 1);
      if (!folded.has(key)) items.push(...inside);
    };
    for (const message of messages) {
      for (; next < workers.length; next += 1) {
        const began = beganAt(workers[next]!);
        if (began === undefined || began >= message.entry.time) break;
        add(workers[next]!);
      }
      items.push(message);
    }
    for (const agent of workers.slice(next)) add(agent);
    return items;
  };
  return read('', 0);
};

const traceOf = (item: Item): { traceId: string; time: string } | undefined => {
  if (item.kind === 'message') return item.entry;
  return undefined;
};

/** The items with a heading before each trace, if there are several. */
export const withTurns = (items: readonly Item[]): Item[] => {
  const traces = new Set(items.flatMap((item) => (item.depth === 0 ? (traceOf(item)?.traceId ?? []) : [])));
  if (traces.size < 2) return [...items];
  const places = new Map([...traces].map((traceId, i) => [traceId, i + 1]));
  const seen = new Set<string>();
  let last: string | undefined;
  return items.flatMap((item) => {
    const of = item.depth === 0 ? traceOf(item) : undefined;
    if (!of) return [item];
    const { traceId, time } = of;
    const afterMs = last === undefined ? 0 : Date.parse(time) - Date.parse(last);
    last = time;
    if (seen.has(traceId)) return [item];
    seen.add(traceId);
    const place = places.get(traceId)!;
    return [
      { kind: 'turn' as const, key: `turn ${traceId}`, depth: 0 as const, place, traceId, time, afterMs },
      item,
    ];
  });
};

/**
 * The items of one trace, without what was said before its own turn: the first call of a model repeats all that came before the
 * last message of the user. System prompts stay.
 */
export const withoutEarlier = (items: readonly Item[], isOpen: boolean): Item[] => {
  const first = items.find((item): item is MessageItem => item.kind === 'message' && item.depth === 0);
  if (!first) return [...items];
  const isSent = (item: Item) =>
    item.kind === 'message' &&
    item.depth === 0 &&
    item.entry.spanId === first.entry.spanId &&
    item.entry.time === first.entry.time;
  const turn = items.findLastIndex((item) => isSent(item) && (item as MessageItem).entry.role === 'user');
  const isEarlier = (item: Item, index: number) =>
    index < turn && isSent(item) && (item as MessageItem).entry.role !== 'system';
  const count = items.filter(isEarlier).length;
  if (count === 0) return [...items];
  const at = items.findIndex(isEarlier);
  const kept = isOpen ? items : items.filter((item, index) => !isEarlier(item, index));
  return kept.toSpliced(at, 0, { kind: 'earlier', key: 'earlier', depth: 0, count, isOpen });
};
