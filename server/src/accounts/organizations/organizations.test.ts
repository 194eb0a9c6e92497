import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../../../test/fixtures.ts';
import { type Answer, type Client, startApp, type TestApp } from '../../../test/harness.ts';
import { enter } from '../../../test/sign-in.ts';

const operatorKey = 'operator-key-of-tests-0123456789-abc';
const password = 'correct horse battery';

let app: TestApp;
let operator: Client;
let anonymous: Client;

beforeAll(async () => {
  app = await startApp({ DOKIMA_OPERATOR_KEY: operatorKey });
  const { as } = await app.organization();
  operator = as(operatorKey);
  anonymous = as(undefined);
});
afterAll(() => app.close());

const tokenOf = ({ url }: { url: string }) => url.slice(url.indexOf('#') + 1);
const cookieOf = ({ headers }: Answer) => String(headers['set-cookie']).split(';')[0]!;
const withCookie =
  (cookie: string): Client =>
  (method, path, body) =>
    anonymous(method, path, body, { headers: { cookie, 'x-requested-with': 'Dokima' } });
const browserOf = (answer: Answer): Client => withCookie(cookieOf(answer));

const create = (name: string, adminEmail: string) =>
  ok(operator('POST', '/organizations', { name, adminEmail }), 201);
/** A new organization whose admin has chosen a password. */
const found = async (name: string, adminEmail: string, chosen = password) => {
  const { organization, user } = await create(name, adminEmail);
  const candidate = { organizationId: BigInt(organization.id), memberId: user.id };
  const browser = withCookie(await enter(app.db, candidate, chosen));
  return { id: organization.id as string, member: user, browser };
};

const signIn = (email: string, withPassword = password) =>
  anonymous('POST', '/sign-ins', { email, password: withPassword });
const to = (browser: Client, organizationId: string) =>
  browser('PUT', '/sign-ins/current/organization', { organizationId });
const namesOf = ({ body }: Answer) => body.organizations.map(({ name }: { name: string }) => name);

describe('the operator', () => {
  it('creates organizations, lists and renames them', async () => {
    const made = await create('Search', 'search@example.org');
    const { id } = made.organization;
    const redeemed = { token: tokenOf(made.signInLink), password };
    const { user: member } = await ok(anonymous('POST', '/sign-in-links/redeem', redeemed), 201);
    expect(member).toMatchObject({ email: 'search@example.org', role: 'admin' });
    expect(await ok(operator('PATCH', `/organizations/${id}`, { name: 'Find' }))).toMatchObject({
      name: 'Find',
      numMembers: 1,
    });
    const { data } = await ok(operator('GET', '/organizations?limit=100'));
    expect(data.find((one: { id: string }) => one.id === id).name).toBe('Find');
    expect((await operator('PATCH', '/organizations/999999999', { name: 'x' })).status).toBe(404);
  });

  it('makes a link for a member who cannot sign in, of that organization alone', async () => {
    const { id, member } = await found('Links', 'links@example.org');
    const link = await ok(
      operator('POST', `/organizations/${id}/sign-in-links`, { email: 'Links@example.org' }),
      201,
    );
    const target = await ok(anonymous('POST', '/sign-in-links/find', { token: tokenOf(link) }));
    expect(target.user.id).toBe(member.id);
    const other = await found('Others', 'others@example.org');
    const wrong = await operator('POST', `/organizations/${other.id}/sign-in-links`, {
      email: 'links@example.org',
    });
    expect(wrong.status).toBe(404);
  });

  it('leaves an entry of each write in the audit log of the organization, without the link', async () => {
    const { id, member, browser } = await found('Logged', 'logged@example.org');
    await ok(operator('PATCH', `/organizations/${id}`, { name: 'Renamed' }));
    const link = await ok(
      operator('POST', `/organizations/${id}/sign-in-links`, { email: 'logged@example.org' }),
      201,
    );
    const { data } = await ok(browser('GET', '/audit-events'));
    const entries = data.filter(({ resource }: { resource: string }) => resource === 'Operator');
    expect(entries).toMatchObject([
      { operation: 'createOperatorLink', resourceId: member.id, userId: null, address: '127.0.0.1' },
      { operation: 'updateOrganization', before: { name: 'Logged' }, after: { name: 'Renamed' } },
      { operation: 'createOrganization', resourceId: id, after: { name: 'Logged' } },
    ]);
    expect(JSON.stringify(data)).not.toContain(tokenOf(link));
  });

  it('is not a member: the key opens nothing else, and no other key opens the operator’s routes', async () => {
    expect((await operator('GET', '/projects')).status).toBe(401);
    expect((await operator('GET', '/me')).status).toBe(401);
    const { api, as } = await app.organization();
    for (const client of [api, as(undefined), as(`${operatorKey}x`), as(operatorKey.slice(1))]) {
      expect((await client('GET', '/organizations')).status).toBe(401);
      expect((await client('POST', '/organizations', { name: 'x', adminEmail: 'a@b' })).status).toBe(401);
    }
    const without = await startApp();
    const { as: elsewhere } = await without.organization();
    expect((await elsewhere('')('GET', '/organizations')).status).toBe(401);
    expect((await elsewhere('undefined')('GET', '/organizations')).status).toBe(401);
  });
});

