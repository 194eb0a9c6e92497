import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createProject, ok } from '../../../test/fixtures.ts';
import { engine, type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { newTraceId, type OtlpAnswer, post, requestOf, spanId, type TestSpan } from '../../../test/otlp.ts';
import { system } from '../../platform/db/database.ts';
import { purgeTraces } from '../retention/purge-traces.ts';

/** What is deleted, by hand or because it is too old, while others send to it or read it. */

let app: TestApp;
let own: Organization;
let projectId: string;
let databaseUrl = '';
beforeAll(async () => {
  app = await startApp(
    { DOKIMA_SPANS_WITHOUT_PROJECT: 'refuse' },
    { databaseUrl: (direct) => (databaseUrl = direct) },
  );
  own = await app.organization();
});
afterAll(() => app.close());
beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
});

const spansOf = (traceId: string, count: number): TestSpan[] =>
  Array.from({ length: count }, (_, i) => ({
    traceId,
    n: i + 1,
    ...(i > 0 && { parent: 1 }),
    attributes: {
      'gen_ai.operation.name': 'chat',
      'input.value': `asked ${i}`,
      'output.value': `answered ${i}`,
    },
  }));
const send = async (spans: TestSpan[]) => {
  const sent = await post(app, own.key, requestOf(spans, { 'dokima.project_id': projectId }));
  expect(`${sent.status} ${sent.body}`).toBe('200 {}');
};
/** Lets these traces be older than the project keeps them. */
const growOld = async (traceIds: string[]) => {
  await ok(own.api('PATCH', `/projects/${projectId}/settings`, { traceDays: 7 }));
  await app.db.transaction(
    system,
    (tx) => tx`
      update trace set created_at = now() - interval '8 days'
      where encode(otel_id, 'hex') = any(${traceIds}::text[])`,
  );
};
const purge = () => app.db.transaction(system, purgeTraces);

const tables = ['trace', 'span', 'span_source', 'trace_link', 'trace_run', 'run'];
const rowsLeft = async (): Promise<number> => {
  const [row] = await app.db.read(
    system,
    (sql) => sql<{ n: number }[]>`
      select (${sql.unsafe(
        [
          ...tables.map((table) => `(select count(*) from ${table} where project_id = ${projectId})`),
          '(select count(*) from span_content where trace_id not in (select id from trace))',
        ].join(' + '),
      )})::integer as n`,
  );
  return row!.n;
};

describe('a project that is deleted while spans come', () => {
  it.each(['named by the spans', 'the key’s default'])(
    'has each request taken before, or refused as for a project that is not there, and leaves nothing: %s',
    async (way) => {
      for (let round = 0; round < 3; round++) {
        projectId = (await createProject(own.api)).id;
        const isNamed = way.startsWith('named');
        const { key } = isNamed
          ? own
          : await ok(own.api('POST', '/keys', { name: 'traces', defaultProjectId: projectId }), 201);
        const resource = { 'session.id': 'one', ...(isNamed && { 'dokima.project_id': projectId }) };
        const sendOne = () => post(app, key, requestOf(spansOf(newTraceId(), 20), resource));
        const early = Array.from({ length: 4 }, sendOne);
        const gone = own.api('DELETE', `/projects/${projectId}`);
        const late = Array.from({ length: 4 }, sendOne);
        const answers: OtlpAnswer[] = await Promise.all([...early, ...late]);
        await ok(gone);
        const odd = answers
          .map(({ status, body }) => `${status} ${body}`)
          .filter((said) => said !== '200 {}' && !/^400 .*no project/.test(said));
        expect(odd).toEqual([]);
        expect(await rowsLeft()).toBe(0);
        expect(String((await sendOne()).body)).toContain('no project');
      }
    },
  );
});

describe.runIf(engine === 'server')('spans that wait for the deletion of their project', () => {
  it.each(['named by the spans', 'the key’s default'])(
    'are refused once that is done, as for a project that is not there: %s',
    async (way) => {
      const isNamed = way.startsWith('named');
      const body = { name: 'traces', defaultProjectId: projectId };
      const { key } = isNamed ? own : await ok(own.api('POST', '/keys', body), 201);
      const resource: Record<string, unknown> = isNamed ? { 'dokima.project_id': projectId } : {};
      const other = postgres(databaseUrl, { max: 1, onnotice: () => {} });
      await other`begin`;
      await other`delete from project where id = ${projectId}`;
      const sent = post(app, key, requestOf(spansOf(newTraceId(), 3), resource));
      const waiting = async () =>
        (
          await other`
            select from pg_stat_activity
              where datname = current_database() and backend_type = 'client backend' and wait_event_type = 'Lock'`
        ).length;
      // More than one where the key's last use is noted at this moment: its row belongs to the deletion as well.
      await expect.poll(waiting, { timeout: 60_000 }).toBeGreaterThan(0);
      await other`commit`;
      await other.end();
      const { status, body: said } = await sent;
      expect(`${status} ${said}`).toMatch(/^400 .*no project/);
    },
  );
});

describe('traces that are deleted while someone reads', () => {
  it('are left out of the pages of a search that are still to come, and no other is missing or comes twice', async () => {
    const traces = Array.from({ length: 30 }, newTraceId);
    await send(traces.map((traceId, i) => ({ traceId, n: 1, at: i })));
    const path = `/projects/${projectId}/spans?limit=10`;
    const first = await ok(own.api('GET', path));
    const old = traces.filter((_, i) => i % 2 === 0);
    await growOld(old);
    await purge();
    const seen = first.data.map(({ traceId }: { traceId: string }) => traceId);
    for (let page = first; page.hasMore; ) {
      page = await ok(own.api('GET', `${path}&cursor=${encodeURIComponent(page.nextCursor)}`));
      for (const { traceId } of page.data) {
        expect(old).not.toContain(traceId);
        seen.push(traceId);
      }
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(traces.filter((traceId) => !old.includes(traceId) && !seen.includes(traceId))).toEqual([]);
  });

  it.each(['retention', 'the record', 'the trace'])(
    'are read completely or not, never in part: deleted by %s',
    { timeout: 120_000 },
    async (by) => {
      const traceId = newTraceId();
      const count = 1_000;
      await send(spansOf(traceId, count));
      const [{ id }] = (await ok(own.api('GET', `/projects/${projectId}/records`))).data;
      await growOld([traceId]);
      const remove = {
        retention: purge,
        'the record': () => own.api('DELETE', `/records/${id}`),
        'the trace': () => own.api('DELETE', `/projects/${projectId}/traces/${traceId}`),
      }[by]!;
      const whole = await ok(own.api('GET', `/records/${id}/conversation`));
      const read = () => [
        own.api('GET', `/records/${id}/spans`),
        own.api('GET', `/records/${id}/conversation`),
        own.api('GET', `/projects/${projectId}/traces/${traceId}/spans/${spanId(1)}`),
        own.api('GET', `/projects/${projectId}/spans?traceId=${traceId}&limit=100`),
      ];
      const early = read();
      const removed = remove();
      const answers = await Promise.all([...early, ...read(), ...read()]);
      await removed;
      for (const [i, answer] of answers.entries()) {
        expect([200, 404]).toContain(answer.status);
        if (answer.status !== 200 || i % 4 === 2) continue;
        const all = [count, whole.data.length, undefined, 100][i % 4];
        expect([0, all]).toContain(answer.body.data.length);
      }
      expect((await own.api('GET', `/records/${id}/spans`)).status).toBe(404);
    },
  );
});
