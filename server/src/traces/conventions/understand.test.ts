// Longer than 400 lines: one convention after the other, each with spans as its instrumentation writes them.
import { describe, expect, it } from 'vitest';
import {
  agentNameOf,
  errorOf,
  isFailed,
  messagesOf,
  modelOf,
  operationOf,
  plainMessagesOf,
  plainValueOf,
  type Readable,
  toolRunOf,
  usageOf,
} from './understand.ts';

type Given = {
  name?: string;
  attributes?: Record<string, unknown>;
  events?: { name: string; attributes: Record<string, unknown> }[];
};
const span = ({ name = 'span', attributes = {}, events = [] }: Given): Readable => ({
  name,
  attributes: new Map(Object.entries(attributes)),
  events: events.map((event) => ({
    name: event.name,
    attributes: new Map(Object.entries(event.attributes)),
  })),
});

const question = { role: 'user', content: 'Weather in Oslo?' };
const system = { role: 'system', content: 'Be brief.' };
const call = { id: 'c1', name: 'weather', arguments: { city: 'Oslo' } };
const asked = { role: 'assistant', content: '', toolCalls: [call] };
const result = { role: 'tool', content: '3 °C', toolCallId: 'c1' };
const answer = { role: 'assistant', content: '3 °C.' };

/** One exchange (instructions, question, call of a tool, its result, answer), as each instrumentation writes it. */
const exchanges: [string, Given][] = [
  [
    'GenAI semantic conventions, current: JSON in attributes',
    {
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.usage.input_tokens': 12,
        'gen_ai.usage.output_tokens': 3,
        'gen_ai.system_instructions': JSON.stringify([{ type: 'text', content: 'Be brief.' }]),
        'gen_ai.input.messages': JSON.stringify([
          { role: 'user', parts: [{ type: 'text', content: question.content }] },
          { role: 'assistant', parts: [{ type: 'tool_call', ...call }] },
          { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: '3 °C' }] },
        ]),
        'gen_ai.output.messages': JSON.stringify([
          { role: 'assistant', parts: [{ type: 'text', content: '3 °C.' }], finish_reason: 'stop' },
        ]),
      },
    },
  ],
  [
    'GenAI semantic conventions, old: an event a message',
    {
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.system': 'openai',
        'gen_ai.response.model': 'gpt-4o',
        'gen_ai.usage.prompt_tokens': 12,
        'gen_ai.usage.completion_tokens': 3,
      },
      events: [
        { name: 'gen_ai.system.message', attributes: { content: 'Be brief.' } },
        { name: 'gen_ai.user.message', attributes: { content: question.content } },
        {
          name: 'gen_ai.assistant.message',
          attributes: {
            tool_calls: JSON.stringify([
              { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
            ]),
          },
        },
        { name: 'gen_ai.tool.message', attributes: { id: 'c1', content: '3 °C' } },
        {
          name: 'gen_ai.choice',
          attributes: { index: 0, finish_reason: 'stop', message: '{"role":"assistant","content":"3 °C."}' },
        },
      ],
    },
  ],
  [
    'OpenLLMetry: a numbered attribute for each member',
    {
      attributes: {
        'llm.request.type': 'chat',
        'gen_ai.system': 'openai',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.usage.prompt_tokens': 12,
        'gen_ai.usage.completion_tokens': 3,
        'gen_ai.prompt.0.role': 'system',
        'gen_ai.prompt.0.content': 'Be brief.',
        'gen_ai.prompt.1.role': 'user',
        'gen_ai.prompt.1.content': question.content,
        'gen_ai.prompt.2.role': 'assistant',
        'gen_ai.prompt.2.tool_calls.0.id': 'c1',
        'gen_ai.prompt.2.tool_calls.0.name': 'weather',
        'gen_ai.prompt.2.tool_calls.0.arguments': '{"city":"Oslo"}',
        'gen_ai.prompt.3.role': 'tool',
        'gen_ai.prompt.3.tool_call_id': 'c1',
        'gen_ai.prompt.3.content': '3 °C',
        'gen_ai.completion.0.role': 'assistant',
        'gen_ai.completion.0.content': '3 °C.',
        'gen_ai.completion.0.finish_reason': 'stop',
      },
    },
  ],
  [
    'OpenInference',
    {
      attributes: {
        'openinference.span.kind': 'LLM',
        'llm.provider': 'openai',
        'llm.model_name': 'gpt-4o',
        'llm.token_count.prompt': 12,
        'llm.token_count.completion': 3,
        'input.value': '{"messages":[]}',
        'llm.input_messages.0.message.role': 'system',
        'llm.input_messages.0.message.content': 'Be brief.',
        'llm.input_messages.1.message.role': 'user',
        'llm.input_messages.1.message.contents.0.message_content.type': 'text',
        'llm.input_messages.1.message.contents.0.message_content.text': question.content,
        'llm.input_messages.2.message.role': 'assistant',
        'llm.input_messages.2.message.tool_calls.0.tool_call.id': 'c1',
        'llm.input_messages.2.message.tool_calls.0.tool_call.function.name': 'weather',
        'llm.input_messages.2.message.tool_calls.0.tool_call.function.arguments': '{"city":"Oslo"}',
        'llm.input_messages.3.message.role': 'tool',
        'llm.input_messages.3.message.tool_call_id': 'c1',
        'llm.input_messages.3.message.content': '3 °C',
        'llm.output_messages.0.message.role': 'assistant',
        'llm.output_messages.0.message.content': '3 °C.',
      },
    },
  ],
  [
    'Vercel AI SDK before version 7',
    {
      attributes: {
        'ai.operationId': 'ai.generateText.doGenerate',
        'ai.model.provider': 'openai',
        'ai.model.id': 'gpt-4o',
        'ai.usage.promptTokens': 12,
        'ai.usage.completionTokens': 3,
        'ai.prompt.messages': JSON.stringify([
          system,
          { role: 'user', content: [{ type: 'text', text: question.content }] },
          {
            role: 'assistant',
            content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input: { city: 'Oslo' } }],
          },
          {
            role: 'tool',
            content: [{ type: 'tool-result', toolCallId: 'c1', output: { type: 'text', value: '3 °C' } }],
          },
        ]),
        'ai.response.text': '3 °C.',
      },
    },
  ],
];

