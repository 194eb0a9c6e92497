import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../../../test/fixtures.ts';
import {
  type Answer,
  type Client,
  type Organization,
  startApp,
  type TestApp,
} from '../../../test/harness.ts';
import { enter } from '../../../test/sign-in.ts';
import { type Database, system } from '../../platform/db/database.ts';
import { purgeSessions } from './queries.ts';
import { firstSignIn, signIn } from './sign-in.ts';

let app: TestApp;
let own: Organization;
/** A browser without a key: it sends a cookie. */
let anonymous: Client;

beforeAll(async () => {
  app = await startApp();
  own = await app.organization();
  anonymous = own.as(undefined);
});
afterAll(() => app.close());

const password = 'correct horse battery';
const asked = { 'x-requested-with': 'Dokima' };

const cookieOf = ({ headers }: Answer) => String(headers['set-cookie']).split(';')[0]!;
const withCookie =
  (cookie: string, headers: Record<string, string> = asked): Client =>
  (method, path, body) =>
    anonymous(method, path, body, { headers: { cookie, ...headers } });

let count = 0;
/** A new member with a password, and their browser. */
const join = async (role: string) => {
  count += 1;
  const email = `Person${count}@example.org`;
  const member = await ok(own.api('POST', '/members', { name: 'Person', email, role }), 201);
  const candidate = { organizationId: own.organizationId, memberId: member.id };
  return { email, member, browser: withCookie(await enter(app.db, candidate, password)) };
};

