import { beforeEach, describe, expect, it } from 'vitest';
import { createProject, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { newTraceId, post, requestOf, type TestSpan, warningOf } from '../../../test/otlp.ts';

const { app, own } = await openApp();
let projectId: string;
let traceId: string;

beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
  traceId = newTraceId();
});

/** Sends spans and returns the warning in the answer; empty without one. */
const warned = async (...spans: TestSpan[]) =>
  warningOf(await post(app, own.key, requestOf(spans, { 'dokima.project_id': projectId })));
const send = async (...spans: TestSpan[]) => expect(await warned(...spans)).toBe('');

const says = (role: string, content: string) =>
  JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
type Said = { question?: string; answer?: string; tokens?: number; cost?: number };
const chat = (
  { question = 'one', answer = 'first', tokens = 100, cost = 0.5 }: Said,
  rest: Partial<TestSpan> = {},
) => ({
  traceId,
  n: 1,
  name: 'chat',
  ...rest,
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'm',
    'gen_ai.input.messages': says('user', question),
    'gen_ai.output.messages': says('assistant', answer),
    'gen_ai.usage.input_tokens': tokens,
    'gen_ai.usage.output_tokens': 1,
    'gen_ai.usage.cost': cost,
    ...rest.attributes,
  },
});

/** What the list, the record and the tree say about the only trace. */
const state = async () => {
  const [trace] = (await ok(own.api('GET', `/projects/${projectId}/traces`))).data;
  const records = (await ok(own.api('GET', `/projects/${projectId}/records`))).data;
  const record = records.find(({ id }: { id: string }) => id === trace.recordId);
  const tree = (await ok(own.api('GET', `/records/${trace.recordId}/spans`))).data;
  const { name, input, output, numSpans, numErrors, inputTokens, costUsd, sessionId, userId, modelName } =
    trace;
  return {
    list: { name, input, output, numSpans, numErrors, inputTokens, costUsd, sessionId, userId, modelName },
    record: { input: record.inputs.input, output: record.outputs.output, tags: record.tags ?? [] },
    tree: tree.map((span: { name: string }) => span.name),
    records: records.length,
  };
};

const tree = async (): Promise<{ id: string; spanId: string }[]> => {
  const [trace] = (await ok(own.api('GET', `/projects/${projectId}/traces`))).data;
  const { data } = await ok(own.api('GET', `/records/${trace.recordId}/spans`));
  return data.map(({ spanId }: { spanId: string }) => ({ id: trace.recordId, spanId }));
};

