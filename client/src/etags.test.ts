import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../server/test/harness.ts';
import { type Client, createClient, etagOf } from './main.ts';

let app: TestApp;
let dokima: Client;
beforeAll(async () => {
  app = await startApp();
  const { key } = await app.organization();
  dokima = createClient({ baseUrl: await app.url(), apiKey: key });
});
afterAll(() => app.close());

describe('etagOf', () => {
  it('lets a change pass only from what is stored', async () => {
    const { id } = await dokima.createProject({ name: 'Project', description: '' });
    const read = await dokima.getProject(id);
    await dokima.updateProject(id, { name: 'First' }, { ifMatch: etagOf(read) });
    const second = dokima.updateProject(id, { name: 'Second' }, { ifMatch: etagOf(read) });
    await expect(second).rejects.toMatchObject({ code: 'PRECONDITION_FAILED', status: 412 });
    expect((await dokima.getProject(id)).name).toBe('First');
  });

  it('is the time of the last change for an item of a list, and undefined for what has neither', async () => {
    const { id } = await dokima.createProject({ name: 'Project', description: '' });
    const metric = await dokima.createMetric(id, { name: 'm', evalType: 'human', outputType: 'boolean' });
    await dokima.createMetricGroup(id, { name: 'Group', metricIds: [metric.id] });
    const [group] = (await dokima.listMetricGroups(id)).data;
    expect(etagOf(group!)).toBe(`"${group!.updatedAt}"`);
    await dokima.updateMetricGroup(group!.id, { name: 'First' }, { ifMatch: etagOf(group!) });
    const second = dokima.updateMetricGroup(group!.id, { name: 'Second' }, { ifMatch: etagOf(group!) });
    await expect(second).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
    expect(etagOf({ name: 'made here' })).toBeUndefined();
  });
});
