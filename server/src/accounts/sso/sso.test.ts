import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { certificate } from '../../../test/certificate.ts';
import { ok } from '../../../test/fixtures.ts';
import { type Client, type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { type Identities, publicUrl, startIdentities } from '../../../test/identity.ts';
import { insidePath } from './routes.ts';

let identities: Identities;
let app: TestApp;
/** The oldest organization, which people join. */
let home: Organization;
let other: Organization;

const operatorKey = 'operator-key-of-tests-0123456789-abc';

beforeAll(async () => {
  identities = await startIdentities();
  app = await startApp({
    ...identities.settings,
    DOKIMA_OPERATOR_KEY: operatorKey,
    DOKIMA_GROUP_ROLES: 'dokima-admins:admin, ml:member',
  });
  home = await app.organization();
  other = await app.organization();
});
beforeEach(() => {
  identities.forge = undefined;
  identities.signs = 'rightly';
});
afterAll(async () => {
  await app.close();
  await identities.close();
});

let count = 0;
/** Someone whom the provider knows. */
const person = (claims: Record<string, unknown> = {}) => {
  count += 1;
  identities.person = {
    sub: `sub-${count}`,
    email: `person${count}@example.org`,
    email_verified: true,
    name: `Person ${count}`,
    groups: ['ml'],
    ...claims,
  };
  return identities.person;
};

type Visit = { status: number; location: string; cookies: string[] };
/** Each from its own address: there is a limit for each address. */
const get = async (url: string, cookie = '', service = app): Promise<Visit> => {
  count += 1;
  const { statusCode, headers } = await service.app.inject({
    url,
    headers: { cookie },
    remoteAddress: `2001:db8:${count.toString(16)}::1`,
  });
  const cookies = ([headers['set-cookie']].flat() as (string | undefined)[]).filter(
    (set) => set !== undefined,
  );
  return { status: statusCode, location: String(headers.location), cookies };
};
const flowOf = ({ cookies }: Visit) => cookies.find((set) => set.startsWith('dokima_sso='))!.split(';')[0]!;
const pathOf = (url: URL) => url.pathname + url.search;

/** Signs in as a browser does, up to the address that the provider leads back to. */
const upToCallback = async (next = '/', service = app, change = (url: string) => url) => {
  const started = await get(`/sso/start?next=${encodeURIComponent(next)}`, '', service);
  expect(started.status).toBe(302);
  const back = await identities.visit(change(started.location));
  return { back, flow: flowOf(started) };
};
const signIn = async (next = '/', service = app, session = '') => {
  const { back, flow } = await upToCallback(next, service);
  return get(pathOf(back), [flow, session].join('; '), service);
};
const problemOf = ({ location, cookies }: Visit) => {
  expect(cookies.some((set) => set.startsWith('dokima_session='))).toBe(false);
  return new URL(location).searchParams.get('problem');
};
const sessionOf = ({ cookies }: Visit) =>
  cookies.find((set) => set.startsWith('dokima_session='))!.split(';')[0]!;
const browserOf = (visit: Visit, as: Organization['as'] = home.as): Client => {
  const cookie = sessionOf(visit);
  return (method, path, body) =>
    as(undefined)(method, path, body, { headers: { cookie, 'x-requested-with': 'Dokima' } });
};
const joinedOf = (organizations: { id: string; joined: boolean }[]) =>
  Object.fromEntries(organizations.map(({ id, joined }) => [id, joined]));
const me = async (visit: Visit) => ok(browserOf(visit)('GET', '/me'));

describe('signing in at a provider', () => {
  it('makes a member with the role of their group, and leads to the page that was asked for', async () => {
    const { email } = person({ groups: ['other', 'ml'] });
    const signed = await signIn('/projects/1?q=a%20b#c');
    expect(signed.location).toBe(`${publicUrl}/projects/1?q=a%20b#c`);
    expect(signed.cookies.join()).toMatch(/dokima_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax/);
    expect(await me(signed)).toMatchObject({
      organization: { id: String(home.organizationId) },
      user: { email, name: `Person ${identities.person.sub.slice(4)}`, role: 'member' },
    });
  });

  it('may begin at a process whose clock is an hour slow, and end at another', async () => {
    person();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
    const started = await get('/sso/start').finally(() => vi.useRealTimers());
    const back = await identities.visit(started.location);
    const signed = await get(pathOf(back), flowOf(started));
    expect((await me(signed)).user.role).toBe('member');
  });

  it('is the same member the next time, with the role that their groups have then', async () => {
    person({ groups: ['dokima-admins', 'ml'] });
    const first = await me(await signIn());
    expect(first.user.role).toBe('admin');
    identities.person = { ...identities.person, groups: ['ml'] };
    const second = await me(await signIn());
    expect(second.user).toMatchObject({ id: first.user.id, role: 'member' });
    identities.person = { ...identities.person, email: 'married@example.org' };
    expect((await me(await signIn())).user.id).toBe(first.user.id);
  });

  it('is refused when no group has a role any more, or the claim is missing', async () => {
    person();
    await signIn();
    identities.person = { ...identities.person, groups: ['other'] };
    expect(problemOf(await signIn())).toBe('no-group');
    identities.person = { ...identities.person, groups: undefined };
    expect(problemOf(await signIn())).toBe('no-group');
    identities.person = { ...identities.person, groups: undefined, _claim_names: { groups: 'src1' } };
    identities.forge = (claims) => ({ ...claims, _claim_names: { groups: 'src1' } });
    expect(problemOf(await signIn())).toBe('too-many-groups');
  });

  it('counts the groups of SCIM too, and lets in whom it provisions without one', async () => {
    const { email } = person({ groups: [] });
    const { token } = await ok(home.api('POST', '/scim-tokens', { name: 'S' }), 201);
    const scim = async (url: string, payload: object) => {
      const headers = { authorization: `Bearer ${token}` };
      const { body } = await app.app.inject({ method: 'POST', url: `/scim/v2${url}`, headers, payload });
      return JSON.parse(body);
    };
    const user = await scim('/Users', { userName: email });
    expect((await me(await signIn())).user).toMatchObject({ id: user.id, role: 'viewer' });
    await scim('/Groups', { displayName: 'ml', members: [{ value: user.id }] });
    expect((await me(await signIn())).user).toMatchObject({ id: user.id, role: 'member' });
  });

  it('finds members by their verified address in any case, in every organization, and asks before it joins one', async () => {
    const { email } = person({ email: 'Mixed.Case@Example.org' });
    const invited = { name: 'Mixed', email: 'mixed.case@example.org', role: 'viewer' };
    const member = await ok(other.api('POST', '/members', invited), 201);
    const signed = await signIn();
    const { organizations } = await ok(browserOf(signed)('GET', '/me'));
    expect(organizations.map(({ id }: { id: string }) => id).sort()).toEqual(
      [home, other].map(({ organizationId }) => String(organizationId)).sort(),
    );
    const id = String(other.organizationId);
    expect(joinedOf(organizations)).toEqual({ [String(home.organizationId)]: true, [id]: false });
    const switching = (body: object, visit = signed) =>
      browserOf(visit)('PUT', '/sign-ins/current/organization', body);
    expect((await switching({ organizationId: id })).status).toBe(409);
    const switched = await ok(switching({ organizationId: id, join: true }));
    expect(joinedOf(switched.organizations)).toEqual({ [String(home.organizationId)]: true, [id]: true });
    const again = await signIn();
    expect((await me(again)).organization.id).toBe(String(home.organizationId));
    await ok(switching({ organizationId: id }, again));
    expect(switched.user).toMatchObject({ id: member.id, role: 'viewer' });
    expect(email).not.toBe(invited.email);
  });

  it('offers its button, and keeps passwords unless single sign-on is required', async () => {
    expect(await ok(home.as(undefined)('GET', '/sign-in-options'))).toEqual({
      hasPasswords: true,
      sso: { name: 'single sign-on', path: '/sso/start' },
    });
    const set = await ok(home.api('GET', '/single-sign-on'));
    expect(set).toMatchObject({
      on: true,
      required: false,
      provider: {
        issuer: new URL(identities.issuer).href,
        redirectUri: expect.stringMatching(/\/sso\/callback$/),
      },
    });
    expect(JSON.stringify(set)).not.toMatch(/secret/i);
  });

  it('leads to the sign-in page when the person declines', async () => {
    person();
    const { flow } = await upToCallback();
    const state = JSON.parse(Buffer.from(flow.slice(11).split('.')[0]!, 'base64url').toString()).state;
    const query = `error=access_denied&state=${state}&iss=${encodeURIComponent(identities.issuer)}`;
    expect(problemOf(await get(`/sso/callback?${query}`, flow))).toBe('refused');
  });
});

describe('another organization', () => {
  /** Adds the person who signs in next to an organization. */
  const added = (organization: Organization) => {
    const { email } = identities.person;
    return ok(organization.api('POST', '/members', { name: 'Added', email, role: 'viewer' }), 201);
  };
  const questionOf = ({ location, cookies }: Visit) => {
    expect(cookies.some((set) => set.startsWith('dokima_session='))).toBe(false);
    expect(location).toMatch(/^http:\/\/dokima\.test\/welcome#[\w-]{43}$/);
    return location.slice(location.indexOf('#') + 1);
  };
  const redeem = (token: string) => home.as(undefined)('POST', '/sign-in-links/redeem', { token });

  it('is entered only after a question by a person whom its admins added', async () => {
    person({ groups: [] });
    const member = await added(other);
    const token = questionOf(await signIn());
    expect(await ok(home.as(undefined)('POST', '/sign-in-links/find', { token }))).toMatchObject({
      organization: { id: String(other.organizationId) },
      passwordless: true,
    });
    expect((await ok(redeem(token), 201)).user).toMatchObject({ id: member.id, hasSignedInWithSso: true });
    expect((await redeem(token)).status).toBe(401);
    expect((await me(await signIn())).user.id).toBe(member.id);
  });

  it('does not lose a person to the organization of single sign-on without a question', async () => {
    person({ groups: [] });
    await added(other);
    await ok(redeem(questionOf(await signIn())), 201);
    identities.person = { ...identities.person, groups: ['ml'] };
    const signed = await me(await signIn());
    expect(signed.organization.id).toBe(String(other.organizationId));
    expect(joinedOf(signed.organizations)).toEqual({
      [String(home.organizationId)]: false,
      [String(other.organizationId)]: true,
    });
  });

  it('keeps a browser that is signed in there', async () => {
    person();
    await added(other);
    const first = await signIn();
    const id = String(other.organizationId);
    const body = { organizationId: id, join: true };
    const headers = { cookie: sessionOf(first), 'x-requested-with': 'Dokima' };
    const switched = await home.as(undefined)('PUT', '/sign-ins/current/organization', body, { headers });
    const session = String(switched.headers['set-cookie']).split(';')[0]!;
    expect((await me(await signIn('/', app, session))).organization.id).toBe(id);
  });

  it('of the browser is left only after a question, also when a link of another site begins the sign-in', async () => {
    person({ groups: [] });
    await added(other);
    const stays = await ok(redeem(questionOf(await signIn())), 201);
    const session = sessionOf(await signIn());
    person();
    const token = questionOf(await signIn('/', app, session));
    const as = (cookie: string) => home.as(undefined)('GET', '/me', undefined, { headers: { cookie } });
    expect((await ok(as(session))).user.id).toBe(stays.user.id);
    expect((await ok(redeem(token), 201)).user.email).toBe(identities.person.email);
  });

  it('takes only the first of two accounts that were asked for one address', async () => {
    const { email } = person({ groups: [] });
    await added(other);
    const tokens = [questionOf(await signIn())];
    person({ email, groups: [] });
    tokens.push(questionOf(await signIn()));
    expect((await redeem(tokens[0]!)).status).toBe(201);
    expect((await redeem(tokens[1]!)).status).toBe(401);
  });
});

describe('an attacker', () => {
  it('cannot finish a sign-in in another browser, nor with a cookie of their own making', async () => {
    person();
    const { back, flow } = await upToCallback();
    expect(problemOf(await get(pathOf(back)))).toBe('expired');
    const [text, mac] = flow.slice(11).split('.') as [string, string];
    const changed = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(text, 'base64url').toString()), next: '/x' }),
    ).toString('base64url');
    expect(problemOf(await get(pathOf(back), `dokima_sso=${changed}.${mac}`))).toBe('expired');
  });

  it('cannot use another state, nor the code of another sign-in', async () => {
    person();
    const [victim, attacker] = [await upToCallback(), await upToCallback()];
    const wrong = new URL(victim.back);
    wrong.searchParams.set('state', 'x');
    expect(problemOf(await get(pathOf(wrong), victim.flow))).toBe('provider');
    const injected = new URL(victim.back);
    injected.searchParams.set('code', attacker.back.searchParams.get('code')!);
    expect(problemOf(await get(pathOf(injected), victim.flow))).toBe('provider');
  });

  it('cannot use an ID token with another nonce', async () => {
    person();
    const other = (url: string) => url.replace(/nonce=[^&]+/, 'nonce=another');
    const { back, flow } = await upToCallback('/', app, other);
    expect(problemOf(await get(pathOf(back), flow))).toBe('provider');
  });

  it('cannot replay a code', async () => {
    person();
    const { back, flow } = await upToCallback();
    expect((await get(pathOf(back), flow)).location).toBe(`${publicUrl}/`);
    expect(problemOf(await get(pathOf(back), flow))).toBe('provider');
  });

  it('would be let in with an ID token that is signed again and not changed, so the next two prove something', async () => {
    person();
    identities.forge = (claims) => claims;
    expect((await signIn()).location).toBe(`${publicUrl}/`);
  });

  it.each([
    ['of another audience', { aud: 'another client' }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['that has expired', { exp: 1_000 }],
    ['without a nonce', { nonce: undefined }],
  ])('cannot use an ID token %s', async (_name, changes) => {
    person();
    identities.forge = (claims) => ({ ...claims, ...changes });
    expect(problemOf(await signIn())).toBe('provider');
  });

  it.each(['wrongly', 'not'] as const)('cannot use an ID token that is signed %s', async (signs) => {
    person();
    identities.signs = signs;
    identities.forge = (claims) => claims;
    expect(problemOf(await signIn())).toBe('provider');
  });

  it.each([
    { email_verified: false },
    { email: '\u212aim@example.org' },
    { email: '\u0130st@example.org' },
    { email_verified: undefined },
    { email: undefined },
    { email: 'none' },
  ])('cannot take over a member with the address %j', async (claims) => {
    const { email } = person();
    await ok(other.api('POST', '/members', { name: 'V', email, role: 'admin' }), 201);
    person({ email, ...claims });
    expect(problemOf(await signIn())).toBe('unverified');
  });

  it('cannot take over a member whose address the provider gave to another account', async () => {
    const { email } = person();
    await signIn();
    person({ email });
    expect(problemOf(await signIn())).toBe('other-account');
  });

  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
    'evil',
    '/a\r\nset-cookie: x',
    '',
  ])('cannot lead to another site by %j', async (next) => {
    expect(insidePath(next, publicUrl)).toBe('/');
    person();
    expect((await signIn(next)).location).toBe(`${publicUrl}/`);
  });

  it('429 after 30 attempts a minute from one address', async () => {
    const statuses = [];
    for (let i = 0; i < 31; i++) {
      const answer = await app.app.inject({ url: '/sso/callback', remoteAddress: '192.0.2.7' });
      statuses.push(answer.statusCode);
    }
    expect(statuses).toEqual([...Array(30).fill(302), 429]);
  });

  it('people of one office, with one address, do not use up the attempts of each other', async () => {
    const remoteAddress = '192.0.2.8';
    for (let i = 0; i < 40; i++) {
      person();
      const { back, flow } = await upToCallback();
      const answer = await app.app.inject({ url: pathOf(back), headers: { cookie: flow }, remoteAddress });
      expect(answer.statusCode).toBe(302);
    }
  });
});