describe('a span that is sent again with other content', () => {
  it('changes list, record and tree, and adds nothing twice, whether its content is longer or shorter', async () => {
    await send(chat({}), { traceId, n: 2, parent: 1, name: 'tool' });
    for (const [question, answer, tokens] of [
      ['two and more', 'second', 40],
      ['3', 'c', 7],
    ] as const) {
      await send(chat({ question, answer, tokens, cost: 0.25 }, { name: answer, status: { code: 2 } }));
      expect(await state()).toMatchObject({
        list: {
          name: answer,
          input: question,
          output: answer,
          numSpans: 2,
          numErrors: 1,
          inputTokens: tokens,
          costUsd: 0.25,
        },
        record: { input: question, output: answer },
        tree: [answer, 'tool'],
        records: 1,
      });
    }
  });

  it('of the same end takes the last; one that ended earlier changes nothing, in any order', async () => {
    const outdated = '1 span: a version of it that ended later is stored, so this one was left out';
    const open = chat({ answer: 'so far', tokens: 5 }, { endTimeUnixNano: '0', name: 'open' });
    const ended = chat({ answer: 'done', tokens: 9 }, { name: 'ended' });
    for (const order of [
      [open, ended],
      [ended, open],
      [open, ended, open],
      [ended, open, ended],
    ]) {
      traceId = newTraceId();
      projectId = (await createProject(own.api)).id;
      for (const [i, span] of order.entries()) {
        const isOutdated = span === open && order.slice(0, i).includes(ended);
        expect(await warned({ ...span, traceId })).toBe(isOutdated ? outdated : '');
      }
      expect(await state()).toMatchObject({
        list: { name: 'ended', output: 'done', inputTokens: 9, numSpans: 1, costUsd: 0.5 },
        record: { output: 'done' },
        tree: ['ended'],
      });
    }
    traceId = newTraceId();
    expect(await warned({ ...ended, traceId }, { ...open, traceId })).toBe(outdated);
    expect((await ok(own.api('GET', `/projects/${projectId}/traces`))).data).toMatchObject([
      { name: 'ended', output: 'done' },
      { name: 'ended', output: 'done' },
    ]);
  });

  it('takes back what it no longer says', async () => {
    const first = chat(
      {},
      {
        attributes: {
          'session.id': 's1',
          'user.id': 'u1',
          'dokima.tags': ['red', 'blue'],
          'gen_ai.request.model': 'a',
        },
      },
    );
    await send(first, { traceId, n: 2, parent: 1, name: 'step', attributes: { 'dokima.tags': ['blue'] } });
    const before = await state();
    expect(before.list).toMatchObject({ sessionId: 's1', userId: 'u1', modelName: 'a' });
    await send(
      chat({}, { attributes: { 'session.id': 's2', 'dokima.tags': ['green'], 'gen_ai.request.model': 'b' } }),
    );
    const after = await state();
    expect(after.list).toMatchObject({
      sessionId: 's2',
      userId: null,
      modelName: 'b',
      input: 'one',
      numSpans: 2,
    });
    expect(after.record.tags.toSorted()).toEqual(['blue', 'green']);
    expect(after).toMatchObject({ records: 1, record: { input: 'one', output: 'first' } });
  });

  it('leaves its place to another span when it no longer has content, and takes it back', async () => {
    const inner = chat({ question: 'inner', answer: 'inner answer' }, { n: 2, parent: 1 });
    const outer = {
      traceId,
      n: 1,
      name: 'root',
      attributes: { 'input.value': 'outer', 'output.value': 'outer answer' },
    };
    await send(outer, inner);
    expect((await state()).record).toMatchObject({ input: 'outer', output: 'outer answer' });
    await send({ ...outer, attributes: {} });
    expect(await state()).toMatchObject({
      list: { input: 'inner', output: 'inner answer', name: 'root' },
      record: { input: 'inner', output: 'inner answer' },
    });
    await send(outer);
    expect((await state()).record).toMatchObject({ input: 'outer', output: 'outer answer' });
  });

  it('gives the trace back a record when its link is gone', async () => {
    await send(chat({}, { attributes: { 'dokima.otel_link_id': `link ${traceId}` } }));
    const linked = (await ok(own.api('GET', `/projects/${projectId}/traces`))).data[0];
    expect(linked.recordId).toBeNull();
    await send(chat({ answer: 'unlinked' }));
    expect(await state()).toMatchObject({ record: { output: 'unlinked' }, records: 1 });
  });

  it('keeps what people said about it and its record', async () => {
    await send(chat({}), { traceId, n: 2, parent: 1, name: 'tool' });
    const { id, spanId } = (await tree())[0]!;
    await ok(
      own.api('POST', `/records/${id}/annotations`, {
        rating: false,
        comment: 'Not so.',
        spanId,
        passage: { path: '/output/0/content', start: 0, text: 'first' },
      }),
      201,
    );
    await send(chat({ answer: 'second', tokens: 7 }));
    const { data } = await ok(own.api('GET', `/records/${id}/annotations`));
    expect(data).toMatchObject([{ spanId, comment: 'Not so.', passage: { text: 'first' } }]);
    expect(await state()).toMatchObject({ record: { output: 'second' }, records: 1 });
    // With another session the trace moves, and the record that people annotated stays.
    await send(chat({ answer: 'second', tokens: 7 }, { attributes: { 'session.id': 's9' } }));
    expect((await ok(own.api('GET', `/records/${id}/annotations`))).data).toHaveLength(1);
  });
});