describe('a sign-in link', () => {
  it('says whom it is for, makes the password and signs in, once', async () => {
    const member = await ok(
      own.api('POST', '/members', { name: 'Ada', email: 'ada@example.org', role: 'viewer' }),
      201,
    );
    expect(member.hasPassword).toBe(false);
    const { url } = await ok(own.api('POST', `/members/${member.id}/sign-in-links`), 201);
    expect(url).toMatch(/^http:\/\/[^/]+\/welcome#[\w-]{43}$/);
    const token = url.slice(url.indexOf('#') + 1);
    const target = await ok(anonymous('POST', '/sign-in-links/find', { token }));
    expect(target).toMatchObject({ organization: { name: 'Test' }, user: { email: 'ada@example.org' } });
    expect(target.replacedSession).toBe(null);
    const { browser, email } = await join('viewer');
    expect((await ok(browser('POST', '/sign-in-links/find', { token }))).replacedSession).toEqual({
      email,
      organizationName: 'Test',
    });
    expect((await anonymous('POST', '/sign-in-links/redeem', { token })).status).toBe(400);
    const [first, second] = await Promise.all([
      anonymous('POST', '/sign-in-links/redeem', { token, password }),
      anonymous('POST', '/sign-in-links/redeem', { token, password: 'another password' }),
    ]);
    expect([first.status, second.status].sort()).toEqual([201, 401]);
    const winner = first.status === 201 ? first : second;
    const me = await ok(withCookie(cookieOf(winner))('GET', '/me'));
    expect(me).toMatchObject({ user: { id: member.id, role: 'viewer', hasPassword: true }, key: null });
    expect((await anonymous('POST', '/sign-in-links/find', { token })).status).toBe(401);
  });

  it('ends the sessions and the other links of a member who forgot their password', async () => {
    const { member, browser } = await join('member');
    const links = [];
    for (let i = 0; i < 2; i += 1)
      links.push(await ok(own.api('POST', `/members/${member.id}/sign-in-links`), 201));
    const [used, unused] = links.map(({ url }) => url.slice(url.indexOf('#') + 1));
    await ok(
      anonymous('POST', '/sign-in-links/redeem', { token: used, password: 'a new password', name: 'New' }),
      201,
    );
    expect((await browser('GET', '/me')).status).toBe(401);
    expect((await anonymous('POST', '/sign-in-links/redeem', { token: unused, password })).status).toBe(401);
  });

  it('is not used up by an address that is taken', async () => {
    const { email } = await join('member');
    const member = await ok(
      own.api('POST', '/members', { name: 'B', email: 'b@x.org', role: 'member' }),
      201,
    );
    const { url } = await ok(own.api('POST', `/members/${member.id}/sign-in-links`), 201);
    const token = url.slice(url.indexOf('#') + 1);
    expect((await anonymous('POST', '/sign-in-links/redeem', { token, password, email })).status).toBe(409);
    await ok(anonymous('POST', '/sign-in-links/redeem', { token, password }), 201);
  });

  it('that has ended opens nothing', async () => {
    const member = await ok(
      own.api('POST', '/members', { name: 'L', email: 'l@x.org', role: 'member' }),
      201,
    );
    const { url } = await ok(own.api('POST', `/members/${member.id}/sign-in-links`), 201);
    await app.db.transaction(
      system,
      (tx) =>
        tx`update sign_in_link set expires_at = now() - interval '1 second' where member_id = ${member.id}`,
    );
    const token = url.slice(url.indexOf('#') + 1);
    expect((await anonymous('POST', '/sign-in-links/redeem', { token, password })).status).toBe(401);
  });
});

describe('signing in', () => {
  it('works with the address in any case, and sets a cookie that no script and no other site can use', async () => {
    const { email, member } = await join('member');
    const answer = await anonymous('POST', '/sign-ins', { email: email.toUpperCase(), password });
    expect(answer.body.user.id).toBe(member.id);
    expect(answer.headers['set-cookie']).toMatch(
      /^dokima_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/,
    );
    const secure = await anonymous(
      'POST',
      '/sign-ins',
      { email, password },
      { headers: { 'x-forwarded-proto': 'https' } },
    );
    const guarded = String(secure.headers['set-cookie']);
    expect(guarded).toMatch(
      /^__Host-dokima_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=2592000$/,
    );
  });

  it('over https a cookie counts only by the name that no neighbour of the domain can plant', async () => {
    const { email } = await join('member');
    const https = { 'x-forwarded-proto': 'https' };
    const answer = await anonymous('POST', '/sign-ins', { email, password }, { headers: https });
    const guarded = cookieOf(answer);
    const planted = guarded.replace('__Host-', '');
    expect(guarded).not.toBe(planted);
    const me = (cookie: string, headers: Record<string, string>) => withCookie(cookie, headers)('GET', '/me');
    expect((await me(guarded, https)).status).toBe(200);
    expect((await me(planted, https)).status).toBe(401);
    expect((await me(planted, {})).status).toBe(200);
    expect((await me(`${planted}; ${guarded}`, https)).status).toBe(200);
    const signedOut = await withCookie(guarded, { ...https, ...asked })('DELETE', '/sign-ins/current');
    expect(signedOut.headers['set-cookie']).toMatch(/^__Host-dokima_session=; .*Max-Age=0$/);
  });

  it('an unknown address takes as long as a wrong password; an unknown link is refused at once', async () => {
    const { email, browser } = await join('member');
    await ok(browser('PUT', '/me/password', { currentPassword: password, newPassword: password }));
    /** Milliseconds of processor time; a hash of a password takes many. */
    const cost = async (path: string, body: object) => {
      const times: number[] = [];
      for (let i = 0; i < 3; i++) {
        const before = process.cpuUsage();
        expect((await anonymous('POST', path, body)).status).toBe(401);
        times.push(process.cpuUsage(before).user / 1_000);
      }
      return Math.min(...times);
    };
    const wrong = await cost('/sign-ins', { email, password: 'wrong password' });
    expect(await cost('/sign-ins', { email: 'x@example.org', password })).toBeGreaterThan(wrong / 2);
    const token = 'x'.repeat(43);
    expect(await cost('/sign-in-links/redeem', { token, password })).toBeLessThan(wrong / 2);
  });

  it('401 with the same message for a wrong password and for an unknown address', async () => {
    const { email } = await join('member');
    const wrong = await anonymous('POST', '/sign-ins', { email, password: 'wrong password' });
    const unknown = await anonymous('POST', '/sign-ins', { email: 'unknown@example.org', password });
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect(wrong.text).toBe(unknown.text);
  });

  /** Tries to sign in, and returns the status. `from` is the address of the client. */
  const tries = async (email: string, from: string, headers: Record<string, string> = {}) => {
    const payload = { email, password: 'guess' };
    const url = '/api/v2/sign-ins';
    return (await limited.app.inject({ method: 'POST', url, payload, remoteAddress: from, headers }))
      .statusCode;
  };
  let limited: TestApp;
  /** Members with these addresses, and a password that costs little to try. The limits count attempts, whatever they cost. */
  const invite = async (...emails: string[]) => {
    const { api } = await limited.organization();
    for (const email of emails) await ok(api('POST', '/members', { name: 'P', email, role: 'viewer' }), 201);
    const hash = `scrypt$1024$8$1$${'A'.repeat(22)}$${'A'.repeat(43)}`;
    await limited.db.transaction(
      system,
      (tx) => tx`update member set password_hash = ${hash} where email = any(${emails}::text[])`,
    );
  };
  beforeAll(async () => {
    limited = await startApp({ DOKIMA_TRUSTED_PROXIES: '10.0.0.0/8' });
  });
  afterAll(() => limited.close());

  it('429 after ten attempts in a minute, for that address alone', async () => {
    const email = 'guessed@example.org';
    await invite(email);
    for (let i = 0; i < 10; i++) expect(await tries(email, '192.0.2.1')).toBe(401);
    expect(await tries(email, '192.0.2.1')).toBe(429);
    expect(await tries('else@example.org', '192.0.2.1')).toBe(401);
    expect(await tries(email, '192.0.2.2')).toBe(401);
  });

  it('429 for one password tried on 31 addresses: a limit for the client over all of them', async () => {
    const emails = Array.from({ length: 31 }, (_, i) => `p${i}@example.org`);
    await invite(...emails);
    const statuses = [];
    for (const [i, email] of emails.entries()) statuses.push(await tries(email, `2001:db8:0:1::${i}`));
    expect(statuses).toEqual([...Array(30).fill(401), 429]);
    expect(await tries('p@example.org', '2001:db8:0:2::1')).toBe(401);
  }, 60_000);

  it('counts the client of a trusted proxy, and does not believe others', async () => {
    const email = 'behind@example.org';
    await invite(email);
    const behind = (from: string, client: string) => tries(email, from, { 'x-forwarded-for': client });
    for (let i = 0; i < 10; i++) expect(await behind('10.0.0.1', '198.51.100.1')).toBe(401);
    expect(await behind('10.0.0.2', '198.51.100.1')).toBe(429);
    expect(await behind('10.0.0.1', '198.51.100.2')).toBe(401);
    for (let i = 0; i < 10; i++) expect(await behind('198.51.100.9', `203.0.113.${i}`)).toBe(401);
    expect(await behind('198.51.100.9', '203.0.113.99')).toBe(429);
  }, 60_000);

  it('begins a session that signing out ends', async () => {
    const { browser } = await join('viewer');
    expect((await browser('GET', '/projects')).status).toBe(200);
    const answer = await browser('DELETE', '/sign-ins/current');
    expect(answer.headers['set-cookie']).toMatch(/^dokima_session=; .*Max-Age=0/);
    expect((await browser('GET', '/projects')).status).toBe(401);
  });
});

describe('a session', () => {
  it('has the role of its member: a viewer reads, a member writes, an admin administers', async () => {
    const project = { name: 'P', description: '' };
    const invited = (role: string) => ({ name: 'N', email: `invited-by-${role}@x.org`, role: 'viewer' });
    const expected = { viewer: [200, 403, 403], member: [200, 201, 403], admin: [200, 201, 201] };
    for (const [role, statuses] of Object.entries(expected)) {
      const { browser } = await join(role);
      const answers = [
        await browser('GET', '/members'),
        await browser('POST', '/projects', project),
        await browser('POST', '/members', invited(role)),
      ];
      expect(answers.map(({ status }) => status)).toEqual(statuses);
    }
  });

  it('403 for a change without the header that only our own pages send', async () => {
    const answer = await anonymous('POST', '/sign-ins', { email: (await join('admin')).email, password });
    const forged = withCookie(cookieOf(answer), {});
    expect((await forged('GET', '/projects')).status).toBe(200);
    expect((await forged('POST', '/projects', { name: 'P', description: '' })).status).toBe(403);
    expect((await forged('DELETE', '/sign-ins/current')).status).toBe(403);
  });
});

describe('the length of a session', () => {
  let limited: TestApp;
  let team: Organization;
  beforeAll(async () => {
    limited = await startApp({ DOKIMA_SESSION_HOURS: '2', DOKIMA_SESSION_IDLE_MINUTES: '10' });
    team = await limited.organization();
  });
  afterAll(() => limited.close());

  const invite = async (): Promise<string> => {
    count += 1;
    const member = { name: 'Person', email: `limited${count}@example.org`, role: 'member' };
    return (await ok(team.api('POST', '/members', member), 201)).id;
  };
  /** A browser that has just signed in. */
  const begin = async () => {
    const id = await invite();
    const candidate = { organizationId: team.organizationId, memberId: id };
    return { id, cookie: await enter(limited.db, candidate, password, { hours: 2, idleMinutes: 10 }) };
  };
  /** The same by a link. */
  const redeem = async () => {
    const id = await invite();
    const { url } = await ok(team.api('POST', `/members/${id}/sign-in-links`), 201);
    const token = url.slice(url.indexOf('#') + 1);
    const begun = await team.as(undefined)('POST', '/sign-in-links/redeem', { token, password });
    return { id, begun, cookie: cookieOf(begun) };
  };
  const read = (cookie: string, headers: Record<string, string> = asked) =>
    team.as(undefined)('GET', '/me', undefined, { headers: { cookie, ...headers } });
  const age = (memberId: string, minutes: { signedIn?: number; used?: number }) =>
    limited.db.transaction(
      system,
      (tx) => tx`
        update sign_in set signed_in_at = signed_in_at - make_interval(mins => ${minutes.signedIn ?? 0}::int),
          last_used_at = last_used_at - make_interval(mins => ${minutes.used ?? 0}::int)
        where member_id = ${memberId}`,
    );

  it('is that of the setting, in the cookie, in the answer and in each request', async () => {
    const { id, begun, cookie } = await redeem();
    expect(begun.headers['set-cookie']).toMatch(/; Max-Age=7200$/);
    const hours = (Date.parse(begun.body.expiresAt) - Date.now()) / 3_600_000;
    expect(hours).toBeCloseTo(2, 1);
    await age(id, { signedIn: 119 });
    expect((await read(cookie)).status).toBe(200);
    await age(id, { signedIn: 2 });
    expect((await read(cookie)).status).toBe(401);
    await limited.db.transaction(system, (tx) => purgeSessions(tx, { hours: 2, idleMinutes: 10 }));
    const left = await limited.db.read(system, (sql) => sql`select from sign_in where member_id = ${id}`);
    expect(left).toHaveLength(0);
  });

  it('ends after the time without use, which an open page without a person does not extend', async () => {
    const { id, cookie } = await begin();
    await age(id, { used: 10 });
    for (const headers of [
      { accept: 'text/event-stream' },
      { 'x-requested-with': 'Dokima without a person' },
    ])
      expect((await read(cookie, headers)).status).toBe(200);
    await age(id, { used: 2 });
    expect((await read(cookie)).status).toBe(401);
  });

  it('goes on while a person uses it', async () => {
    const { id, cookie } = await begin();
    const used = () =>
      limited.db.read(
        system,
        (sql) => sql<{ minutes: number }[]>`
          select extract(epoch from now() - last_used_at)::float8 / 60 as minutes from sign_in where member_id = ${id}`,
      );
    await age(id, { used: 10 });
    expect((await read(cookie)).status).toBe(200);
    await expect.poll(async () => (await used())[0]!.minutes).toBeLessThan(1);
  });

  it.each(['signedIn', 'used'] as const)('ends its streams within a second (%s)', async (limit) => {
    const { id, cookie } = await begin();
    const stream = await fetch(`${await limited.url()}/api/v2/events`, {
      headers: { cookie, accept: 'text/event-stream' },
    });
    const heard = stream.text();
    const begun = performance.now();
    await age(id, { [limit]: 121 });
    await heard;
    expect(performance.now() - begun).toBeLessThan(10_000);
  });
});

describe('changing the password', () => {
  const to = (browser: Client, newPassword: string) =>
    browser('PUT', '/me/password', { currentPassword: password, newPassword });

  it('while someone signs in with the old one leaves them without a session', async () => {
    const { email, browser } = await join('member');
    const changedMeanwhile: Database = {
      ...app.db,
      transaction: async (tenant, work) => {
        await ok(to(browser, 'the new password'));
        return app.db.transaction(tenant, work);
      },
    };
    const stays = { owner: '::1', signal: new AbortController().signal };
    await expect(
      signIn(changedMeanwhile, { hours: 1, idleMinutes: 0 }, { email, password }, stays),
    ).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
  });

  it('twice at once changes it once: the old one opens nothing any more', async () => {
    const { browser } = await join('member');
    const answers = await Promise.all([to(browser, 'the new password'), to(browser, 'another password')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('needs the old one, and ends every other session', async () => {
    const { email, browser } = await join('viewer');
    const other = withCookie(cookieOf(await anonymous('POST', '/sign-ins', { email, password })));
    const change = (currentPassword: string) =>
      browser('PUT', '/me/password', { currentPassword, newPassword: 'the new password' });
    expect((await change('not the old one')).status).toBe(400);
    await ok(change(password));
    expect((await browser('GET', '/me')).status).toBe(200);
    expect((await other('GET', '/me')).status).toBe(401);
    expect((await anonymous('POST', '/sign-ins', { email, password })).status).toBe(401);
    await ok(anonymous('POST', '/sign-ins', { email, password: 'the new password' }), 201);
  });

  it('403 for a key, of an admin as well', async () => {
    const body = { currentPassword: password, newPassword: password };
    expect((await own.api('PUT', '/me/password', body)).status).toBe(403);
    expect((await own.api('DELETE', '/sign-ins/current')).status).toBe(403);
  });
});

it('the first start gives the first admin a link, until someone has a password', async () => {
  // Its own installation: the shared one has had its first sign-in.
  const fresh = await startApp({});
  const organization = await fresh.organization();
  const token = await firstSignIn(fresh.db);
  const body = { token, password, name: 'Ada', email: 'ada@example.org' };
  const browser = organization.as(undefined);
  const made = await ok(browser('POST', '/sign-in-links/redeem', body), 201);
  expect(made.user).toMatchObject({ id: organization.memberId, email: 'ada@example.org', role: 'admin' });
  expect(await firstSignIn(fresh.db)).toBeUndefined();
  await fresh.close();
});
