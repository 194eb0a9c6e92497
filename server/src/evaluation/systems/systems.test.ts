import { beforeEach, describe, expect, it } from 'vitest';
import { createProject, createRun, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';

const { own } = await openApp();
let projectId: string;

beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
});

const unknownId = '01890000-0000-7000-8000-000000000000';
const upsert = (fields: Record<string, unknown>) =>
  ok(own.api('POST', `/projects/${projectId}/systems`, fields), 201);
const get = (id: string) => ok(own.api('GET', `/systems/${id}`));

describe('POST /projects/:projectId/systems', () => {
  it('201 makes the system with its first version, which is the production version', async () => {
    const system = await upsert({ name: 'Bot', description: 'Answers', config: { model: 'm' } });
    const { productionVersion } = system;
    expect(system).toMatchObject({ name: 'Bot', description: 'Answers' });
    expect(productionVersion).toMatchObject({
      systemId: system.id,
      name: 'Version 1',
      config: { model: 'm' },
    });
    expect(system.versions).toEqual([{ id: productionVersion.id, name: 'Version 1' }]);
    expect(await get(system.id)).toEqual(system);
    expect((await ok(own.api('GET', `/projects/${projectId}/systems`))).data).toEqual([system]);
  });

  it('finds the system by its name; a new configuration is a version, and the production version', async () => {
    const first = await upsert({ name: 'Bot', description: 'kept', config: { model: 'm' } });
    const second = await upsert({ name: 'Bot', config: { model: 'n' } });
    expect(second).toMatchObject({
      id: first.id,
      description: 'kept',
      productionVersion: { name: 'Version 2', config: { model: 'n' } },
    });
    expect(second.versions.map(({ name }: { name: string }) => name)).toEqual(['Version 1', 'Version 2']);
    expect((await upsert({ name: 'Other', config: { model: 'm' } })).id).not.toBe(first.id);
  });

  it('adds no version for a configuration that is there, and leaves production where it is', async () => {
    await upsert({ name: 'Bot', config: { a: 1, b: [1, 2] } });
    const second = await upsert({ name: 'Bot', config: { a: 2 } });
    expect(await upsert({ name: 'Bot', config: { a: 1, b: [1, 2] } })).toEqual(second);
  });

  const upsertRaw = (config: string) =>
    own.api('POST', `/projects/${projectId}/systems`, undefined, {
      raw: `{"name":"Bot","config":${config}}`,
    });

  it.each([
    ['{"b":1,"a":2}', '{ "a": 2, "b": 1 }'],
    ['{"a":1.10}', '{"a":11e-1}'],
    ['{"a":"\\u00e9"}', '{"a":"é"}'],
    ['{"a":0}', '{"a":-0.0}'],
    ['{"a":1e400}', '{"a":0.1e401}'],
    ['{"a":1,"a":2}', '{"a":2}'],
    ['{"a":"\\u0000"}', '{"a":"\\u0000"}'],
    [`{"a":1e${'9'.repeat(100_000)}}`, `{"a":1e${'9'.repeat(100_000)}}`],
  ])('compares configurations as JSON values: %s is %s', async (one, same) => {
    const first = (await upsertRaw(one)).body;
    expect((await upsertRaw(same)).body.versions).toEqual(first.versions);
  });

  it.each([
    ['{"a":[1,2]}', '{"a":[2,1]}'],
    ['{"a":12345678901234567890}', '{"a":12345678901234567891}'],
    ['{"a":1}', '{"a":"1"}'],
    ['{"a":null}', '{}'],
    ['{"__proto__":1}', '{}'],
    ['{"a":1e400}', '{"a":1e401}'],
    ['{"a":"\\u0000"}', '{"a":"\\u0000","b":1}'],
    ['{"a":"\\ud800"}', '{"a":"\\ud801"}'],
    ['{"a":"\\u0000"}', '{"a":"\\\\u0000"}'],
  ])('compares configurations as JSON values: %s is not %s', async (one, other) => {
    const first = (await upsertRaw(one)).body;
    const second = (await upsertRaw(other)).body;
    expect(first.versions).toHaveLength(1);
    expect(second.versions).toHaveLength(2);
  });

  it('makes one system and one version of many equal ones at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => upsert({ name: 'Bot', config: { a: 1 } })),
    );
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect((await get(answers[0].id)).versions).toHaveLength(1);
  });

  it('makes a version of each of many different ones at once', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, i) => upsert({ name: 'Bot', config: { i } })));
    const { data } = await ok(own.api('GET', `/projects/${projectId}/systems`));
    expect(data).toHaveLength(1);
    const names = data[0].versions.map(({ name }: { name: string }) => name);
    expect(names.sort()).toEqual(Array.from({ length: 20 }, (_, i) => `Version ${i + 1}`).sort());
  });

  it('400 without a configuration, or with one that is not an object', async () => {
    for (const body of [{ name: 'Bot' }, { config: [] }, { config: 'x' }, { config: null }]) {
      const { status, body: error } = await own.api('POST', `/projects/${projectId}/systems`, body);
      expect(status).toBe(400);
      expect(error.details.issues[0].path).toBe('/config');
    }
  });
});