describe('the same exchange', () => {
  it.each(exchanges)('%s', (_, given) => {
    const read = span(given);
    expect(operationOf(read)).toBe('chat');
    expect(modelOf(read.attributes)).toBe('gpt-4o');
    expect(usageOf(read.attributes)).toMatchObject({ provider: 'openai', inputTokens: 12, outputTokens: 3 });
    expect(messagesOf(read, 'input')).toEqual([system, question, asked, result]);
    expect(messagesOf(read, 'output')).toEqual([answer]);
  });
});

describe('other forms of messages', () => {
  const messages = (value: unknown) =>
    messagesOf(span({ attributes: { 'gen_ai.input.messages': value } }), 'input');

  it('structured attributes, as Maps and bigints of the decoder', () => {
    const value = [
      new Map<string, unknown>([
        ['role', 'user'],
        [
          'parts',
          [
            new Map([
              ['type', 'text'],
              ['content', 'hi'],
            ]),
          ],
        ],
      ]),
    ];
    expect(messages(value)).toEqual([{ role: 'user', content: 'hi' }]);
  });

  it('Anthropic’s: thinking, tool_use, and a tool’s answer within a user’s message', () => {
    const value = JSON.stringify([
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.' },
          { type: 'text', text: 'Let me see.' },
          { type: 'tool_use', id: 'c1', name: 'weather', input: { city: 'Oslo' } },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: '3 °C' }] }],
      },
    ]);
    expect(messages(value)).toEqual([
      { role: 'assistant', content: 'Let me see.', reasoning: 'Hm.', toolCalls: [call] },
      result,
    ]);
  });

  it('LangChain’s serialized ones', () => {
    const value = JSON.stringify([
      [
        { id: ['langchain', 'schema', 'HumanMessage'], kwargs: { content: 'hi' } },
        { type: 'ai', data: { content: 'yes' } },
      ],
    ]);
    expect(messages(value)).toEqual([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'yes' },
    ]);
  });

  it('files in the answer of a tool stand beside its text', () => {
    const file = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGVsbG8h' } };
    const output = { type: 'content', value: [{ type: 'media', data: 'aGVsbG8h', mediaType: 'image/png' }] };
    const said = messagesOf(
      span({
        attributes: {
          'gen_ai.input.messages': JSON.stringify([
            {
              role: 'user',
              content: [
                { type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'Drawn.' }, file] },
              ],
            },
            { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c2', toolName: 'draw', output }] },
          ]),
        },
      }),
      'input',
    );
    expect(said).toEqual([
      { role: 'tool', toolCallId: 'c1', content: 'Drawn.', media: [file] },
      { role: 'tool', toolCallId: 'c2', name: 'draw', content: '', media: [output.value[0]] },
    ]);
  });

  it('parts that are not text are kept as they came, and text that looks like JSON stays text', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } };
    const value = JSON.stringify([
      { role: 'user', content: [image, { type: 'text', text: 'What is it?' }] },
      { role: 'user', content: '{"a":1}' },
      { role: 'user', content: '[1,2]' },
    ]);
    expect(messages(value)).toEqual([
      { role: 'user', content: 'What is it?', media: [image] },
      { role: 'user', content: '{"a":1}' },
      { role: 'user', content: '[1,2]' },
    ]);
  });

  it.each(['', 'not json', '{', '[]', '7', '{"a":1}', '[null,1,"x"]', '[{"role":7,"content":{"a":1}}]'])(
    'what is none throws nothing: %s',
    (value) => {
      expect(Array.isArray(messages(value))).toBe(true);
    },
  );
});

