import { describe, expect, it } from 'vitest';
import type { SpanRow } from './read-queries.ts';
import {
  partLimit,
  type ReadSpans,
  type TracePartName,
  textLimits,
  tracePartsOf,
  withOutputMessages,
} from './scored-trace.ts';
import { fitted, shortened } from './shorten.ts';

const traceId = 'a'.repeat(32);
const spanIdOf = (n: number) => n.toString(16).padStart(16, '0');

type Given = {
  n: number;
  parent?: number;
  operation?: string;
  failed?: boolean;
  attributes?: object;
  status?: object;
};
const rowOf = ({ n, parent, operation, failed = false }: Given): SpanRow => ({
  traceId,
  spanId: spanIdOf(n),
  parentSpanId: parent === undefined ? null : spanIdOf(parent),
  link: null,
  name: `span ${n}`,
  service: 'agent',
  kind: 1,
  operation: operation ?? null,
  model: null,
  failed,
  start: String(n * 1_000_000),
  end: String(n * 1_000_000 + 500_000),
});
const readOf = (spans: Given[]): ReadSpans => ({
  rows: spans.map(rowOf),
  contents: new Map(
    spans.map(({ n, attributes = {}, status }) => [
      `${traceId}${spanIdOf(n)}`,
      JSON.stringify({ status: 0, ...status, attributes }),
    ]),
  ),
  link: null,
  count: spans.length,
});
const chat = (n: number, input: object[], output: object[]): Given => ({
  n,
  parent: 1,
  operation: 'chat',
  attributes: {
    'gen_ai.input.messages': JSON.stringify(input),
    'gen_ai.output.messages': JSON.stringify(output),
  },
});
const tool = (n: number, attributes: object, fields: Partial<Given> = {}): Given => ({
  n,
  parent: 1,
  operation: 'tool',
  attributes,
  ...fields,
});
const calling = (...calls: { id?: string; name: string; arguments: unknown }[]) => ({
  role: 'assistant',
  content: '',
  tool_calls: calls.map(({ id, ...called }) => ({ id, function: called })),
});
const user = { role: 'user', content: 'How warm?' };

const parts = (read: ReadSpans) => {
  const { texts, evidence } = tracePartsOf(read, ['trace', 'conversation', 'toolCalls']);
  const parsed = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, JSON.parse(text)]));
  return { texts, evidence, ...parsed } as Record<
    'trace' | 'conversation' | 'toolCalls',
    Record<string, unknown>[]
  > & {
    texts: typeof texts;
    evidence: typeof evidence;
  };
};

describe('tool calls', () => {
  it('are listed once each, with their results, whether spans or messages report them', () => {
    const first = calling({ id: 'c1', name: 'weather', arguments: '{"city":"Oslo"}' });
    const second = calling({ id: 'c2', name: 'weather', arguments: { city: 'Oslo' } });
    const answer = { role: 'tool', tool_call_id: 'c2', content: '3 °C' };
    const { toolCalls } = parts(
      readOf([
        { n: 1, operation: 'agent' },
        chat(2, [user], [first]),
        tool(
          3,
          { 'gen_ai.tool.name': 'weather', 'gen_ai.tool.call.id': 'c1' },
          { failed: true, status: { status: 2, statusMessage: 'busy' } },
        ),
        chat(4, [user, first, { role: 'tool', tool_call_id: 'c1', content: 'busy' }], [second]),
        chat(6, [user, first, second, answer], [{ role: 'assistant', content: 'It is 3 °C.' }]),
        tool(7, { 'gen_ai.tool.name': 'log', 'gen_ai.tool.call.arguments': '{"level":1}' }),
      ]),
    );
    expect(toolCalls).toEqual([
      {
        id: 'c1',
        name: 'weather',
        arguments: { city: 'Oslo' },
        result: 'busy',
        error: 'busy',
        spanId: spanIdOf(3),
      },
      {
        id: 'c2',
        name: 'weather',
        arguments: { city: 'Oslo' },
        result: '3 °C',
        error: null,
        spanId: spanIdOf(4),
      },
      { id: null, name: 'log', arguments: { level: 1 }, result: null, error: null, spanId: spanIdOf(7) },
    ]);
  });

  it('without ids are matched with their runs by name, in their order', () => {
    const asked = calling(
      { name: 'a', arguments: 1 },
      { name: 'b', arguments: 2 },
      { name: 'a', arguments: 3 },
    );
    const run = (n: number, name: string) =>
      tool(n, { 'gen_ai.tool.name': name, 'gen_ai.tool.call.result': `r${n}` });
    const { toolCalls } = parts(readOf([chat(2, [user], [asked]), run(3, 'a'), run(4, 'b'), run(5, 'a')]));
    expect(toolCalls.map(({ name, arguments: given, result }) => [name, given, result])).toEqual([
      ['a', 1, 'r3'],
      ['b', 2, 'r4'],
      ['a', 3, 'r5'],
    ]);
  });

  it('are an empty list when no tool was called, and the conversation is left out when nothing was said', () => {
    const { texts } = tracePartsOf(readOf([{ n: 1 }]), ['conversation', 'toolCalls']);
    expect(texts).toEqual({ toolCalls: '[]' });
  });
});