describe('where single sign-on is required', () => {
  let strict: TestApp;
  let own: Organization;
  beforeAll(async () => {
    strict = await startApp({
      ...identities.settings,
      DOKIMA_OPERATOR_KEY: operatorKey,
      DOKIMA_OIDC_REQUIRED: 'true',
    });
    own = await strict.organization();
  });
  afterAll(() => strict.close());
  const password = 'correct horse battery';

  it('passwords are off, except with a link of the operator', async () => {
    const anonymous = own.as(undefined);
    expect((await ok(anonymous('GET', '/sign-in-options'))).hasPasswords).toBe(false);
    const email = 'ops@example.org';
    const member = await ok(own.api('POST', '/members', { name: 'O', email, role: 'admin' }), 201);
    expect((await own.api('POST', `/members/${member.id}/sign-in-links`)).status).toBe(403);
    const path = `/organizations/${own.organizationId}/sign-in-links`;
    const { url } = await ok(own.as(operatorKey)('POST', path, { email }), 201);
    const token = url.slice(url.indexOf('#') + 1);
    await ok(anonymous('POST', '/sign-in-links/redeem', { token, password }), 201);
    expect((await anonymous('POST', '/sign-ins', { email, password })).status).toBe(403);
  });

  it('who is not a member is refused, unless a role is set for them', async () => {
    const { email } = person();
    expect(problemOf(await signIn('/', strict))).toBe('no-member');
    await ok(own.api('POST', '/members', { name: 'N', email, role: 'viewer' }), 201);
    const signed = await ok(browserOf(await signIn('/', strict), own.as)('GET', '/me'));
    expect(signed.user).toMatchObject({ email, role: 'viewer' });
  });
});

