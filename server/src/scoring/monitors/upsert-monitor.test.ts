import { beforeEach, describe, expect, it } from 'vitest';
import { createMetric, createProject, ok } from '../../../test/fixtures.ts';
import { createCodeMetric, decide, root, sendSpans, tracedScores } from '../../../test/monitors.ts';
import { openApp } from '../../../test/opened.ts';
import { newTraceId } from '../../../test/otlp.ts';

/** What the public TypeScript client sends for `wrapAISDK(ai, { metrics })`, each time the program starts. */

const { app, own } = await openApp({});
let projectId: string;

beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
});

const sentence = 'Check if the response is concise';
const put = (body: object = {}, api = own.api) =>
  api('PUT', `/projects/${projectId}/monitors`, {
    description: 'ai-sdk-app',
    metrics: [sentence],
    filter: { serviceName: 'ai-sdk-app' },
    ...body,
  });
const metrics = async () => (await ok(own.api('GET', `/projects/${projectId}/metrics`))).data;
const monitors = async () => (await ok(own.api('GET', `/projects/${projectId}/monitors`))).data;

describe('PUT /projects/:projectId/monitors', () => {
  it('creates a monitor of all traces of the service, and an AI metric of a sentence', async () => {
    const made = await ok(put());
    const [metric] = await metrics();
    expect(metric).toMatchObject({
      name: sentence,
      description: sentence,
      guidelines: sentence,
      evalType: 'ai',
      outputType: 'boolean',
    });
    expect(made).toMatchObject({
      name: 'ai-sdk-app',
      metricIds: [metric.id],
      samplingRate: 1,
      filter: { service: 'ai-sdk-app' },
      paused: false,
    });
  });

  it('changes nothing the second time, not even what people have changed since', async () => {
    const made = await ok(put());
    const [metric] = await metrics();
    const body = { evalType: 'ai', outputType: 'boolean', guidelines: 'At most three sentences.' };
    await ok(own.api('PATCH', `/metrics/${metric.id}`, body));
    await ok(own.api('PATCH', `/monitors/${made.id}`, { samplingRate: 0.5, settleSeconds: 10 }));
    const [changed] = await monitors();
    expect(await ok(put())).toEqual(changed);
    expect(await monitors()).toEqual([changed]);
    expect(await metrics()).toHaveLength(1);
  });

  it('makes one monitor and one metric of requests at the same time', async () => {
    await Promise.all(Array.from({ length: 6 }, async () => ok(put())));
    expect(await monitors()).toHaveLength(1);
    expect(await metrics()).toHaveLength(1);
  });

  it('takes ids and sentences together, and replaces the metrics of an existing monitor', async () => {
    const { id } = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
    await ok(put());
    const made = await ok(put({ metrics: [id, sentence, ` ${sentence} `, 'Is it polite?'] }));
    expect(made.metricIds).toHaveLength(3);
    expect(made.metricIds[0]).toBe(id);
    expect(await monitors()).toHaveLength(1);
    expect(await metrics()).toHaveLength(3);
    expect((await ok(put({ description: 'other', filter: undefined }))).filter).toEqual({});
    expect(await monitors()).toHaveLength(2);
    expect(await metrics()).toHaveLength(3);
  });

  it('scores the traces of the service, and of no other', async () => {
    const { id } = await createCodeMetric(own.api, projectId);
    const made = await ok(put({ metrics: [id] }));
    await ok(own.api('PATCH', `/monitors/${made.id}`, { settleSeconds: 0 }));
    const service = { 'service.name': 'ai-sdk-app' };
    await sendSpans(app, own.key, projectId, [root(newTraceId())], service);
    await sendSpans(app, own.key, projectId, [root(newTraceId())]);
    await decide(app);
    expect(await tracedScores(app, projectId)).toHaveLength(1);
  });

  it('400 and 404 say what is wrong', async () => {
    for (const body of [
      { description: '' },
      { metrics: [] },
      { metrics: [''] },
      { filter: { service: 'x' } },
    ])
      expect((await put(body)).status).toBe(400);
    expect((await put({ metrics: ['999999999'] })).status).toBe(404);
    expect((await put({}, (await app.organization()).api)).status).toBe(404);
    expect(await metrics()).toEqual([]);
  });
});