describe('tools', () => {
  it.each<[string, Given]>([
    [
      'GenAI',
      {
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'weather',
          'gen_ai.tool.call.id': 'c1',
          'gen_ai.tool.call.arguments': '{"city":"Oslo"}',
          'gen_ai.tool.call.result': '3 °C',
        },
      },
    ],
    [
      'OpenInference',
      {
        attributes: {
          'openinference.span.kind': 'TOOL',
          'tool.name': 'weather',
          'tool_call.id': 'c1',
          'input.value': '{"city":"Oslo"}',
          'output.value': '3 °C',
        },
      },
    ],
    [
      'Vercel AI SDK',
      {
        attributes: {
          'ai.operationId': 'ai.toolCall',
          'ai.toolCall.name': 'weather',
          'ai.toolCall.id': 'c1',
          'ai.toolCall.args': '{"city":"Oslo"}',
          'ai.toolCall.result': '3 °C',
        },
      },
    ],
    [
      'Claude Code',
      {
        name: 'claude_code.tool',
        attributes: { tool_name: 'weather', tool_use_id: 'c1', tool_input: '{"city":"Oslo"}' },
        events: [{ name: 'tool.output', attributes: { output: '3 °C' } }],
      },
    ],
  ])('of %s', (_, given) => {
    const read = span(given);
    expect(operationOf(read)).toBe('tool');
    expect(toolRunOf(read)).toEqual({ ...call, result: '3 °C' });
  });

  it('of OpenLLMetry have the entity’s name, input and output', () => {
    const read = span({
      attributes: {
        'traceloop.span.kind': 'tool',
        'traceloop.entity.name': 'weather',
        'traceloop.entity.input': '{"city":"Oslo"}',
        'traceloop.entity.output': '"3 °C"',
      },
    });
    expect(operationOf(read)).toBe('tool');
    expect(toolRunOf(read)).toEqual({ ...call, id: null, result: '3 °C' });
  });
});

