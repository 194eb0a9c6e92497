import { describe, expect, it } from 'vitest';
import { expectError } from '../../../test/expect-error.ts';
import { createMetric, createProject, createTestset, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';

const { own } = await openApp();

const human = { evalType: 'human', outputType: 'boolean' };

const send = (method: 'PUT' | 'PATCH' | 'DELETE', path: string, body: object | undefined, known: string) =>
  own.api(method, path, body, { headers: { 'if-match': known } });
const tagOf = async (path: string) => String((await own.api('GET', path)).headers.etag);

/** Resources that are read by their path, with what else a change of them needs. */
const create = {
  metric: async (projectId: string) => {
    const { id } = await createMetric(own.api, projectId, human);
    return { at: `/metrics/${id}`, more: human };
  },
  testset: async (projectId: string) => ({
    at: `/testsets/${(await createTestset(own.api, projectId)).id}`,
    more: {},
  }),
  project: async (projectId: string) => ({ at: `/projects/${projectId}`, more: {} }),
};

describe('If-Match', () => {
  it.each(Object.entries(create))('lets a change of a %s pass once', async (_name, createOne) => {
    const { at, more } = await createOne((await createProject(own.api)).id);
    const change = (description: string, known: string) => send('PATCH', at, { ...more, description }, known);
    const read = await tagOf(at);
    expect((await change('the first', read)).status).toBe(200);
    const second = await change('the second', read);
    expect(expectError(second, 'PRECONDITION_FAILED')).toEqual({ etag: await tagOf(at) });
    expect((await own.api('GET', at)).body.description).toBe('the first');
    expect((await change('the second', await tagOf(at))).status).toBe(200);
    expect((await change('the third', '*')).status).toBe(200);
  });

  it('of two changes at once from one state, one is made', async () => {
    const at = `/projects/${(await createProject(own.api)).id}/settings`;
    for (let round = 0; round < 5; round++) {
      const read = await tagOf(at);
      const changes = [1, 2, 3, 4].map((n) => ({ recordDays: round * 10 + n }));
      const answers = await Promise.all(changes.map((change) => send('PATCH', at, change, read)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
    }
  });

  it('also takes the time of the last change, which a list shows', async () => {
    const { id } = await createProject(own.api);
    const metric = await createMetric(own.api, id, human);
    const body = { name: 'group', metricIds: [metric.id] };
    const group = await ok(own.api('POST', `/projects/${id}/metric-groups`, body), 201);
    const at = `/metric-groups/${group.id}`;
    expect((await send('PATCH', at, { name: 'first' }, `"${group.updatedAt}"`)).status).toBe(200);
    expectError(await send('PATCH', at, { name: 'second' }, `"${group.updatedAt}"`), 'PRECONDITION_FAILED');
    expectError(await send('DELETE', at, undefined, `"${group.updatedAt}"`), 'PRECONDITION_FAILED');
    expect((await send('DELETE', at, undefined, await tagOf(at))).status).toBe(200);
  });

  it('a testcase, whose writer has a route without a reader of its text', async () => {
    const testset = await createTestset(own.api, (await createProject(own.api)).id);
    const items = [{ jsonData: { question: 'one' } }];
    const { items: made } = await ok(own.api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
    const at = `/testcases/${made[0]!.id}`;
    const read = await tagOf(at);
    expect((await send('PUT', at, { jsonData: { question: 'two' } }, read)).status).toBe(200);
    expectError(await send('PUT', at, { jsonData: { question: 'three' } }, read), 'PRECONDITION_FAILED');
  });

  it('for what is gone or was never there is 412, without a tag', async () => {
    const answer = await send('PATCH', '/projects/999999', { description: 'x' }, '"old"');
    expect(expectError(answer, 'PRECONDITION_FAILED')).toEqual({ etag: null });
  });

  it('is refused where nothing can be compared', async () => {
    const { id } = await createProject(own.api);
    const person = await own.person();
    const refused = await send('PUT', `/projects/${id}/members/${person.id}`, { role: 'admin' }, '"x"');
    expectError(refused, 'VALIDATION_ERROR');
  });
});
