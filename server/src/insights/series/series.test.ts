import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rowsRead } from '../../../test/explain.ts';
import { createMetric, createProject, createRecord, createRun, ok } from '../../../test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { createMonitor, decide, newTraces, root, sendSpans } from '../../../test/monitors.ts';
import { type TestSpan, testStart } from '../../../test/otlp.ts';
import { wilson } from '../../engine/statistics/intervals.ts';
import { binnedPercentiles } from '../../engine/statistics/percentile.ts';
import { hasScoreOf } from '../../evaluation/records/condition.ts';
import { estimateFitting } from '../../evaluation/records/tally-queries.ts';
import { type Fragment, type Sql, system } from '../../platform/db/database.ts';
import { newUuid } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { countDueHour, insertCounts } from './count-hours.ts';
import { markChangedHours, markHours } from './mark-hours.ts';
import { findChangedHours } from './queries.ts';

let app: TestApp;
/** Empty on the embedded engine, whose one role owns the tables. */
let url = '';
let own: Organization;
let projectId: string;

type Point = { start: string; numRecords: number };
type Group = { value: string | null; total: Point };

beforeAll(async () => {
  app = await startApp({}, { databaseUrl: (direct) => (url = direct) });
  own = await app.organization();
});
afterAll(() => app.close());
beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
});

const run = (statement: string) => app.db.transaction(system, (tx) => tx.unsafe(statement));
/** Makes the planner's statistics, so that a plan does not depend on when the service last made them. */
const analyze = async (): Promise<void> => {
  if (url === '') {
    await run('analyze');
    return;
  }
  const owner = postgres(url, { max: 1 });
  await owner`analyze`;
  await owner.end();
};
const series = (query = '') => ok(own.api('GET', `/projects/${projectId}/series${query}`));
/** Does what the chore does until nothing is due. */
const count = async () => {
  await markChangedHours(app.db);
  while (await countDueHour(app.db));
};
/** Moves the records of a run to a time, as if they had come then. */
const moveTo = (runId: string, time: string) =>
  run(
    `update record set created_at = timestamptz '${time}' + n * interval '1 second' where run_id = ${runId}`,
  );
const stored = async () =>
  (
    await run(
      `select sum(records)::int as n from series_measure where project_id = ${projectId} and dimension = 'all'`,
    )
  )[0]!.n as number | null;

const model = (name: string, ms: number, failed = false, attributes: Record<string, unknown> = {}) => ({
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.response.model': name,
    'gen_ai.usage.input_tokens': 100,
    'gen_ai.usage.output_tokens': 20,
    ...attributes,
  },
  ms,
  ...(failed && { status: { code: 2 } }),
});

const sendTraces = (n: number, fields: Record<string, unknown>) =>
  sendSpans(
    app,
    own.key,
    projectId,
    newTraces(n).map((traceId) => root(traceId, { at: Date.now() - testStart, ...fields })),
  );