describe('a provider with a certificate that no known authority signed', () => {
  it('503 that names NODE_EXTRA_CA_CERTS', async () => {
    const server = createServer(certificate, (_request, response) => response.end('{}'));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const issuer = `https://localhost:${(server.address() as AddressInfo).port}`;
    const service = await startApp({ ...identities.settings, DOKIMA_OIDC_ISSUER: issuer });
    const answer = await service.app.inject({ url: '/sso/start' });
    expect(answer.statusCode).toBe(503);
    expect(answer.json().message).toMatch(
      /^The sign-in provider localhost:\d+ can't be reached: its certificate .*NODE_EXTRA_CA_CERTS/,
    );
    await service.close();
    await new Promise((done) => server.close(done).closeAllConnections());
  });
});

describe('a service with a base path', () => {
  it('signs in there: redirect address, cookie and return have the path', async () => {
    const address = `${publicUrl}/dokima`;
    const provider = await startIdentities(address);
    const service = await startApp({
      ...provider.settings,
      DOKIMA_PUBLIC_URL: address,
      DOKIMA_OIDC_DEFAULT_ROLE: 'member',
    });
    await service.organization();
    provider.person = { ...person() };
    const begun = await get('/dokima/sso/start?next=%2Fprojects%2F7', '', service);
    expect(new URL(begun.location).searchParams.get('redirect_uri')).toBe(`${address}/sso/callback`);
    const back = await provider.visit(begun.location);
    expect(back.href).toContain(`${address}/sso/callback?`);
    const flow = begun.cookies.map((set) => set.split(';', 1)[0]).join('; ');
    const done = await get(`${back.pathname}${back.search}`, flow, service);
    expect(done.location).toBe(`${address}/projects/7`);
    expect(begun.cookies.join()).toContain('Path=/dokima/sso');
    expect(done.cookies.join()).toMatch(/dokima_session=[\w-]+; Path=\/dokima;/);
    await service.close();
    await provider.close();
  });
});

