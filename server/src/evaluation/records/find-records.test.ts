import { beforeAll, describe, expect, it } from 'vitest';
import {
  createMetric,
  createProject,
  createRecord,
  createRun,
  createTestset,
  ok,
} from '../../../test/fixtures.ts';
import { createMonitor } from '../../../test/monitors.ts';
import { openApp } from '../../../test/opened.ts';
import { newTraceId, post, requestOf } from '../../../test/otlp.ts';

const { app, own } = await openApp();
let projectId: string;
let runId: string;
let version: { id: string; name: string };
let testcase: { id: string };
let monitorId: string;
/** Names of the records by their ids. */
const names = new Map<string, string>();

const cases = [
  { name: 'a', outputs: { answer: 'Paris', n: 3, list: [{ x: 'deep' }] }, score: 0.2, ms: 3_000, tokens: 10 },
  { name: 'b', outputs: { answer: 'paris, France', n: 12 }, score: 0.95, ms: 500, tokens: 2_000 },
  {
    name: 'c',
    outputs: { answer: 'Rome', n: '7', small: 1e-7 },
    score: 0.5,
    ms: 1_500,
    tokens: 300,
    failed: true,
  },
  { name: 'd', outputs: { answer: 'nul \u0000 inside', other: { answer: 'Paris' } } },
  { name: 'e', outputs: {} },
];

beforeAll(async () => {
  projectId = (await createProject(own.api)).id;
  const metric = { evalType: 'heuristic', outputType: 'float', passingThreshold: 0.9 };
  const accuracy = await createMetric(own.api, projectId, { ...metric, name: 'Order accuracy' });
  const system = await ok(
    own.api('POST', `/projects/${projectId}/systems`, { name: 'Shop', config: {} }),
    201,
  );
  version = system.productionVersion;
  runId = (await createRun(own.api, projectId, [accuracy.id], { systemVersionId: version.id })).id;
  // Records of another run, which no search finds.
  await createRecord(own.api, (await createRun(own.api, (await createProject(own.api)).id, [])).id);
  const testset = await createTestset(own.api, projectId);
  const items = [{ jsonData: { question: 'Why?', topic: 'Billing', weight: 3 } }];
  [testcase] = (await ok(own.api('POST', `/testsets/${testset.id}/testcases`, { items }), 201)).items;
  for (const { name, outputs, score, ms, tokens, failed } of cases) {
    const link = `link-${projectId}-${name}`;
    const record = {
      inputs: { name },
      expected: {},
      outputs,
      ...(ms && { otelLinkId: link }),
      ...(name === 'e' && { testcaseId: testcase.id }),
    };
    const send = () => ok(own.api('POST', `/runs/${runId}/records`, record), 201);
    const sendTrace = () => {
      const attributes = {
        'dokima.otel_link_id': link,
        'gen_ai.operation.name': 'chat',
        'user.id': `user ${name}`,
        'gen_ai.response.model': `model ${name}`,
        'gen_ai.usage.input_tokens': tokens! - 1,
        'gen_ai.usage.output_tokens': 1,
        cost_usd: ms! / 1e6,
      };
      const status = { code: failed ? 2 : 1 };
      const span = { traceId: newTraceId(), n: 1, ms: ms!, attributes, status };
      return post(app, own.key, requestOf([span], { 'dokima.project_id': projectId }));
    };
    // The trace of the first record comes before it, those of the others after them.
    if (name === 'a') await sendTrace();
    const { id } = await send();
    if (ms !== undefined && name !== 'a') await sendTrace();
    names.set(id, name);
    if (score !== undefined) {
      const { scoreStates } = await ok(own.api('GET', `/records/${id}`));
      const { metricConfigId } = scoreStates[0];
      await ok(own.api('PUT', `/records/${id}/scores/${metricConfigId}`, { score: { floatScore: score } }));
    }
  }
  await ok(own.api('POST', `/records/${idOf('b')}/annotations`, { rating: false, comment: 'No.' }), 201);
  await ok(own.api('POST', `/records/${idOf('c')}/tags`, { text: 'look again' }), 201);
  await ok(own.api('POST', `/records/${idOf('d')}/assignees`, { assigneeUserId: own.memberId }), 201);
  monitorId = (await createMonitor(own.api, projectId, [accuracy.id], { name: 'Production' })).id;
  await app.db.transaction({ organizationId: own.organizationId }, async (tx) => {
    await tx`
      update score set state = 'failed', value = null
      where run_id = ${runId}::text::bigint and n = ${Number(idOf('e').split('-')[1])}`;
    await tx`
      insert into monitor_record (organization_id, run_id, n, monitor_id, decided_at, inclusion_probability, drawn)
      select organization_id, run_id, n, ${monitorId}::text::uuid, now(), 0.5, n <= 2 from record
      where run_id = ${runId}::text::bigint and n <= 3`;
  });
});

