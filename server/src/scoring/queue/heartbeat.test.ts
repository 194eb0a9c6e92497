import { describe, expect, it } from 'vitest';
import { createMetric, createProject, createRecord, createRun, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { system } from '../../platform/db/database.ts';
import { startHeartbeat } from './heartbeat.ts';

const { app, own } = await openApp({});

// No worker: what it would do, the tests say.

const ready = async () => (await app.app.inject('/readyz')).json();
const metrics = async () => (await app.app.inject('/metrics')).body;
const startWaitingRun = async () => {
  const project = await createProject(own.api);
  const guidelines = 'function score() { return true; }';
  const metric = await createMetric(own.api, project.id, {
    evalType: 'heuristic',
    outputType: 'boolean',
    guidelines,
  });
  const run = await createRun(own.api, project.id, [metric.id]);
  await createRecord(own.api, run.id);
  return run;
};
const problemOf = async (run: { id: string }) =>
  (await ok(own.api('GET', `/runs/${run.id}/details`)).then(({ progress }) => progress)).reason;

describe('a process that scores', () => {
  it('is seen while it is there, and no more after it stopped or has been silent for a minute', async () => {
    const run = await startWaitingRun();
    expect(await problemOf(run)).toMatch(/^No process scores\. Start one: npm run worker/);
    const first = await startHeartbeat({ db: app.db, log: app.app.log }, 5);
    expect(await problemOf(run)).toBeNull();
    await first.stop();
    expect(await problemOf(run)).not.toBeNull();
    const dead = await startHeartbeat({ db: app.db, log: app.app.log }, 60_000);
    expect(await problemOf(run)).toBeNull();
    await app.db.transaction(system, (tx) => tx`update worker set seen_at = seen_at - interval '2 minutes'`);
    expect(await problemOf(run)).not.toBeNull();
    await dead.stop();
  });

  it('goes on noting that it is there', async () => {
    const beating = await startHeartbeat({ db: app.db, log: app.app.log }, 5);
    await app.db.transaction(system, (tx) => tx`update worker set seen_at = seen_at - interval '2 minutes'`);
    const seen = () =>
      app.db.read(
        system,
        (sql) =>
          sql<
            { n: number }[]
          >`select count(*)::int as n from worker where seen_at > now() - interval '1 minute'`,
      );
    await expect.poll(async () => (await seen())[0]!.n).toBe(1);
    await beating.stop();
  });

  it('has no part in a run on which only people or no one works', async () => {
    const project = await createProject(own.api);
    const metric = await createMetric(own.api, project.id, { evalType: 'human', outputType: 'boolean' });
    const run = await createRun(own.api, project.id, [metric.id]);
    await createRecord(own.api, run.id);
    expect(await problemOf(run)).toBeNull();
  });
});

it('/readyz and /metrics say how many processes score, how much waits, and which queue no one works on', async () => {
  await startWaitingRun();
  await app.db.transaction(
    system,
    (tx) => tx`update score set due_at = now() - interval '10 minutes' where lane = 'code'`,
  );
  await expect
    .poll(ready, { timeout: 20_000, interval: 500 })
    .toEqual({ status: 'ready', database: app.db.engine, scoring: { workers: 0, stalled: ['code'] } });
  const text = await metrics();
  expect(text).toMatch(/^dokima_workers 0$/m);
  expect(text).toMatch(/^dokima_queue_pending\{queue="code"\} [1-9]/m);
  expect(text).toMatch(/^dokima_queue_pending\{queue="execution"\} 0$/m);
  expect(Number(/^dokima_queue_overdue_seconds\{queue="code"\} (\S+)$/m.exec(text)![1])).toBeGreaterThan(599);
  expect(text).toMatch(/^dokima_nodejs_eventloop_lag_seconds /m);
});
