import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createMetric, createProject, createRun, ok } from '../../../test/fixtures.ts';
import type { Client } from '../../../test/harness.ts';
import { openApp } from '../../../test/opened.ts';
import { newTraceId, post, requestOf } from '../../../test/otlp.ts';
import { beginSession } from '../../accounts/sign-ins/sign-in.ts';
import { system } from '../../platform/db/database.ts';
import { startPurging } from '../../purge.ts';
import { purgeRecords } from './purge-records.ts';

const { app, own } = await openApp({});

const items = Array.from({ length: 1_000 }, (_, i) => ({ inputs: { i }, expected: {}, outputs: {} }));
/** Creates a run with records and pending scores. */
const createFullRun = async (projectId: string, thousands: number) => {
  const metric = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'boolean' });
  const run = await createRun(own.api, projectId, [metric.id]);
  for (let i = 0; i < thousands; i++)
    await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
  return run;
};
const keep = (projectId: string, recordDays: number | null, traceDays: number | null = null) =>
  ok(own.api('PATCH', `/projects/${projectId}/settings`, { recordDays, traceDays }));
/** Makes records of a run, and the run, older by some days. */
const age = (runId: string, days: number, numbers = [1, 1_000_000]) =>
  app.db.transaction(system, async (tx) => {
    await tx`
      update record set created_at = created_at - ${days} * interval '1 day'
      where run_id = ${runId}::text::bigint and n between ${numbers[0]!} and ${numbers[1]!}`;
    await tx`update run set created_at = created_at - ${days} * interval '1 day' where id = ${runId}::text::bigint`;
  });
const purge = () => app.db.transaction(system, (tx) => purgeRecords(tx));
const purgeAll = async () => {
  let sum = 0;
  for (let done = await purge(); done > 0; done = await purge()) sum += done;
  return sum;
};
const runOf = (runId: string) => own.api('GET', `/runs/${runId}`);
const countOf = async (runId: string) => {
  const [row] = await app.db.transaction(
    system,
    (tx) => tx<{ n: number }[]>`select count(*)::int as n from record where run_id = ${runId}::text::bigint`,
  );
  return row!.n;
};

/** The organization's first member in a browser. */
const signedIn = async (): Promise<Client> => {
  const { organizationId, memberId } = own;
  const { token } = await app.db.transaction(system, (tx) =>
    beginSession(tx, { hours: 1, idleMinutes: 0 }, { proven: [{ organizationId, memberId }] }),
  );
  const headers = { cookie: `dokima_session=${token}`, 'x-requested-with': 'Dokima' };
  return (method, path, body) => own.as(undefined)(method, path, body, { headers });
};

