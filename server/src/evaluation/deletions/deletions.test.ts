import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetric, createProject, createRun, createTestset, ok } from '../../../test/fixtures.ts';
import { engine, type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { newTraceId, post, requestOf } from '../../../test/otlp.ts';
import { until } from '../../../test/until.ts';
import { openDeletions } from './deletions.ts';
import { insertDeletion, listDeletions } from './queries.ts';

let app: TestApp;
let own: Organization;
beforeAll(async () => {
  app = await startApp();
  own = await app.organization();
});
afterAll(() => app.close());

const many = 1_200;
const recordsOf = (count: number) => ({
  items: Array.from({ length: count }, (_, i) => ({ inputs: { i }, outputs: {}, expected: {} })),
});

/** A project with a run of many records, each with a score that is due. */
const createLargeProject = async () => {
  const project = await createProject(own.api);
  const metric = await createMetric(own.api, project.id, { evalType: 'human', outputType: 'boolean' });
  const run = await createRun(own.api, project.id, [metric.id]);
  for (let left = many; left > 0; left -= 600)
    await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, recordsOf(600)), 201);
  return { projectId: project.id as string, runId: run.id as string };
};

const countOf = async (table: 'record' | 'testcase' | 'run', column: string, id: string): Promise<number> =>
  (
    await app.db.read(
      own,
      (sql) =>
        sql<{ n: number }[]>`select count(*)::int as n from ${sql(table)} where ${sql(column)} = ${id}`,
    )
  )[0]!.n;
const isOver = async () => (await app.db.read(own, listDeletions)).length === 0;

describe('a large deletion', () => {
  it('hides a project at once, in every way that names it, and then deletes all of it', async () => {
    const { projectId, runId } = await createLargeProject();
    const kept = await createProject(own.api);
    expect(await ok(own.api('DELETE', `/projects/${projectId}`))).toEqual({ success: true });
    const paths = [
      `/projects/${projectId}`,
      `/projects/${projectId}/records`,
      `/projects/${projectId}/runs`,
      `/runs/${runId}`,
      `/runs/${runId}/records`,
      `/records/${runId}-1`,
      `/compare?runs=${runId},${runId}`,
    ];
    const statuses = await Promise.all(paths.map(async (path) => (await own.api('GET', path)).status));
    expect(statuses).toEqual(paths.map(() => 404));
    expect((await own.api('DELETE', `/projects/${projectId}`)).status).toBe(404);
    const write = await own.api('POST', `/runs/${runId}/records`, { inputs: {}, outputs: {}, expected: {} });
    expect(write.status).toBe(404);
    const { data } = await ok(own.api('GET', '/projects?limit=100'));
    const listed = data.map(({ id }: { id: string }) => id);
    expect(listed).toContain(kept.id);
    expect(listed).not.toContain(projectId);
    if (engine === 'embedded') expect(await countOf('record', 'run_id', runId)).toBeGreaterThan(0);
    await until(isOver);
    expect(await countOf('record', 'run_id', runId)).toBe(0);
    expect(await countOf('run', 'id', runId)).toBe(0);
  });

  it('takes no spans for a project that is being deleted', async () => {
    const { projectId } = await createLargeProject();
    await ok(own.api('DELETE', `/projects/${projectId}`));
    const answer = await post(
      app,
      own.key,
      requestOf([{ traceId: newTraceId(), n: 1 }], { 'dokima.project_id': projectId }),
    );
    expect(answer.body.toString()).toContain('there is no project');
    await until(isOver);
  });

  it('hides a run and its records, in the lists of its project too', async () => {
    const { projectId, runId } = await createLargeProject();
    await ok(own.api('DELETE', `/runs/${runId}`));
    expect((await own.api('GET', `/records/${runId}-7`)).status).toBe(404);
    expect((await ok(own.api('GET', `/projects/${projectId}/runs`))).data).toEqual([]);
    expect((await ok(own.api('GET', `/projects/${projectId}/records`))).data).toEqual([]);
    await until(isOver);
    expect(await countOf('record', 'run_id', runId)).toBe(0);
    expect((await own.api('GET', `/projects/${projectId}`)).status).toBe(200);
  });

  it('hides a testset and its testcases', async () => {
    const project = await createProject(own.api);
    const testset = await createTestset(own.api, project.id);
    const items = Array.from({ length: 100 }, (_, i) => ({ jsonData: { i } }));
    for (let i = 0; i < 4; i++)
      await ok(own.api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
    await ok(own.api('DELETE', `/testsets/${testset.id}`));
    expect((await own.api('GET', `/testsets/${testset.id}/testcases`)).status).toBe(404);
    expect((await own.api('GET', `/testcases/${testset.id}-1`)).status).toBe(404);
    expect((await ok(own.api('GET', `/projects/${project.id}/testsets`))).data).toEqual([]);
    await until(isOver);
    expect(await countOf('testcase', 'testset_id', testset.id)).toBe(0);
  });

  it.runIf(engine === 'embedded')('lets other requests come between', async () => {
    const { projectId } = await createLargeProject();
    const other = await createProject(own.api);
    let answered = 0;
    await ok(own.api('DELETE', `/projects/${projectId}`));
    while (!(await isOver())) {
      await ok(own.api('GET', `/projects/${other.id}`));
      answered++;
    }
    expect(answered).toBeGreaterThan(5);
  });

  it.runIf(engine === 'embedded')('is continued by the next start', async () => {
    const { projectId, runId } = await createLargeProject();
    // As after a crash: the deletion is committed, and no process works on it.
    await app.db.transaction(own, async (tx) => insertDeletion(tx, own, 'project', BigInt(projectId)));
    const next = openDeletions({ db: app.db, log: app.app.log });
    await next.resume();
    expect(next.isUnderWay('project', BigInt(projectId))).toBe(true);
    await until(async () => (await countOf('record', 'run_id', runId)) < many || undefined);
    await next.stop();
    expect(await countOf('record', 'run_id', runId)).toBeGreaterThan(0);
    const last = openDeletions({ db: app.db, log: app.app.log });
    await last.resume();
    await until(isOver);
    expect(await countOf('run', 'id', runId)).toBe(0);
    await last.stop();
  });
});
