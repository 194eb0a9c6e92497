import { expect, it } from 'vitest';
import { createMetric, createProject, createTestset, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';

const { own } = await openApp();

it('tells who created a testset, a metric and a system, also after the member has left', async () => {
  const { id: projectId } = await createProject(own.api);
  const list = async (resource: string) =>
    (await ok(own.api('GET', `/projects/${projectId}/creators?resource=${resource}`))).data;
  const { name: ownName } = (await ok(own.api('GET', '/me'))).user;
  const other = await own.person();
  const system = (name: string) => ({ name, config: { prompt: name } });
  for (const resource of ['testsets', 'metrics', 'systems']) {
    const create = {
      testsets: createTestset,
      metrics: (api: typeof own.api, id: string) =>
        createMetric(api, id, { evalType: 'human', outputType: 'boolean' }),
      systems: (api: typeof own.api, id: string) =>
        ok(api('POST', `/projects/${id}/systems`, system(api === own.api ? 'mine' : 'theirs')), 201),
    }[resource]!;
    const [mine, theirs] = [await create(own.api, projectId), await create(other.api, projectId)];
    expect(await list(resource)).toEqual([
      { id: mine.id, createdByUserId: own.memberId, createdByName: ownName },
      { id: theirs.id, createdByUserId: other.id, createdByName: 'Person' },
    ]);
  }
  // Another member's version does not change who created the system.
  const changed = await ok(other.api('POST', `/projects/${projectId}/systems`, system('mine')), 201);
  expect(await list('systems')).toContainEqual(
    expect.objectContaining({ id: changed.id, createdByUserId: own.memberId }),
  );
  const [testset] = await list('testsets');
  await ok(own.api('DELETE', `/testsets/${testset.id}`));
  await ok(own.api('DELETE', `/members/${other.id}`));
  expect(await list('testsets')).toEqual([
    expect.objectContaining({ createdByUserId: other.id, createdByName: null }),
  ]);
  expect(await list('metrics')).toHaveLength(2);
});
