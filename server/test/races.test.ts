import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertKey } from '../src/accounts/keys/queries.ts';
import { system } from '../src/platform/db/database.ts';
import { newUuid } from '../src/platform/http/ids.ts';
import {
  createMetric,
  createProject,
  createRecord,
  createRun,
  createTestcases,
  createTestset,
  ok,
} from './fixtures.ts';
import { type Answer, type Organization, startApp, type TestApp } from './harness.ts';

/**
 * Concurrent requests: one deletes a resource that another is about to use. Each gets the answer that it would get before or after the
 * other.
 */

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** A key of a new member of the organization. */
const memberWithKey = async (organization: Organization, role: string) => {
  const body = { name: role, email: `${newUuid()}@example.org`, role };
  const { id } = await ok(organization.api('POST', '/members', body), 201);
  const key = `ak_${newUuid()}`;
  const scope = { organizationId: organization.organizationId, memberId: id as string };
  await app.db.transaction(system, (tx) =>
    insertKey(tx, scope, newUuid(), key, { name: 'K', access: 'full', expiresAt: null }),
  );
  return { id: id as string, api: organization.as(key) };
};

const statuses = (answers: Answer[]) => [...new Set(answers.map(({ status }) => status))].sort();

describe('members', () => {
  it('deleted while they make keys leave none: each answer is 201 or 401', async () => {
    for (let round = 0; round < 5; round++) {
      const organization = await app.organization();
      const { id, api } = await memberWithKey(organization, 'member');
      const make = () => Array.from({ length: 10 }, () => api('POST', '/keys', { name: 'K' }));
      const answers = await Promise.all([...make(), organization.api('DELETE', `/members/${id}`), ...make()]);
      expect(answers.splice(10, 1)[0]!.status).toBe(200);
      for (const status of statuses(answers)) expect([201, 401]).toContain(status);
      expect((await ok(organization.api('GET', '/keys'))).data).toHaveLength(1);
    }
  });

  it('two admins who remove each other at once leave one', async () => {
    for (let round = 0; round < 10; round++) {
      const organization = await app.organization();
      const second = await memberWithKey(organization, 'admin');
      const third = await memberWithKey(organization, 'viewer');
      await Promise.all([
        organization.api('PATCH', `/members/${second.id}`, { role: 'viewer' }),
        second.api('DELETE', `/members/${organization.memberId}`),
      ]);
      const { data } = await ok(third.api('GET', '/members'));
      expect(data.filter(({ role }: { role: string }) => role === 'admin')).toHaveLength(1);
    }
  });
});

describe('what is put on a record and taken from it by many at once', () => {
  it.each(['tags', 'assignees'])('%s: each answer is a success', async (resource) => {
    const { api, memberId } = await app.organization();
    const run = await createRun(api, (await createProject(api)).id, []);
    const path = `/records/${(await createRecord(api, run.id)).id}/${resource}`;
    const put = () => api('POST', path, resource === 'tags' ? { text: 'a' } : { assigneeUserId: memberId });
    const take = () => api('DELETE', `${path}/${resource === 'tags' ? 'a' : memberId}`);
    const client = async (_: unknown, i: number) => {
      const answers: Answer[] = [];
      for (let round = 0; round < 50; round++) answers.push(await (i % 2 ? put() : take()));
      return answers;
    };
    const answers = await Promise.all(Array.from({ length: 8 }, client));
    expect(statuses(answers.flat())).toEqual([200, 201]);
  });
});

describe('one Idempotency-Key', () => {
  it('in the hands of another member is a 409, and of another organization its own key', async () => {
    const [organization, other] = [await app.organization(), await app.organization()];
    const member = await memberWithKey(organization, 'member');
    const run = await createRun(organization.api, (await createProject(organization.api)).id, []);
    const path = `/records/${(await createRecord(organization.api, run.id)).id}/annotations`;
    const options = { headers: { 'idempotency-key': 'the-same' } };
    const made = await ok(organization.api('POST', path, { rating: true }, options), 201);
    expect((await member.api('POST', path, { rating: true }, options)).status).toBe(409);
    expect(await ok(organization.api('POST', path, { rating: true }, options), 201)).toEqual(made);
    expect((await ok(member.api('GET', path))).data).toEqual([made]);
    await ok(other.api('POST', '/projects', { name: 'P', description: '' }, options), 201);
  });
});

