import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProject, ok } from '../test/fixtures.ts';
import { engine, startApp, type TestApp } from '../test/harness.ts';
import { newTraceId, post, requestOf } from '../test/otlp.ts';
import { until } from '../test/until.ts';
import { system } from './platform/db/database.ts';
import { startPurging } from './purge.ts';

let app: TestApp;
beforeAll(async () => {
  // Its own database, because the test breaks a table.
  app = await startApp({});
});
afterAll(() => app.close());

// On a server, the role of the service may not rename a table.
it.runIf(engine === 'embedded')(
  'a chore that fails is logged, and the chores before and after it still run',
  async () => {
    const own = await app.organization();
    const { id: projectId } = await createProject(own.api);
    await ok(own.api('PATCH', `/projects/${projectId}/settings`, { traceDays: 7 }));
    const sent = requestOf([{ traceId: newTraceId(), n: 1 }], { 'dokima.project_id': projectId });
    expect((await post(app, own.key, sent)).status).toBe(200);
    const project = { name: 'P', description: '' };
    await ok(own.api('POST', '/projects', project, { headers: { 'idempotency-key': 'k' } }), 201);
    await app.db.transaction(system, async (tx) => {
      await tx`update trace set created_at = now() - interval '8 days'`;
      await tx`update idempotency_key set created_at = now() - interval '2 days'`;
      await tx`alter table sign_in rename to away`;
    });
    const logged: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line).what) });
    const purging = startPurging(
      {
        db: app.db,
        log,
        sessions: { hours: 1, idleMinutes: 0 },
        store: { remove: async () => {}, removeCutOff: async () => {} },
      },
      10,
    );
    await until(async () => {
      const [left] = await app.db.read(
        system,
        (sql) => sql`select from trace union all select from idempotency_key`,
      );
      return left ? undefined : true;
    });
    await purging.stop();
    expect(new Set(logged)).toEqual(new Set(['sessions']));
  },
);
