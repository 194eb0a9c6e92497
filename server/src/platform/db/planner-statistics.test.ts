import postgres from 'postgres';
import { describe, expect, it } from 'vitest';
import { createMetric, createProject, createRun } from '../../../test/fixtures.ts';
import { engine, startApp, type TestApp } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { system } from './database.ts';

/** How many pages and rows the planner expects of the table of scores. */
const expectedOf = async (app: TestApp): Promise<{ pages: number; rows: number }> => {
  const [expected] = await app.db.read(
    system,
    (sql) => sql<{ pages: number; rows: number }[]>`
      select relpages as pages, reltuples::int as rows from pg_class where oid = 'score'::regclass`,
  );
  return expected!;
};

// The embedded database has one session: no statistics are made while a transaction runs.
describe.runIf(engine === 'server')('the statistics of a table', () => {
  it('are made again when rows are committed that were being written the first time', async () => {
    let url = '';
    const app = await startApp({ DOKIMA_WORKERS: '0' }, { databaseUrl: (direct) => (url = direct) });
    // Autovacuum makes them as well, up to a minute later.
    const owner = postgres(url, { max: 1 });
    await owner`alter table score set (autovacuum_enabled = off)`;
    await owner.end();
    const { api } = await app.organization();
    const project = await createProject(api);
    const metric = await createMetric(api, project.id, { evalType: 'human', outputType: 'boolean' });
    const run = await createRun(api, project.id, [metric.id]);
    const numScores = 20_000;
    await app.db.transaction(system, async (tx) => {
      await tx`
        insert into record (organization_id, project_id, run_id, n, inputs, expected, outputs)
        select organization_id, project_id, id, n, '{}', '{}', '{}' from run, generate_series(1, ${numScores}::integer) n
        where id = ${run.id}::text::bigint`;
      await tx`
        insert into score (organization_id, run_id, n, metric_config_id, state, score, value)
        select organization_id, run_id, n, metric_config_id, 'scored', '{"binaryScore":true}', 1
        from run_metric, generate_series(1, ${numScores}::integer) n where run_id = ${run.id}::text::bigint`;
      // Another write, after which the sizes are compared.
      await createProject(api);
      await until(async () => (await expectedOf(app)).pages > 0 || undefined);
      expect((await expectedOf(app)).rows).toBe(0);
    });
    await until(async () => (await expectedOf(app)).rows === numScores || undefined);
    await app.close();
  });
});
