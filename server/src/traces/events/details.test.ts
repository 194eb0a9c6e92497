import { beforeEach, describe, expect, it } from 'vitest';
import { createProject, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { logsOf, newTraceId, post, requestOf, type TestEvent, type TestSpan } from '../../../test/otlp.ts';

/** Instrumentations may send the messages of a call as a log record, beside a span that has none. */

const { app, own } = await openApp();
let projectId: string;
let traceId: string;

beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
  traceId = newTraceId();
});

const named = () => ({ 'dokima.project_id': projectId });
const sendSpans = async (spans: TestSpan[], resource = named()) => {
  const answer = await post(app, own.key, requestOf(spans, resource));
  expect(answer.status, String(answer.body)).toBe(200);
};
const sendLogs = async (events: TestEvent[], resource: Record<string, unknown> = named()) => {
  const { status, body } = await post(app, own.key, logsOf(events, resource), {}, '/otel/v1/logs');
  return { status, ...JSON.parse(String(body)) };
};

const spans = (): TestSpan[] => [
  { traceId, n: 1, name: 'POST /chat' },
  { traceId, n: 2, parent: 1, attributes: { 'gen_ai.operation.name': 'chat' } },
];
const part = (content: string) => ({ type: 'text', content });
const call = { type: 'tool_call', id: 'c1', name: 'refund', arguments: { order: '7' } };
const details = (): TestEvent => ({
  name: 'gen_ai.client.inference.operation.details',
  traceId,
  n: 2,
  attributes: {
    'gen_ai.system_instructions': [part('Be kind.')],
    'gen_ai.input.messages': [{ role: 'user', parts: [part('Refund order 7')] }],
    'gen_ai.output.messages': [{ role: 'assistant', parts: [part('I refund it.'), call] }],
  },
});

const record = async () => (await ok(own.api('GET', `/projects/${projectId}/records`))).data[0];
const expected = {
  inputs: { input: 'Refund order 7', messages: [{ role: 'system' }, { role: 'user' }] },
  outputs: { output: 'I refund it.', messages: [{ toolCalls: [{ name: 'refund' }] }] },
};

describe('the details of a call', () => {
  it('fill the record of a span without messages, and the preview of its trace', async () => {
    await sendSpans(spans());
    expect((await record()).inputs).toEqual({});
    expect(await sendLogs([details()])).toEqual({ status: 200 });
    expect(await record()).toMatchObject(expected);
    const { data } = await ok(own.api('GET', `/projects/${projectId}/traces`));
    expect(data).toMatchObject([{ numSpans: 2 }]);
    const { id } = await record();
    const conversation = JSON.stringify(await ok(own.api('GET', `/records/${id}/conversation`)));
    for (const text of ['Be kind.', 'Refund order 7', 'I refund it.', 'refund'])
      expect(conversation).toContain(text);
  });

  it('wait for their span, and the answer says so', async () => {
    const { partialSuccess } = await sendLogs([details()]);
    expect(partialSuccess.errorMessage).toBe(
      '1 log record: its trace or span is not here: it waits for it for 7 days',
    );
    await sendSpans(spans());
    expect(await record()).toMatchObject(expected);
  });

  it('that come twice are one event', async () => {
    await sendSpans(spans());
    for (let i = 0; i < 2; i++) await sendLogs([details()]);
    expect((await record()).inputs.messages).toHaveLength(2);
  });

  it('do not replace the messages of the span', async () => {
    const [root, chat] = spans();
    const messages = JSON.stringify([{ role: 'user', parts: [part('Own')] }]);
    const attributes = { ...chat!.attributes, 'gen_ai.input.messages': messages };
    await sendSpans([root!, { ...chat!, attributes }]);
    await sendLogs([details()]);
    expect(await record()).toMatchObject({ inputs: { input: 'Own', messages: [{ role: 'user' }] } });
  });

  it('stay when the span is sent again, the same or otherwise, until it has details itself', async () => {
    await sendSpans(spans());
    await sendLogs([details()]);
    await sendSpans(spans());
    expect(await record()).toMatchObject(expected);
    const [root, chat] = spans() as [TestSpan, TestSpan];
    await sendSpans([root, { ...chat, attributes: { ...chat.attributes, more: 'words' } }]);
    expect(await record()).toMatchObject(expected);
    const { name, attributes } = details();
    const output = [{ role: 'assistant', parts: [part('Corrected.')] }];
    const corrected = {
      name,
      attributes: { ...attributes, 'gen_ai.output.messages': output },
      timeUnixNano: chat.startTimeUnixNano,
    };
    await sendSpans([root, { ...chat, events: [corrected] }]);
    expect((await record()).outputs.output).toBe('Corrected.');
  });

  it('are masked by the rules of the project of their trace, wherever they waited', async () => {
    const masked = (await createProject(own.api)).id;
    const masking = {
      patterns: ['email'],
      custom: [],
      fields: [],
      hashed: false,
      testcases: true,
      comments: true,
    };
    await ok(own.api('PATCH', `/projects/${masked}/settings`, { masking }));
    const event = details();
    event.attributes!['gen_ai.input.messages'] = [{ role: 'user', parts: [part('I am jo@example.org')] }];
    await sendLogs([event], {});
    await sendSpans(spans(), { 'dokima.project_id': masked });
    const [{ inputs }] = (await ok(own.api('GET', `/projects/${masked}/records`))).data;
    expect(inputs.input).toMatch(/^I am (?!jo@)/);
  });

  it('without a span are refused', async () => {
    const { status, message } = await sendLogs([{ ...details(), spanId: '' }]);
    expect([status, message]).toEqual([400, expect.stringContaining('ids of its trace and span')]);
  });
});
