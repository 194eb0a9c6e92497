import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createMetric, createProject, ok } from '../../../test/fixtures.ts';
import { type Client, startApp } from '../../../test/harness.ts';
import { newTraceId, post, requestOf, spanId, type TestSpan } from '../../../test/otlp.ts';

const app = await startApp({});
afterAll(() => app.close());
let api: Client;
let secret: string;
let projectId: string;
beforeEach(async () => {
  const own = await app.organization();
  ({ api, key: secret } = own);
  ({ id: projectId } = await createProject(api));
});

const send = async (spans: TestSpan[]) => {
  const { status } = await post(app, secret, requestOf(spans, { 'dokima.project_id': projectId }));
  expect(status).toBe(200);
};
const tool = (traceId: string, n: number, name: string): TestSpan => ({
  traceId,
  n,
  parent: 1,
  name,
  attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name },
});
/** A trace with two refunds and a search; returns its record. */
const sendTrace = async (traceId = newTraceId()) => {
  await send([
    { traceId, n: 1 },
    tool(traceId, 2, 'refund'),
    tool(traceId, 3, 'refund'),
    tool(traceId, 4, 'search'),
  ]);
  const span = await ok(api('GET', `/projects/${projectId}/traces/${traceId}/spans/${spanId(1)}`));
  return span.recordId as string;
};
const refunds = { evalType: 'human', outputType: 'boolean', spans: 'kind:tool name:refund' };
const configOf = async (fields: Parameters<typeof createMetric>[2] = refunds): Promise<string> => {
  const { id } = await createMetric(api, projectId, fields);
  return (await ok(api('GET', `/metrics/${id}/versions`))).data[0].id;
};
const put = (record: string, config: string, n: number, binaryScore: boolean) =>
  api('PUT', `/records/${record}/scores/${config}/spans/${spanId(n)}`, { score: { binaryScore } });

describe('a metric of spans', () => {
  it('201 echoes its search, and a metric without one has no such field', async () => {
    const metric = await createMetric(api, projectId, refunds);
    expect(metric.spans).toBe('kind:tool name:refund');
    expect(await createMetric(api, projectId, { evalType: 'human', outputType: 'int' })).not.toHaveProperty(
      'spans',
    );
  });

  it('400 names each problem of a search', async () => {
    const { status, body } = await api('POST', `/projects/${projectId}/metrics`, {
      name: 'M',
      ...refunds,
      spans: 'kind:tools nam:x latency:soon',
    });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toMatch(/kind is one of chat, tool.*Did you mean name:.*latency:>2s/s);
  });

  it('gets a new configuration with another search, and scores records again with null', async () => {
    const { id } = await createMetric(api, projectId, refunds);
    const change = (spans: string | null) =>
      ok(api('PATCH', `/metrics/${id}`, { evalType: 'human', outputType: 'boolean', spans }));
    expect((await change('kind:tool')).spans).toBe('kind:tool');
    expect(await change(null)).not.toHaveProperty('spans');
    expect((await ok(api('GET', `/metrics/${id}/versions`))).data).toHaveLength(3);
  });
});

describe('PUT /records/:recordId/scores/:metricConfigId/spans/:spanId', () => {
  it('200 stores the score, and the record gets the lowest one when each chosen span has one', async () => {
    const [record, config] = [await sendTrace(), await configOf()];
    const stateOf = async () => (await ok(api('GET', `/records/${record}`))).scoreStates[0];
    const given = await ok(put(record, config, 2, true));
    expect(given).toMatchObject({
      spanId: spanId(2),
      state: 'scored',
      passed: true,
      score: { binaryScore: true },
    });
    expect(await stateOf()).toMatchObject({
      state: 'unscored',
      reason: expect.stringContaining('1 of 2 spans'),
    });
    await ok(put(record, config, 3, false));
    expect(await stateOf()).toMatchObject({ state: 'scored', passed: false, score: { binaryScore: false } });
    await ok(put(record, config, 3, true));
    expect(await stateOf()).toMatchObject({ state: 'scored', passed: true });
    const { data } = await ok(api('GET', `/records/${record}/span-scores`));
    expect(data.map((score: { spanId: string; passed: boolean }) => [score.spanId, score.passed])).toEqual([
      [spanId(2), true],
      [spanId(3), true],
    ]);
  });

  it('404 for a span that the search does not choose, and for a span of another record', async () => {
    const [record, config] = [await sendTrace(), await configOf()];
    expect((await put(record, config, 4, true)).status).toBe(404);
    expect((await put(record, config, 9, true)).status).toBe(404);
  });

  it('400 for a metric that scores records; and scores of records are refused for a metric of spans', async () => {
    const [record, config] = [await sendTrace(), await configOf()];
    const other = await configOf({ evalType: 'human', outputType: 'boolean' });
    expect((await put(record, other, 2, true)).status).toBe(400);
    const refused = await api('PUT', `/records/${record}/scores/${config}`, { score: { binaryScore: true } });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain('scores spans');
    const bulk = { items: [{ recordId: record, metricConfigId: config, score: { binaryScore: true } }] };
    const [runId] = record.split('-');
    expect((await api('POST', `/runs/${runId}/scores/bulk-upsert`, bulk)).status).toBe(400);
    const brought = {
      inputs: {},
      expected: {},
      outputs: {},
      scores: [{ metricConfigId: config, score: {} }],
    };
    const create = { records: [brought] };
    expect((await api('POST', `/runs/${runId}/records/bulk-create`, create)).status).toBe(400);
  });

  it('400 without the trace if two traces of the record have a span of this id', async () => {
    const [first, second] = [newTraceId(), newTraceId()];
    const session = { 'session.id': `session of ${first}` };
    for (const traceId of [first, second])
      await send([{ traceId, n: 1, attributes: session }, { ...tool(traceId, 2, 'refund') }]);
    const { recordId } = await ok(api('GET', `/projects/${projectId}/traces/${first}/spans/${spanId(1)}`));
    const path = `/records/${recordId}/scores/${await configOf()}/spans/${spanId(2)}`;
    const score = { binaryScore: true };
    expect((await api('PUT', path, { score })).status).toBe(400);
    expect(await ok(api('PUT', path, { score, traceId: second }))).toMatchObject({ traceId: second });
  });

  it('scores go with their record', async () => {
    const [record, config] = [await sendTrace(), await configOf()];
    await ok(put(record, config, 2, true));
    await ok(api('DELETE', `/records/${record}`));
    expect((await api('GET', `/records/${record}/span-scores`)).status).toBe(404);
  });
});
