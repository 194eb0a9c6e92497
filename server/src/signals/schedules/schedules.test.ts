import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMetric, createProject, createTestcases, createTestset, ok } from '../../../test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { system } from '../../platform/db/database.ts';
import { databaseTime } from '../../platform/db/time.ts';
import { startDueSchedules } from './start-due.ts';
import { nextTime } from './times.ts';

let app: TestApp;
let own: Organization;
let projectId: string;
let task: { kind: string; testsetId: string; systemId: string; metricIds: string[] };

beforeAll(async () => {
  app = await startApp();
});
beforeEach(async () => {
  own = await app.organization();
  projectId = (await createProject(own.api)).id;
  const testset = await createTestset(own.api, projectId);
  await createTestcases(own.api, testset.id, 2);
  const metric = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
  const config = { endpoint: 'https://example.com/answer' };
  const bot = await ok(own.api('POST', `/projects/${projectId}/systems`, { config }), 201);
  task = { kind: 'run', testsetId: testset.id, systemId: bot.id, metricIds: [metric.id] };
});
afterAll(() => app.close());

const nightly = { name: 'Nightly', cron: '0 2 * * *', timeZone: 'Europe/Athens' };
const create = (body: object = {}) =>
  own.api('POST', `/projects/${projectId}/schedules`, { ...nightly, task, ...body });
const found = async () => (await ok(own.api('GET', `/projects/${projectId}/schedules`))).data[0];
const runs = async () => (await ok(own.api('GET', `/projects/${projectId}/run-details`))).data;
/** The times at and after the next one of the schedule. */
const after = (at: string, ms = 1_000) => new Date(Date.parse(at) + ms);

