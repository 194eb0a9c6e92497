import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createProject, createRecord, createRun, ok } from '../../../test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { newUuid } from '../../platform/http/ids.ts';
import { rightsOfRole } from '../authorize.ts';
import { insertKey } from '../keys/queries.ts';

let app: TestApp;
let own: Organization;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  own = await app.organization();
});

const unknownId = '01890000-0000-7000-8000-000000000000';
const createMember = (fields: Record<string, unknown> = {}) =>
  ok(own.api('POST', '/members', { name: 'Ada', email: 'ada@example.org', role: 'member', ...fields }), 201);

/** A client with a key of the member's own. */
const clientOf = async (memberId: string) => {
  const key = `ak_${newUuid()}`;
  const fields = { name: 'K', access: 'full' as const, expiresAt: null };
  await app.db.transaction(own, (tx) =>
    insertKey(tx, { organizationId: own.organizationId, memberId }, newUuid(), key, fields),
  );
  return own.as(key);
};

describe('POST /members', () => {
  it('201 is readable at once, alone and in the list', async () => {
    const member = await createMember();
    expect(member).toMatchObject({ name: 'Ada', email: 'ada@example.org', role: 'member' });
    expect(await ok(own.api('GET', `/members/${member.id}`))).toEqual(member);
    expect((await ok(own.api('GET', '/members'))).data).toContainEqual(member);
  });

  it('409 for an address that is there already, in any case; another organization may have it', async () => {
    await createMember();
    const again = await own.api('POST', '/members', { name: 'A', email: 'ADA@example.org', role: 'viewer' });
    expect(again).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', details: { email: 'ADA@example.org' } },
    });
    own = await app.organization();
    await createMember();
  });

  it('201 for one and 409 for the rest when an address is added many times at once', async () => {
    const body = { name: 'A', email: 'a@example.org', role: 'member' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => own.api('POST', '/members', body)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array(9).fill(409)]);
  });

  it.each([
    [{ email: 'not an address' }, '/email'],
    [{ role: 'owner' }, '/role'],
    [{ name: '' }, '/name'],
    [{ id: unknownId }, '/id'],
  ])('400 for %j', async (fields, path) => {
    const body = { name: 'Ada', email: 'ada@example.org', role: 'member', ...fields };
    const { status, body: error } = await own.api('POST', '/members', body);
    expect(status).toBe(400);
    expect(error.details.issues[0].path).toBe(path);
  });
});

describe('PATCH /members/:userId', () => {
  it('changes name and role, and the new role holds with the next request', async () => {
    const { id } = await createMember();
    const api = await clientOf(id);
    await createProject(api);
    expect(await ok(own.api('PATCH', `/members/${id}`, { role: 'viewer', name: 'Ada L.' }))).toMatchObject({
      role: 'viewer',
      name: 'Ada L.',
    });
    expect((await api('POST', '/projects', { name: 'P', description: '' })).status).toBe(403);
  });

  it('409 when it would leave no admin', async () => {
    const answer = await own.api('PATCH', `/members/${own.memberId}`, { role: 'member' });
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', details: { memberId: own.memberId } },
    });
    await createMember({ role: 'admin' });
    await ok(own.api('PATCH', `/members/${own.memberId}`, { role: 'member' }));
  });

  it('409 for one of two admins who step down at the same moment', async () => {
    const other = await createMember({ role: 'admin' });
    const api = await clientOf(other.id);
    const statuses = await Promise.all([
      own.api('PATCH', `/members/${own.memberId}`, { role: 'member' }),
      api('PATCH', `/members/${other.id}`, { role: 'member' }),
    ]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('404 for an unknown member, 400 for an empty body', async () => {
    expect((await own.api('PATCH', `/members/${unknownId}`, { name: 'X' })).status).toBe(404);
    expect((await own.api('PATCH', `/members/${own.memberId}`, {})).status).toBe(400);
  });
});

describe('DELETE /members/:userId', () => {
  it('ends their keys at once; what they wrote stays under their id, their assignments go', async () => {
    const { id } = await createMember();
    const api = await clientOf(id);
    const project = await createProject(own.api);
    const record = await createRecord(own.api, (await createRun(own.api, project.id, [])).id);
    const annotation = await ok(api('POST', `/records/${record.id}/annotations`, { rating: true }), 201);
    const tag = await ok(api('POST', `/records/${record.id}/tags`, { text: 't' }), 201);
    await ok(own.api('POST', `/records/${record.id}/assignees`, { assigneeUserId: id }), 201);

    await ok(own.api('DELETE', `/members/${id}`));
    expect((await api('GET', '/me')).status).toBe(401);
    expect((await own.api('GET', `/members/${id}`)).status).toBe(404);
    expect((await ok(own.api('GET', `/records/${record.id}/annotations`))).data).toEqual([annotation]);
    expect((await ok(own.api('GET', `/records/${record.id}/tags`))).data).toEqual([tag]);
    expect((await ok(own.api('GET', `/records/${record.id}/assignees`))).data).toEqual([]);
  });

  it('409 for the last admin', async () => {
    expect((await own.api('DELETE', `/members/${own.memberId}`)).status).toBe(409);
  });
});

it('GET /me returns the member and organization of the key, and the rights of the role', async () => {
  const { id } = await createMember();
  const me = await ok((await clientOf(id))('GET', '/me'));
  expect(me).toMatchObject({
    organization: { id: String(own.organizationId), name: 'Test' },
    user: { id, role: 'member' },
    rights: ['read', 'review', 'write'],
    key: { name: 'K', access: 'full', expiresAt: null },
  });
});

it.each(Object.entries(rightsOfRole))(
  'GET /me says what the role %s lets its member do',
  async (role, rights) => {
    const { id } = await createMember({ role });
    expect((await ok((await clientOf(id))('GET', '/me'))).rights).toEqual(rights);
  },
);
