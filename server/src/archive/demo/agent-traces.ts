import { createHash } from 'node:crypto';
import type { Attributes, Source, Span, Value } from '../../traces/store/span.ts';

type Fields = Record<string, unknown>;
type Call = { tool: string; arguments: Fields; result?: unknown; error?: string };
type Turn = { ask: string; calls: Call[]; answer: string };

/** A conversation with the agent, with what a judge and a person say about it. */
type Conversation = {
  tag: string;
  isSolved: boolean;
  judged: string;
  /** Reason of the judge where it is wrong. */
  misjudged?: string;
  /** Reason of the person who fails it. */
  person?: string;
  turns: Turn[];
};

/** The agent of the demo, and the conversations of each of its days by their names. */
export type Agent = {
  service: string;
  model: string;
  instructions: string;
  dollarsPerToken: number;
  goods: { item: string; amount: number }[];
  days: string[][];
  conversations: Record<string, Conversation>;
};

export type Session = { id: string; userId: string; start: bigint; conversation: Conversation };

const ms = 1_000_000n;
const hourMs = 3_600_000;
/** Hours between the sessions of a day: eight of them fit in it. */
const hoursApart = 2.6;
/** How long a call lasts whose error says that it timed out. */
const timeoutMs = 10_000;
const msBetweenTurns = 95_000;
/** People whose sessions these are: some write again. */
const numUsers = 31;

/** Fills in order, item and amount. In JSON, a string that is the amount alone becomes a number. */
const fill = <T>(value: T, words: { order: string; item: string; amount: number }): T => {
  const amount = words.amount.toFixed(2);
  const filled = JSON.stringify(value)
    .replaceAll('"{amount}"', String(words.amount))
    .replaceAll('{order}', words.order)
    .replaceAll('{item}', words.item)
    .replaceAll('{amount}', amount);
  return JSON.parse(filled);
};

/** Returns the sessions in their order. The last one began some hours before `now`. */
export const sessionsOf = ({ days, conversations, goods }: Agent, now: Date): Session[] =>
  days.flatMap((names, day) =>
    names.map((name, place) => {
      const i = day * names.length + place;
      const hours = (days.length - 1 - day) * 24 + (names.length - place) * hoursApart;
      const order = String(60_214 + i * 37);
      return {
        id: `mail-${order}`,
        userId: `customer-${101 + ((i * 7) % numUsers)}`,
        start: BigInt(Math.round(now.getTime() - hours * hourMs)) * ms,
        conversation: fill(conversations[name]!, { order, ...goods[i % goods.length]! }),
      };
    }),
  );

const idOf = (name: string, digits: number) =>
  createHash('sha256').update(name).digest('hex').slice(0, digits);
/** A number from `least`, spread over as many as `span`, that is the same for each name. */
const spread = (name: string, least: number, span: number) =>
  least + (Number.parseInt(idOf(name, 8), 16) % span);
const attributes = (values: Record<string, Value>): Attributes => new Map(Object.entries(values));
const message = (role: string, ...parts: Fields[]) => ({ role, parts });
/** About as many as models count. */
const tokensOf = (json: string) => Math.ceil(json.length / 4);
const text = (content: string) => ({ type: 'text', content });

/** Records the spans of a trace one after the other. The first is the root, and ends with the last. */
const openTrace = (source: Source, traceId: string, start: bigint) => {
  const spans: Span[] = [];
  let at = start;
  const add = (name: string, durationMs: number, values: Record<string, Value>, error = ''): void => {
    const end = at + BigInt(durationMs) * ms;
    spans.push({
      traceId,
      spanId: idOf(`${traceId} ${spans.length}`, 16),
      parentSpanId: spans[0]?.spanId ?? '',
      name,
      kind: 1,
      start: at,
      end,
      status: error ? 2 : 1,
      statusMessage: error,
      traceState: '',
      attributes: attributes(values),
      events: [],
      links: [],
      droppedAttributes: 0,
      droppedEvents: 0,
      droppedLinks: 0,
      unknownFields: [],
      bytes: 0,
      source,
    });
    spans[0]!.end = end;
    at = end;
  };
  return { spans, add };
};

/** Returns what the agent did in one turn: questions to the model, with the calls of tools between them. */
const spansOfTurn = (agent: Agent, source: Source, session: Session, turn: Turn, start: bigint): Span[] => {
  const { id: sessionId, userId, conversation } = session;
  const traceId = idOf(`${sessionId} ${turn.ask}`, 32);
  const { spans, add } = openTrace(source, traceId, start);
  const said: Fields[] = [message('system', text(agent.instructions)), message('user', text(turn.ask))];
  add(`invoke_agent ${agent.service}`, 0, {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': agent.service,
    'session.id': sessionId,
    'user.id': userId,
    'dokima.tags': [conversation.tag],
    'gen_ai.input.messages': JSON.stringify([message('user', text(turn.ask))]),
    'gen_ai.output.messages': JSON.stringify([message('assistant', text(turn.answer))]),
  });
  const ask = (reply: Fields) => {
    const outputs = JSON.stringify([reply]);
    const inputs = JSON.stringify(said);
    const [inputTokens, outputTokens] = [tokensOf(inputs), tokensOf(outputs)];
    add(`chat ${agent.model}`, spread(`${traceId} ${spans.length}`, 600, 1_900), {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': agent.model,
      'gen_ai.usage.input_tokens': BigInt(inputTokens),
      'gen_ai.usage.output_tokens': BigInt(outputTokens),
      'gen_ai.usage.cost': (inputTokens + 4 * outputTokens) * agent.dollarsPerToken,
      'gen_ai.input.messages': inputs,
      'gen_ai.output.messages': outputs,
    });
    said.push(reply);
  };
  turn.calls.forEach(({ tool, arguments: given, result, error }, i) => {
    const id = `call_${i + 1}`;
    ask(message('assistant', { type: 'tool_call', id, name: tool, arguments: given }));
    const durationMs = error?.includes('timed out') ? timeoutMs : spread(`${traceId} ${id}`, 40, 400);
    const called = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': id,
      'gen_ai.tool.call.arguments': JSON.stringify(given),
    };
    const returned: Record<string, Value> = error
      ? { 'error.type': 'ToolError' }
      : { 'gen_ai.tool.call.result': JSON.stringify(result) };
    add(`execute_tool ${tool}`, durationMs, { ...called, ...returned }, error);
    said.push(message('tool', { type: 'tool_call_response', id, response: error ?? result }));
  });
  ask(message('assistant', text(turn.answer)));
  return spans;
};

/** Returns the spans of the sessions. Each turn is a trace. */
export const spansOf = (agent: Agent, projectId: bigint, sessions: Session[]): Span[] => {
  const source: Source = {
    unknownFields: [],
    resource: attributes({ 'service.name': agent.service, 'dokima.project_id': String(projectId) }),
    scopeName: 'demo',
    scopeVersion: '',
    scopeAttributes: new Map(),
  };
  return sessions.flatMap((session) =>
    session.conversation.turns.flatMap((turn, i) =>
      spansOfTurn(agent, source, session, turn, session.start + BigInt(i * msBetweenTurns) * ms),
    ),
  );
};
