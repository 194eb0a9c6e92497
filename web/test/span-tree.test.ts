import { describe, expect, it } from 'vitest';
import { readDuration, toQuery } from '../src/pages/traces/traces-filter.tsx';
import { laterText } from '../src/resources/traces/gaps.ts';
import { locate } from '../src/resources/traces/passages.tsx';
import {
  buildTree,
  matching,
  spanDurationText,
  ticksOf,
  unfolded,
  withAncestors,
} from '../src/resources/traces/span-tree.ts';
import { readThreads, withoutEarlier, withTurns } from '../src/resources/traces/threads.ts';
import { axisTicks, overviewPaths } from '../src/resources/traces/timeline.tsx';
import type { ConversationEntry, TreeSpan } from '../src/types.ts';
import { durationText } from '../src/ui/format.ts';
import { cut } from '../src/ui/marked-text.tsx';

/** A span that runs from `from` to `to` milliseconds after noon. */
const span = (
  name: string,
  depth: number,
  from: number,
  to: number,
  fields: Partial<TreeSpan> = {},
): TreeSpan => ({
  traceId: 'a'.repeat(32),
  spanId: name.padStart(16, '0'),
  parentSpanId: null,
  name,
  service: 'shop',
  kind: 'internal',
  operation: null,
  modelName: null,
  failed: false,
  startTime: new Date(Date.UTC(2026, 10, 20, 12) + from).toISOString().replace('Z', '000000Z'),
  endTime: '',
  durationMs: to - from,
  depth,
  parentMissing: false,
  ...fields,
});

const names = (nodes: readonly { span: TreeSpan }[]) => nodes.map((node) => node.span.name);

describe('a tree of spans', () => {
  it('knows what stands below what, and in which of its time none of a span’s children ran', () => {
    const { nodes, durationMs } = buildTree([
      span('root', 0, 100, 200),
      span('a', 1, 110, 150),
      span('b', 2, 120, 130),
      span('c', 1, 140, 160),
      span('beyond', 1, 190, 500),
      span('other', 0, 50, 60),
    ]);
    expect(nodes.map(({ parent }) => parent)).toEqual([-1, 0, 1, 0, 0, -1]);
    expect(nodes.map(({ end }) => end)).toEqual([5, 3, 3, 4, 5, 6]);
    // Of 100 ms children ran from 10 to 60 and from 90 on, however long they went on.
    expect(nodes.map(({ self }) => self)).toEqual([40, 30, 10, 20, 310, 10]);
    expect(nodes.map(({ from }) => from)).toEqual([50, 60, 70, 90, 140, 0]);
    expect(durationMs).toBe(450);
  });

  it('tells nanoseconds apart, and gives a span that was never ended no length', () => {
    const { nodes } = buildTree([
      span('first', 0, 0, 0, { startTime: '2026-11-20T12:00:00.000000100Z', durationMs: 0.0005 }),
      span('second', 0, 0, 0, {
        startTime: '2026-11-20T12:00:00.000000900Z',
        endTime: null,
        durationMs: null,
      }),
    ]);
    expect(nodes[1]!.from).toBeCloseTo(0.0008, 9);
    expect(nodes[1]!.to).toBe(nodes[1]!.from);
    expect(spanDurationText(nodes[1]!.span)).toBe('not ended');
    expect(spanDurationText({ ...nodes[1]!.span, endTime: '2026-11-20T11:00:00.000000000Z' })).toBe(
      'ends before it starts',
    );
  });

  it('leaves out what stands below a folded span, and keeps those above what was found', () => {
    const tree = buildTree([
      span('root', 0, 0, 9),
      span('step', 1, 0, 5),
      span('call', 2, 0, 1, { failed: true, modelName: 'GPT' }),
      span('end', 1, 6, 9),
    ]);
    const step = tree.nodes[1]!.key;
    expect(names(unfolded(tree, new Set([step])))).toEqual(['root', 'step', 'end']);
    const found = matching(tree, { text: 'gpt CALL', failed: false })!;
    expect(names(found)).toEqual(['call']);
    expect(names(withAncestors(tree, found))).toEqual(['root', 'step', 'call']);
    expect(names(matching(tree, { text: '', failed: true })!)).toEqual(['call']);
    expect(matching(tree, { text: ' ', failed: false })).toBeNull();
  });

  it('is built of a chain of 10,000, each below the one before, and drawn small', () => {
    const tree = buildTree(Array.from({ length: 10_000 }, (_, i) => span(String(i), i, i, 10_000)));
    expect(tree.nodes.at(-1)!.parent).toBe(9_998);
    expect(tree.nodes[0]!.end).toBe(10_000);
    expect(unfolded(tree, new Set([tree.nodes[0]!.key]))).toHaveLength(1);
    expect(overviewPaths(tree).plain.length).toBeLessThan(2_000);
  });

  it('of no span is nothing', () => {
    expect(buildTree([])).toMatchObject({ nodes: [], durationMs: 0 });
  });
});