describe('agents', () => {
  it.each<[string, Given]>([
    ['GenAI', { attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'planner' } }],
    ['OpenInference', { attributes: { 'openinference.span.kind': 'AGENT', 'agent.name': 'planner' } }],
    ['OpenLLMetry', { attributes: { 'traceloop.span.kind': 'agent', 'traceloop.entity.name': 'planner' } }],
    ['Vercel AI SDK', { name: 'planner', attributes: { 'ai.operationId': 'ai.generateText' } }],
    ['Claude Code', { name: 'claude_code.interaction', attributes: { agent_name: 'planner' } }],
  ])('of %s', (_, given) => {
    expect(operationOf(span(given))).toBe('agent');
    expect(agentNameOf(span(given))).toBe('planner');
  });

  it('Vercel AI SDK: an agent’s final text comes after the calls that led to it, whatever their results', () => {
    const text = { type: 'text', content: '3 °C.' };
    const calls = ['c1', 'c2'].map((id) => ({ type: 'tool_call', id, name: 'weather', arguments: {} }));
    const answer = { type: 'tool_call_response', id: 'c2', response: '3 °C' };
    const rolesOf = (parts: object[], finish_reason = 'stop') => {
      const messages = JSON.stringify([{ role: 'assistant', parts, finish_reason }]);
      return messagesOf(span({ attributes: { 'gen_ai.output.messages': messages } }), 'output').map(
        ({ role, content, toolCalls = [] }) => `${role} ${content}${toolCalls.map(({ id }) => id).join()}`,
      );
    };
    expect(rolesOf([text, ...calls, answer])).toEqual(['assistant c1,c2', 'tool 3 °C', 'assistant 3 °C.']);
    expect(rolesOf([text, ...calls])).toEqual(['assistant c1,c2', 'assistant 3 °C.']);
    expect(rolesOf([...calls, answer, text])).toEqual(['assistant c1,c2', 'tool 3 °C', 'assistant 3 °C.']);
    // A model that says what it is about to do, and then calls.
    expect(rolesOf([text, ...calls], 'tool_call')).toEqual(['assistant 3 °C.c1,c2']);
  });

  it('Claude Code’s context is read as the messages that were added to it', () => {
    const added = (context: string) => messagesOf(span({ attributes: { new_context: context } }), 'input');
    expect(added('[USER PROMPT]\nWeather in Oslo?')).toEqual([question]);
    expect(
      added(
        '[TOOL RESULT: c1]\n[{"type":"text","text":"3 °C"}]\n[TOOL RESULT: c2]\n[1]\n\n[USER]\nWeather in Oslo?',
      ),
    ).toEqual([result, { role: 'tool', content: '[1]', toolCallId: 'c2' }, question]);
    expect(added('x [USER]\ny')).toEqual([]);
    const tool = { tool_name: 'weather', tool_input: '[TOOL INPUT: weather]\n{"city":"Oslo"}' };
    expect(toolRunOf(span({ attributes: tool })).arguments).toEqual({ city: 'Oslo' });
  });

  it('Claude Code’s say what the user asked and what the model answered, in plain attributes', () => {
    const prompt = span({ name: 'claude_code.interaction', attributes: { user_prompt: 'Fix it.' } });
    expect(plainValueOf(prompt, 'input')).toBe('Fix it.');
    const request = span({
      name: 'claude_code.llm_request',
      attributes: {
        model: 'claude',
        input_tokens: 5,
        cache_read_tokens: 4,
        'response.model_output': 'Done.',
      },
    });
    expect(operationOf(request)).toBe('chat');
    expect(usageOf(request.attributes)).toMatchObject({
      inputTokens: 5,
      cachedInputTokens: 4,
      costUsd: null,
    });
    expect(messagesOf(request, 'output')).toEqual([{ role: 'assistant', content: 'Done.' }]);
  });
});

describe('failures', () => {
  it('are recognized by the status or the span’s attributes, with the first reason that is present', () => {
    expect(isFailed(2, new Map())).toBe(true);
    expect(isFailed(1, new Map([['success', false]]))).toBe(true);
    expect(isFailed(0, new Map([['success', true]]))).toBe(false);
    const read = span({
      attributes: { 'error.type': 'Timeout' },
      events: [{ name: 'exception', attributes: { 'exception.message': 'late' } }],
    });
    expect(errorOf('status', read)).toBe('status');
    expect(errorOf('', read)).toBe('late');
    expect(errorOf('', span({ attributes: { 'error.type': 'Timeout' } }))).toBe('Timeout');
    expect(errorOf('', span({}))).toBeNull();
  });

  it('a span of none of these conventions means nothing and breaks nothing', () => {
    const read = span({ attributes: { 'http.request.method': 'GET', 'gen_ai.operation.name': 'toString' } });
    expect(operationOf(read)).toBeNull();
    expect(modelOf(read.attributes)).toBeNull();
    expect(messagesOf(read, 'input')).toEqual([]);
  });
});