describe('PATCH /organization', () => {
  it('renames one’s own organization, for admins, with an entry in the audit log', async () => {
    const { browser } = await found('Old name', 'renamer@example.org');
    const { body } = await browser('PATCH', '/organization', { name: 'New name' });
    expect(body).toMatchObject({ name: 'New name', numMembers: 1 });
    expect((await ok(browser('GET', '/me'))).organization).toMatchObject({ name: 'New name' });
    const { data } = await ok(browser('GET', '/audit-events'));
    expect(data[0]).toMatchObject({
      operation: 'updateMyOrganization',
      before: { name: 'Old name' },
      after: { name: 'New name' },
    });
    for (const wrong of [{}, { name: '' }, { judgeModelName: '' }])
      expect((await browser('PATCH', '/organization', wrong)).status).toBe(400);
    const { person } = await app.organization();
    const { api } = await person();
    expect((await api('PATCH', '/organization', { name: 'x' })).status).toBe(403);
  });
});

describe('a person in several organizations', () => {
  it('signs in once with the password that is the same, and switches', async () => {
    const [a, b] = [await found('A1', 'ada@example.org'), await found('B1', 'ada@example.org')];
    await found('C1', 'ada@example.org', 'another password');
    const session = await signIn('Ada@example.org');
    expect(namesOf(session)).toEqual(['A1', 'B1']);
    const browser = browserOf(session);
    expect((await ok(browser('GET', '/me'))).organization.name).toBe('A1');
    const switched = await to(browser, b.id);
    expect(switched.status).toBe(200);
    expect(switched.body.user.id).toBe(b.member.id);
    // The session was replaced: it is bound to one member.
    expect((await browser('GET', '/me')).status).toBe(401);
    const inB = browserOf(switched);
    expect((await ok(inB('GET', '/me'))).organization.name).toBe('B1');
    const { organizations } = await ok(inB('GET', '/me'));
    expect(organizations).toMatchObject([
      { name: 'A1', current: false },
      { name: 'B1', current: true },
    ]);
    expect((await to(inB, a.id)).status).toBe(200);
  });

  it('404 for an organization where another password is set, for a foreign and an unknown one, in the same words', async () => {
    await found('A2', 'bob@example.org');
    const b = await found('B2', 'bob@example.org', 'another password');
    const foreign = await found('F2', 'eve@example.org');
    const browser = browserOf(await signIn('bob@example.org'));
    for (const id of [b.id, foreign.id, '999999999']) {
      const { status, body } = await to(browser, id);
      expect({ status, message: body.message.replace(id, 'ID') }).toEqual({
        status: 404,
        message: expect.stringContaining('ID'),
      });
    }
    expect((await ok(browser('GET', '/me'))).organization.name).toBe('A2');
  });

  it('is not taken over by the admin of one of them: a link there opens that organization alone', async () => {
    const victim = await found('A3', 'victim@example.org');
    const attacker = await found('B3', 'attacker@example.org');
    const planted = await ok(
      attacker.browser('POST', '/members', { name: 'V', email: 'victim@example.org', role: 'admin' }),
      201,
    );
    const link = await ok(attacker.browser('POST', `/members/${planted.id}/sign-in-links`), 201);
    const redeemed = await anonymous('POST', '/sign-in-links/redeem', {
      token: tokenOf(link),
      password: 'the attacker knows it',
    });
    expect(namesOf(redeemed)).toEqual(['B3']);
    expect((await to(browserOf(redeemed), victim.id)).status).toBe(404);
    const again = await signIn('victim@example.org', 'the attacker knows it');
    expect(namesOf(again)).toEqual(['B3']);
    expect((await to(browserOf(again), victim.id)).status).toBe(404);
  });

  it('cannot switch to a member whose password was set after the sign-in', async () => {
    const a = await found('A4', 'carl@example.org');
    const b = await found('B4', 'carl@example.org');
    const browser = browserOf(await signIn('carl@example.org'));
    const link = await ok(b.browser('POST', `/members/${b.member.id}/sign-in-links`), 201);
    await ok(anonymous('POST', '/sign-in-links/redeem', { token: tokenOf(link), password }), 201);
    expect((await to(browser, b.id)).status).toBe(404);
    expect((await to(browser, a.id)).status).toBe(200);
  });

  it('changes the password in all of them at once, and ends the other sessions', async () => {
    const a = await found('A5', 'dora@example.org');
    const b = await found('B5', 'dora@example.org');
    const browser = browserOf(await signIn('dora@example.org'));
    const change = { currentPassword: password, newPassword: 'the new password' };
    await ok(browser('PUT', '/me/password', change));
    for (const ended of [a.browser, b.browser]) expect((await ended('GET', '/me')).status).toBe(401);
    expect((await signIn('dora@example.org')).status).toBe(401);
    expect(namesOf(await signIn('dora@example.org', 'the new password'))).toEqual(['A5', 'B5']);
    expect((await to(browser, b.id)).status).toBe(200);
  });

  it('403 for a key, which is shown none: it belongs to one organization', async () => {
    const { api, organizationId } = await app.organization();
    expect((await ok(api('GET', '/me'))).organizations).toEqual([]);
    expect((await to(api, String(organizationId))).status).toBe(403);
  });
});