describe('POST /systems/:systemId/versions', () => {
  it('adds a version and leaves production as it is; the same configuration again gives the same one', async () => {
    const system = await upsert({ name: 'Bot', config: { a: 1 } });
    const version = await ok(
      own.api('POST', `/systems/${system.id}/versions`, { name: 'Candidate', config: { a: 2 } }),
    );
    expect(version).toEqual({ id: version.id, systemId: system.id, name: 'Candidate', config: { a: 2 } });
    expect(await ok(own.api('GET', `/systems/versions/${version.id}`))).toEqual(version);
    expect(await ok(own.api('POST', `/systems/${system.id}/versions`, { config: { a: 2 } }))).toEqual(
      version,
    );
    const { productionVersion, versions } = await get(system.id);
    expect(productionVersion).toEqual(system.productionVersion);
    expect(versions.map(({ id }: { id: string }) => id)).toEqual([system.productionVersion.id, version.id]);
  });
});

describe('PATCH /systems/:systemId', () => {
  it('changes name, description and the production version, to one that it has', async () => {
    const system = await upsert({ name: 'Bot', config: { a: 1 } });
    const version = await ok(own.api('POST', `/systems/${system.id}/versions`, { config: { a: 2 } }));
    const changes = { name: 'Renamed', description: 'd', productionVersionId: version.id };
    expect(await ok(own.api('PATCH', `/systems/${system.id}`, changes))).toMatchObject({
      name: 'Renamed',
      description: 'd',
      productionVersion: version,
    });
    expect((await upsert({ name: 'Bot', config: { a: 1 } })).id).not.toBe(system.id);
  });

  it('404 for a version of another system or of none, and nothing is changed', async () => {
    const system = await upsert({ name: 'Bot', config: {} });
    const other = await upsert({ name: 'Other', config: {} });
    for (const productionVersionId of [other.productionVersion.id, unknownId]) {
      const { status } = await own.api('PATCH', `/systems/${system.id}`, {
        name: 'New',
        productionVersionId,
      });
      expect(status).toBe(404);
    }
    expect(await get(system.id)).toEqual(system);
  });

  it('409 for the name of another system of the project', async () => {
    const system = await upsert({ name: 'Bot', config: {} });
    await upsert({ name: 'Taken', config: {} });
    const { status, body } = await own.api('PATCH', `/systems/${system.id}`, { name: 'Taken' });
    expect({ status, body }).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', details: { name: 'Taken' } },
    });
  });
});

describe('DELETE /systems/:systemId', () => {
  it('hides the system and frees its name; its versions and the runs of them stay', async () => {
    const system = await upsert({ name: 'Bot', config: { a: 1 } });
    const versionId = system.productionVersion.id;
    const run = await createRun(own.api, projectId, [], { systemVersionId: versionId });
    await ok(own.api('DELETE', `/systems/${system.id}`));
    expect((await own.api('GET', `/systems/${system.id}`)).status).toBe(404);
    expect((await own.api('DELETE', `/systems/${system.id}`)).status).toBe(404);
    expect((await own.api('POST', `/systems/${system.id}/versions`, { config: {} })).status).toBe(404);
    expect(await ok(own.api('GET', `/systems/versions/${versionId}`))).toEqual(system.productionVersion);
    expect(await ok(own.api('GET', `/runs/${run.id}`))).toMatchObject({
      systemId: system.id,
      systemVersionId: versionId,
    });
    const again = await upsert({ name: 'Bot', config: { a: 1 } });
    expect(again.id).not.toBe(system.id);
    expect((await ok(own.api('GET', `/projects/${projectId}/systems`))).data).toEqual([again]);
  });
});
