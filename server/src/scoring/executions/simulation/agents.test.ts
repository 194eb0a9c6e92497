import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createProject, createTestset, ok } from '../../../../test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../../../test/harness.ts';
import { type ModelServer, openOpenAiServer } from '../../../../test/model-server.ts';
import { turnsOf } from './next-message.ts';

let app: TestApp;
let own: Organization;
let model: ModelServer;
let testcaseId: string;
let projectId: string;

beforeAll(async () => {
  model = await openOpenAiServer();
  app = await startApp({
    DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true',
    OPENAI_API_KEY: 'sk-of-the-operator',
    OPENAI_BASE_URL: model.url,
  });
});
beforeEach(async () => {
  model.received.length = 0;
  own = await app.organization();
  projectId = (await createProject(own.api)).id;
  const testset = await createTestset(own.api, projectId);
  const items = [{ jsonData: { question: 'Where is my parcel?', answer: 'In Oslo.' } }];
  const made = await ok(own.api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
  testcaseId = made.items[0].id;
});
afterAll(async () => {
  await app.close();
  await model.close();
});

const versionOf = async (config: unknown): Promise<string> =>
  (await ok(own.api('POST', `/projects/${projectId}/systems`, { config }), 201)).productionVersion.id;
const customer = {
  promptTemplate:
    'You are a customer who asks: {{ inputs.question }} You are content with: {{ expected.answer }}',
  modelName: 'gpt-4o-mini',
  temperature: 1,
};
const simulate = (versionId: string, messages: object[]) =>
  own.api('POST', `/agents/${versionId}/simulate`, { testcaseId, messages });

describe('POST /agents/:systemVersionId/simulate', () => {
  it('200 says what the user of the prompt, filled from the testcase, says next', async () => {
    model.answer({ reply: 'And when does it come?' });
    const { body } = await simulate(await versionOf(customer), [
      { role: 'user', content: 'Where is my parcel?' },
      { role: 'assistant', content: 'In Oslo.' },
    ]);
    expect(body).toEqual({ messages: [{ role: 'user', content: 'And when does it come?' }] });
    expect(model.received).toMatchObject([
      {
        system: 'You are a customer who asks: Where is my parcel? You are content with: In Oslo.',
        messages: ['(The conversation begins.)', 'Where is my parcel?', 'In Oslo.'],
        body: {
          model: 'gpt-4o-mini',
          temperature: 1,
          messages: [{ role: 'system' }, { role: 'user' }, { role: 'assistant' }, { role: 'user' }],
        },
      },
    ]);
  });

  it('200 begins a conversation that has none yet', async () => {
    model.answer({ reply: 'Where is my parcel?' });
    const { body } = await simulate(await versionOf(customer), []);
    expect(body.messages).toHaveLength(1);
    expect(model.received[0]!.messages).toHaveLength(1);
  });

  it('200 passes over what no user would hear: tool calls, tools, system messages', async () => {
    model.answer({ reply: 'Thanks' });
    await simulate(await versionOf(customer), [
      { role: 'system', content: 'be brief' },
      { role: 'assistant', content: null, tool_calls: [{ id: 'call_1' }] },
      { role: 'tool', content: 'secret of a tool', tool_call_id: 'call_1' },
      { role: 'assistant', content: 'It is in Oslo.' },
    ]);
    expect(model.received[0]!.messages).toEqual(['It is in Oslo.']);
  });

  it('400 says why a version can not simulate a user, or be asked at all', async () => {
    const cases: [object, string][] = [
      [{}, 'must say how to call it'],
      [{ endpoint: 'https://example.com' }, 'must have promptTemplate and modelName'],
      [{ ...customer, modelName: 'claude-4' }, 'set ANTHROPIC_API_KEY'],
      [{ ...customer, promptTemplate: '{{ inputs.nothing }}' }, 'missing_placeholder: inputs.nothing'],
    ];
    for (const [config, message] of cases) {
      const { status, body } = await simulate(await versionOf(config), []);
      expect(`${status} ${body.message}`).toMatch(/^400 /);
      expect(body.message).toContain(message);
    }
    expect(model.received).toEqual([]);
  });

  it('503 with Retry-After when the model may answer later', async () => {
    model.answer({ status: 429, headers: { 'retry-after': '7' }, body: '{"error":{"message":"slow down"}}' });
    const { status, body, headers } = await simulate(await versionOf(customer), []);
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'UNAVAILABLE', '7']);
    expect(body.message).toContain('asks to slow down (429)');
  });

  it('404 for a version or a testcase that is not there', async () => {
    const versionId = await versionOf(customer);
    expect((await simulate('01890000-0000-7000-8000-000000000000', [])).status).toBe(404);
    expect((await simulate('nothing', [])).status).toBe(404);
    const body = { testcaseId: '999999999-1', messages: [] };
    expect((await own.api('POST', `/agents/${versionId}/simulate`, body)).status).toBe(404);
  });
});

describe('the turns that a simulated user is given', () => {
  const user = (content: string) => ({ role: 'user', content });
  const assistant = (content: string) => ({ role: 'assistant', content });

  it.each([
    [[assistant('Hello')], ['Hello']],
    [[assistant('Hello'), assistant('How can I help?')], ['Hello\n\nHow can I help?']],
    [
      [assistant('Hello'), user('Hi')],
      ['Hello', 'Hi', expect.any(String)],
    ],
    [
      [user('a'), user('b'), assistant('c')],
      [expect.any(String), 'a\n\nb', 'c'],
    ],
  ])('%j alternate and end with what is said to it', (messages, turns) => {
    expect(turnsOf(messages)).toEqual(turns);
  });
});