describe('LangChain and LangGraph, as they were seen', () => {
  const constructed = (name: string, kwargs: object) => ({
    lc: 1,
    type: 'constructor',
    id: ['langchain', 'schema', 'messages', name],
    kwargs,
  });
  const toolKwargs = { content: '3 °C', type: 'tool', name: 'weather', tool_call_id: 'c1' };

  it('OpenInference: an agent’s state is its messages, and a message with nothing but a role does not count', () => {
    const state = span({
      attributes: {
        'openinference.span.kind': 'CHAIN',
        'input.value': JSON.stringify({ messages: [question] }),
        'llm.input_messages.0.message.role': 'user',
        'output.value': JSON.stringify({
          messages: [
            { type: 'human', data: { content: question.content, type: 'human' } },
            { type: 'tool', data: toolKwargs },
            { type: 'ai', data: { content: '3 °C.', type: 'ai' } },
          ],
        }),
      },
    });
    expect(messagesOf(state, 'input')).toEqual([]);
    expect(plainMessagesOf(state, 'input')).toEqual([question]);
    expect(plainMessagesOf(state, 'output')).toEqual([question, { ...result, name: 'weather' }, answer]);
  });

  it('OpenLLMetry: the arguments of its callback are unwrapped', () => {
    const state = span({
      attributes: {
        'traceloop.entity.input': JSON.stringify({ inputs: { messages: [question] }, tags: [], kwargs: {} }),
        'traceloop.entity.output': JSON.stringify({
          outputs: { messages: [constructed('AIMessage', { content: '3 °C.', type: 'ai' })] },
          kwargs: {},
        }),
      },
    });
    expect(plainMessagesOf(state, 'input')).toEqual([question]);
    expect(plainMessagesOf(state, 'output')).toEqual([answer]);
    const tool = span({
      attributes: {
        'gen_ai.tool.name': 'weather',
        'gen_ai.tool.call.arguments': JSON.stringify({
          input_str: 'x',
          inputs: { city: 'Oslo' },
          kwargs: {},
        }),
        'gen_ai.tool.call.result': JSON.stringify({
          output: constructed('ToolMessage', toolKwargs),
          kwargs: {},
        }),
      },
    });
    expect(toolRunOf(tool)).toEqual({
      id: 'c1',
      name: 'weather',
      arguments: { city: 'Oslo' },
      result: '3 °C',
    });
  });

  it('OpenInference: a tool’s message is what it answered, and which call', () => {
    const tool = span({
      attributes: {
        'tool.name': 'weather',
        'output.value': JSON.stringify({ type: 'tool', data: toolKwargs }),
      },
    });
    expect(toolRunOf(tool)).toMatchObject({ id: 'c1', result: '3 °C' });
  });

  it('a tool’s own result that has a type, or a member named kwargs, is left as it is', () => {
    for (const value of [{ type: 'tool', data: 'x' }, { kwargs: {}, x: 1 }, { data: { type: 'other' } }])
      expect(toolRunOf(span({ attributes: { 'output.value': JSON.stringify(value) } })).result).toEqual(
        value,
      );
  });
});

it('the public clients’ wrap: prompt and choices in one attribute each', () => {
  const call = span({
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.prompt.messages': JSON.stringify([question]),
      'gen_ai.completion.choices': JSON.stringify([{ message: answer }]),
    },
  });
  expect(messagesOf(call, 'input')).toEqual([question]);
  expect(messagesOf(call, 'output')).toEqual([answer]);
});

