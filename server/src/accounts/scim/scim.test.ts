import { beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../../../test/fixtures.ts';
import type { Organization } from '../../../test/harness.ts';
import { openApp } from '../../../test/opened.ts';
import { insertKey } from '../keys/queries.ts';
import { readFilter } from './filter.ts';

/** The request bodies are those of Okta's and Microsoft's documentation, with ids filled in. */

const { app, own } = await openApp({ DOKIMA_GROUP_ROLES: 'dokima-admins:admin,ml:member' });
let stranger: Organization;
let scim: Scim;
let foreign: Scim;

type Result = {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read resources of every shape.
  body: any;
  type: string;
};
type Scim = (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
) => Promise<Result>;

const scimWith =
  (token: string): Scim =>
  async (method, path, body) => {
    const {
      statusCode,
      body: text,
      headers,
    } = await app.app.inject({
      method,
      url: `/scim/v2${path}`,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/scim+json' }),
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    return { status: statusCode, body: text && JSON.parse(text), type: String(headers['content-type']) };
  };

const scimOf = async ({ api }: Organization): Promise<Scim> =>
  scimWith((await ok(api('POST', '/scim-tokens', { name: 'Okta' }), 201)).token);

beforeAll(async () => {
  stranger = await app.organization();
  scim = await scimOf(own);
  foreign = await scimOf(stranger);
});

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const patchOf = (...Operations: unknown[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
});

let count = 0;
/** What Okta sends when a person is assigned to the application. */
const oktaUser = () => {
  count += 1;
  const userName = `test.user${count}@okta.local`;
  return {
    schemas: [userSchema],
    userName,
    name: { givenName: 'Test', familyName: 'User' },
    emails: [{ primary: true, value: userName, type: 'work' }],
    displayName: 'Test User',
    locale: 'en-US',
    externalId: `00ujl29u0le5T6Aj${count}`,
    groups: [],
    password: '1mz050nq',
    active: true,
  };
};
/** What Entra ID sends to create a user. */
const entraUser = () => {
  count += 1;
  return {
    schemas: [userSchema, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
    externalId: `0a21f0f2-8d2a-4f8e-bf98-${count}`,
    userName: `Test_User_ab6490ee-${count}`,
    active: true,
    emails: [{ primary: true, type: 'work', value: `Test_User_${count}@testuser.com` }],
    meta: { resourceType: 'User' },
    name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
    roles: [],
  };
};
const made = async (result: Promise<Result>) => {
  const { status, body } = await result;
  expect(`${status} ${JSON.stringify(body)}`).toMatch(/^201 /);
  return body;
};
const filtered = (filter: string) =>
  scim('GET', `/Users?filter=${encodeURIComponent(filter)}&startIndex=1&count=100`);
const roleOf = async (id: string) => (await ok(own.api('GET', `/members/${id}`))).role;

describe('what no directory should send', () => {
  it('finds no one by a name that only folds into theirs', async () => {
    await scim('POST', '/Users', { userName: 'kim.fold@corp.example' });
    for (const attribute of ['userName', 'emails.value']) {
      const filter = encodeURIComponent(`${attribute} eq "\u212aim.fold@corp.example"`);
      expect((await scim('GET', `/Users?filter=${filter}`)).body.totalResults).toBe(0);
    }
  });

  it.each(['"\\u0000"', '"\\q"', '"\\u00"', '"a\tb"', '"\\ud800\\u0000"'])(
    'the filter userName eq %s is 400, not 500',
    async (value) => {
      const answer = await filtered(`userName eq ${value}`);
      expect([answer.status, answer.body.scimType]).toEqual([400, 'invalidFilter']);
    },
  );

  it.each(['', 'x'.repeat(501), 'a\0b', { a: 1 }, null, 7])(
    'a group cannot be named %j',
    async (displayName) => {
      const group = await made(
        scim('POST', '/Groups', { schemas: [groupSchema], displayName: `Kept ${count++}`, members: [] }),
      );
      const byPath = patchOf({ op: 'replace', path: 'displayName', value: displayName });
      const whole = patchOf({ op: 'replace', value: { displayName } });
      for (const body of [byPath, whole])
        expect((await scim('PATCH', `/Groups/${group.id}`, body)).body).toMatchObject({ status: '400' });
      const posted = { schemas: [groupSchema], displayName, members: [] };
      expect((await scim('POST', '/Groups', posted)).body).toMatchObject({ status: '400' });
      expect((await scim('GET', `/Groups/${group.id}`)).body.displayName).toMatch(/^Kept /);
    },
  );

  it('an address that folding makes another person’s', async () => {
    const answer = await scim('POST', '/Users', {
      ...oktaUser(),
      userName: '\u212aim@example.org',
      emails: [],
    });
    expect([answer.status, answer.body.scimType]).toEqual([400, 'invalidValue']);
  });
});

describe('Okta', () => {
  it('looks a person up, creates them, and finds them by userName in any case', async () => {
    const user = oktaUser();
    expect((await filtered(`userName eq "${user.userName}"`)).body).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 0,
      startIndex: 1,
      itemsPerPage: 0,
      Resources: [],
    });
    const { status, body, type } = await scim('POST', '/Users', user);
    expect(status).toBe(201);
    expect(type).toBe('application/scim+json; charset=utf-8');
    expect(body).toMatchObject({
      schemas: [userSchema],
      userName: user.userName,
      externalId: user.externalId,
      name: { formatted: 'Test User', givenName: 'Test', familyName: 'User' },
      emails: [{ value: user.userName, primary: true, type: 'work' }],
      active: true,
      meta: { resourceType: 'User', location: expect.stringContaining(`/scim/v2/Users/`) },
    });
    expect(JSON.stringify(body)).not.toContain('1mz050nq');
    const found = await filtered(`userName eq "${user.userName.toUpperCase()}"`);
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id: body.id }] });
    expect((await scim('GET', `/Users/${body.id}`)).body).toEqual(body);
    const { data: entries } = await ok(own.api('GET', `/audit-events?resourceId=${body.id}`));
    expect(entries).toMatchObject([{ userName: 'SCIM token Okta' }]);
    const member = await ok(own.api('GET', `/members/${body.id}`));
    expect(member).toMatchObject({ email: user.userName, name: 'Test User', role: 'viewer', active: true });
    expect((await scim('POST', '/Users', user)).body).toMatchObject({
      status: '409',
      scimType: 'uniqueness',
    });
  });

  it('updates a person with PUT, and deactivates them with PATCH: keys and sessions end at once', async () => {
    const user = oktaUser();
    const { id } = await made(scim('POST', '/Users', user));
    const changed = {
      ...user,
      id,
      name: { givenName: 'Another', familyName: 'User' },
      displayName: 'Another User',
    };
    expect((await scim('PUT', `/Users/${id}`, changed)).body).toMatchObject({
      name: { givenName: 'Another' },
      displayName: 'Another User',
    });
    const link = await ok(own.api('POST', `/members/${id}/sign-in-links`), 201);
    const token = link.url.slice(link.url.indexOf('#') + 1);
    const anonymous = own.as(undefined);
    const password = 'correct horse battery';
    const signed = await anonymous('POST', '/sign-in-links/redeem', { token, password });
    const cookie = String(signed.headers['set-cookie']).split(';')[0]!;
    const key = `ak_of_provisioned_${count}_${'x'.repeat(20)}`;
    await app.db.transaction(own, (tx) =>
      insertKey(tx, { organizationId: own.organizationId, memberId: id }, crypto.randomUUID(), key, {
        name: 'k',
        access: 'full',
        expiresAt: null,
      }),
    );
    const status = async () => [
      (await own.as(key)('GET', '/me')).status,
      (await anonymous('GET', '/me', undefined, { headers: { cookie } })).status,
      (await anonymous('POST', '/sign-ins', { email: user.userName, password })).status,
    ];
    expect(await status()).toEqual([200, 200, 201]);
    const off = patchOf({ op: 'replace', value: { active: false } });
    expect((await scim('PATCH', `/Users/${id}`, off)).body.active).toBe(false);
    expect(await status()).toEqual([401, 401, 401]);
    expect((await filtered('active eq false')).body.Resources.map((one: { id: string }) => one.id)).toContain(
      id,
    );
    const on = patchOf({ op: 'replace', value: { active: true } });
    expect((await scim('PATCH', `/Users/${id}`, on)).body.active).toBe(true);
    // The password works again; what was ended stays ended.
    expect(await status()).toEqual([401, 401, 201]);
  });

  it('pushes groups, whose members get their roles', async () => {
    const [one, two] = [
      await made(scim('POST', '/Users', oktaUser())),
      await made(scim('POST', '/Users', oktaUser())),
    ];
    const group = await made(
      scim('POST', '/Groups', { schemas: [groupSchema], displayName: 'Test SCIMv2', members: [] }),
    );
    await scim(
      'PATCH',
      `/Groups/${group.id}`,
      patchOf({ op: 'replace', value: { id: group.id, displayName: 'ml' } }),
    );
    const added = patchOf(
      { op: 'remove', path: `members[value eq "${one.id}"]` },
      { op: 'add', path: 'members', value: [{ value: two.id, display: two.userName }] },
    );
    const { body } = await scim('PATCH', `/Groups/${group.id}`, added);
    expect(body).toMatchObject({ displayName: 'ml', members: [{ value: two.id, display: 'Test User' }] });
    expect([await roleOf(one.id), await roleOf(two.id)]).toEqual(['viewer', 'member']);
    const replaced = {
      schemas: [groupSchema],
      id: group.id,
      displayName: 'ml',
      members: [{ value: one.id }],
    };
    await scim('PUT', `/Groups/${group.id}`, replaced);
    expect([await roleOf(one.id), await roleOf(two.id)]).toEqual(['member', 'viewer']);
    const deleted = await scim('DELETE', `/Groups/${group.id}`);
    expect(deleted).toMatchObject({ status: 204, body: '' });
    expect(await roleOf(one.id)).toBe('viewer');
    expect((await scim('GET', `/Groups/${group.id}`)).status).toBe(404);
  });
});

