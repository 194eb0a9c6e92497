import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRun, ok } from '../../test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../test/harness.ts';
import { expectNoChange } from '../../test/rows.ts';
import {
  createImportedWorld,
  type ImportedWorld,
  importedMetric,
  transferRows,
} from '../../test/transfer-rows.ts';

let app: TestApp;
let own: Organization;
let world: ImportedWorld;
/** The same of an import that is complete. */
let complete: ImportedWorld;

beforeAll(async () => {
  app = await startApp();
  own = await app.organization();
  world = await createImportedWorld(own.api, own.memberId);
  const source = { name: 'Complete', description: '', importKey: 'complete' };
  const project = await ok(own.api('POST', '/projects', source), 201);
  complete = await createImportedWorld(own.api, own.memberId, project);
  await ok(own.api('PUT', `/projects/${project.id}/import`, { completed: true }));
});
afterAll(() => app.close());

const operations = Object.keys(transferRows);
const rowOf = (operationId: string, changes: Partial<ImportedWorld> = {}) =>
  transferRows[operationId]!({ ...world, ...changes });
const store = (operationId: string, api = own.api) => {
  const { path, row } = rowOf(operationId);
  return api('POST', path, { items: [row] });
};
/** Every row of a part, read one a page. */
const pagesOf = async (path: string): Promise<object[]> => {
  const rows: object[] = [];
  for (let cursor = ''; ; ) {
    const page = await ok(own.api('GET', `${path}?limit=1&cursor=${cursor}`));
    rows.push(...page.data);
    if (!page.hasMore) return rows;
    expect(page.data).toHaveLength(1);
    cursor = encodeURIComponent(page.nextCursor);
  }
};
const withoutTimes = (row: object) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, /At$/.test(name) && value ? Date.parse(value) : value]),
  );

describe.each(operations)('%s', (operationId) => {
  it('stores a row as its export gives it again, one a page as in one', async () => {
    await ok(store(operationId), 201);
    const { path, row } = rowOf(operationId);
    const list = path.replace('/import/', '/export/');
    const { data } = await ok(own.api('GET', `${list}?limit=100`));
    const { id: _, ...expected } = withoutTimes(row) as Record<string, unknown>;
    expect(data.map(withoutTimes)).toContainEqual(expect.objectContaining(expected));
    expect(await pagesOf(list)).toEqual(data);
  });

  it('409 for a project that is no import any more, and nothing is stored', async () => {
    const { path, row } = transferRows[operationId]!(complete);
    await expectNoChange(app.db, own, 409, async () => [await own.api('POST', path, { items: [row] })]);
  });
});

describe('rows of an archive', () => {
  it('lets an admin alone say what others have done, and anybody to whom a record is assigned', async () => {
    const member = await own.person();
    const said = Object.entries(transferRows).filter(([, make]) =>
      Object.keys(make(world).row).some((name) => /^(?!assignee).*userId$/i.test(name)),
    );
    expect(said.length).toBeGreaterThan(6);
    for (const [, make] of said) {
      const { path, row } = make({ ...world, userId: own.memberId });
      await expectNoChange(app.db, own, 403, async () => [await member.api('POST', path, { items: [row] })]);
    }
    const { path, row } = rowOf('importAssignments', { userId: member.id });
    const items = [{ ...row, assigneeUserId: own.memberId }];
    expect((await member.api('POST', path, { items })).status).toBe(201);
  });

  it('404 for a configuration of another metric than the row’s, for a testcase of another testset, for labels without a set', async () => {
    const wrong = [
      rowOf('importRunMetrics', { configId: world.judgeConfigId }),
      rowOf('importRescorings', { configId: world.judgeConfigId }),
      rowOf('importPinnedSet', { configId: world.judgeConfigId }),
      rowOf('importExecutions', { testcaseId: '999999-1' }),
      rowOf('importPinnedLabels', {
        judgeMetricId: (
          await ok(own.api('POST', `/projects/${world.projectId}/import/metrics`, importedMetric), 201)
        ).id,
      }),
    ];
    await expectNoChange(app.db, own, 404, () =>
      Promise.all(wrong.map(({ path, row }) => own.api('POST', path, { items: [row] }))),
    );
  });

  it('404 for a record of another run than the rows’', async () => {
    const run = await createRun(own.api, world.projectId, []);
    const { path, row } = rowOf('importTags', { runId: run.id });
    await expectNoChange(app.db, own, 404, async () => [await own.api('POST', path, { items: [row] })]);
  });

  it('400 for a proposal that has a score without being scored, and for a configuration that its kind can’t have', async () => {
    const { path, row } = rowOf('importProposals');
    const [one, two] = importedMetric.versions;
    const metrics = `/projects/${world.projectId}/import/metrics`;
    await expectNoChange(app.db, own, 400, () =>
      Promise.all([
        own.api('POST', path, { items: [{ ...row, state: 'failed' }] }),
        own.api('POST', path, { items: [{ ...row, createdAt: '2026-02-30T00:00:00Z' }] }),
        own.api('POST', metrics, { ...importedMetric, versions: [one, { ...two, evalType: 'human' }] }),
        own.api('POST', metrics, { ...importedMetric, versions: [{ ...one, outputType: 'boolean' }] }),
      ]),
    );
  });
});

describe('POST /projects/:projectId/import/metrics', () => {
  it('makes a metric with every configuration that it had, in their order, the last of them current', async () => {
    const path = `/projects/${world.projectId}`;
    const made = await ok(own.api('POST', `${path}/import/metrics`, importedMetric), 201);
    const { data } = await ok(own.api('GET', `/metrics/${made.id}/versions`));
    expect(data.map(({ id, isCurrent }: { id: string; isCurrent: boolean }) => [id, isCurrent])).toEqual(
      made.versionIds.toReversed().map((id: string, i: number) => [id, i === 0]),
    );
    const exported = (await pagesOf(`${path}/export/metrics`)).find(
      (metric) => (metric as { id: string }).id === made.id,
    );
    const versions = importedMetric.versions.map((version, i) => ({
      ...version,
      id: made.versionIds[i],
      createdAt: '2026-01-01T00:00:00.000000Z',
    }));
    expect(exported).toEqual({
      ...{ ...importedMetric, id: made.id, deletedAt: null, createdAt: '2026-01-01T00:00:00.000000Z' },
      versions,
    });
  });
});