describe('a project that everything happens to at once', () => {
  it('answers each request with a success, a 400, 404 or 409, and is gone when it is deleted', async () => {
    const organization = await app.organization();
    const { api } = organization;
    for (let round = 0; round < 4; round++) {
      const project = await createProject(api);
      const metric = await createMetric(api, project.id, { evalType: 'human', outputType: 'int' });
      const testset = await createTestset(api, project.id);
      const [testcase] = await createTestcases(api, testset.id, 1);
      const made = await ok(api('POST', `/projects/${project.id}/systems`, { name: 's', config: {} }), 201);
      const run = await createRun(api, project.id, [metric.id], { testsetId: testset.id });
      const { id } = await createRecord(api, run.id);
      const member = await memberWithKey(organization, 'member');
      const content = { inputs: {}, expected: {}, outputs: {} };
      const config = run.metricVersionIds[0];
      const kind = { evalType: 'human', outputType: 'int' };
      const score = { intScore: 3 };
      const pinned = {
        metricIds: [metric.id],
        testsetId: testset.id,
        systemVersionId: made.productionVersion.id,
      };

      const use = (i: number) => [
        api('POST', `/runs/${run.id}/records`, { ...content, testcaseId: testcase.id, otelLinkId: `${i}` }),
        api('POST', `/runs/${run.id}/records/bulk-create`, { items: [content, content] }),
        api('PUT', `/records/${id}/scores/${config}`, { score }),
        api('PUT', `/records/${id}/scores/${config}`, {}),
        api('POST', `/runs/${run.id}/scores/bulk-upsert`, {
          items: [{ recordId: id, metricConfigId: config, score }],
        }),
        api('POST', `/records/${id}/tags`, { text: 't' }),
        api('DELETE', `/records/${id}/tags/t`),
        api('POST', `/records/${id}/assignees`, { assigneeUserId: member.id }),
        member.api('POST', `/records/${id}/annotations`, { rating: true }),
        api('POST', `/projects/${project.id}/runs`, pinned),
        api('PATCH', `/metrics/${metric.id}`, { ...kind, passingThreshold: 1 + i }),
        api('POST', `/projects/${project.id}/systems`, { name: `s${i % 2}`, config: { i } }),
        api('POST', `/systems/${made.id}/versions`, { config: { i } }),
        api('PATCH', `/systems/${made.id}`, { name: `s${i}` }),
        api('POST', `/testsets/${testset.id}/testcases`, { items: [{ jsonData: {} }] }),
        api('PUT', `/testcases/${testcase.id}`, { jsonData: { i } }),
        api('GET', `/projects/${project.id}/records`),
      ];
      const remove = () => [
        api('POST', '/testcases/bulk-delete', { ids: [testcase.id] }),
        api('DELETE', `/records/${id}`),
        api('DELETE', `/metrics/${metric.id}`),
        api('DELETE', `/systems/${made.id}`),
        api('DELETE', `/testsets/${testset.id}`),
        api('DELETE', `/runs/${run.id}`),
        api('DELETE', `/members/${member.id}`),
        api('DELETE', `/projects/${project.id}`),
      ];
      const answers = await Promise.all([
        ...use(0),
        ...use(1),
        ...remove(),
        ...use(2),
        ...remove(),
        ...use(3),
      ]);
      const odd = answers.filter(({ status }) => ![200, 201, 400, 401, 404, 409].includes(status));
      expect(odd.map(({ text }) => text)).toEqual([]);
      expect((await api('GET', `/projects/${project.id}`)).status).toBe(404);
      expect((await api('GET', `/runs/${run.id}`)).status).toBe(404);
    }
  });
});

describe('monitors', () => {
  it('made at once never exceed the limit of a project: the rest are refused', async () => {
    const { api } = await app.organization();
    const projectId = (await createProject(api)).id;
    const metric = await createMetric(api, projectId, { evalType: 'heuristic', outputType: 'boolean' });
    const body = { name: 'M', metricIds: [metric.id], samplingRate: 1 };
    const make = () => api('POST', `/projects/${projectId}/monitors`, body);
    const answers = await Promise.all(Array.from({ length: 110 }, make));
    const counts = [201, 422].map((status) => answers.filter((answer) => answer.status === status).length);
    expect(counts).toEqual([100, 10]);
    expect((await make()).body.details).toMatchObject({ resources: 'monitors', limit: 100 });
  });
});