describe('durations and times', () => {
  it.each([
    [0, '0 ms'],
    [0.0004, '400 ns'],
    [2.5, '2.5 ms'],
    [999, '999 ms'],
    [1_250, '1.25 s'],
    [90_000, '1.5 min'],
    [36_000_000, '10 h'],
    [undefined, 'N/A'],
    [Number.NaN, 'N/A'],
  ])('%s ms is %s', (ms, text) => expect(durationText(ms)).toBe(text));

  it('an axis has round steps, as many as there is room for', () => {
    expect(ticksOf(0, 4_000, 4)).toEqual([0, 1_000, 2_000, 3_000, 4_000]);
    expect(ticksOf(1_930, 2_070, 3)).toEqual([1_950, 2_000, 2_050]);
    expect(ticksOf(5, 5, 4)).toEqual([5]);
  });

  it('a filter reads durations, and says what it can’t read', () => {
    expect(['500', '500ms', '1.5 s', '2min', '1h', 'soon', '-1'].map(readDuration)).toEqual([
      500,
      500,
      1_500,
      120_000,
      3_600_000,
      undefined,
      undefined,
    ]);
    const { query, problems } = toQuery({ min: '1s', max: 'soon', after: 'x', trace: 'abc' });
    expect(query).toEqual({ minDurationMs: 1_000 });
    expect(problems).toHaveLength(3);
    expect(toQuery({})).toEqual({ query: { root: true }, problems: [] });
  });
});

describe('passages', () => {
  it('are found where they were, else at the nearest place with the same words', () => {
    const at = (text: string, start: number, quote: string) =>
      locate(text, { path: '/a', start, text: quote });
    expect(at('one two one', 8, 'one')).toBe(8);
    expect(at('so: one two one', 9, 'one')).toBe(12);
    expect(at('one two one', 2, 'one')).toBe(0);
    expect(at('one two', 0, 'three')).toBeUndefined();
  });

  it('that overlap cut a text into pieces, each with what it belongs to', () => {
    const marks = [
      { id: 'a', start: 2, end: 6, count: 1 },
      { id: 'b', start: 4, end: 20, count: 1 },
    ];
    const pieces = cut(0, 10, marks).map(({ from, to, marks }) => [
      from,
      to,
      marks.map(({ id }) => id).join(''),
    ]);
    expect(pieces).toEqual([
      [0, 2, ''],
      [2, 4, 'a'],
      [4, 6, 'ab'],
      [6, 10, 'b'],
    ]);
  });
});