describe('Entra ID', () => {
  it('creates a person whose userName is not an address, and finds them by externalId', async () => {
    const user = entraUser();
    const { id, userName } = await made(scim('POST', '/Users', user));
    expect(userName).toBe(user.userName);
    for (const filter of [
      `externalId eq "${user.externalId}"`,
      `userName eq "${user.userName}"`,
      `emails[type eq "work"].value eq "${user.emails[0]!.value}"`,
      `userName eq "${user.userName}" and active eq true`,
    ])
      expect((await filtered(filter)).body.Resources).toMatchObject([{ id }]);
    expect((await filtered('userName eq "non-existent user"')).body.totalResults).toBe(0);
  });

  it('updates properties one by one', async () => {
    const { id } = await made(scim('POST', '/Users', entraUser()));
    const several = patchOf(
      { op: 'Replace', path: 'emails[type eq "work"].value', value: `updated${count}@microsoft.com` },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
      { op: 'Add', path: 'title', value: 'Engineer' },
      {
        op: 'Add',
        path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
        value: 'Research',
      },
    );
    expect((await scim('PATCH', `/Users/${id}`, several)).body).toMatchObject({
      emails: [{ value: `updated${count}@microsoft.com` }],
      name: { familyName: 'updatedFamilyName', givenName: 'givenName' },
    });
    const single = patchOf({ op: 'Replace', path: 'userName', value: `5b50642d-${count}@contoso.com` });
    expect((await scim('PATCH', `/Users/${id}`, single)).body.userName).toBe(`5b50642d-${count}@contoso.com`);
    const dotted = patchOf({ op: 'replace', value: { 'name.givenName': 'Dotted', displayName: 'Shown' } });
    expect((await scim('PATCH', `/Users/${id}`, dotted)).body).toMatchObject({
      name: { givenName: 'Dotted' },
      displayName: 'Shown',
    });
  });

  it.each([false, 'False'])('disables a person with %j, and deletes them', async (value) => {
    const { id } = await made(scim('POST', '/Users', entraUser()));
    const off = patchOf({ op: 'Replace', path: 'active', value });
    expect((await scim('PATCH', `/Users/${id}`, off)).body.active).toBe(false);
    expect(await scim('DELETE', `/Users/${id}`)).toMatchObject({ status: 204, body: '' });
    expect((await scim('GET', `/Users/${id}`)).status).toBe(404);
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(404);
  });

  it('creates a group, reads it without members, and adds and removes them', async () => {
    const user = await made(scim('POST', '/Users', entraUser()));
    const displayName = `displayName${count}`;
    const group = await made(
      scim('POST', '/Groups', {
        schemas: [groupSchema, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
        externalId: `8aa1a0c0-c4c3-4bc0-b4a5-${count}`,
        displayName,
        meta: { resourceType: 'Group' },
      }),
    );
    const found = await scim(
      'GET',
      `/Groups?excludedAttributes=members&filter=${encodeURIComponent(`displayName eq "${displayName}"`)}`,
    );
    expect(found.body.Resources).toMatchObject([{ id: group.id, displayName }]);
    expect(found.body.Resources[0]).not.toHaveProperty('members');
    const rename = patchOf({ op: 'Replace', path: 'displayName', value: `dokima-admins` });
    await scim('PATCH', `/Groups/${group.id}`, rename);
    const add = patchOf({ op: 'Add', path: 'members', value: [{ $ref: null, value: user.id }] });
    expect((await scim('PATCH', `/Groups/${group.id}`, add)).body.members).toMatchObject([
      { value: user.id },
    ]);
    expect(await roleOf(user.id)).toBe('admin');
    const remove = patchOf({ op: 'Remove', path: 'members', value: [{ $ref: null, value: user.id }] });
    expect((await scim('PATCH', `/Groups/${group.id}`, remove)).body.members).toEqual([]);
    expect(await roleOf(user.id)).toBe('viewer');
    await scim('DELETE', `/Groups/${group.id}`);
  });
});

describe('the protocol', () => {
  it('describes itself', async () => {
    const { body } = await scim('GET', '/ServiceProviderConfig');
    expect(body).toMatchObject({
      patch: { supported: true },
      filter: { supported: true },
      bulk: { supported: false },
    });
    const types = await scim('GET', '/ResourceTypes');
    expect(types.body.Resources.map(({ id }: { id: string }) => id)).toEqual(['User', 'Group']);
    expect((await scim('GET', '/ResourceTypes/User')).body.endpoint).toBe('/Users');
    expect((await scim('GET', '/Schemas')).body.totalResults).toBe(2);
    expect((await scim('GET', `/Schemas/${userSchema}`)).body.attributes[0]).toMatchObject({
      name: 'userName',
      required: true,
      uniqueness: 'server',
    });
  });

  it('gives pages from index 1 on', async () => {
    const all = await scim('GET', '/Users?count=200');
    const second = await scim('GET', '/Users?startIndex=2&count=1');
    expect(second.body).toMatchObject({
      totalResults: all.body.totalResults,
      startIndex: 2,
      itemsPerPage: 1,
    });
    expect(second.body.Resources).toEqual([all.body.Resources[1]]);
    expect((await scim('GET', '/Users?count=0')).body).toMatchObject({
      totalResults: all.body.totalResults,
      Resources: [],
    });
  });

  it.each([
    [
      'a filter that it does not know',
      'GET',
      '/Users?filter=userName%20sw%20%22a%22',
      undefined,
      'invalidFilter',
    ],
    [
      'an attribute that it does not filter by',
      'GET',
      '/Users?filter=title%20eq%20%22a%22',
      undefined,
      'invalidFilter',
    ],
    ['a user without userName', 'POST', '/Users', { schemas: [userSchema] }, 'invalidValue'],
    ['a user without an address', 'POST', '/Users', { userName: 'ada' }, 'invalidValue'],
    ['a group without a name', 'POST', '/Groups', { members: [] }, 'invalidValue'],
  ] as const)('400 for %s', async (_name, method, path, body, scimType) => {
    const answer = await scim(method, path, body);
    expect(answer.body).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '400',
      scimType,
      detail: expect.any(String),
    });
  });

  it('reads filters with and, quotes and any case of eq', () => {
    expect(readFilter('userName EQ "a \\"b\\"" AND active eq True')).toEqual([
      { attribute: 'username', value: 'a "b"' },
      { attribute: 'active', value: true },
    ]);
    expect(() => readFilter('userName eq "a" or active eq true')).toThrow(
      'The filter must be "attribute eq value"',
    );
  });

  it('keeps the last admin', async () => {
    const { data } = await ok(own.api('GET', '/members?limit=100'));
    const admin = data.find(({ role }: { role: string }) => role === 'admin');
    const off = patchOf({ op: 'replace', value: { active: false } });
    expect((await scim('PATCH', `/Users/${admin.id}`, off)).status).toBe(409);
    expect((await scim('DELETE', `/Users/${admin.id}`)).status).toBe(409);
  });
});