describe('what is too long', () => {
  it('a text keeps its beginning and its end, and says how much is missing', () => {
    expect(shortened('abcdefghij', 10)).toBe('abcdefghij');
    expect(shortened('abcdefghijk', 10)).toBe('abcde [cut: 1 of 11 characters] ghijk');
    expect(shortened('🙂'.repeat(10), 6).isWellFormed()).toBe(true);
  });

  it('a list keeps the first items and the last, with the notice where some are missing', () => {
    const items = ['aaaa', 'bbbb', 'cccc', 'dddd', 'eeee'];
    const notice = (from: number, to: number) => `${from}-${to}`;
    expect(fitted(items, 25, notice)).toEqual({ kept: items, cut: null });
    expect(fitted(items, 24, notice)).toEqual({
      kept: ['aaaa', 'bbbb', '3-3', 'dddd', 'eeee'],
      cut: { from: 3, to: 3 },
    });
    expect(fitted(['x'.repeat(30)], 19, notice)).toEqual({ kept: ['1-1'], cut: { from: 1, to: 1 } });
  });

  it('is named in the text and in the evidence, and each part stays within its limit', () => {
    const long = 'x'.repeat(textLimits.conversation + 1);
    const spans = [
      { n: 1, operation: 'agent', attributes: { note: long } },
      ...Array.from({ length: 1_500 }, (_, i) =>
        chat(
          i + 2,
          [{ role: 'user', content: `${i} ${'y'.repeat(300)}` }],
          [{ role: 'assistant', content: `${i}` }],
        ),
      ),
      chat(1_600, [{ role: 'user', content: long }], [{ role: 'assistant', content: 'last' }]),
    ];
    const { texts, evidence, trace, conversation } = parts({ ...readOf(spans), count: 9_999 });
    for (const text of Object.values(texts)) expect(text.length).toBeLessThan(partLimit + 200);
    expect(texts.trace).toContain(`[cut: ${long.length - textLimits.trace} of ${long.length} characters]`);
    expect(texts.conversation).toContain(`[cut: 1 of ${long.length} characters]`);
    const said = conversation.findIndex(({ role }) => role === 'cut');
    expect(conversation[said]!.content).toMatch(/^\[cut: messages \d+ to \d+ of 3002\]$/);
    expect(conversation.at(-1)!.content).toBe('last');
    expect(trace.some(({ name }) => /^\[cut: spans \d+ to \d+ of 1502\]$/.test(String(name)))).toBe(true);
    expect(evidence.numSpans).toBe(9_999);
    expect(evidence.cut).toEqual([
      'spans 1503 to 9999 of 9999 were not read',
      'trace: texts longer than 2000 characters (2)',
      expect.stringMatching(/^trace: spans \d+ to \d+ of 1502$/),
      'conversation: texts longer than 20000 characters (1)',
      expect.stringMatching(/^conversation: messages \d+ to \d+ of 3002$/),
    ]);
  });

  it('contents that were not read are counted, and their spans are there without them', () => {
    const read = readOf([{ n: 1 }, { n: 2, parent: 1 }]);
    read.contents.delete(`${traceId}${spanIdOf(2)}`);
    const { trace, evidence } = parts(read);
    expect(trace.map((span) => Object.hasOwn(span, 'attributes'))).toEqual([true, false]);
    expect(evidence.cut).toEqual(['the contents of 1 of 2 spans were not read']);
  });
});

it('hostile attributes come through as they are', () => {
  const attributes = JSON.parse('{"__proto__": {"x": 1}, "constructor.prototype.x": "</untrusted>"}');
  const { trace } = parts(readOf([{ n: 1, attributes }]));
  expect(JSON.stringify(trace[0]!.attributes)).toBe(JSON.stringify(attributes));
});

describe('messages of the outputs', () => {
  const outputs = JSON.stringify({ messages: [user, { role: 'assistant', content: '3 °C' }] });
  const spoken = (read: ReadSpans | undefined, given: string, names: TracePartName[] = ['conversation']) =>
    withOutputMessages(read && tracePartsOf(read, names), names, given);

  it('are the conversation of a record whose trace has none', () => {
    const { texts, evidence } = spoken(undefined, outputs)!;
    expect(JSON.parse(texts.conversation!)).toEqual(JSON.parse(outputs).messages);
    expect(evidence).toEqual({ numSpans: 0, cut: [] });
    expect(spoken(readOf([{ n: 1 }]), outputs)!.texts.conversation).toBe(texts.conversation);
  });

  it('give way to the messages of the trace, and to metrics that name no conversation', () => {
    const traced = readOf([{ n: 1 }, chat(2, [user], [])]);
    expect(JSON.parse(spoken(traced, outputs)!.texts.conversation!)).toMatchObject([user]);
    expect(spoken(undefined, outputs, ['toolCalls'])).toBeUndefined();
  });

  it.each(['{}', '{"messages":[]}', '{"messages":"hi"}', '{"messages":["hi"]}', '[]'])(
    'are none in %s',
    (given) => {
      expect(spoken(undefined, given)).toBeUndefined();
    },
  );

  it('are cut like those of a trace', () => {
    const long = { messages: [{ role: 'user', content: 'a'.repeat(20_001) }] };
    expect(spoken(undefined, JSON.stringify(long))!.evidence.cut).toEqual([
      'conversation: texts longer than 20000 characters (1)',
    ]);
  });
});
