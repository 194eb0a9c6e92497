import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createProject, createTestset, ok } from '../../../test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { type ModelServer, openOpenAiServer } from '../../../test/model-server.ts';
import { chunk, openStreaming, usageChunk } from '../../../test/streaming-model.ts';

const apiKey = 'sk-of-the-operator-0123456789';

let app: TestApp;
let model: ModelServer;
let streaming: Awaited<ReturnType<typeof openStreaming>>;
let chunks: object[] = [];
let own: Organization;
let projectId: string;

beforeAll(async () => {
  model = await openOpenAiServer();
  streaming = await openStreaming(() => chunks);
  app = await startApp({
    DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true',
    OPENAI_API_KEY: apiKey,
    OPENAI_BASE_URL: model.url,
  });
});
afterAll(async () => {
  await app.close();
  await model.close();
  streaming.close();
});
beforeEach(async () => {
  own = await app.organization();
  projectId = (await createProject(own.api)).id;
  model.received.length = 0;
});

const attempt = (config: object, fields: object = { inputs: { question: 'Why?', place: 'Oslo' } }) =>
  own.api('POST', `/projects/${projectId}/systems/try`, { config, ...fields });

const messages = [
  { role: 'system', content: 'You know {{ inputs.place }}.' },
  { role: 'user', content: 'Hello' },
  { role: 'assistant', content: 'Hello!' },
  { role: 'user', content: '{{ inputs.question }}' },
];

describe('a prompt of messages', () => {
  it('is sent with its roles, rendered with the inputs that are typed', async () => {
    model.answer({ reply: 'Because.' });
    expect((await attempt({ messages, modelName: 'gpt-4o-mini' })).body).toMatchObject({
      state: 'answered',
      outputs: { answer: 'Because.' },
      costUsd: expect.any(Number),
    });
    expect(model.received[0]).toMatchObject({
      system: 'You know Oslo.',
      messages: ['Hello', 'Hello!', 'Why?'],
    });
  });

  it('400 says what is wrong with it', async () => {
    const [system, user] = messages as [object, object];
    const of = (fields: object) => ({ modelName: 'gpt-4o-mini', ...fields });
    const cases: [object, string][] = [
      [of({ messages: [system] }), 'messages must be one of system at most'],
      [of({ messages: [user, user] }), 'in turn, and end with user'],
      [of({ messages: [{ role: 'tool', content: 'x' }] }), 'messages/0/role'],
      [of({ messages: [{ role: 'user', content: '{{ inputs.' }] }), 'messages/0/content, '],
      [of({ messages: [user], promptTemplate: 'x' }), 'must not stand beside promptTemplate'],
      [of({ messages: [user], tools: [{ name: 'a b' }] }), 'tools/0/name'],
      [of({ messages: [user], tools: [{ name: 'a' }, { name: 'a' }] }), 'tools must have different names'],
    ];
    for (const [config, message] of cases) {
      const answer = await attempt(config);
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(message)]);
    }
    expect((await attempt({ messages, modelName: 'gpt-4o-mini' }, {})).status).toBe(400);
  });
});

it('tools are offered, and the calls that the model asks for are part of the outputs', async () => {
  const call = { name: 'weather', arguments: '{"place":"Oslo","days":1.10}' };
  model.answer({
    body: JSON.stringify({
      id: 'x',
      object: 'chat.completion',
      created: 0,
      model: 'gpt-4o-mini',
      choices: [
        {
          index: 0,
          finish_reason: 'tool_calls',
          message: {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'c1', type: 'function', function: call }],
          },
        },
      ],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    }),
  });
  const parameters = { type: 'object', properties: { place: { type: 'string' } } };
  const tools = [{ name: 'weather', description: 'Tells the weather.', parameters }];
  const { body, text } = await attempt({ messages, modelName: 'gpt-4o-mini', tools });
  expect(body.outputs).toMatchObject({ answer: '', toolCalls: [{ name: 'weather' }] });
  expect(text).toContain('"arguments":{"place":"Oslo","days":1.10}');
  expect(model.received[0]!.body.tools).toMatchObject([
    { type: 'function', function: { name: 'weather', description: 'Tells the weather.', parameters } },
  ]);
});

