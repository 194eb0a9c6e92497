import { beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../../../test/expect-error.ts';
import { createMetric, createProject, createRecord, createRun, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { newTraceId, post, requestOf, type TestSpan } from '../../../test/otlp.ts';
import { system } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { groupTraces } from './group-traces.ts';
import type { TraceSearch } from './trace-search.ts';

const { app, own } = await openApp();
let projectId: string;
/** Names of the traces by their ids. */
const names = new Map<string, string>();

const send = async (name: string, spans: Omit<TestSpan, 'traceId'>[], resource = {}) => {
  const traceId = [...names].find(([, each]) => each === name)?.[0] ?? newTraceId();
  names.set(traceId, name);
  const all = spans.map((span) => ({ ...span, traceId }) as TestSpan);
  const { status } = await post(
    app,
    own.key,
    requestOf(all, { 'dokima.project_id': projectId, ...resource }),
  );
  expect(status).toBe(200);
};
const root = (at: number, ms: number, input: string, attributes = {}): Omit<TestSpan, 'traceId'> => ({
  n: 1,
  name: `answer ${input}`,
  at,
  ms,
  attributes: { 'gen_ai.operation.name': 'invoke_agent', 'input.value': input, ...attributes },
});
const call = (n: number, at: number, tokens: number, cost: number, more: Partial<TestSpan> = {}) => ({
  n,
  parent: 1,
  name: 'chat',
  at,
  ms: 5,
  ...more,
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.response.model': 'm-1',
    'gen_ai.usage.cost': cost,
    'gen_ai.usage.input_tokens': tokens,
    'gen_ai.usage.output_tokens': 1,
  },
});

beforeAll(async () => {
  projectId = (await createProject(own.api)).id;
  const person = { 'session.id': 's 1', 'user.id': 'u 1' };
  await send('a', [root(0, 3_000, 'first question', person), call(2, 10, 100, 0.5)]);
  await send('b', [root(5_000, 1_000, 'second question', person), call(2, 5_010, 10, 0.25)]);
  // The root comes last, a call comes twice, and the second time it counts alone.
  await send('c', [call(2, 10_010, 1, 0.1)]);
  await send('c', [call(2, 10_010, 7, 0.75, { ms: 9, status: { code: 2 } }), call(3, 10_050, 5, 0.25)]);
  await send('c', [root(10_000, 100, 'other', { 'user.id': 'u 2', 'session.id': 's 2' })]);
  await send('d', [{ n: 1, name: 'job', at: 20_000, ms: 50 }]);
});

const list = async (query: string) =>
  (await ok(own.api('GET', `/projects/${projectId}/traces?${query}`))).data;
const find = async (q: string): Promise<string> =>
  (await list(`q=${encodeURIComponent(q)}`))
    .map(({ traceId }: { traceId: string }) => names.get(traceId))
    .join('');

describe('GET /projects/:projectId/traces', () => {
  it('lists each trace with its sums, its input and its record', async () => {
    const [d, c, b, a] = await list('');
    expect(c).toMatchObject({
      name: 'answer other',
      modelName: 'm-1',
      durationMs: 100,
      numSpans: 3,
      numErrors: 1,
      costUsd: 1,
      inputTokens: 12,
      outputTokens: 2,
      input: 'other',
      sessionId: 's 2',
      userId: 'u 2',
      startTime: '2026-11-20T12:00:10.000000000Z',
      output: null,
      scoreStates: [],
    });
    expect([d.inputTokens, d.costUsd, d.input]).toEqual([null, null, null]);
    expect([a.recordId, a.input, b.input]).toEqual([b.recordId, 'first question', 'second question']);
  });

  it.each([
    ['', 'dcba'],
    ['sort:started', 'abcd'],
    ['sort:-latency', 'abcd'],
    ['sort:-cost', 'cabd'],
    ['sort:tokens', 'bcad'],
    ['latency:>=1s', 'ba'],
    ['cost:<0.6', 'ba'],
    ['tokens:10..20', 'cb'],
    ['error:yes', 'c'],
    ['-error', 'dba'],
    ['session:"s 1"', 'ba'],
    ['user:"u 2"', 'c'],
    ['name:~answer', 'cba'],
    ['name:job', 'd'],
    ['model:m-1', 'cba'],
    ['second', 'b'],
    ['question -second', 'a'],
    ['inputs.input:"first question"', 'ba'],
    ['after:2026-11-20T12:00:09Z', 'dc'],
  ])('q=%s finds %s', async (q, found) => {
    expect(await find(q)).toBe(found);
  });

  it('sorts by a score of the record, those without one last, and goes on where a page ended', async () => {
    const [, c, , a] = await list('');
    const metric = await createMetric(own.api, projectId, {
      name: 'Good',
      evalType: 'human',
      outputType: 'float',
    });
    const run = await createRun(own.api, projectId, [metric.id]);
    const record = await createRecord(own.api, run.id);
    const { metricConfigId: config } = (await ok(own.api('GET', `/records/${record.id}`))).scoreStates[0];
    for (const [trace, floatScore] of [
      [a, 0.3],
      [c, 0.7],
    ])
      await ok(own.api('PUT', `/records/${trace.recordId}/scores/${config}`, { score: { floatScore } }));
    expect(await find('sort:-score.Good')).toBe('cbad');
    expect(await find('score.Good:<0.5')).toBe('ba');
    let paged = '';
    let cursor = '';
    do {
      const path = `/projects/${projectId}/traces?sort=-score.Good&limit=1&cursor=${cursor}`;
      const page = await ok(own.api('GET', path));
      paged += names.get(page.data[0].traceId);
      cursor = page.nextCursor;
    } while (cursor);
    expect(paged).toBe('cbad');
  });

  it('400 for an unknown filter, with a suggestion; 404 for an unknown project', async () => {
    const { status, body } = await own.api('GET', `/projects/${projectId}/traces?q=servce:x`);
    expect([status, body.message]).toEqual([400, expect.stringContaining('Did you mean service:?')]);
    expect((await own.api('GET', '/projects/999999999/traces')).status).toBe(404);
  });
});

it('sessions and users are listed with their sums, the last seen first', async () => {
  const sessions = (await ok(own.api('GET', `/projects/${projectId}/sessions`))).data;
  expect(sessions).toMatchObject([
    { sessionId: 's 2', userId: 'u 2', numTraces: 1, numErrors: 1, costUsd: 1 },
    { sessionId: 's 1', userId: 'u 1', numTraces: 2, numErrors: 0, costUsd: 0.75, input: 'first question' },
  ]);
  const ofUser = (await ok(own.api('GET', `/projects/${projectId}/sessions?userId=u%201`))).data;
  expect(ofUser).toEqual([sessions[1]]);
  const page = await ok(own.api('GET', `/projects/${projectId}/users?limit=1`));
  expect(page.data).toMatchObject([{ userId: 'u 2', numSessions: 1, numTraces: 1 }]);
  const rest = await ok(own.api('GET', `/projects/${projectId}/users?cursor=${page.nextCursor}`));
  expect(rest.data).toMatchObject([{ userId: 'u 1', numSessions: 1, numTraces: 2, inputTokens: 110 }]);
});

it('sessions and users are listed page by page, also where one has nearly all of the latest traces', async () => {
  const { id } = await createProject(own.api);
  const spans = Array.from({ length: 2_020 }, (_, i): TestSpan => {
    // The first twenty have their own sessions, and the first of them comes once more at the end.
    const session = i < 20 ? `s ${i}` : i === 2_019 ? 's 0' : 'busy';
    const attributes = { 'session.id': session, 'user.id': `user of ${session}` };
    return { traceId: newTraceId(), n: 1, name: 'answer', at: i * 1_000, ms: 10, attributes };
  });
  for (let i = 0; i < spans.length; i += 505) {
    const { status } = await post(
      app,
      own.key,
      requestOf(spans.slice(i, i + 505), { 'dokima.project_id': id }),
    );
    expect(status).toBe(200);
  }
  const all = async (path: string) => {
    const rows: { sessionId?: string; userId?: string; numTraces: number }[] = [];
    let cursor = '';
    do {
      const page = await ok(own.api('GET', `/projects/${id}/${path}limit=8&cursor=${cursor}`));
      rows.push(...page.data);
      cursor = page.nextCursor;
    } while (cursor);
    return rows;
  };
  const order = ['s 0', 'busy', ...Array.from({ length: 19 }, (_, i) => `s ${19 - i}`)];
  const sessions = await all('sessions?');
  expect(sessions.map(({ sessionId }) => sessionId)).toEqual(order);
  expect(sessions.slice(0, 3).map(({ numTraces }) => numTraces)).toEqual([2, 1_999, 1]);
  expect((await all('users?')).map(({ userId }) => userId)).toEqual(order.map((name) => `user of ${name}`));
  const busy = await all(`sessions?userId=${encodeURIComponent('user of busy')}&`);
  expect(busy).toMatchObject([{ sessionId: 'busy', numTraces: 1_999 }]);
  // More than are walked for a page.
  await app.db.transaction(
    system,
    (tx) => tx`
      insert into trace (organization_id, project_id, otel_id, session_id, user_id, start_ns, end_ns, num_spans)
      select organization_id, project_id, int8send(i) || otel_id, session_id, user_id, start_ns, end_ns, num_spans
      from (select * from trace where project_id = ${id} and session_id = 'busy' limit 1) one, generate_series(1::bigint, 50000) i`,
  );
  expect((await all('sessions?')).map(({ sessionId }) => sessionId)).toEqual(order);
  expect((await all('users?')).map(({ userId }) => userId)).toEqual(order.map((name) => `user of ${name}`));
  expect(await all(`sessions?userId=${encodeURIComponent('user of busy')}&`)).toMatchObject([
    { sessionId: 'busy', numTraces: 51_999 },
  ]);
});

describe('GET /projects/:projectId/traces/groups', () => {
  it('counts each value within the search, and its words find just these traces', async () => {
    const [first] = await list('sort=started');
    await ok(own.api('POST', `/records/${first.recordId}/tags`, { text: 'look at' }), 201);
    const groups = (by: string, more = '') =>
      ok(own.api('GET', `/projects/${projectId}/traces/groups?by=${encodeURIComponent(by)}&${more}`));
    for (const by of [
      'service',
      'name',
      'model',
      'session',
      'user',
      'error',
      'tag',
      'testcase',
      'inputs.input',
    ]) {
      const found = await groups(by);
      expect([by, found.n, found.partial, found.numOthers]).toEqual([by, 4, false, 0]);
      for (const { words, n } of found.groups)
        if (words !== null) expect([words, (await find(words)).length]).toEqual([words, n]);
    }
    expect((await groups('user')).groups).toEqual([
      { value: 'u 1', words: 'user:"u 1"', n: 2, passRate: null },
      { value: null, words: '-user:*', n: 1, passRate: null },
      { value: 'u 2', words: 'user:"u 2"', n: 1, passRate: null },
    ]);
    // The rate of a group is over the records of its traces, within the search.
    const metric = await createMetric(own.api, projectId, {
      name: 'Kind to "U 1"',
      evalType: 'human',
      outputType: 'boolean',
    });
    const { data: configs } = await ok(own.api('GET', `/metrics/${metric.id}/versions`));
    const recordsOf = async (query: string): Promise<string[]> =>
      [
        ...new Set(
          (await list(query)).flatMap(({ recordId }: { recordId: string | null }) => recordId ?? []),
        ),
      ] as string[];
    const all = await recordsOf('sort=started');
    for (const [i, id] of all.entries())
      await ok(own.api('PUT', `/records/${id}/scores/${configs[0].id}`, { score: { binaryScore: i === 0 } }));
    type Rated = { value: string | null; passRate: { n: number; estimate: number } };
    const rates = async (more = '') =>
      (await groups('user', `rateOf=${metric.id}${more}`)).groups.map(
        ({ value, passRate: { n, estimate } }: Rated) => [value, n, estimate],
      );
    const byHand = async (value: string | null, q: string) => {
      const records = await recordsOf(`q=${encodeURIComponent(q)}`);
      return [value, records.length, records.filter((id) => id === all[0]).length / records.length];
    };
    expect(await rates()).toEqual([
      await byHand('u 1', 'user:"u 1"'),
      await byHand(null, '-user:*'),
      await byHand('u 2', 'user:"u 2"'),
    ]);
    expect(await rates('&q=error:yes')).toEqual([await byHand('u 2', 'user:"u 2" error:yes')]);
    expect(await groups('user', 'newest=4')).toMatchObject({ n: 4, partial: false });
    expect(await groups('user', 'q=error:yes')).toMatchObject({ n: 1, groups: [{ value: 'u 2' }] });
    expect(await groups('user', 'newest=2&most=1')).toMatchObject({ n: 2, partial: true, numOthers: 1 });
    expectError(await own.api('GET', `/projects/${projectId}/traces/groups?by=usr`), 'VALIDATION_ERROR');
  });

  it('counts by slices of any size', async () => {
    const [owner] = await app.db.transaction(
      system,
      (tx) =>
        tx<
          { organizationId: bigint }[]
        >`select organization_id as "organizationId" from project where id = ${projectId}`,
    );
    const scope: Scope = {
      ...owner!,
      memberId: '',
      role: 'admin',
      access: 'full',
      keyId: null,
      signInId: null,
    };
    const search: TraceSearch = { conditions: [], sort: { by: 'started', descending: true } };
    const counted = (sliceSize: number) =>
      groupTraces(app.db, scope, BigInt(projectId), search, { by: 'name', sliceSize }, AbortSignal.any([]));
    expect(await counted(1)).toEqual(await counted(10));
    expect(await counted(3)).toEqual(await counted(4));
  });
});