describe('GET /projects/:projectId/series', () => {
  it('has the cost of a day’s traffic as the bill is by hand: cached, stored and reasoning tokens, and costs that were sent', async () => {
    const midnight = Date.UTC(
      ...(new Date(Date.now() - 24 * 3_600_000)
        .toISOString()
        .slice(0, 10)
        .split('-')
        .map((part, i) => Number(part) - Number(i === 1)) as [number, number, number]),
    );
    const usage = (input: number, output: number, more: Record<string, number> = {}) => ({
      'gen_ai.usage.input_tokens': input,
      'gen_ai.usage.output_tokens': output,
      ...Object.fromEntries(Object.entries(more).map(([key, value]) => [`gen_ai.usage.${key}`, value])),
    });
    // Millionths of a dollar a call, by the list prices of a million tokens: reasoning tokens are a part of the output.
    const calls: [n: number, model: string, tokens: Record<string, number>, bill: number][] = [
      [
        24,
        'gpt-4o-mini',
        usage(1000, 100, { 'cache_read.input_tokens': 600, 'reasoning.output_tokens': 40 }),
        400 * 0.15 + 600 * 0.075 + 100 * 0.6,
      ],
      [
        12,
        'claude-sonnet-4-5',
        usage(1000, 50, { 'cache_read.input_tokens': 500, 'cache_creation.input_tokens': 300 }),
        200 * 3 + 500 * 0.3 + 300 * 3.75 + 50 * 15,
      ],
      [6, 'gemini-2.5-flash', usage(2000, 300), 2000 * 0.3 + 300 * 2.5],
      [2, 'gpt-4o-mini', { ...usage(1000, 100), 'operation.cost': 0.01 }, 10_000],
      [3, 'weights-of-our-own', usage(1000, 100), 0],
    ];
    const trace = (model: string, tokens: Record<string, number>, at: number): TestSpan[] => {
      const [traceId] = newTraces(1) as [string];
      const attributes = { 'gen_ai.request.model': model, ...tokens };
      // An agent reports the sum of its calls again.
      return [
        root(traceId, { at, attributes: { ...attributes, 'gen_ai.operation.name': 'invoke_agent' } }),
        { traceId, n: 2, parent: 1, at, attributes: { ...attributes, 'gen_ai.operation.name': 'chat' } },
      ];
    };
    const hour = 3_600_000;
    const spans = calls.flatMap(([n, model, tokens]) =>
      Array.from({ length: n }, (_, i) =>
        trace(model, tokens, midnight - testStart + (i % 24) * hour + 1_000),
      ).flat(),
    );
    // What happened a second before the day, and sent with it, is on another bill.
    const before = trace('gpt-4o-mini', usage(1000, 100), midnight - testStart - 1_000);
    await sendSpans(app, own.key, projectId, [...spans, ...before]);
    await count();
    const range = `createdAfter=${new Date(midnight).toISOString()}&createdBefore=${new Date(midnight + 24 * hour).toISOString()}`;
    const [{ total }] = (await series(`?bucket=day&${range}`)).groups;
    const bill = calls.reduce((sum, [n, , , each]) => sum + n * each, 0);
    expect(bill).toBeCloseTo(3_960 + 31_500 + 8_100 + 20_000, 6);
    expect([total.numRecords, total.cost.sum * 1e6]).toEqual([47, expect.closeTo(bill, 6)]);
    const { data } = await ok(own.api('GET', `/projects/${projectId}/traces?limit=100`));
    expect(data.filter(({ costUsd }: { costUsd: number | null }) => costUsd === null)).toHaveLength(3);
  });

  it('takes the records of a user for one unit, whatever hour they came in, and a monitor does too', async () => {
    const metric = await createMetric(own.api, projectId, { evalType: 'heuristic', outputType: 'boolean' });
    const monitor = await createMonitor(own.api, projectId, [metric.id]);
    for (let i = 0; i < 120; i++)
      await sendTraces(1, model('small', 1000, i % 8 === 0, { 'user.id': `user ${i % 40}` }));
    await decide(app);
    const records = await run(
      `select run_id::text as run, n from record where project_id = ${projectId} order by n`,
    );
    const { data: versions } = await ok(own.api('GET', `/metrics/${metric.id}/versions`));
    const items = records.map(({ run: runId, n }, i) => ({
      recordId: `${runId}-${n}`,
      metricConfigId: versions[0].id,
      score: { binaryScore: i % 8 !== 0 },
    }));
    await ok(own.api('POST', `/runs/${records[0]!.run}/scores/bulk-upsert`, { items }));
    const read = async (query: string) => {
      const [{ total }] = (await series(query)).groups;
      expect(total.latency.p50.caveats).toMatchObject([{ code: 'dependentRecords' }]);
      return { errors: total.errors, passRate: total.scores[0].passRate };
    };
    const together = await read('');
    // Wilson's for 15 of 120 is .077 to .196.
    expect(together.errors).toMatchObject({ n: 120, estimate: 0.125 });
    expect(together.errors.interval.low).toBeLessThan(0.07);
    expect(together.errors.interval.high).toBeGreaterThan(0.23);
    expect(together.passRate.interval.low).toBeCloseTo(1 - together.errors.interval.high, 12);
    const { results } = await ok(own.api('GET', `/monitors/${monitor.id}`));
    expect(results.metrics[0].passRate).toMatchObject({
      method: 'wilson on the effective n, random groups of users',
      interval: together.passRate.interval,
    });
    const path = `/projects/${projectId}/series`;
    expect((await own.api('GET', `${path}?compare=groups`)).status).toBe(400);
    // Each user's records in two hours: the same users, and so the same interval.
    const day = new Date(Date.now() - 30 * 3_600_000).toISOString().slice(0, 10);
    await run(
      `update record set created_at = timestamptz '${day}T08:10Z' + (n > 40)::int * interval '3 hours' where project_id = ${projectId}`,
    );
    const range = `?bucket=day&createdAfter=${day}T00:00:00Z`;
    await count();
    const later = await read(range);
    for (const rate of ['errors', 'passRate'] as const) {
      expect(later[rate].n).toBe(120);
      expect(later[rate].interval.low).toBeCloseTo(together[rate].interval.low, 12);
      expect(later[rate].interval.high).toBeCloseTo(together[rate].interval.high, 12);
    }
    // Five of the first 40 records fail, and ten of the others: the same share, by the same users.
    const { changes } = await series(`?bucket=hour&createdAfter=${day}T00:00:00Z&compare=buckets`);
    expect(changes).toMatchObject([
      {
        metricConfigId: versions[0].id,
        group: 'All records',
        numBefore: 40,
        numAfter: 80,
        caveats: [{ code: 'nearBound' }],
        from: `${day}T08:00:00.000Z`,
        to: `${day}T11:00:00.000Z`,
        before: 0.875,
        after: 0.875,
        difference: 0,
        p: 1,
        tests: 1,
        verdict: 'cannot tell',
        sentence: expect.stringMatching(
          /^cannot tell: the 95 % interval, −[\d.]+ to [\d.]+ points, contains 0$/,
        ),
      },
    ]);
    const lost = records.slice(40).map(({ run: runId, n }) => ({
      recordId: `${runId}-${n}`,
      metricConfigId: versions[0].id,
      score: { binaryScore: n % 4 === 0 },
    }));
    await ok(own.api('POST', `/runs/${records[0]!.run}/scores/bulk-upsert`, { items: lost }));
    await count();
    const [change] = (await series(`?bucket=hour&createdAfter=${day}T00:00:00Z&compare=buckets`)).changes;
    expect(change).toMatchObject({ verdict: 'worse', difference: -0.625 });
    expect(change.sentence).toMatch(/^worse by 62\.5 points, 95 % interval −/);
    expect(change.simultaneousInterval).toEqual(change.interval);
  });

  it('has volume, errors, latency, tokens and cost with intervals, the same before and after the chore has counted', async () => {
    await sendTraces(30, model('small', 1000));
    await sendTraces(10, model('large', 9000, true));
    const live = await series('?bucket=hour');
    const [group] = live.groups;
    expect(group).toMatchObject({ value: null, label: 'All records', total: { numRecords: 40 } });
    expect(group.total.errors).toMatchObject({
      n: 40,
      estimate: 0.25,
      interval: { low: expect.closeTo(0.142, 3) },
    });
    expect(group.total.tokens).toMatchObject({ input: 4000, output: 800, mean: { n: 40, estimate: 120 } });
    expect(group.total.latency.p50.estimate / 1000).toBeCloseTo(1, 1);
    expect(group.total.latency.p95.estimate / 9000).toBeCloseTo(1, 1);
    expect(await stored()).toBeNull();
    await count();
    expect(await stored()).toBe(40);
    // What was counted a moment ago is read; the hour that runs is counted again by each read while it is small.
    const { groups, countedUntil, numUncountedHours } = await series('?bucket=hour');
    expect({ groups, countedUntil, numUncountedHours }).toEqual({
      groups: live.groups,
      countedUntil: null,
      numUncountedHours: 0,
    });
  });

  it('has no latency where no record has one, before and after the chore has counted', async () => {
    const run = await createRun(own.api, projectId, []);
    for (const text of ['a', 'b']) await createRecord(own.api, run.id, { outputs: { text } });
    const latencyOf = async () => (await series('?bucket=hour')).groups[0].total.latency.p50;
    expect(await latencyOf()).toMatchObject({ n: 0, estimate: null });
    await count();
    expect(await latencyOf()).toMatchObject({ n: 0, estimate: null });
  });

  it('splits by model, and by tag, where a record counts for each of its tags', async () => {
    await sendTraces(3, model('small', 10));
    await sendTraces(2, model('large', 10));
    await count();
    const byModel = await series('?by=model');
    expect(byModel.groups.map(({ value, total }: Group) => [value, total.numRecords])).toEqual([
      ['small', 3],
      ['large', 2],
    ]);
    const { data } = await ok(own.api('GET', `/projects/${projectId}/records`));
    for (const text of ['a', 'b']) await ok(own.api('POST', `/records/${data[0].id}/tags`, { text }), 201);
    await count();
    const byTag = await series('?by=tag');
    expect(byTag.groups.map(({ value, total }: Group) => [value, total.numRecords])).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
  });

  it('counts the scores of a configuration by their states, and passes and means with intervals', async () => {
    const metric = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'int' });
    const made = await createRun(own.api, projectId, [metric.id]);
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.push((await createRecord(own.api, made.id)).id);
    const items = ids.slice(0, 4).map((recordId, i) => ({
      recordId,
      metricConfigId: made.metricVersionIds[0],
      score: { intScore: i + 2 },
    }));
    await ok(own.api('POST', `/runs/${made.id}/scores/bulk-upsert`, { items }));
    const { metrics, groups } = await series();
    expect(metrics).toMatchObject([{ metricId: metric.id, outputType: 'int', current: true }]);
    expect(groups[0].total.scores).toMatchObject([
      {
        states: { scored: 4, pending: 1, unscored: 0, failed: 0 },
        passRate: { n: 4, estimate: 0.5 },
        mean: { n: 4, estimate: 3.5, interval: { low: expect.closeTo(1.85, 1) } },
      },
    ]);
  });

  it('has the share of each label of a category in each bucket, the same before and after the chore, and in the trend of its runs', async () => {
    const labels = {
      items: ['Wrong', 'Partly', 'Right', 'Perfect'],
      passing: ['Right', 'Perfect'],
      ordered: true,
    };
    const metric = await createMetric(own.api, projectId, {
      evalType: 'human',
      outputType: 'category',
      labels,
    });
    const made = await createRun(own.api, projectId, [metric.id]);
    const given = ['Wrong', 'Wrong', 'Partly', ...Array.from({ length: 7 }, () => 'Right')];
    const items = given.map((label, i) => ({
      inputs: { i },
      expected: {},
      outputs: {},
      scores: [{ metricConfigId: made.metricVersionIds[0], score: { categoryScore: label } }],
    }));
    await ok(own.api('POST', `/runs/${made.id}/records/bulk-create`, { items }), 201);
    const live = await series();
    expect(live.metrics).toMatchObject([{ outputType: 'category', labels }]);
    const [score] = live.groups[0].total.scores;
    expect(score).toMatchObject({ states: { scored: 10 }, passRate: { n: 10, estimate: 0.7 }, mean: null });
    // Four labels hold at once, so each interval is Wilson's at 98.75 %.
    const [low, high] = [2, 7].map((count) => wilson(count, 10, 1 - 0.05 / 4));
    expect(score.labels).toMatchObject([
      { label: 'Wrong', numScores: 2, share: { n: 10, estimate: 0.2, interval: low } },
      { label: 'Partly', numScores: 1 },
      { label: 'Right', numScores: 7, share: { estimate: 0.7, interval: high } },
    ]);
    const { metrics } = await ok(own.api('GET', `/projects/${projectId}/trends`));
    const [, , right, perfect] = metrics[0].points[0].labels.shares;
    expect(right).toMatchObject({ label: 'Right', share: { estimate: 0.7, interval: high } });
    expect(perfect).toMatchObject({ numScores: 0, share: { estimate: 0 } });
    // Two hours of one day, and each its own users: three records of Right come from one of them.
    const day = new Date(Date.now() - 30 * 3_600_000).toISOString().slice(0, 10);
    await run(
      `update record set created_at = timestamptz '${day}T08:10Z' + (n > 5)::int * interval '3 hours' where run_id = ${made.id}`,
    );
    await run(`insert into record_measure (organization_id, project_id, run_id, n, user_id, num_errors)
      select organization_id, project_id, run_id, n, case when n > 2 then 'user ' || least(n, 8) end, 0 from record where run_id = ${made.id}
      on conflict do nothing`);
    const range = `?createdAfter=${day}T00:00:00Z&bucket=`;
    await count();
    const hours = (await series(`${range}hour&createdBefore=${day}T23:00:00Z`)).groups[0].points;
    const counts = hours.map(({ scores }: { scores: { labels: { label: string; numScores: number }[] }[] }) =>
      scores[0]!.labels.map((each) => [each.label, each.numScores]),
    );
    expect(counts).toEqual([
      [
        ['Wrong', 2],
        ['Partly', 1],
        ['Right', 2],
      ],
      [
        ['Wrong', 0],
        ['Partly', 0],
        ['Right', 5],
      ],
    ]);
    const [{ total }] = (await series(`${range}day`)).groups;
    const [wrong, partly, ofUsers] = total.scores[0].labels;
    expect([wrong.numScores, partly.numScores, ofUsers.numScores]).toEqual([2, 1, 7]);
    expect(ofUsers.share).toMatchObject({ n: 10, estimate: 0.7 });
    expect(ofUsers.share.interval.low).toBeLessThan(high!.low);
    // The rates of the configuration count no label twice.
    expect(total.scores[0]).toMatchObject({ states: { scored: 10 }, passRate: { n: 10, estimate: 0.7 } });
    const { changes } = await series(`${range}hour&compare=buckets`);
    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatchObject({ numBefore: 5, numAfter: 5 });
  });

  it('tests groups together, and says what an interval leaves out', async () => {
    const metric = await createMetric(own.api, projectId, {
      evalType: 'ai',
      outputType: 'boolean',
      promptTemplate: 'Is {{ outputs.text }} right?',
    });
    const made = await createRun(own.api, projectId, [metric.id]);
    const items: object[] = [];
    for (const [tag, passing] of [
      ['a', 12],
      ['b', 12],
      ['c', 2],
    ] as const)
      for (let i = 0; i < 12; i++) {
        const { id } = await createRecord(own.api, made.id, { outputs: { text: `${tag} ${i}` } });
        await ok(own.api('POST', `/records/${id}/tags`, { text: tag }), 201);
        items.push({
          recordId: id,
          metricConfigId: made.metricVersionIds[0],
          score: { binaryScore: i < passing },
        });
      }
    await ok(own.api('POST', `/runs/${made.id}/scores/bulk-upsert`, { items }));
    const { changes } = await series('?by=tag&compare=groups');
    const said = { group: null, from: 'a', tests: 2, simultaneousLevel: 0.975, numBefore: 12 };
    const caveats = [{ code: 'judgeError' }, { code: 'notSequential' }];
    expect(changes).toMatchObject([
      { ...said, to: 'b', verdict: 'cannot tell', caveats },
      { ...said, to: 'c', verdict: 'worse', caveats },
    ]);
    const { interval, simultaneousInterval, p, adjustedP } = changes[1];
    expect(simultaneousInterval.low).toBeLessThan(interval.low);
    expect(adjustedP).toBeCloseTo(2 * p, 12);
    const before = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000).toISOString();
    await moveTo(made.id, new Date(Date.now() - 7_200_000).toISOString());
    await count();
    const past = await series(`?by=tag&compare=groups&createdBefore=${before}`);
    expect(past.changes[1].caveats).toMatchObject([{ code: 'judgeError' }]);
  });

  it('leaves out what the other source made', async () => {
    await sendTraces(2, {});
    const made = await createRun(own.api, projectId, []);
    await createRecord(own.api, made.id);
    const records = async (source: string) => (await series(`?source=${source}`)).groups[0].total.numRecords;
    expect([await records('traces'), await records('runs')]).toEqual([2, 1]);
  });

  it('says that monitors of one metric draw at different rates, and the summary of the run weighs what they drew', async () => {
    const metric = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
    const monitors = [
      await createMonitor(own.api, projectId, [metric.id], { filter: { modelName: 'small' } }),
      await createMonitor(own.api, projectId, [metric.id], {
        filter: { modelName: 'large' },
        samplingRate: 0.4,
      }),
    ];
    await sendTraces(20, model('small', 10));
    await sendTraces(60, model('large', 10));
    await decide(app);
    // The small model fails each time, and each of its records is scored.
    const drawn = await run(
      `select run_id::text as run, n, inclusion_probability = 1 as small from monitor_record where drawn and run_id in
        (select id from run where project_id = ${projectId})`,
    );
    const { data: versions } = await ok(own.api('GET', `/metrics/${metric.id}/versions`));
    const items = drawn.map(({ run: runId, n, small }) => ({
      recordId: `${runId}-${n}`,
      metricConfigId: versions[0].id,
      score: { binaryScore: !small },
    }));
    const runId = drawn[0]!.run;
    await ok(own.api('POST', `/runs/${runId}/scores/bulk-upsert`, { items }));
    const { metrics } = await ok(own.api('GET', `/runs/${runId}/summary`));
    expect(drawn.length).toBeLessThan(70);
    expect(metrics[0].passRate).toMatchObject({ estimate: expect.closeTo(60 / 80, 12), n: drawn.length });
    const rateOf = async (query: string) => (await series(query)).groups[0].total.scores[0].passRate;
    const all = await rateOf('');
    expect(all.estimate).toBeCloseTo((drawn.length - 20) / drawn.length, 12);
    expect(all.caveats[0]).toMatchObject({
      code: 'notSampled',
      sentence: expect.stringContaining(`draw the records of ${metric.name} at rates from 40 % to 100 %`),
    });
    const codes = ({ caveats }: { caveats: { code: string }[] }) => caveats.map(({ code }) => code);
    expect(codes(await rateOf(`?monitorId=${monitors[0]!.id}`))).not.toContain('notSampled');
    expect(codes(await rateOf('?source=traces&by=model'))).toContain('notSampled');
    const { changes } = await series('?by=model&compare=groups');
    expect(codes(changes[0])).toContain('notSampled');
  });

  it('has the records that a monitor drew', async () => {
    const metric = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
    const monitor = await createMonitor(own.api, projectId, [metric.id], { filter: { modelName: 'small' } });
    await sendTraces(4, model('small', 10));
    await sendTraces(3, model('large', 10));
    await decide(app);
    await count();
    const { groups } = await series(`?monitorId=${monitor.id}`);
    expect(groups[0].total).toMatchObject({ numRecords: 4, scores: [{ states: { pending: 4 } }] });
    await ok(own.api('DELETE', `/monitors/${monitor.id}`));
    expect((await own.api('GET', `/projects/${projectId}/series?monitorId=${monitor.id}`)).status).toBe(404);
  });

  it('puts records into buckets of UTC, whole days and weeks from Monday', async () => {
    const made = await createRun(own.api, projectId, []);
    for (let i = 0; i < 3; i++) await createRecord(own.api, made.id);
    await moveTo(made.id, '2026-10-04T23:59:57Z');
    await count();
    const startsOf = async (bucket: string) =>
      (
        await series(`?createdAfter=2026-10-01T10:00:00Z&createdBefore=2026-10-10T00:00:00Z&bucket=${bucket}`)
      ).groups[0].points.map(({ start, numRecords }: Point) => [start.slice(0, 13), numRecords]);
    expect(await startsOf('hour')).toEqual([
      ['2026-10-04T23', 2],
      ['2026-10-05T00', 1],
    ]);
    expect(await startsOf('day')).toEqual([
      ['2026-10-04T00', 2],
      ['2026-10-05T00', 1],
    ]);
    expect(await startsOf('week')).toEqual([
      ['2026-09-28T00', 2],
      ['2026-10-05T00', 1],
    ]);
  });

  it('400 when the range ends before it begins, or has too many buckets; 404 for an unknown project', async () => {
    const status = async (query: string) =>
      (await own.api('GET', `/projects/${projectId}/series?${query}`)).status;
    expect(await status('createdAfter=2026-10-02T00:00:00Z&createdBefore=2026-10-01T00:00:00Z')).toBe(400);
    expect(
      await status('createdAfter=2020-10-02T00:00:00Z&createdBefore=2026-10-01T00:00:00Z&bucket=hour'),
    ).toBe(400);
    expect((await own.api('GET', '/projects/999999/series')).status).toBe(404);
  });
});

