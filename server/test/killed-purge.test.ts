import postgres from 'postgres';
import { describe, expect, it } from 'vitest';
import { compactRecordTallies } from '../src/evaluation/runs/queries.ts';
import { type Sql, system } from '../src/platform/db/database.ts';
import { purgeIdempotencyKeys } from '../src/platform/http/idempotency.ts';
import { addUpPayments } from '../src/scoring/queue/queries.ts';
import { purgeAddresses } from '../src/signals/addresses/queries.ts';
import { purgeRecords } from '../src/traces/retention/purge-records.ts';
import { purgeTraces } from '../src/traces/retention/purge-traces.ts';
import { createProject, createRun, ok } from './fixtures.ts';
import { engine, testServerUrl } from './harness.ts';
import { sendSpans } from './monitors.ts';
import { openApp } from './opened.ts';
import { newTraceId } from './otlp.ts';
import { addRecords } from './reviews.ts';
import { until } from './until.ts';

const { app, own } = await openApp({});

// The embedded engine has one session, which cannot wait in the middle of a statement.
it.runIf(engine === 'server')(
  'a purge that dies in the middle of its transaction leaves everything, and the next one does all of it, once',
  async () => {
    const { id: projectId } = await createProject(own.api);
    const run = await createRun(own.api, projectId, []);
    await addRecords(own.api, run.id, 20, (i) => ({ inputs: { i }, outputs: { text: `text ${i}` } }));
    await app.db.transaction(
      system,
      (tx) => tx`update record set created_at = now() - interval '40 days' where run_id = ${run.id}`,
    );
    await ok(own.api('PATCH', `/projects/${projectId}/settings`, { recordDays: 30 }));
    const rows = () =>
      app.db.read(
        system,
        (sql) => sql<{ records: number; texts: number; entries: number }[]>`
          select (select count(*)::int from record where run_id = ${run.id}) as records,
            (select count(*)::int from record_text where run_id = ${run.id}) as texts,
            (select count(*)::int from audit_event where operation = 'purgeRecords' and project_id = ${projectId}) as entries`,
      );
    const operator = postgres(testServerUrl(), { max: 1 });
    const purge = () => app.db.transaction(system, (tx) => purgeRecords(tx));
    await app.db.transaction(system, async (tx) => {
      // The deletion of records reaches their texts last, and waits here, with the records deleted.
      await tx`select from record_text where run_id = ${run.id} and n = 7 for update`;
      const dying = purge().then(
        () => 'done',
        () => 'dead',
      );
      const [holder] = await tx<{ xid: string }[]>`select pg_current_xact_id()::text as xid`;
      await until(async () => {
        const ended = await operator`
          select pg_terminate_backend(waiting.pid) from pg_locks waiting
          where not waiting.granted and waiting.locktype = 'transactionid' and waiting.transactionid = ${holder!.xid}::xid`;
        return ended.length > 0 || undefined;
      });
      expect(await dying).toBe('dead');
    });
    await operator.end();
    expect([...(await rows())]).toEqual([{ records: 20, texts: 20, entries: 0 }]);
    await purge();
    expect([...(await rows())]).toEqual([{ records: 0, texts: 0, entries: 1 }]);
  },
);

describe.runIf(engine === 'server')('a chore that dies before its commit', () => {
  const chores = {
    'idempotency keys': purgeIdempotencyKeys,

    'tallies of records': (tx: Sql) => compactRecordTallies(tx, 1_000),
    traces: purgeTraces,
    'addresses of mails': purgeAddresses,
    'payments of judges': addUpPayments,
  };
  /** Numbers of rows of all tables, beside the notes of changes. */
  const countRows = async (sql: Sql) => {
    const tables = await sql<{ name: string }[]>`
      select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('change', 'worker') order by 1`;
    const counted: Record<string, number> = {};
    for (const { name } of tables)
      counted[name] = (await sql<{ n: number }[]>`select count(*)::int as n from ${sql(name)}`)[0]!.n;
    return counted;
  };

  it.each(Object.keys(chores) as (keyof typeof chores)[])(
    '%s: the next round leaves what it would have left',
    async (name) => {
      const { id: projectId } = await createProject(own.api);
      const run = await createRun(own.api, projectId, []);
      for (let i = 0; i < 3; i++) await addRecords(own.api, run.id, 2, (j) => ({ inputs: { i, j } }));
      const keyed = { headers: { 'idempotency-key': `dies-${name.length}-times` } };
      await ok(own.api('POST', '/projects', { name: 'Q', description: '' }, keyed), 201);
      await sendSpans(app, own.key, projectId, [
        { traceId: newTraceId(), n: 1 },
        { traceId: newTraceId(), n: 1 },
      ]);
      await ok(own.api('PATCH', `/projects/${projectId}/settings`, { traceDays: 30 }));
      await app.db.transaction(system, async (tx) => {
        await tx`update idempotency_key set created_at = now() - interval '3 days'`;
        await tx`update trace set created_at = now() - interval '40 days' where project_id = ${projectId}`;
        await tx`insert into mail_address (organization_id, key, address) values (${own.organizationId}, ${name}, ${name})`;
        await tx`
        insert into judge_payment (run_id, lease_id, organization_id, number, spent_usd, at)
        values (${run.id}, gen_random_uuid(), ${own.organizationId}, 1, 0.5, now() - interval '2 days')`;
      });
      const chore = chores[name];
      const before = await app.db.transaction(system, countRows);
      let undisturbed: Record<string, number> = {};
      await expect(
        app.db.transaction(system, async (tx) => {
          await chore(tx);
          undisturbed = await countRows(tx);
          await tx`select pg_terminate_backend(pg_backend_pid())`;
        }),
      ).rejects.toThrow();
      const count = () => app.db.transaction(system, countRows);
      expect(await count()).toEqual(before);
      expect(undisturbed).not.toEqual(before);
      await app.db.transaction(system, async (tx) => void (await chore(tx)));
      expect(await count()).toEqual(undisturbed);
    },
  );
});