describe('threads', () => {
  const entry = (
    content: string,
    time: number,
    fields: Partial<ConversationEntry> = {},
  ): ConversationEntry => ({
    role: 'assistant',
    content,
    traceId: 't',
    spanId: `s${content}`,
    agentSpanId: null,
    path: null,
    time: new Date(time).toISOString(),
    modelName: null,
    error: null,
    ...fields,
  });
  const agent = (spanId: string, parentAgentSpanId: string | null) => ({
    traceId: 't',
    spanId,
    name: spanId,
    parentAgentSpanId,
    error: null,
  });
  const call = (id: string) => ({ id, name: 'look', arguments: {} });
  const answer = (id: string, content: string, time: number) =>
    entry(content, time, { role: 'tool', toolCallId: id });

  it('put each answer of a tool to the call that it answers, also when an id comes twice', () => {
    const data = [
      entry('ask', 1, { toolCalls: [call('c'), call('d')] }),
      answer('d', 'for d', 2),
      answer('c', 'for c', 3),
      entry('again', 4, { toolCalls: [call('c')] }),
      answer('c', 'for c again', 5),
      answer('no call', 'asked', 6),
    ];
    const items = readThreads({ data, agents: [], truncated: false }, new Set());
    expect(
      items.map(
        (item) =>
          item.kind === 'message' && [item.entry.content, ...item.calls.map((each) => each.answer?.content)],
      ),
    ).toEqual([['ask', 'for c', 'for d'], ['again', 'for c again'], ['asked']]);
  });

  it('nest agents in the order of time, below whom they work for; folded ones hide what is in them', () => {
    const conversation = {
      data: [
        entry('start', 1),
        entry('end', 9),
        entry('inner', 4, { agentSpanId: 'one' }),
        entry('deep', 5, { agentSpanId: 'two' }),
        entry('lost', 20, { agentSpanId: 'three' }),
      ],
      agents: [agent('one', null), agent('two', 'one'), agent('three', 'unknown')],
      truncated: false,
    };
    const shown = (folded: Set<string>) =>
      readThreads(conversation, folded).map((item) =>
        item.kind === 'agent' ? `${item.depth} ${item.agent.name}` : `${item.depth} “${item.entry.content}”`,
      );
    expect(shown(new Set())).toEqual([
      '0 “start”',
      '0 one',
      '1 “inner”',
      '1 two',
      '2 “deep”',
      '0 “end”',
      '0 three',
      '1 “lost”',
    ]);
    expect(shown(new Set(['agent t one']))).toEqual(['0 “start”', '0 one', '0 “end”', '0 three', '1 “lost”']);
  });
});