describe('the counts of an hour', () => {
  /** A run of an hour long ago, which is counted, and no more read live. */
  const oldRun = async (records: number) => {
    const metric = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
    const made = await createRun(own.api, projectId, [metric.id]);
    const ids: string[] = [];
    for (let i = 0; i < records; i++) ids.push((await createRecord(own.api, made.id)).id);
    await moveTo(made.id, '2026-10-05T10:00:00Z');
    await count();
    return { id: made.id as string, ids, configId: made.metricVersionIds[0] as string };
  };
  const total = async () =>
    (await series('?createdAfter=2026-10-05T00:00:00Z&createdBefore=2026-10-06T00:00:00Z')).groups[0]?.total;

  it('follow a late score, a deleted record and a deleted run', async () => {
    const { id, ids, configId } = await oldRun(3);
    expect(await total()).toMatchObject({ numRecords: 3, scores: [{ states: { scored: 0, pending: 3 } }] });
    const item = { recordId: ids[0], metricConfigId: configId, score: { binaryScore: true } };
    await ok(own.api('POST', `/runs/${id}/scores/bulk-upsert`, { items: [item] }));
    await count();
    expect((await total()).scores[0]).toMatchObject({
      states: { scored: 1, pending: 2 },
      passRate: { estimate: 1 },
    });
    await ok(own.api('DELETE', `/records/${ids[1]}`));
    // A change of the run as a whole is counted minutes later, but a read counts a small hour at once.
    await markChangedHours(app.db);
    expect((await total()).numRecords).toBe(2);
    await ok(own.api('DELETE', `/runs/${id}`));
    await run(`update series_hour set due_at = now() where project_id = ${projectId}`);
    await count();
    await run(`update series_hour set due_at = now() where project_id = ${projectId}`);
    await count();
    expect(await total()).toBeUndefined();
    expect(
      await run(
        `select from series_hour where project_id = ${projectId} and hour < now() - interval '2 hours'`,
      ),
    ).toHaveLength(0);
  });

  it('say until when they hold while an hour is too large for a read', async () => {
    const { id } = await oldRun(2);
    await run(`
      insert into record (organization_id, project_id, run_id, n, inputs, expected, outputs, created_at)
      select ${own.organizationId}, ${projectId}, ${id}, n, '{}', '{}', '{}', timestamptz '2026-10-05T10:30:00Z'
      from generate_series(3, 6000) n`);
    await markChangedHours(app.db);
    const before = await series('?createdAfter=2026-10-05T00:00:00Z&createdBefore=2026-10-06T00:00:00Z');
    expect(before.groups[0].total.numRecords).toBe(2);
    expect(Date.parse(before.countedUntil)).toBeLessThanOrEqual(Date.now());
    await run(`update series_hour set due_at = now() where project_id = ${projectId}`);
    await count();
    const after = await series('?createdAfter=2026-10-05T00:00:00Z&createdBefore=2026-10-06T00:00:00Z');
    expect(after).toMatchObject({ countedUntil: null, groups: [{ total: { numRecords: 6000 } }] });
  });

  it('are made without reading newer records', async () => {
    const { id } = await createRun(own.api, projectId, []);
    await run(`
      insert into record (organization_id, project_id, run_id, n, inputs, expected, outputs, created_at)
      select ${own.organizationId}, ${projectId}, ${id}, n, '{}', '{}', json_build_object('text', repeat('x', 1000)),
        timestamptz '2026-10-05T10:00:30Z' + case when n <= 20 then n * interval '1 minute' else interval '1 day' end
      from generate_series(1, 5000) n;
      insert into series_hour (organization_id, project_id, hour, changed)
      values (${own.organizationId}, ${projectId}, timestamptz '2026-10-05T10:00:00Z', true)`);
    await analyze();
    const hour = new Date('2026-10-05T10:00:00Z');
    const key = { organizationId: own.organizationId, projectId: BigInt(projectId) };
    const scope = own as unknown as Scope;
    const range = { from: hour, to: new Date('2026-10-05T11:00:00Z') };
    const filter = {
      conditions: [hasScoreOf([{ id: newUuid(), threshold: 1, ofSpans: false, labels: null }], 'fail')],
    };
    const statements: Record<string, (tx: Sql) => Fragment> = {
      count: (tx) => insertCounts(tx, { ...key, hour }),
      'look for changes': (tx) => findChangedHours(tx, scope, { ...key, ...range }, 5_000),
      'estimate by minutes': (tx) =>
        estimateFitting(tx, scope, key.projectId, filter, range, hour, 3_600_000),
      // What happened to the run as a whole: each of its hours is looked for, and most have no record.
      mark: (tx) => markHours(tx, () => tx`project_id = ${projectId}`),
    };
    for (const [name, statement] of Object.entries(statements)) {
      const read = await app.db.transaction(system, (tx) => rowsRead(tx, statement(tx), ['record']));
      expect({ name, reads: read <= 100 ? 'few' : read }).toEqual({ name, reads: 'few' });
    }
  });

  it('wait for a chore that did not run: its changes are kept', async () => {
    const { purgeChanges, findSnapshot } = await import('../../evaluation/changes/queries.ts');
    await markChangedHours(app.db);
    const made = await createRun(own.api, projectId, []);
    await createRecord(own.api, made.id);
    await run(`update change set noted_at = now() - interval '6 minutes' where project_id = ${projectId}`);
    await app.db.transaction(system, async (tx) => {
      const [now] = await findSnapshot(tx);
      await purgeChanges(tx, now!.snapshot);
    });
    await count();
    expect(await stored()).toBe(1);
  });
});

describe('a percentile of bins', () => {
  it('is at most 2 % off, between order statistics that hold it', () => {
    const values = Array.from({ length: 1000 }, (_, i) => 100 + i * 7);
    const bins: number[] = [];
    for (const value of values) {
      const bin = Math.floor(Math.log(value) / Math.log(1.04));
      bins[bin] = (bins[bin] ?? 0) + 1;
    }
    const qs = [0.5, 0.95, 0.99];
    for (const [i, { estimate, interval }] of binnedPercentiles(bins, qs).entries()) {
      const q = qs[i]!;
      const exact = values[Math.ceil(1000 * q) - 1]!;
      expect(Math.abs(estimate! / exact - 1)).toBeLessThan(0.021);
      expect(interval!.low).toBeLessThanOrEqual(estimate!);
      expect(interval!.high).toBeGreaterThanOrEqual(estimate!);
    }
  });

  it('has no interval where too few values lie on one side', () => {
    const few: number[] = [];
    few[10] = 20;
    expect(binnedPercentiles(few, [0.5, 0.99]).map(({ interval }) => interval === null)).toEqual([
      false,
      true,
    ]);
    expect(binnedPercentiles([], [0.5])).toEqual([{ n: 0, estimate: null, interval: null }]);
  });
});
