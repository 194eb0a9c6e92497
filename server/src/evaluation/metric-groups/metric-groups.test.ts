import { describe, expect, it } from 'vitest';
import { expectError } from '../../../test/expect-error.ts';
import { createMetric, createProject, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';

const { own } = await openApp();
const projectId: string = (await createProject(own.api)).id;
const human = { evalType: 'human', outputType: 'boolean' };

const metricIds = async (n: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let i = 0; i < n; i++) ids.push((await createMetric(own.api, projectId, human)).id);
  return ids;
};
const create = (fields: Record<string, unknown>) =>
  own.api('POST', `/projects/${projectId}/metric-groups`, { name: 'Release', metricIds: [], ...fields });

describe('metric groups', () => {
  it('201 keeps the order of the metrics; the description is empty when none is given', async () => {
    const [a, b, c] = await metricIds(3);
    const { status, body } = await create({ metricIds: [c, a, b] });
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: 'Release', description: '', metricIds: [c, a, b], projectId });
    expect(await ok(own.api('GET', `/metric-groups/${body.id}`))).toEqual(body);
  });

  it('PATCH replaces the metrics and leaves what is not given', async () => {
    const [a, b, c] = await metricIds(3);
    const { body } = await create({ description: 'Before each release', metricIds: [a, b] });
    const path = `/metric-groups/${body.id}`;
    const renamed = await ok(own.api('PATCH', path, { name: 'Nightly' }));
    expect(renamed).toMatchObject({ name: 'Nightly', description: 'Before each release', metricIds: [a, b] });
    expect((await ok(own.api('PATCH', path, { metricIds: [c, a] }))).metricIds).toEqual([c, a]);
    expect((await ok(own.api('PATCH', path, { metricIds: [] }))).metricIds).toEqual([]);
  });

  it('a deleted metric leaves its groups; a deleted group leaves its metrics', async () => {
    const [a, b] = await metricIds(2);
    const { body } = await create({ metricIds: [a, b] });
    await ok(own.api('DELETE', `/metrics/${a}`));
    expect((await ok(own.api('GET', `/metric-groups/${body.id}`))).metricIds).toEqual([b]);
    await ok(own.api('DELETE', `/metric-groups/${body.id}`));
    expect((await own.api('GET', `/metric-groups/${body.id}`)).status).toBe(404);
    await ok(own.api('GET', `/metrics/${b}`));
  });

  it('400 for a metric named twice, 404 for one of another project, and nothing is changed', async () => {
    const [a] = await metricIds(1);
    const foreign = await createMetric(own.api, (await createProject(own.api)).id, human);
    const { body } = await create({ metricIds: [a] });
    const twice = await own.api('PATCH', `/metric-groups/${body.id}`, { name: 'x', metricIds: [a, a] });
    expect(JSON.stringify(expectError(twice, 'VALIDATION_ERROR'))).toContain('must name each metric once');
    const other = await own.api('PATCH', `/metric-groups/${body.id}`, { name: 'x', metricIds: [foreign.id] });
    expect(other.status).toBe(404);
    expect((await create({ metricIds: [foreign.id] })).status).toBe(404);
    expect(await ok(own.api('GET', `/metric-groups/${body.id}`))).toEqual(body);
  });
});