describe('a timeline of days', () => {
  const [minute, hour] = [60_000, 3_600_000];
  const day = 24 * hour;
  const turn = (name: string, from: number) => [
    span(name, 0, from, from + 4_000),
    span(`${name} chat`, 1, from + 1_000, from + 3_000),
  ];

  it('draws the gaps between turns short, and everything else to scale', () => {
    const { nodes, gaps, width, durationMs } = buildTree([
      ...turn('a', 0),
      ...turn('b', 2 * day),
      ...turn('c', 5 * day),
    ]);
    expect(gaps.map(({ from, to }) => [from, to])).toEqual([
      [4_000, 2 * day],
      [2 * day + 4_000, 5 * day],
    ]);
    expect(durationMs).toBe(5 * day + 4_000);
    expect(width).toBeLessThan(18_000);
    for (const { from, to, left, right } of nodes) expect(right - left).toBeCloseTo(to - from, 3);
    expect(nodes.map(({ left }) => left)).toEqual(nodes.map(({ left }) => left).toSorted((a, b) => a - b));
  });

  it('cuts out what an agent waited for a person, and no work of a tool', () => {
    const waiting = buildTree([
      span('agent', 0, 0, day + 10_000),
      span('ask', 1, 0, 5_000),
      span('go on', 1, day, day + 10_000),
    ]);
    expect(waiting.gaps).toHaveLength(1);
    const busy = buildTree([span('agent', 0, 0, 20 * minute), span('build', 1, 1_000, 19 * minute)]);
    expect(busy.gaps).toEqual([]);
    // A tool that asks a person runs for days beside seconds of everything else.
    const asking = buildTree([span('agent', 0, 0, day + 10_000), span('ask', 1, 5_000, day)]);
    expect(asking.gaps).toHaveLength(1);
    // A pause of seconds, or of a small part of the whole, is no gap.
    expect(buildTree([span('a', 0, 0, 1_000), span('b', 0, 50_000, 51_000)]).gaps).toEqual([]);
    expect(buildTree([span('a', 0, 0, 9 * hour), span('b', 0, 10 * hour, 19 * hour)]).gaps).toEqual([]);
  });

  it('says on its axis how long each was, and counts on from its end', () => {
    const { gaps, width } = buildTree([...turn('a', 0), ...turn('b', 2 * day + 3 * hour)]);
    const ticks = axisTicks(gaps, { from: 0, to: width }, 800);
    expect(ticks.map(({ text }) => text)).toEqual([
      '0 ms',
      '1 s',
      '2 s',
      '3 s',
      '4 s',
      '2 d 3 h later',
      '1 s',
      '2 s',
      '3 s',
      '4 s',
    ]);
    expect(axisTicks(gaps, { from: 0, to: width }, 200).map(({ text }) => text)).toContain('2 d 3 h later');
    const many = buildTree(Array.from({ length: 60 }, (_, i) => turn(`t${i}`, i * day)).flat());
    expect(axisTicks(many.gaps, { from: 0, to: many.width }, 800).length).toBeLessThan(10);
  });

  it.each([
    [65_000, '1 min later'],
    [2 * hour + 5 * minute, '2 h 5 min later'],
    [51 * hour - 4_000, '2 d 3 h later'],
    [day - 1_000, '1 d later'],
    [2 * day, '2 d later'],
  ])('%s ms are %s', (ms, text) => expect(laterText(ms)).toBe(text));
});

describe('the turns of a session', () => {
  const said = (traceId: string, role: string, content: string, at: number, spanId = `${traceId} span`) =>
    ({
      traceId,
      spanId,
      role,
      content,
      agentSpanId: null,
      path: null,
      time: new Date(Date.UTC(2026, 10, 20) + at).toISOString(),
      modelName: null,
      error: null,
    }) as ConversationEntry;
  const items = (...data: ConversationEntry[]) =>
    readThreads({ data, agents: [], truncated: false }, new Set());
  const text = (list: ReturnType<typeof withTurns>) =>
    list.map((item) => {
      if (item.kind === 'message') return item.entry.content;
      return item.kind === 'turn' ? `turn ${item.place} of ${item.traceId}, +${item.afterMs}` : item.kind;
    });

  it('begin with a heading each; one trace has none', () => {
    const first = [said('a', 'user', 'Q1', 0), said('a', 'assistant', 'A1', 1_000)];
    expect(text(withTurns(items(...first)))).toEqual(['Q1', 'A1']);
    const second = [said('b', 'user', 'Q2', 90_000), said('b', 'assistant', 'A2', 91_000)];
    expect(text(withTurns(items(...first, ...second)))).toEqual([
      'turn 1 of a, +0',
      'Q1',
      'A1',
      'turn 2 of b, +89000',
      'Q2',
      'A2',
    ]);
  });

  it('on its own, a turn is without what came before it, until someone asks', () => {
    const turn = items(
      said('b', 'system', 'S', 0),
      said('b', 'user', 'Q1', 0),
      said('b', 'assistant', 'A1', 0),
      said('b', 'user', 'Q2', 0),
      said('b', 'assistant', 'A2', 1_000),
    );
    expect(text(withoutEarlier(turn, false))).toEqual(['S', 'earlier', 'Q2', 'A2']);
    expect(text(withoutEarlier(turn, true))).toEqual(['S', 'earlier', 'Q1', 'A1', 'Q2', 'A2']);
    expect(withoutEarlier(turn, false)[1]).toMatchObject({ count: 2, isOpen: false });
    expect(text(withoutEarlier(items(said('a', 'user', 'Q', 0)), false))).toEqual(['Q']);
  });
});