describe('a token', () => {
  it('opens SCIM of its organization and nothing else', async () => {
    const user = await made(scim('POST', '/Users', oktaUser()));
    const group = await made(scim('POST', '/Groups', { displayName: `G${count}` }));
    for (const [method, path, body] of [
      ['GET', `/Users/${user.id}`],
      ['PATCH', `/Users/${user.id}`, patchOf({ op: 'replace', value: { active: false } })],
      ['DELETE', `/Users/${user.id}`],
      ['GET', `/Groups/${group.id}`],
      ['PATCH', `/Groups/${group.id}`, patchOf({ op: 'replace', value: { displayName: 'x' } })],
      ['DELETE', `/Groups/${group.id}`],
    ] as const)
      expect((await foreign(method, path, body)).status).toBe(404);
    const members = patchOf({ op: 'add', path: 'members', value: [{ value: user.id }] });
    const theirs = await made(foreign('POST', '/Groups', { displayName: 'Theirs' }));
    expect((await foreign('PATCH', `/Groups/${theirs.id}`, members)).body.members).toEqual([]);
    expect((await foreign('GET', '/Users')).body.totalResults).toBe(1);
  });

  it('401 without one, with a key, and once it is revoked; a token opens nothing of the API', async () => {
    const created = await ok(own.api('POST', '/scim-tokens', { name: 'T' }), 201);
    expect(created.url).toMatch(/\/scim\/v2$/);
    const once = scimWith(created.token);
    expect((await once('GET', '/Users')).status).toBe(200);
    const listed = (await ok(own.api('GET', '/scim-tokens'))).data;
    expect(listed.find(({ id }: { id: string }) => id === created.id).lastUsedAt).not.toBeNull();
    expect(JSON.stringify(listed)).not.toContain(created.token);
    await ok(own.api('DELETE', `/scim-tokens/${created.id}`));
    for (const token of [created.token, own.key, 'scim_x', ''])
      expect((await scimWith(token)('GET', '/Users')).body.status).toBe('401');
    expect((await own.as(created.token)('GET', '/me')).status).toBe(401);
  });
});