describe('the SDKs of other services', () => {
  const messages = JSON.stringify([system, question]);
  const chats: [string, Record<string, unknown>][] = [
    [
      'Langfuse',
      {
        'langfuse.observation.type': 'generation',
        'langfuse.observation.model.name': 'gpt-4o',
        'langfuse.observation.input': messages,
        'langfuse.observation.output': JSON.stringify(answer),
        'langfuse.observation.usage_details': '{"input": 12, "output": 3, "total": 15}',
        'langfuse.observation.cost_details': '{"total": 0.0001}',
      },
    ],
    [
      'LangSmith',
      {
        'langsmith.span.kind': 'llm',
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.usage.input_tokens': 12,
        'gen_ai.usage.output_tokens': 3,
        'gen_ai.usage.cost': 0.0001,
        'gen_ai.prompt': `{"messages":${messages}}`,
        'gen_ai.completion': JSON.stringify({ choices: [{ message: answer }], usage_metadata: {} }),
      },
    ],
    [
      'Braintrust',
      {
        'braintrust.span_attributes': '{"type": "llm"}',
        'braintrust.metadata': '{"model": "gpt-4o"}',
        'braintrust.metrics': '{"prompt_tokens": 12, "completion_tokens": 3}',
        'llm.usage.cost': 0.0001,
        'braintrust.input_json': messages,
        'braintrust.output_json': JSON.stringify([answer]),
      },
    ],
  ];
  it.each(chats)('%s: a call of a model, its messages, tokens and cost', (_, attributes) => {
    const chat = span({ attributes });
    expect(operationOf(chat)).toBe('chat');
    expect(modelOf(chat.attributes)).toBe('gpt-4o');
    expect(plainMessagesOf(chat, 'input')).toEqual([system, question]);
    expect(plainMessagesOf(chat, 'output')).toEqual([answer]);
    expect(usageOf(chat.attributes)).toMatchObject({ inputTokens: 12, outputTokens: 3, costUsd: 0.0001 });
  });

  const tools: [string, Record<string, unknown>][] = [
    [
      'Langfuse',
      {
        'langfuse.observation.type': 'tool',
        'langfuse.observation.input': '{"city":"Oslo"}',
        'langfuse.observation.output': '3 °C',
      },
    ],
    [
      'LangSmith',
      {
        'langsmith.span.kind': 'tool',
        'gen_ai.tool.name': 'weather',
        'gen_ai.prompt': '{"city":"Oslo"}',
        'gen_ai.completion': '3 °C',
      },
    ],
    [
      'Braintrust',
      {
        'braintrust.span_attributes': '{"type": "tool"}',
        'braintrust.input_json': '{"city":"Oslo"}',
        'braintrust.output_json': '"3 °C"',
      },
    ],
    [
      'Phoenix',
      {
        'openinference.span.kind': 'TOOL',
        'tool.parameters': '{"type": "object", "properties": {"city": {"type": "string"}}}',
        'input.value': '{"city":"Oslo"}',
        'output.value': '3 °C',
      },
    ],
  ];
  it.each(tools)('%s: a tool, what it was given and what it gave', (_, attributes) => {
    const tool = span({ name: 'weather', attributes });
    expect(operationOf(tool)).toBe('tool');
    expect(toolRunOf(tool)).toEqual({
      id: null,
      name: 'weather',
      arguments: { city: 'Oslo' },
      result: '3 °C',
    });
  });

  it('a retriever of LangSmith’s is none that makes embeddings, whatever it calls itself', () => {
    const attributes = { 'langsmith.span.kind': 'retriever', 'gen_ai.operation.name': 'embeddings' };
    expect(operationOf(span({ attributes }))).toBe('retrieval');
  });

  it('Braintrust’s text comes without the quotes of its JSON, everyone else’s as it is', () => {
    expect(plainValueOf(span({ attributes: { 'braintrust.output_json': '"Sunny."' } }), 'output')).toBe(
      'Sunny.',
    );
    expect(plainValueOf(span({ attributes: { 'output.value': '"Sunny."' } }), 'output')).toBe('"Sunny."');
  });

  it('a value that has a role but says nothing is not a message', () => {
    for (const value of ['{"role":"admin"}', '[]', '[{"role":"user","content":"x"},1]', '{"choices":1}'])
      expect(plainMessagesOf(span({ attributes: { 'input.value': value } }), 'input')).toEqual([]);
  });

  it('a member of an attribute that is not an object, or that every object has, is none', () => {
    for (const value of ['12', '[12]', 'null', '{', '{}', '{"constructor":{}}'])
      expect(usageOf(new Map([['langfuse.observation.usage_details', value]])).inputTokens, value).toBeNull();
  });
});

describe('usage', () => {
  it.each([
    ['12', 12],
    [12n, 12],
    [0.5, 0.5],
    ['0', 0],
  ])('%s is an amount', (value, amount) => {
    expect(usageOf(new Map([['gen_ai.usage.input_tokens', value]])).inputTokens).toBe(amount);
  });

  it.each(['', ' ', 'many', '-1', -1, -(2n ** 63n), Number.NaN, Number.POSITIVE_INFINITY, true])(
    '%s is none, and not 0',
    (value) => {
      const keys = ['gen_ai.usage.input_tokens', 'gen_ai.usage.output_tokens', 'gen_ai.usage.cost'];
      const usage = usageOf(new Map(keys.map((key) => [key, value])));
      expect(usage).toMatchObject({ inputTokens: null, outputTokens: null, costUsd: null });
    },
  );
});
