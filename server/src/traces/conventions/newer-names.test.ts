import { describe, expect, it } from 'vitest';
import { contentOf, previewOf } from '../store/record-content.ts';
import {
  agentNameOf,
  hasContent,
  isAside,
  messagesOf,
  modelOf,
  operationOf,
  plainValueOf,
  type Readable,
  toolRunOf,
} from './understand.ts';

/**
 * What conventions have added or renamed, as these write it: opentelemetry-util-genai 1.3, openinference-semantic-conventions
 * 0.1.42, opentelemetry-instrumentation-openai 0.62, @ai-sdk/otel 1.0, Claude Code 2.1.330.
 */

const span = (attributes: Record<string, unknown>, name = 'span'): Readable => ({
  name,
  attributes: new Map(Object.entries(attributes)),
  events: [],
});
const answer = (parts: object[]) =>
  messagesOf(
    span({ 'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts, finish_reason: 'stop' }]) }),
    'output',
  );

describe('GenAI semantic conventions', () => {
  it('tools that the provider ran are calls, then their results, then the text', () => {
    expect(
      answer([
        {
          type: 'server_tool_call',
          id: 's1',
          name: 'web_search',
          server_tool_call: { type: 'search', query: 'Oslo' },
        },
        {
          type: 'server_tool_call_response',
          id: 's1',
          server_tool_call_response: { type: 'search', hits: 2 },
        },
        { type: 'text', content: 'Two.' },
      ]),
    ).toEqual([
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: 's1', name: 'web_search', arguments: { type: 'search', query: 'Oslo' } }],
      },
      { role: 'tool', content: '{"type":"search","hits":2}', toolCallId: 's1' },
      { role: 'assistant', content: 'Two.' },
    ]);
  });

  it('a refusal is what the model said, in either form', () => {
    expect(answer([{ type: 'refusal', content: 'No.' }])).toEqual([{ role: 'assistant', content: 'No.' }]);
    expect(answer([{ type: 'refusal', refusal: 'No.' }])).toEqual([{ role: 'assistant', content: 'No.' }]);
  });

  it('a retrieval is asked with its query and answers with its documents', () => {
    const documents = [{ id: 'd1', score: 0.9 }];
    const read = span({
      'gen_ai.operation.name': 'retrieval',
      'gen_ai.retrieval.query.text': 'Weather in Oslo?',
      'gen_ai.retrieval.documents': JSON.stringify(documents),
    });
    expect(operationOf(read)).toBe('retrieval');
    expect(contentOf(read, 'input')).toBe('{"input":"Weather in Oslo?"}');
    expect(contentOf(read, 'output')).toBe(JSON.stringify({ output: documents }));
  });

  it.each([
    ['rerank', 'retrieval'],
    ['agent_step', 'chain'],
    ['invoke_workflow', 'chain'],
  ])('the operation %s is a %s', (name, operation) => {
    expect(operationOf(span({ 'gen_ai.operation.name': name }))).toBe(operation);
  });
});

describe('OpenLLMetry', () => {
  it('what it writes as JSON is decoded for a record, text without its quotes', () => {
    const read = span({
      'traceloop.span.kind': 'workflow',
      'traceloop.entity.input': '"Which city?"',
      'traceloop.entity.output': '"Oslo"',
    });
    expect(contentOf(read, 'input')).toBe('{"input":"Which city?"}');
    expect(contentOf(read, 'output')).toBe('{"output":"Oslo"}');
    const object = span({ 'traceloop.entity.output': '{"city":"Oslo"}' });
    expect(contentOf(object, 'output')).toBe('{"city":"Oslo"}');
    // Lists show what an object says, not its JSON.
    const asked = span({ 'input.value': '{"id":7,"lang":"en","question":"Which city?"}' });
    expect(previewOf(asked, 'input')).toBe('Which city?');
    const numbers = span({ 'input.value': '{"id":107505301260286111,"price":1.10}' });
    expect(previewOf(numbers, 'input')).toBe('{"id":107505301260286111,"price":1.10}');
  });
});