const idOf = (name: string) => [...names].find(([, each]) => each === name)![0];
const get = (query: string) => own.api('GET', `/projects/${projectId}/records?${query}`);
const find = async (q: string): Promise<string> => {
  const { data } = await ok(get(`q=${encodeURIComponent(q)}`));
  return data.map(({ id }: { id: string }) => names.get(id)).join('');
};

describe('a search of records', () => {
  it.each([
    ['score."order accuracy":<0.9', 'ca'],
    ['score:0.4..0.6', 'c'],
    ['score."Order accuracy":pass', 'b'],
    ['score."Order accuracy":fail', 'ca'],
    ['result:fail metric:"Order accuracy"', 'ca'],
    ['score:pending', 'd'],
    ['score:failed', 'e'],
    ['result:failed', 'e'],
    ['-score:pass', 'edca'],
    ['score:unscored', ''],
    ['score:none', ''],
    ['-score:any', ''],
    ['-score:none', 'edcba'],
    ['latency:>1s', 'ca'],
    ['latency:<=1.5s', 'cb'],
    ['tokens:>=2k', 'b'],
    ['cost:>$0.001', 'ca'],
    ['error:yes', 'c'],
    ['-error', 'edba'],
    ['user:"user a"', 'a'],
    ['annotation:down', 'b'],
    ['annotation:*', 'b'],
    ['-annotation:any', 'edca'],
    ['tag:"look again"', 'c'],
    ['-tag:"look again" latency:*', 'ba'],
    ['outputs.answer:paris', 'a'],
    ['outputs.answer:~Paris', 'ba'],
    ['outputs.other.answer:Paris', ''],
    ['outputs.list.0.x:deep', 'a'],
    ['outputs.answer:*', 'cba'],
    ['outputs.n:>5', 'cb'],
    ['-outputs.n:>5', 'eda'],
    ['outputs.small:<0.001', 'c'],
    ['paris -france', 'da'],
    ['inputs.name:e', 'e'],
    ['metadata.topic:billing', 'e'],
    ['metadata.weight:>2', 'e'],
    ['-metadata.topic:*', 'dcba'],
    ['assigned:me', 'd'],
    ['-assigned:me', 'ecba'],
    ['model:"model b"', 'b'],
    ['model:"model z"', ''],
    ['model:*', 'cba'],
    ['monitor:Production', 'ba'],
    ['monitor:Other', ''],
    ['version:*', 'edcba'],
    ['version:Other', ''],
  ])('%s finds %s, also from the oldest, which asks an index first', async (q, found) => {
    expect(await find(q)).toBe(found);
    expect(await find(`${q} sort:created`)).toBe([...found].reverse().join(''));
  });

  it('finds what a version, a testcase, a monitor and a run have by their ids', async () => {
    for (const [q, found] of [
      [`version:${version.id}`, 'abcde'],
      [`version:"${version.name}"`, 'abcde'],
      [`testcase:${testcase.id}`, 'e'],
      [`monitor:${monitorId}`, 'ab'],
      [`run:${runId}`, 'abcde'],
    ] as const) {
      expect(await find(`${q} sort:created`), q).toBe(found);
      expect(await find(q), q).toBe([...found].reverse().join(''));
    }
  });

  it.each([
    ['sort:latency', 'bcaed'],
    ['sort:-latency', 'acbed'],
    ['sort:-tokens', 'bcaed'],
    ['sort:cost', 'bcaed'],
    ['sort:score."Order accuracy"', 'acbed'],
    ['sort:-score."Order accuracy" latency:*', 'bca'],
    ['sort:created', 'abcde'],
    ['sort:-created', 'edcba'],
  ])('%s lists %s, those without a value last', async (q, found) => {
    expect(await find(q)).toBe(found);
  });

  it.each(['sort:-latency', 'sort:score."Order accuracy"', 'sort:created', 'sort:cost -error'])(
    '%s goes on where a page ended, and skips',
    async (q) => {
      const whole = await find(q);
      let paged = '';
      let cursor = '';
      do {
        const page = await ok(get(`q=${encodeURIComponent(q)}&limit=2&cursor=${cursor}`));
        paged += page.data.map(({ id }: { id: string }) => names.get(id)).join('');
        cursor = page.nextCursor;
      } while (cursor);
      expect(paged).toBe(whole);
      for (const offset of [1, 3, 4]) {
        const { data } = await ok(get(`q=${encodeURIComponent(q)}&offset=${offset}`));
        expect(data.map(({ id }: { id: string }) => names.get(id)).join('')).toBe(whole.slice(offset));
      }
    },
  );

  it('says what is wrong in each of its parts, and what may be meant', async () => {
    const q = 'latncy:>2s score.acuracy:pass outputs:x latency:soon assigned:no-one sort:size result:odd';
    const { status, body } = await get(`q=${encodeURIComponent(q)}`);
    expect(status).toBe(400);
    expect(body.details.issues.map(({ message }: { message: string }) => message)).toEqual([
      'has no filter latncy:. Did you mean latency:? To search for the text, write it in quotes: "latncy:>2s"',
      'names a metric "acuracy", which this project does not have. It has "Order accuracy"',
      'needs a field after outputs, such as outputs.answer:"Paris"',
      'has latency:soon, which is not a number. Write it like latency:>2s',
      'names "no-one", which no member is called',
      'sorts by "size": it can be created, latency, cost, tokens or score and a metric, such as score.Accuracy',
      'has result:odd: a score is pass, fail, pending, unscored, failed, none, or compared with a number such as <0.5',
    ]);
  });

  it('narrows the count over time as it does the list, together with the other parameters', async () => {
    const q = encodeURIComponent('latency:>1s sort:-latency');
    const { numRecords } = await ok(own.api('GET', `/projects/${projectId}/records/histogram?q=${q}`));
    expect(numRecords).toBe(2);
    expect((await ok(get(`q=${q}&text=rome`))).data.map(({ id }: { id: string }) => names.get(id))).toEqual([
      'c',
    ]);
  });

  it('sorts by the scores of all configurations of a metric, of each record by its newest', async () => {
    const { id } = await createProject(own.api);
    const fields = { name: 'Good', evalType: 'heuristic', outputType: 'float', guidelines: 'a' };
    const metric = await createMetric(own.api, id, fields);
    const scored = async (score: number) => {
      const run = await createRun(own.api, id, [metric.id]);
      const record = await createRecord(own.api, run.id);
      const path = `/records/${record.id}/scores/${run.metricVersionIds[0]}`;
      await ok(own.api('PUT', path, { score: { floatScore: score } }));
      return { id: record.id as string, versionId: run.metricVersionIds[0] as string };
    };
    const first = await scored(0.5);
    await ok(own.api('PATCH', `/metrics/${metric.id}`, { ...fields, guidelines: 'b' }));
    const second = await scored(0.3);
    expect(second.versionId).not.toBe(first.versionId);
    const third = await scored(0.7);
    const list = async () =>
      (await ok(own.api('GET', `/projects/${id}/records?sort=score.Good`))).data.map(
        (r: { id: string }) => r.id,
      );
    expect(await list()).toEqual([second.id, first.id, third.id]);
    const newest = `/records/${first.id}/scores/${second.versionId}`;
    await ok(own.api('PUT', newest, { score: { floatScore: 0.9 } }));
    expect(await list()).toEqual([second.id, third.id, first.id]);
  });

  it('finds records without a score beside runs in which each record has one', async () => {
    const { id } = await createProject(own.api);
    const metric = await createMetric(own.api, id, {
      name: 'Good',
      evalType: 'human',
      outputType: 'boolean',
    });
    await createRecord(own.api, (await createRun(own.api, id, [metric.id])).id);
    const without = await createRecord(own.api, (await createRun(own.api, id, [])).id);
    for (const q of ['score:none', 'score.Good:none', '-score.Good:any']) {
      const { data } = await ok(own.api('GET', `/projects/${id}/records?q=${q}`));
      expect(data.map((record: { id: string }) => record.id)).toEqual([without.id]);
    }
  });

  it('tells what each record took, and forgets it with the trace', async () => {
    const { measures } = await ok(own.api('GET', `/records/${idOf('a')}`));
    expect(measures).toEqual({
      latencyMs: 3_000,
      inputTokens: 9,
      outputTokens: 1,
      costUsd: 0.003,
      numErrors: 0,
      userId: 'user a',
    });
    expect((await ok(own.api('GET', `/records/${idOf('e')}`))).measures).toBeNull();
    const { measured } = await ok(own.api('GET', `/runs/${runId}/details`)).then(
      ({ executions }) => executions,
    );
    const told = cases.filter(({ ms }) => ms !== undefined);
    const mean = (of: number[]) => of.reduce((sum, each) => sum + each, 0) / of.length;
    expect(measured).toEqual({
      numRecords: 3,
      medianLatencyMs: 1_500,
      tokensPerRecord: mean(told.map(({ tokens }) => tokens!)),
      costUsdPerRecord: expect.closeTo(mean(told.map(({ ms }) => ms! / 1e6)), 9),
    });
  });
});
