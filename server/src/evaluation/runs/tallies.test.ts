import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createMetric, createProject, createRun, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { system } from '../../platform/db/database.ts';
import { compactRecordTallies, compactRunTallies } from './queries.ts';

const { app, own } = await openApp({});

const differences = () =>
  app.db.read(
    system,
    (sql) => sql`
    (select run_id, metric_config_id, state, sum(n)::int as n from run_tally group by 1, 2, 3 having sum(n) <> 0)
    except (select run_id, metric_config_id, state, count(*)::int from score group by 1, 2, 3
      union all select run_id, null, null, count(*)::int from record group by 1)`,
  );
const missing = () =>
  app.db.read(
    system,
    (sql) => sql`
    (select run_id, metric_config_id, state, count(*)::int as n from score group by 1, 2, 3
      union all select run_id, null, null, count(*)::int from record group by 1)
    except (select run_id, metric_config_id, state, sum(n)::int from run_tally group by 1, 2, 3)`,
  );

/** Minutes whose tally differs from their number of records. */
const wrongMinutes = () =>
  app.db.read(
    system,
    (sql) => sql`
    select project_id, minute, sum(n)::int as n
    from (
      select project_id, minute, n from record_tally
      union all select project_id, minute_of(created_at), -1 from record) both_sides
    group by project_id, minute having sum(n) <> 0`,
  );

it('tallies are what counting gives, whatever is written, deleted and compacted', async () => {
  const { id: projectId } = await createProject(own.api);
  const metric = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
  const runs = [
    await createRun(own.api, projectId, [metric.id]),
    await createRun(own.api, projectId, [metric.id]),
  ];
  const step = fc.record({
    what: fc.constantFrom('create', 'bulk', 'score', 'move', 'delete', 'compact'),
    run: fc.nat(1),
    n: fc.integer({ min: 1, max: 8 }),
  });
  const content = { inputs: {}, expected: {}, outputs: {} };
  const property = fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
    for (const { what, run: at, n } of steps) {
      const run = runs[at]!;
      const record = `/records/${run.id}-${n}`;
      if (what === 'create') await own.api('POST', `/runs/${run.id}/records`, content);
      if (what === 'bulk')
        await own.api('POST', `/runs/${run.id}/records/bulk-create`, { items: Array(n).fill(content) });
      if (what === 'score')
        await own.api('PUT', `${record}/scores/${run.metricVersionIds[0]}`, { score: { binaryScore: true } });
      if (what === 'delete') await own.api('DELETE', record);
      if (what === 'move')
        await app.db.transaction(
          system,
          (tx) => tx`
            update record set created_at = created_at - interval '1 minute' where run_id = ${run.id}::text::bigint and n = ${n}`,
        );
      if (what === 'compact')
        await app.db.transaction(system, async (tx) => {
          await compactRunTallies(tx, 2);
          await compactRecordTallies(tx, 2);
        });
    }
    expect([await differences(), await missing(), await wrongMinutes()]).toEqual([[], [], []]);
  });
  await fc.assert(property, { numRuns: 15 });
});

it('a deleted run or project leaves none', async () => {
  const { id: projectId } = await createProject(own.api);
  const metric = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
  const run = await createRun(own.api, projectId, [metric.id]);
  const items = Array(5).fill({ inputs: {}, expected: {}, outputs: {} });
  await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
  await ok(own.api('DELETE', `/runs/${run.id}`));
  const left = await app.db.read(system, (sql) => sql`select from run_tally where run_id = ${run.id}`);
  expect(left).toHaveLength(0);
  expect(await wrongMinutes()).toEqual([]);
  await ok(own.api('DELETE', `/projects/${projectId}`));
  const kept = await app.db.read(
    system,
    (sql) => sql`select from record_tally where project_id = ${projectId}::text::bigint`,
  );
  expect(kept).toHaveLength(0);
});
