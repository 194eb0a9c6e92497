import type { ConversationEntry } from '../../types.ts';
import type { Conversation } from './queries.ts';

type Agent = Conversation['agents'][number];
type Call = NonNullable<ConversationEntry['toolCalls']>[number];
/** A tool call with what the tool answered, when that is in the trace. */
export type AnsweredCall = { key: string; call: Call; answer: ConversationEntry | undefined };

/** A row of the conversation: a message, or a sub-agent below which its own messages stand. */
export type Item =
  | { kind: 'message'; key: string; depth: number; entry: ConversationEntry; calls: AnsweredCall[] }
  | { kind: 'agent'; key: string; depth: number; agent: Agent; numMessages: number };

/** The messages of one thread, with each tool result attached to its call. */
const messagesOf = (entries: ConversationEntry[], thread: string, depth: number) => {
  const items: Extract<Item, { kind: 'message' }>[] = [];
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
export const readThreads = ({ data, agents }: Conversation, folded: ReadonlySet<string>): Item[] => {
  const entries = Map.groupBy(data, ({ agentSpanId }) => agentSpanId ?? '');
  const known = new Set(agents.map(({ spanId }) => spanId));
  // An agent with an unknown parent is shown as well.
  const below = Map.groupBy(agents, ({ parentAgentSpanId: id }) => (id !== null && known.has(id) ? id : ''));
  const seen = new Set<Agent>();
  const beganAt = (agent: Agent) => entries.get(agent.spanId)?.[0]?.time;
  const read = (thread: string, depth: number): Item[] => {
    const messages = messagesOf(entries.get(thread) ?? [], thread, depth);
    const workers = (below.get(thread) ?? []).filter((agent) => !seen.has(agent));
    for (const agent of workers) seen.add(agent);
    const items: Item[] = [];
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
