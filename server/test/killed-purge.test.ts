import postgres from 'postgres';
import { expect, it } from 'vitest';
import { system } from '../src/platform/db/database.ts';
import { purgeRecords } from '../src/traces/retention/purge-records.ts';
import { createProject, createRun, ok } from './fixtures.ts';
import { engine, testServerUrl } from './harness.ts';
import { openApp } from './opened.ts';
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