describe('retention of records', () => {
  it('deletes the old ones of 20,000 and keeps younger ones and other projects, with counts that stay right', async () => {
    const [project, other] = [await createProject(own.api), await createProject(own.api)];
    const run = await createFullRun(project.id, 20);
    const foreign = await createFullRun(other.id, 1);
    await age(run.id, 31, [1, 15_000]);
    await age(foreign.id, 31);
    await keep(project.id, 30);
    const next = await ok(own.api('GET', `/projects/${project.id}/retention/preview`));
    expect(next).toMatchObject({ numRecords: 15_000, numKeptRecords: 0, numTraces: 0 });
    const tried = await ok(own.api('GET', `/projects/${project.id}/retention/preview?recordDays=32`));
    expect(tried.numRecords).toBe(0);

    expect(await purge()).toBe(500);
    expect(await countOf(run.id)).toBe(19_500);
    expect(await purgeAll()).toBe(14_500);
    expect([await countOf(run.id), await countOf(foreign.id)]).toEqual([5_000, 1_000]);
    expect((await runOf(run.id)).body).toMatchObject({ numRecords: 5_000, numScores: 0 });
    const oldest = (await ok(own.api('GET', `/runs/${run.id}/records?limit=1`))).data[0];
    expect(oldest.id).toBe(`${run.id}-15001`);
    expect(await purgeAll()).toBe(0);
    const log = await ok(
      own.api('GET', `/audit-events?operation=purgeRecords&projectId=${project.id}&limit=100`),
    );
    expect(
      log.data.reduce((sum: number, each: { details: { count: number } }) => sum + each.details.count, 0),
    ).toBe(15_000);
    expect(log.data[0]).toMatchObject({ userId: null, address: null });
  }, 120_000);

  it('keeps what people have said something about, and the newest run with a mark, and deletes empty runs', async () => {
    const project = await createProject(own.api);
    const metric = await createMetric(own.api, project.id, { evalType: 'human', outputType: 'boolean' });
    const create = async (...marks: string[]) => {
      const run = await createRun(own.api, project.id, [metric.id]);
      await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, { items: items.slice(0, 6) }), 201);
      await ok(own.api('PATCH', `/runs/${run.id}/details`, { marks }));
      await age(run.id, 100);
      return run;
    };
    const [empty, outdated] = [await create(), await create('main')];
    const [baseline, release, said] = [await create('main', 'good'), await create('1.0'), await create()];
    const at = (n: number) => `/records/${said.id}-${n}`;
    await ok(own.api('POST', `${at(1)}/annotations`, { rating: true }), 201);
    await ok(own.api('POST', `${at(2)}/tags`, { text: 'keep' }), 201);
    await ok(own.api('POST', `${at(3)}/assignees`, { assigneeUserId: own.memberId }), 201);
    const review = `${at(4)}/reviews/${said.metricVersionIds[0]}`;
    await ok(own.api('POST', review, { score: { binaryScore: true } }), 201);
    await keep(project.id, 30);
    const next = await ok(own.api('GET', `/projects/${project.id}/retention/preview`));
    const keptBecause = {
      annotated: 1,
      assigned: 1,
      tagged: 1,
      reviewed: 1,
      scored: 1,
      pinned: 0,
      inKeptRun: 12,
    };
    expect(next).toMatchObject({ numRecords: 14, numKeptRecords: 16, keptBecause });
    expect(await purgeAll()).toBe(14);
    for (const { id } of [empty, outdated]) expect((await runOf(id)).status).toBe(404);
    expect(await Promise.all([baseline, release, said].map(({ id }) => countOf(id)))).toEqual([6, 6, 4]);
  });

  it('keeps scores by people, and not those that a client sends for other metrics, in each way of scoring', async () => {
    const project = await createProject(own.api);
    const code = await createMetric(own.api, project.id, { evalType: 'heuristic', outputType: 'boolean' });
    const human = await createMetric(own.api, project.id, { evalType: 'human', outputType: 'boolean' });
    const run = await createRun(own.api, project.id, [code.id, human.id]);
    const [codeConfig, humanConfig] = run.metricVersionIds;
    const scoreOf = (metricConfigId: string) => ({ metricConfigId, score: { binaryScore: true } });
    const scored = items.slice(0, 6).map((item, i) => ({
      ...item,
      scores: i === 0 ? [scoreOf(codeConfig)] : i === 1 ? [scoreOf(humanConfig)] : [],
    }));
    await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, { items: scored }), 201);
    const put = (n: number, config: string, api = own.api) =>
      ok(api('PUT', `/records/${run.id}-${n}/scores/${config}`, { score: { binaryScore: true } }));
    await put(3, codeConfig);
    await put(4, humanConfig);
    const bulk = { items: [{ recordId: `${run.id}-5`, ...scoreOf(codeConfig) }] };
    await ok(own.api('POST', `/runs/${run.id}/scores/bulk-upsert`, bulk));
    await put(6, codeConfig, await signedIn());
    await age(run.id, 400);
    await keep(project.id, 30);
    const next = await ok(own.api('GET', `/projects/${project.id}/retention/preview`));
    expect(next).toMatchObject({ numRecords: 3, numKeptRecords: 3, keptBecause: { scored: 3, reviewed: 0 } });
    expect(await purgeAll()).toBe(3);
    const { data } = await ok(own.api('GET', `/runs/${run.id}/records`));
    expect(data.map(({ id }: { id: string }) => id)).toEqual([2, 4, 6].map((n) => `${run.id}-${n}`));
  });

  it('deletes what was said in a simulation in which every conversation broke off', async () => {
    const project = await createProject(own.api);
    const metric = await createMetric(own.api, project.id, { evalType: 'human', outputType: 'boolean' });
    const create = async (days: number, evidence: string | null, state = 'failed') => {
      const run = await createRun(own.api, project.id, [metric.id]);
      await app.db.transaction(
        system,
        (tx) => tx`
          insert into execution (organization_id, run_id, n, testcase_n, trial, state, due_at, evidence)
          select organization_id, id, 1, 1, 1, ${state}, case when ${state} = 'pending' then now() end, ${evidence}::text::json
          from run where id = ${run.id}::text::bigint`,
      );
      await age(run.id, days);
      return run.id as string;
    };
    const said = '{"messages":[{"role":"user","content":"My name is Ada."}]}';
    const [old, young, underWay, silent] = [
      await create(31, said),
      await create(29, said),
      await create(31, said, 'pending'),
      await create(31, null),
    ];
    await keep(project.id, 30);
    await purgeAll();
    const statuses = await Promise.all(
      [old, young, underWay, silent].map(async (id) => (await runOf(id)).status),
    );
    expect(statuses).toEqual([404, 200, 200, 200]);
  });

  it('deletes the traces of a record with it, and skips records that are being written', async () => {
    const project = await createProject(own.api);
    await post(
      app,
      own.key,
      requestOf([{ traceId: newTraceId(), n: 1 }], { 'dokima.project_id': project.id }),
    );
    const [record] = (await ok(own.api('GET', `/projects/${project.id}/records`))).data;
    await age(record.runId, 31);
    await keep(project.id, 30);
    if (app.db.engine === 'server') {
      await app.db.transaction(own, async (tx) => {
        await tx`select from trace where project_id = ${project.id}::text::bigint for update`;
        expect(await purge()).toBe(0);
      });
    }
    expect(await purgeAll()).toBe(1);
    expect((await ok(own.api('GET', `/projects/${project.id}/spans`))).data).toEqual([]);
  });

  it('stops when told, and goes on later', async () => {
    const project = await createProject(own.api);
    const run = await createFullRun(project.id, 3);
    await age(run.id, 31);
    await keep(project.id, 30);
    const log = pino({ level: 'silent' });
    const sessions = { hours: 1, idleMinutes: 0 };
    const store = { remove: async () => {}, removeCutOff: async () => {} };
    const first = startPurging({ db: app.db, log, sessions, store }, 1);
    await expect.poll(() => countOf(run.id), { interval: 5 }).toBeLessThan(3_000);
    await first.stop();
    const left = await countOf(run.id);
    expect(left % 500).toBe(0);
    const second = startPurging({ db: app.db, log, sessions, store }, 1);
    await expect.poll(async () => (await runOf(run.id)).status, { timeout: 20_000 }).toBe(404);
    await second.stop();
  }, 60_000);
});
