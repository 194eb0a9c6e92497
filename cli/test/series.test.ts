import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newTraceId, post, requestOf, spanId } from '../../server/test/otlp.ts';
import { openTerminal, type Terminal } from './terminal.ts';

let terminal: Terminal;
let projectId: string;

beforeAll(async () => {
  terminal = await openTerminal();
  const { client } = terminal;
  projectId = (await client.createProject({ name: 'Series', description: '' })).id;
  const metric = await client.createMetric(projectId, {
    name: 'Right',
    evalType: 'heuristic',
    outputType: 'boolean',
  });
  const run = await client.createRun(projectId, { metricIds: [metric.id] });
  for (const [tag, passing] of [
    ['old', 20],
    ['new', 4],
  ] as const) {
    const records = Array.from({ length: 20 }, (_, i) => ({
      inputs: { q: `${tag} ${i}` },
      expected: {},
      outputs: {},
      scores: [{ metricConfigId: run.metricVersionIds[0]!, score: { binaryScore: i < passing } }],
    }));
    for (const id of await client.createAllRecords(run.id, records))
      await client.createRecordTag(id, { text: tag });
  }
});
afterAll(() => terminal.close());

describe('dokima series', () => {
  const series = (...words: string[]) => terminal.dokima(['series', '--project', projectId, ...words]);

  it('prints the records of each bucket and group', async () => {
    const { out, code } = await series('--bucket', 'hour', '--by', 'tag');
    expect(code).toBe(0);
    expect(out).toMatch(/^all +20 +.* 20\.00 % \(/m);
    expect(out).not.toContain('verdict');
  });

  it('tests groups and says what the test cannot', async () => {
    const { out } = await series('--by', 'tag', '--compare', 'groups');
    expect(out).toMatch(/Right +\S+ +\S+ .* (worse|better)$/m);
    expect(out).toMatch(/Right, \S+ to \S+: (worse|better) by 80\.0 points, 95 % interval/);
    expect(out).toContain('records can still come, and this test is for one look');
    const { json } = await series('--by', 'tag', '--compare', 'groups', '--json');
    expect(json().changes).toMatchObject([{ tests: 1, numBefore: 20, numAfter: 20 }]);
  });

  it('says what is wrong with an option', async () => {
    expect(await series('--compare', 'days')).toMatchObject({
      code: 4,
      err: expect.stringContaining('--compare must be buckets or groups.'),
    });
    expect(await series('--compare', 'groups')).toMatchObject({
      code: 4,
      err: expect.stringContaining('groups needs `by`'),
    });
  });
});

describe('dokima spans', () => {
  it('scores a span, and lists the scores of a record with the spans that have none', async () => {
    const { client, app, key, dokima } = terminal;
    const metric = await client.createMetric(projectId, {
      name: 'Refund',
      evalType: 'human',
      outputType: 'boolean',
      spans: 'kind:tool',
    });
    const traceId = newTraceId();
    const tool = { 'gen_ai.operation.name': 'execute_tool' };
    const spans = [{ traceId, n: 1 }, ...[2, 3].map((n) => ({ traceId, n, parent: 1, attributes: tool }))];
    await post(app, key, requestOf(spans, { 'dokima.project_id': projectId }));
    const { recordId } = await client.getSpan(projectId, traceId, spanId(1));
    const give = (value: string) =>
      dokima([
        'spans',
        recordId!,
        '-m',
        metric.id,
        '--span',
        spanId(2),
        '--score',
        value,
        '--reason',
        'Too much.',
      ]);
    expect((await give('false')).out).toContain('Refund is false.');
    expect(await give('4')).toMatchObject({
      code: 4,
      err: expect.stringContaining("is true or false, not '4'"),
    });
    const { out } = await dokima(['spans', recordId!]);
    expect(out).toMatch(new RegExp(`${spanId(2)} +Refund +false +fail +Too much\\.`));
    expect(out).toMatch(new RegExp(`${spanId(3)} +Refund +not scored`));
    expect(out).toContain('1 score, 1 span for people to score');
  });

  it('are read by the gate, which counts spans by record, and by the series of their day', async () => {
    const { client, app, key, dokima, write } = terminal;
    const metric = await client.createMetric(projectId, {
      name: 'Search',
      evalType: 'human',
      outputType: 'boolean',
      spans: 'kind:tool',
    });
    const run = await client.createRun(projectId, { metricIds: [metric.id] });
    const links = Array.from({ length: 12 }, (_, i) => `search ${i}`);
    const spans = links.flatMap((link) => {
      const traceId = newTraceId();
      const tool = { 'gen_ai.operation.name': 'execute_tool' };
      const root = { traceId, n: 1, attributes: { 'dokima.otel_link_id': link } };
      return [root, ...[2, 3].map((n) => ({ traceId, n, parent: 1, attributes: tool }))];
    });
    await post(app, key, requestOf(spans, { 'dokima.project_id': projectId }));
    const ids = await client.createAllRecords(
      run.id,
      links.map((otelLinkId) => ({ inputs: {}, expected: {}, outputs: {}, otelLinkId })),
    );
    const config = run.metricVersionIds[0]!;
    for (const [i, id] of ids.entries())
      for (const n of [2, 3])
        await client.upsertSpanScore(id, config, spanId(n), { score: { binaryScore: n === 2 || i % 4 > 0 } });
    // 21 of 24 spans pass, of 12 records.
    await write('dokima.yaml', 'metrics: { Search: { atLeast: 0.5 } }');
    const passed = await dokima(['gate', run.id]);
    expect([passed.code, passed.out]).toEqual([0, expect.stringContaining('0.875')]);
    await write('dokima.yaml', 'metrics: { Search: { atLeast: 0.95 } }');
    expect((await dokima(['gate', run.id])).code).toBeGreaterThan(0);
    // Of 24 spans, 3 fail.
    const { out } = await dokima(['series', '--project', projectId]);
    expect(out).toMatch(/87\.50 % \(.*, n = 24\)/);
  });
});