describe('schedules', () => {
  it('201 says the next time in the time zone; PATCH changes, pauses and resumes; DELETE removes', async () => {
    const made = await ok(create(), 201);
    expect(made).toMatchObject({ ...nightly, task, paused: false, lastAt: null, lastRunId: null });
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Athens', timeStyle: 'short' });
    expect(clock.format(new Date(made.nextAt))).toBe('02:00');
    const change = (body: object) => own.api('PATCH', `/schedules/${made.id}`, body);
    expect(await ok(change({ paused: true }))).toMatchObject({ paused: true, nextAt: null });
    expect((await change({ runNow: true })).status).toBe(400);
    const resumed = await ok(change({ paused: false, cron: '30 3 * * 1' }));
    expect(resumed.nextAt).toMatch(/:30:00/);
    await ok(own.api('DELETE', `/schedules/${made.id}`));
    expect(await found()).toBeUndefined();
  });

  it('count by the clock of the database, and not by that of the process', async () => {
    const realNow = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: realNow + 3_600_000 });
    try {
      const { id, nextAt } = await ok(create({ cron: '*/30 * * * *' }), 201);
      expect(Date.parse(nextAt) - realNow).toBeLessThanOrEqual(30 * 60_000);
      await startDueSchedules(app.db, await databaseTime(app.db));
      expect(await runs()).toEqual([]);
      const changed = await ok(own.api('PATCH', `/schedules/${id}`, { runNow: true }));
      expect(Date.parse(changed.nextAt) - realNow).toBeLessThan(30 * 60_000);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    [{ cron: '* * * * *' }, 'at least 5 minutes'],
    [{ cron: '0 0 2 * * *' }, 'cron expression of five fields'],
    [{ cron: '0 2 31 2 *' }, 'a time in the future'],
    [{ timeZone: 'Europe/Atlantis' }, 'IANA name'],
    [{ task: { kind: 'drift', metricId: '999999999' } }, 'pinned set'],
  ])('refuses %j', async (body, text) => {
    const { status, body: said } = await create(body);
    expect([400, 404]).toContain(status);
    expect(JSON.stringify(said)).toContain(text);
  });

  it('400 names the problems of the task that is meant, and of no other', async () => {
    const problems = async (task: object) => (await create({ task })).body.details.issues;
    expect(await problems({ kind: 'run', testsetId: '1', systemId: 'x' })).toEqual([
      { path: '/task/metricIds', message: 'is required' },
      { path: '/task/systemId', message: 'must be a UUID' },
    ]);
    expect(await problems({ kind: 'mail' })).toEqual([
      { path: '/task/kind', message: 'must be one of "run", "drift"' },
    ]);
  });

  it('starts runs about the split and the snapshot of its task, and refuses those that do not exist', async () => {
    const { testsetId } = task;
    const ids = [`${testsetId}-1`];
    await ok(own.api('PATCH', `/testsets/${testsetId}/testcases`, { ids, split: 'dev' }));
    await ok(own.api('POST', `/testsets/${testsetId}/snapshots`, {}), 201);
    const part = { split: 'dev', snapshot: 1 };
    expect((await create({ task: { ...task, split: 'test' } })).status).toBe(400);
    expect((await create({ task: { ...task, snapshot: 9 } })).status).toBe(404);
    const { id, nextAt } = await ok(create({ task: { ...task, ...part } }), 201);
    await ok(own.api('PATCH', `/testsets/${testsetId}/testcases`, { split: 'test' }));
    await startDueSchedules(app.db, after(nextAt));
    expect(await found()).toMatchObject({ id, task: part, lastError: null });
    expect(await runs()).toMatchObject([{ split: 'dev', snapshot: { number: 1 }, numExpectedRecords: 1 }]);
  });

  it('refuses a system that the service cannot call', async () => {
    const bot = await ok(own.api('POST', `/projects/${projectId}/systems`, { name: 'Own', config: {} }), 201);
    const { status, body } = await create({ task: { ...task, systemId: bot.id } });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('can be called')]);
  });

  it('processes that look at the same time start one run, with the production version of that time', async () => {
    const { id, nextAt } = await ok(create(), 201);
    const config = { endpoint: 'https://example.com/better' };
    const path = `/systems/${task.systemId}`;
    const version = (await ok(own.api('POST', `${path}/versions`, { config }))).id;
    await ok(own.api('PATCH', path, { productionVersionId: version }));
    const at = after(nextAt);
    await Promise.all(Array.from({ length: 5 }, () => startDueSchedules(app.db, at)));
    const [run, ...others] = await runs();
    expect(others).toEqual([]);
    expect(run).toMatchObject({ title: 'Nightly', tags: [`schedule:${id}`] });
    expect((await ok(own.api('GET', `/runs/${run.id}`))).systemVersionId).toBe(version);
    const schedule = await found();
    expect(schedule).toMatchObject({ lastAt: nextAt, lastRunId: run.id, lastError: null });
    expect(Date.parse(schedule.nextAt) - Date.parse(nextAt)).toBeGreaterThan(22 * 3_600_000);
    expect(
      (await ok(own.api('GET', `/runs/${run.id}/details`)).then(({ executions }) => executions))
        .numExecutions,
    ).toBe(2);
  });

  it('a simulation is started with the version that plays the user, and refused with one that can not', async () => {
    const user = { promptTemplate: 'You are {{ inputs }}', modelName: 'gpt-4o-mini' };
    const body = { name: 'User', config: user };
    const { productionVersion } = await ok(own.api('POST', `/projects/${projectId}/systems`, body), 201);
    const simulation = { userVersionId: productionVersion.id, maxTurns: 3 };
    const { nextAt } = await ok(create({ task: { ...task, simulation } }), 201);
    await startDueSchedules(app.db, after(nextAt));
    expect((await runs())[0].simulation).toEqual({ ...simulation, replayOf: null });
    const bot = (await ok(own.api('GET', `/systems/${task.systemId}`))).productionVersion.id;
    const refused = await create({ task: { ...task, simulation: { userVersionId: bot } } });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('is a prompt')]);
  });

  it('times that the service missed are skipped, and it says so', async () => {
    const { nextAt } = await ok(create(), 201);
    await startDueSchedules(app.db, after(nextAt, 3 * 86_400_000 + 7_200_000));
    expect(await runs()).toEqual([]);
    const { lastError, nextAt: next } = await found();
    expect(lastError).toContain('did not run at');
    expect(Date.parse(next)).toBeGreaterThan(Date.parse(nextAt) + 3 * 86_400_000);
  });

  it('run now starts it at the next look; a testset that is gone is said, and the times go on', async () => {
    const { id } = await ok(create(), 201);
    const runNow = async () => {
      await ok(own.api('PATCH', `/schedules/${id}`, { runNow: true }));
      await startDueSchedules(app.db, after(new Date().toISOString()));
      return found();
    };
    const first = await runNow();
    expect(first.lastRunId).toBe((await runs())[0].id);
    await app.db.transaction(
      system,
      (tx) => tx`update schedule set task = json_build_object('kind', 'run', 'testsetId', '999999999',
        'systemId', task->>'systemId', 'metricIds', task->'metricIds') where id = ${id}`,
    );
    const second = await runNow();
    expect(second).toMatchObject({ lastRunId: null, lastError: expect.stringContaining('no testset') });
    expect(second.nextAt).toBe(first.nextAt);
  });

  it('run now before the last one was started says that both start one run', async () => {
    const { id } = await ok(create(), 201);
    const runNow = () => ok(own.api('PATCH', `/schedules/${id}`, { runNow: true }));
    expect(await runNow()).toMatchObject({ merged: false });
    expect(await runNow()).toMatchObject({ merged: true });
    await startDueSchedules(app.db, after(new Date().toISOString()));
    expect(await runs()).toHaveLength(1);
    expect(await runNow()).toMatchObject({ merged: false });
    expect(await ok(own.api('PATCH', `/schedules/${id}`, { name: 'Other' }))).not.toHaveProperty('merged');
  });

  it('schedules that the service fails to start are tried later and later, and hold up no other', async () => {
    const { id, nextAt } = await ok(create(), 201);
    // More than one look takes, all due before the good one.
    await app.db.transaction(
      system,
      (
        tx,
      ) => tx`insert into schedule (id, organization_id, project_id, name, cron, time_zone, task, next_at, due_at)
        select gen_random_uuid(), organization_id, project_id, 'Broken', cron, time_zone,
          json_build_object('kind', 'run', 'testsetId', task->'testsetId', 'systemId', task->'systemId', 'metricIds', 5),
          next_at - interval '1 second', due_at - interval '1 second'
        from schedule, generate_series(1, 100) where id = ${id}`,
    );
    const look = (ms: number) => startDueSchedules(app.db, after(nextAt, ms));
    /** The broken ones by their attempts, and whether all of them are tried again between these seconds after their time. */
    const broken = (from: number, to: number) =>
      app.db.read(
        system,
        (sql) => sql<{ n: number; attempts: number; waits: boolean; error: string | null }[]>`
        select count(*)::int as n, attempts, bool_and(extract(epoch from due_at - next_at) between ${from}::int and ${to}::int) as waits,
          last_error as error
        from schedule where project_id = ${BigInt(projectId)} and name = 'Broken' group by attempts, last_error`,
      );
    // They were due a second before the first look.
    await expect(look(0)).rejects.toThrow(TypeError);
    expect([await runs(), await broken(2, 3)]).toEqual([
      [],
      [{ n: 100, attempts: 1, waits: true, error: null }],
    ]);
    expect(await look(500)).toBe(true);
    expect(await runs()).toHaveLength(1);
    await expect(look(3_000)).rejects.toThrow(TypeError);
    expect(await broken(6, 8)).toEqual([{ n: 100, attempts: 2, waits: true, error: null }]);
    await look(3_700_000);
    expect(await broken(0, 0)).toEqual([
      { n: 100, attempts: 0, waits: true, error: expect.stringContaining('failed to start it at') },
    ]);
  });

  it('an hour that summer time skips or repeats has one time', () => {
    const times = { cron: '30 2 * * *', timeZone: 'Europe/Berlin' };
    const inAutumn = nextTime(times, new Date('2026-10-24T22:00:00Z'))!;
    const following = nextTime(times, inAutumn)!;
    expect(following.getTime() - inAutumn.getTime()).toBeGreaterThanOrEqual(24 * 3_600_000);
    const inSpring = nextTime(times, new Date('2026-03-28T22:00:00Z'))!;
    expect(inSpring.toISOString().slice(0, 10)).toBe('2026-03-29');
  });
});
