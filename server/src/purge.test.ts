import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProject, ok } from '../test/fixtures.ts';
import { engine, startApp, type TestApp } from '../test/harness.ts';
import { newTraceId, post, requestOf } from '../test/otlp.ts';
import { until } from '../test/until.ts';
import { system } from './platform/db/database.ts';
import { startTidying } from './purge.ts';

let app: TestApp;
beforeAll(async () => {
  // A database of its own: what it breaks is broken for everybody.
  app = await startApp({});
});
afterAll(() => app.close());

// Elsewhere the service may not break its own tables.
it.runIf(engine === 'embedded')(
  'a chore that fails is told of, and keeps nothing else from being tidied, before it or after it',
  async () => {
    const own = await app.organization();
    const { id: projectId } = await createProject(own.api);
    await ok(own.api('PUT', `/projects/${projectId}/trace-settings`, { retentionDays: 7 }));
    const sent = requestOf([{ traceId: newTraceId(), n: 1 }], { 'dokima.project_id': projectId });
    expect((await post(app, own.key, sent)).status).toBe(200);
    const project = { name: 'P', description: '' };
    await ok(own.api('POST', '/projects', project, { headers: { 'idempotency-key': 'k' } }), 201);
    await app.db.transaction(system, async (tx) => {
      await tx`update trace set created_at = now() - interval '8 days'`;
      await tx`update idempotency_key set created_at = now() - interval '2 days'`;
      await tx`alter table session rename to away`;
    });
    const told: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void told.push(JSON.parse(line).what) });
    const tidying = startTidying({ db: app.db, log }, 10);
    await until(async () => {
      const [left] = await app.db.read(
        system,
        (sql) => sql`select from trace union all select from idempotency_key`,
      );
      return left ? undefined : true;
    });
    await tidying.stop();
    expect(new Set(told)).toEqual(new Set(['sessions']));
  },
);
