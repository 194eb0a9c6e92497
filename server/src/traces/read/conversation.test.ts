import { expect, it } from 'vitest';
import { type ConversationSpan, conversationOf } from './conversation.ts';

type Given = {
  id: number;
  parent?: number;
  operation: string;
  at: [start: number, end: number];
  attributes: Record<string, unknown>;
};

const span = ({ id, parent, operation, at: [start, end], attributes }: Given): ConversationSpan => ({
  traceId: 't',
  spanId: String(id),
  parentSpanId: parent === undefined ? null : String(parent),
  operation,
  model: null,
  failed: false,
  start: BigInt(start),
  end: BigInt(end),
  content: {
    name: operation,
    attributes: new Map(Object.entries(attributes)),
    events: [],
    statusMessage: '',
  },
});

const said = (spans: Given[]): string[] =>
  conversationOf(spans.map(span)).data.map(({ role, content, toolCalls = [] }) => {
    const calls = toolCalls.map(
      ({ id, name, arguments: args }) => `${name}${id ?? ''}${JSON.stringify(args)}`,
    );
    return [role, content, ...calls].filter((part) => part !== '').join(' ');
  });

const messages = (role: string, content: string) => JSON.stringify([{ role, content }]);

it('turns whose calls of models hold no messages have the words of their agents, in order, also if they repeat', () => {
  const turn = (id: number, start: number, input: string, output: string): Given[] => [
    {
      id,
      operation: 'agent',
      at: [start, start + 9],
      attributes: { 'input.value': input, 'output.value': output },
    },
    { id: id + 1, parent: id, operation: 'chat', at: [start + 1, start + 2], attributes: {} },
  ];
  expect(
    said([...turn(1, 0, 'yes', 'ok'), ...turn(3, 10, 'yes', 'ok'), ...turn(5, 20, 'no', 'bye')]),
  ).toEqual(['user yes', 'assistant ok', 'user yes', 'assistant ok', 'user no', 'assistant bye']);
});

it('an agent within an agent that speaks for it says nothing twice', () => {
  const own = { 'input.value': 'a question', 'output.value': 'an answer' };
  expect(
    said([
      { id: 1, operation: 'agent', at: [0, 9], attributes: own },
      {
        id: 2,
        parent: 1,
        operation: 'agent',
        at: [1, 8],
        attributes: { 'input.value': 'inner', 'output.value': 'i' },
      },
      { id: 3, parent: 2, operation: 'chat', at: [2, 3], attributes: {} },
    ]),
  ).toEqual(['user a question', 'assistant an answer']);
});

it('of a call of a model within another the inner one speaks, or the outer one if the inner holds no messages', () => {
  const talk = {
    'gen_ai.input.messages': messages('user', 'hi'),
    'gen_ai.output.messages': messages('assistant', 'ho'),
  };
  const nested = (outer: object, inner: object): Given[] => [
    { id: 1, operation: 'chat', at: [0, 9], attributes: { ...outer } },
    { id: 2, parent: 1, operation: 'chat', at: [1, 8], attributes: { ...inner } },
  ];
  for (const spans of [nested(talk, talk), nested(talk, {}), nested({}, talk)])
    expect(said(spans)).toEqual(['user hi', 'assistant ho']);
});

it('a call of a tool that no message has is put into the answer before it', () => {
  const tool = (id: number, name: string, callId?: string): Given => ({
    id,
    operation: 'tool',
    at: [id, id],
    attributes: {
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.arguments': '{"n":1}',
      'gen_ai.tool.call.result': `${name} done`,
      ...(callId !== undefined && { 'gen_ai.tool.call.id': callId }),
    },
  });
  const chat = (id: number, output?: string): Given => ({
    id,
    operation: 'chat',
    at: [id, id],
    attributes: {
      'gen_ai.input.messages': messages('user', 'go'),
      ...(output !== undefined && { 'gen_ai.output.messages': messages('assistant', output) }),
    },
  });
  const results = ['tool a done', 'tool b done'];
  // The answer was not sent, is empty, or is a text: then only an id tells that the model asked.
  for (const output of [undefined, ''])
    expect(said([chat(1, output), tool(2, 'a', 'x'), tool(3, 'b', 'y')])).toEqual([
      'user go',
      'assistant ax{"n":1} by{"n":1}',
      ...results,
    ]);
  expect(said([chat(1, ''), tool(2, 'a'), tool(3, 'b')])[1]).toBe('assistant a{"n":1} b{"n":1}');
  expect(said([chat(1, 'Looking.'), tool(2, 'a', 'x'), tool(3, 'b', 'y')])[1]).toBe(
    'assistant Looking. ax{"n":1} by{"n":1}',
  );
  expect(said([chat(1, 'Done.'), tool(2, 'a')])).toEqual(['user go', 'assistant Done.', 'tool a done']);
  expect(said([tool(2, 'a', 'x')])).toEqual(['tool a done']);
});

it('earlier answers of tools without ids are the answers that are there', () => {
  const call = (id: string, name: string) => ({
    role: 'assistant',
    content: '',
    tool_calls: [{ id, function: { name, arguments: '{}' } }],
  });
  const history = [
    { role: 'user', content: 'go' },
    call('x', 'a'),
    { role: 'tool', content: 'A, at length' },
  ];
  expect(
    said([
      {
        id: 1,
        operation: 'chat',
        at: [1, 2],
        attributes: {
          'gen_ai.input.messages': messages('user', 'go'),
          'gen_ai.output.messages': JSON.stringify([call('x', 'a')]),
        },
      },
      {
        id: 2,
        operation: 'tool',
        at: [3, 4],
        attributes: { 'gen_ai.tool.name': 'a', 'gen_ai.tool.call.result': 'A' },
      },
      {
        id: 3,
        operation: 'chat',
        at: [5, 6],
        attributes: { 'gen_ai.input.messages': JSON.stringify(history) },
      },
    ]),
  ).toEqual(['user go', 'assistant ax{}', 'tool A']);
});

it('each run of a tool without an id is a message with its own error, also if an earlier one returned the same', () => {
  const run = (id: number, parent?: number): Given => ({
    id,
    ...(parent !== undefined && { parent }),
    operation: 'tool',
    at: [id, id + 1],
    attributes: { 'gen_ai.tool.name': 'a', 'gen_ai.tool.call.result': 'ok' },
  });
  // The second one fails, and the last span is the client's of the third run.
  const spans = [run(1), run(3), run(5), run(6, 5)].map(span);
  spans[1]!.failed = true;
  const { data } = conversationOf(spans);
  expect(data.map(({ spanId, content, error }) => [spanId, content, error])).toEqual([
    ['1', 'ok', null],
    ['3', 'ok', 'failed'],
    ['5', 'ok', null],
  ]);
  // The next call of a model was sent both answers: they are those that are there.
  const asked = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: 'Looking.' },
  ];
  const chat = (id: number, sent: object[], answer: string): Given => ({
    id,
    operation: 'chat',
    at: [id, id],
    attributes: {
      'gen_ai.input.messages': JSON.stringify(sent),
      'gen_ai.output.messages': messages('assistant', answer),
    },
  });
  const result = { role: 'tool', content: 'ok' };
  expect(
    said([
      chat(0, asked.slice(0, 1), 'Looking.'),
      run(1),
      run(3),
      chat(9, [...asked, result, result], 'Done.'),
    ]),
  ).toEqual(['user go', 'assistant Looking.', 'tool ok', 'tool ok', 'assistant Done.']);
});