describe('OpenInference', () => {
  it('the model asked for counts where the one that answered is not said', () => {
    expect(modelOf(new Map([['llm.request.model_name', 'asked']]))).toBe('asked');
    const both = { 'llm.request.model_name': 'asked', 'llm.response.model_name': 'answered' };
    expect(modelOf(new Map(Object.entries(both)))).toBe('answered');
  });

  it('the model asked for is in the arguments of a failed call, where nothing else names one', () => {
    const failed = { 'llm.invocation_parameters': '{"model":"asked","temperature":0}' };
    expect(modelOf(new Map(Object.entries(failed)))).toBe('asked');
    expect(modelOf(new Map(Object.entries({ ...failed, 'llm.model_name': 'answered' })))).toBe('answered');
  });

  it('completions have prompts and choices', () => {
    const read = span({
      'openinference.span.kind': 'LLM',
      'llm.prompts.0.prompt.text': 'Once',
      'llm.choices.0.completion.text': ' upon a time',
    });
    expect(messagesOf(read, 'input')).toEqual([{ role: 'user', content: 'Once' }]);
    expect(messagesOf(read, 'output')).toEqual([{ role: 'assistant', content: ' upon a time' }]);
  });

  it('a retriever that names its documents alone answers with them', () => {
    const read = span({
      'openinference.span.kind': 'RETRIEVER',
      'input.value': 'Oslo',
      'retrieval.documents.0.document.id': 'd1',
      'retrieval.documents.0.document.content': 'Cold.',
      'retrieval.documents.0.document.score': 0.9,
    });
    expect(hasContent(read, 'output')).toBe(true);
    const documents = [{ document: { id: 'd1', content: 'Cold.', score: 0.9 } }];
    expect(plainValueOf(read, 'output')).toEqual(documents);
    expect(
      plainValueOf(span({ 'output.value': 'x', 'retrieval.documents.0.document.content': 'y' }), 'output'),
    ).toBe('x');
  });

  it('a tool may name its call as tool.id', () => {
    expect(toolRunOf(span({ 'tool.name': 'weather', 'tool.id': 'c1' })).id).toBe('c1');
  });
});

describe('Claude Code', () => {
  it('a sub-agent that it starts is an agent, by the name of its kind', () => {
    const spawned = { 'span.type': 'subagent.spawn', agent_id: 'a1', agent_type: 'Explore' };
    for (const read of [
      span(spawned, 'claude_code.subagent.spawn'),
      span({ agent_type: 'Explore' }, 'claude_code.subagent.spawn'),
    ]) {
      expect(operationOf(read)).toBe('agent');
      expect(agentNameOf(read)).toBe('Explore');
    }
  });

  it('a call of a sub-agent in the background is its own, a call for a title belongs to no agent', () => {
    const standalone = { 'llm_request.context': 'standalone' };
    expect(isAside(span(standalone).attributes)).toBe(true);
    expect(isAside(span({ ...standalone, agent_id: 'a1' }).attributes)).toBe(false);
  });

  it('a tool’s answer is what the model receives, without the line that introduces it', () => {
    const tool = span({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'Bash',
      new_context: '[TOOL RESULT: Bash]\nfile one\n[TOOL RESULT: x]\nfile two',
    });
    expect(toolRunOf(tool)).toMatchObject({
      name: 'Bash',
      result: 'file one\n[TOOL RESULT: x]\nfile two',
    });
  });
});

it('an agent that answers in one message has its calls, what the tools answered, and then its text', () => {
  const parts = [
    { type: 'tool_call', id: 'c1', name: 'weather', arguments: { city: 'Oslo' } },
    { type: 'tool_call_response', id: 'c1', response: '3 °C' },
    { type: 'text', content: 'It is 3 °C.' },
  ];
  const attributes = new Map([
    ['gen_ai.output.messages', JSON.stringify([{ role: 'assistant', parts, finish_reason: 'stop' }])],
  ]);
  expect(messagesOf({ name: 'agent', attributes, events: [] }, 'output')).toMatchObject([
    { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'weather' }] },
    { role: 'tool', content: '3 °C', toolCallId: 'c1' },
    { role: 'assistant', content: 'It is 3 °C.' },
  ]);
});

describe('digits of JSON in attributes', () => {
  const text = '{"id":107505301260286111,"price":1.10,"list":[1E400,-0]}';

  it('stay in inputs, outputs, tool arguments and results', () => {
    const read = span({
      'input.value': text,
      'output.value': `[${text}]`,
      'gen_ai.tool.name': 'find',
      'gen_ai.tool.call.arguments': text,
      'gen_ai.tool.call.result': text,
    });
    expect(contentOf(read, 'input')).toBe(text);
    expect(contentOf(read, 'output')).toBe(`{"output":[${text}]}`);
    expect(JSON.stringify(toolRunOf(read).arguments)).toBe(text);
    expect(JSON.stringify(toolRunOf(read).result)).toContain('107505301260286111');
  });

  it('of an integer of 64 bits stay a number', () => {
    expect(contentOf(span({ 'input.value': new Map([['id', 107505301260286111n]]) }), 'input')).toBe(
      '{"id":107505301260286111}',
    );
  });
});