it('with an outputSchema the outputs are the object that the model wrote; other text is a failure', async () => {
  const outputSchema = {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  };
  const config = { messages, modelName: 'gpt-4o-mini', outputSchema };
  model.answer({ reply: '{"city": "Oslo", "n": 1.10}' });
  expect((await attempt(config)).text).toContain('"outputs":{"city": "Oslo", "n": 1.10}');
  expect(model.received[0]!.body.response_format).toMatchObject({
    json_schema: { name: 'answer', schema: outputSchema },
  });
  model.answer({ reply: 'Oslo' });
  expect((await attempt(config)).body).toMatchObject({
    state: 'failed',
    error: 'the model did not answer with the JSON object of outputSchema',
  });
});

describe('POST …/systems/try as events', () => {
  const stream = async (config: object) => {
    const body = { config, inputs: { question: 'Why?' } };
    const answer = await own.api('POST', `/projects/${projectId}/systems/try`, body, {
      headers: { accept: 'text/event-stream' },
    });
    const events = answer.text.split('\n\n').filter(Boolean);
    const dataOf = (kind: string) =>
      events
        .filter((event) => event.startsWith(`event: ${kind}\n`))
        .map((event) =>
          JSON.parse(
            event
              .split('\n')
              .slice(1)
              .map((line) => line.slice(6))
              .join('\n'),
          ),
        );
    return { answer, texts: dataOf('text'), results: dataOf('result') };
  };
  const provide = (kind: string) =>
    ok(own.api('POST', '/providers', { name: 'local', kind, baseUrl: streaming.url, apiKey }), 201);

  it('gives the text as the model writes it, then the result with tokens', async () => {
    await provide('openai-compatible');
    chunks = [
      chunk({ role: 'assistant', content: 'Be' }),
      chunk({ content: 'cause.' }, 'stop'),
      usageChunk(7, 2),
    ];
    const { texts, results } = await stream({
      promptTemplate: '{{ inputs.question }}',
      modelName: 'local/s',
    });
    expect(texts).toEqual(['Be', 'cause.']);
    expect(results).toMatchObject([
      { state: 'answered', outputs: { answer: 'Because.' }, inputTokens: 7, outputTokens: 2 },
    ]);
  });

  it('no part holds the key that was sent to the provider, though it comes in pieces', async () => {
    await provide('openai-compatible');
    chunks = [
      chunk({ role: 'assistant', content: `Your key is ${apiKey.slice(0, 9)}` }),
      chunk({ content: apiKey.slice(9, 20) }),
      chunk({ content: `${apiKey.slice(20)}, and sk-of is` }),
      chunk({ content: ' not.' }, 'stop'),
    ];
    const { answer, texts } = await stream({ promptTemplate: 'x', modelName: 'local/s' });
    expect(texts.join('')).toBe('Your key is [secret], and sk-of is not.');
    expect(answer.text).not.toContain(apiKey);
  });

  it('the result says why a call failed; a wrong configuration is 400 before anything is streamed', async () => {
    await provide('openai-compatible');
    chunks = [{ error: { message: 'too busy', type: 'server_error' } }];
    const { texts, results } = await stream({ promptTemplate: 'x', modelName: 'local/s' });
    expect([texts, results]).toEqual([
      [],
      [expect.objectContaining({ state: 'failed', error: expect.stringMatching(/\w/) })],
    ]);
    expect((await stream({})).answer.status).toBe(400);
  });
});

it('a run over a testset executes messages as it does a template', async () => {
  const testset = await createTestset(own.api, projectId);
  const items = [{ jsonData: { question: 'Why?', answer: 'x' } }];
  await ok(own.api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
  const config = { messages: [{ role: 'user', content: 'Q: {{ inputs.question }}' }], modelName: 'fake/a' };
  const made = await ok(own.api('POST', `/projects/${projectId}/systems`, { config }), 201);
  const body = {
    metricIds: [],
    testsetId: testset.id,
    execute: true,
    systemVersionId: made.productionVersion.id,
  };
  await ok(own.api('POST', `/projects/${projectId}/runs`, body), 201);
});
