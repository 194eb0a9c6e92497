import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetric, createProject, createRecord, createRun, ok } from './fixtures.ts';
import { engine, type Organization, startApp, type TestApp } from './harness.ts';
import { newTraceId, post, requestOf } from './otlp.ts';

/** Transactions that wait for each other; PostgreSQL ends one of them. The embedded database runs one at a time. */
describe.runIf(engine === 'server')('requests that meet', () => {
  let app: TestApp;
  let own: Organization;
  let projectId: string;
  let others: postgres.Sql;
  beforeAll(async () => {
    let url = '';
    app = await startApp({}, { databaseUrl: (direct) => (url = direct) });
    // Theirs never end: PostgreSQL ends whose time to look for a deadlock is up first.
    others = postgres(url, { max: 3, onnotice: () => {}, connection: { deadlock_timeout: '1h' } });
    own = await app.organization();
    projectId = (await createProject(own.api)).id;
  });
  afterAll(async () => {
    await others.end();
    await app.close();
  });

  const untilWaiting = (count: number) =>
    expect
      .poll(
        async () =>
          (
            await others`
              select from pg_stat_activity
              where datname = current_database() and backend_type = 'client backend' and wait_event_type = 'Lock'`
          ).length,
        { timeout: 60_000 },
      )
      .toBe(count);

  /**
   * Begins `request`, which takes the run's row and then its records, so that it meets one that has them the other way round:
   * it is held up before the records until the other one waits for the run.
   */
  const meet = async (runId: string, request: () => ReturnType<Organization['api']>) => {
    const barrier = await others.reserve();
    const other = await others.reserve();
    await other`begin`;
    await other`select from record where run_id = ${runId} for update`;
    await barrier`begin`;
    await barrier`lock table record in share mode`;
    const answer = request();
    await untilWaiting(1);
    const taken = other`select from run where id = ${runId} for update`.execute();
    await untilWaiting(2);
    await barrier`commit`;
    await taken;
    await other`commit`;
    for (const connection of [barrier, other]) connection.release();
    return answer;
  };
  const deadlocks = async () => {
    await others`select pg_stat_force_next_flush()`;
    const [row] = await others<{ count: number }[]>`
      select deadlocks::integer as count from pg_stat_database where datname = current_database()`;
    return row!.count;
  };

  it('are begun again when PostgreSQL ends them to undo a deadlock, and answered as if nothing had been in its way', {
    timeout: 120_000,
  }, async () => {
    const run = await createRun(own.api, projectId, []);
    await createRecord(own.api, run.id);
    const answer = await meet(run.id, () => own.api('DELETE', `/runs/${run.id}`));
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    expect((await own.api('GET', `/runs/${run.id}`)).status).toBe(404);
    await expect.poll(deadlocks, { timeout: 60_000 }).toBeGreaterThan(0);
  });

  it('in the traces of one day do not wait for each other, but a change of their run waits', async () => {
    const { id: projectId } = await createProject(own.api);
    const metric = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
    const sendTrace = async () => {
      const spans = [{ traceId: newTraceId(), n: 1 }];
      const { status } = await post(app, own.key, requestOf(spans, { 'dokima.project_id': projectId }));
      expect(status).toBe(200);
    };
    const ids = async (): Promise<string[]> =>
      (await ok(own.api('GET', `/projects/${projectId}/records`))).data.map(({ id }: { id: string }) => id);
    await sendTrace();
    await sendTrace();
    const runId = (await ids())[0]!.split('-')[0]!;
    // As a request that has taken numbers and has not ended.
    const other = await others.reserve();
    await other`begin`;
    await other`select from number_block where run_id = ${runId} and block = 1 for update`;
    await sendTrace();
    expect(new Set(await ids()).size).toBe(3);
    const changed = own.api('POST', `/runs/${runId}/metrics`, { metricIds: [metric.id] });
    await untilWaiting(1);
    await other`commit`;
    other.release();
    expect((await changed).status).toBeLessThan(300);
    await sendTrace();
    const all = await ids();
    expect([new Set(all).size, new Set(all.map((id) => id.split('-')[0])).size]).toEqual([4, 1]);
  });
});