describe('a logout at the provider', () => {
  const logOut = async (claims: Record<string, unknown>): Promise<number> => {
    const { statusCode } = await app.app.inject({
      method: 'POST',
      url: '/sso/backchannel-logout',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ logout_token: identities.logoutToken(claims) }).toString(),
    });
    return statusCode;
  };
  const isOpen = async (visit: Visit) => (await browserOf(visit)('GET', '/me')).status === 200;
  /** Signs a person in, in two sessions at the provider. */
  const twice = async () => {
    const { sub } = person();
    const sessions: { visit: Visit; sid: string }[] = [];
    for (const sid of [`first of ${sub}`, `second of ${sub}`]) {
      identities.forge = (claims) => ({ ...claims, sid });
      sessions.push({ visit: await signIn(), sid });
    }
    const [first, second] = sessions as [(typeof sessions)[0], (typeof sessions)[0]];
    return { sub, first, second };
  };

  it('of one session ends that one alone; of the person, all of theirs and of no one else', async () => {
    const { sub, first, second } = await twice();
    const { first: other } = await twice();
    expect(await logOut({ sub, sid: first.sid })).toBe(200);
    expect(await Promise.all([first, second, other].map(({ visit }) => isOpen(visit)))).toEqual([
      false,
      true,
      true,
    ]);
    expect(await logOut({ sub })).toBe(200);
    expect(await isOpen(second.visit)).toBe(false);
    expect(await isOpen(other.visit)).toBe(true);
    expect(await logOut({ sid: other.sid })).toBe(200);
    expect(await isOpen(other.visit)).toBe(false);
    const { data } = await ok(home.api('GET', '/audit-events?operation=endSignIn&limit=3'));
    expect(data.map(({ address }: { address: string }) => address)).toEqual(Array(3).fill('127.0.0.1'));
  });

  it('is refused unless it is a logout token of the provider for this client, signed by its keys', async () => {
    const { sub, first } = await twice();
    const now = Math.floor(Date.now() / 1_000);
    const event = 'http://schemas.openid.net/event/backchannel-logout';
    const forged: Record<string, unknown>[] = [
      { sub, iss: 'https://evil.example' },
      { sub, aud: 'another client' },
      { sub, iat: now - 3_600, exp: now + 60 },
      { sub, iat: now + 3_600, exp: now + 7_200 },
      { sub, exp: now - 600, iat: now - 601 },
      { sub, nonce: 'n' },
      { sub, events: {} },
      { sub, events: { [event]: 'yes' } },
      { sub, events: undefined },
      { sub, iat: undefined },
      {},
      { sub: 1, sid: 2 },
    ];
    for (const claims of forged) expect([claims, await logOut(claims)]).toEqual([claims, 400]);
    for (const signs of ['wrongly', 'not'] as const) {
      identities.signs = signs;
      expect([signs, await logOut({ sub })]).toEqual([signs, 400]);
    }
    identities.signs = 'rightly';
    const send = (payload: string, type = 'application/x-www-form-urlencoded') =>
      app.app.inject({
        method: 'POST',
        url: '/sso/backchannel-logout',
        headers: { 'content-type': type },
        payload,
      });
    for (const payload of ['', 'logout_token=', 'logout_token=a.b.c'])
      expect((await send(payload)).statusCode).toBe(400);
    expect((await send('{}', 'application/json')).statusCode).toBe(400);
    expect(await isOpen(first.visit)).toBe(true);
  });

  it('that comes again ends no later session', async () => {
    const { sub, first } = await twice();
    const now = Math.floor(Date.now() / 1_000);
    expect(await logOut({ sub, iat: now - 300 })).toBe(200);
    expect(await isOpen(first.visit)).toBe(true);
  });

  it('ends a session that has been switched to another organization', async () => {
    const { sub, first } = await twice();
    const { email } = identities.person;
    await ok(other.api('POST', '/members', { name: 'I', email, role: 'member' }), 201);
    const visit = await signIn('/', app, sessionOf(first.visit));
    const headers = { cookie: sessionOf(visit), 'x-requested-with': 'Dokima' };
    const body = { organizationId: String(other.organizationId), join: true };
    const path = '/sign-ins/current/organization';
    const switched = await home.as(undefined)('PUT', path, body, { headers });
    expect(switched.status).toBe(200);
    const after = { ...headers, cookie: String(switched.headers['set-cookie']).split(';')[0]! };
    const me = () => home.as(undefined)('GET', '/me', undefined, { headers: after });
    expect((await me()).status).toBe(200);
    expect(await logOut({ sub })).toBe(200);
    expect((await me()).status).toBe(401);
  });
});
