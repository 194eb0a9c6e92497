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
});
