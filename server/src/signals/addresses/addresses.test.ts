// Longer than 400 lines: one address, in everything that can happen to it, from friends and from foes.
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAlert, openMailServer } from '../../../test/alerting.ts';
import { createProject, createRecord, createRun, ok } from '../../../test/fixtures.ts';
import { type Client, type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { updateUser } from '../../accounts/scim/queries.ts';
import { openAllowedAddresses } from '../../engine/models/allowed-addresses.ts';
import { system } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { openJobs } from '../../platform/jobs/work.ts';
import { subkey } from '../../platform/secret.ts';
import { deliveryWork } from '../alerts/deliver.ts';
import { noteEvents } from '../alerts/note-events.ts';
import { openSender } from '../alerts/send.ts';
import { asksOfOrganization } from './ask.ts';
import { openAddressLinks } from './links.ts';
import { purgeAddresses } from './queries.ts';

const secret = Buffer.from('a secret for tests, nothing else');
const addressKey = subkey(secret, 'mail address');
const links = openAddressLinks(addressKey);
const publicUrl = 'https://dokima.example.com';

let app: TestApp;
let own: Organization;
let mails: Awaited<ReturnType<typeof openMailServer>>;
let sender: ReturnType<typeof openSender>;

beforeAll(async () => {
  mails = await openMailServer();
  const mail = { smtpUrl: mails.url, from: 'Dokima <dokima@example.com>' };
  app = await startApp({
    DOKIMA_PUBLIC_URL: publicUrl,
    DOKIMA_SMTP_URL: mail.smtpUrl,
    DOKIMA_MAIL_FROM: mail.from,
  });
  sender = openSender({ allowedAddresses: openAllowedAddresses('false') }, publicUrl, mail);
});
afterAll(async () => {
  sender.close();
  await app.close();
  await mails.close();
});
/** Another address for each test: questions of all organizations count together. */
let [number, outside, victim] = [0, '', ''];
beforeEach(async () => {
  number++;
  [outside, victim] = [`outside-${number}@example.net`, `victim-${number}@example.net`];
  own = await app.organization();
  mails.received.length = 0;
});

/** Sends all that is due. */
const deliver = async () => {
  const key = subkey(secret, 'provider');
  const next = openJobs(
    { db: app.db, log: pino({ level: 'silent' }) },
    deliveryWork({ db: app.db, sender, key, addressKey }),
  );
  while (await next(new AbortController().signal, () => {}));
};

const redeem = (token: string) => own.api('POST', '/mail-addresses/redeem', { token });
const find = (token: string) => own.api('POST', '/mail-addresses/find', { token });

/** The lines of a mail as they were written: long ones come in parts (quoted-printable). */
const textOf = (mail: string) => mail.replaceAll('=\r\n', '').replaceAll('=3D', '=');
const receiverOf = (mail: string) => /^To: (.*)\r$/m.exec(mail)![1]!;
const tokensOf = (mail: string) =>
  [...textOf(mail).matchAll(/mail-address#([\w.-]+)/g)].map(([, token]) => token!);
const mailsTo = (address: string) => mails.received.filter((mail) => receiverOf(mail) === address);
const subjectsTo = (address: string) => mailsTo(address).map((mail) => /^Subject: (.*)\r$/m.exec(mail)![1]);

/** An alert by mail of an own project. */
const mailAlert = async (recipients: string[], api: Client = own.api) => {
  const project = await createProject(api);
  return createAlert(api, project.id, '', { kind: 'email', url: undefined, recipients });
};
const read = async ({ id, projectId }: { id: string; projectId: string }, api: Client = own.api) =>
  (await ok(api('GET', `/projects/${projectId}/alerts`))).data.find((one: { id: string }) => one.id === id);
const statesOf = async (alert: { id: string; projectId: string }) =>
  (await read(alert)).addresses.map(({ state }: { state: string }) => state);
const test = (alert: { id: string }) => ok(own.api('POST', `/alerts/${alert.id}/test`));
const again = (alert: { id: string }, address: string) =>
  own.api('POST', `/alerts/${alert.id}/confirmations`, { address });
/** Passes time for what an organization knows of its addresses. */
const passDays = (days: number) =>
  app.db.transaction(
    system,
    (tx) => tx`
      update mail_address set stopped_at = stopped_at - ${days}::integer * interval '1 day',
        confirmed_at = confirmed_at - ${days}::integer * interval '1 day',
        asked_at = array(select asked - ${days}::integer * interval '1 day' from unnest(asked_at) asked order by asked desc)`,
  );
const auditOf = async (operation: string) =>
  (await ok(own.api('GET', `/audit-events?operation=${operation}`))).data;

describe('an address that belongs to no member', () => {
  it('gets one mail that asks, and nothing else until its owner presses the button behind the link', async () => {
    const alert = await mailAlert([outside]);
    expect(alert.addresses).toEqual([{ address: outside, state: 'waiting', askedAt: expect.any(String) }]);
    const refused = await test(alert);
    expect(refused).toMatchObject({
      state: 'failed',
      unconfirmed: [outside],
      lastError: expect.stringContaining(outside),
    });
    await deliver();
    await deliver();
    expect(subjectsTo(outside)).toHaveLength(1);
    const [token] = tokensOf(mails.received[0]!);
    expect(await ok(find(token!))).toEqual({
      does: 'confirm',
      address: outside,
      organizationName: expect.any(String),
      answered: false,
    });
    expect(await statesOf(alert)).toEqual(['waiting']);
    await ok(redeem(token!));
    await ok(redeem(token!));
    expect(await statesOf(alert)).toEqual(['confirmed']);
    expect(await test(alert)).toMatchObject({ state: 'delivered', unconfirmed: [] });
    expect(await auditOf('confirmMailAddress')).toMatchObject([
      { after: { address: outside }, userId: null },
    ]);
  });

  it('is asked although the alert is paused, and once for all alerts of the organization', async () => {
    const project = await createProject(own.api);
    const fields = { kind: 'email', url: undefined, recipients: [outside], paused: true };
    await createAlert(own.api, project.id, '', fields);
    const other = await createAlert(own.api, project.id, '', {
      ...fields,
      recipients: [outside.toUpperCase()],
    });
    await deliver();
    expect(mails.received).toHaveLength(1);
    await ok(redeem(tokensOf(mails.received[0]!)[0]!));
    expect(await statesOf(other)).toEqual(['confirmed']);
  });

  it('does not keep an event from the others, and the log names it; who confirms later gets it on request', async () => {
    const { id } = await own.person();
    const member = (await ok(own.api('GET', `/members/${id}`))).email;
    const alert = await mailAlert([member, 'late@example.net']);
    const run = await createRun(own.api, alert.projectId, []);
    await createRecord(own.api, run.id);
    await noteEvents(app.db, 0);
    await deliver();
    const log = async () => (await ok(own.api('GET', `/alerts/${alert.id}/deliveries`))).data;
    const sent = async () => (await log()).find(({ event }: { event: string }) => event === 'run.completed');
    expect(await sent()).toMatchObject({
      state: 'delivered',
      unconfirmed: ['late@example.net'],
      lastError: null,
    });
    const [question] = mailsTo('late@example.net');
    expect(mailsTo('late@example.net')).toHaveLength(1);
    await ok(redeem(tokensOf(question!)[0]!));
    await ok(own.api('POST', `/alerts/${alert.id}/deliveries/${(await sent()).id}/retry`));
    await deliver();
    expect(await sent()).toMatchObject({ state: 'delivered', unconfirmed: [] });
    expect([mailsTo(member).length, mailsTo('late@example.net').length]).toEqual([1, 2]);
  });

  it('is not confirmed by programs that open the links of a mail', async () => {
    const alert = await mailAlert([outside]);
    await deliver();
    const urls = [...textOf(mails.received[0]!).matchAll(/https:\/\/dokima\.example\.com([^\s>]+)/g)].map(
      ([, path]) => path!,
    );
    expect(urls).toHaveLength(3);
    for (const url of urls)
      for (const method of ['GET', 'HEAD'] as const)
        await app.app.inject({ method, url, headers: { accept: 'text/html' } });
    expect(await statesOf(alert)).toEqual(['waiting']);
  });

  it('has a stop in each mail, as a link and for the button of mail programs (RFC 8058)', async () => {
    const alert = await mailAlert([outside]);
    await deliver();
    await ok(redeem(tokensOf(mails.received[0]!)[0]!));
    await test(alert);
    const mail = textOf(mails.received.at(-1)!);
    expect(mail).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    const header = /^List-Unsubscribe: <https:\/\/dokima\.example\.com([^>]*)>/m
      .exec(mail.replaceAll(/\r\n[ \t]+/g, ' '))![1]!
      .replaceAll(' ', '');
    const opened = await app.app.inject({ method: 'GET', url: header });
    expect([opened.statusCode, opened.headers.location]).toEqual([
      302,
      `${publicUrl}/mail-address#${tokensOf(mail)[0]}`,
    ]);
    expect(await statesOf(alert)).toEqual(['confirmed']);
    const pressed = await app.app.inject({
      method: 'POST',
      url: header,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    });
    expect(pressed.statusCode).toBe(200);
    expect(await statesOf(alert)).toEqual(['stopped']);
    expect(await test(alert)).toMatchObject({ state: 'failed', unconfirmed: [outside] });
    expect(await auditOf('stopMailAddress')).toMatchObject([{ after: { address: outside } }]);
  });

  it('that was stopped is not confirmed by an earlier link, and asked again only after 30 days', async () => {
    const alert = await mailAlert([outside]);
    await deliver();
    const [confirm, stop] = tokensOf(mails.received[0]!);
    await ok(redeem(confirm!));
    await ok(redeem(stop!));
    expect((await redeem(confirm!)).status).toBe(401);
    expect((await find(confirm!)).status).toBe(401);
    expect(await ok(find(stop!))).toMatchObject({ does: 'stop', answered: true });
    expect(await statesOf(alert)).toEqual(['stopped']);
    expect((await again(alert, outside)).status).toBe(409);
    await mailAlert([outside]);
    await deliver();
    expect(mails.received).toHaveLength(1);
    await passDays(31);
    await ok(again(alert, outside));
    await deliver();
    expect((await redeem(confirm!)).status).toBe(401);
    await ok(redeem(tokensOf(mails.received[1]!)[0]!));
    expect(await statesOf(alert)).toEqual(['confirmed']);
  });
});

describe('a member', () => {
  it('gets mails without a question, in any case of letters, until they are removed or deactivated', async () => {
    const { id } = await own.person();
    const { email } = await ok(own.api('GET', `/members/${id}`));
    const alert = await mailAlert([email.toUpperCase()]);
    expect(await statesOf(alert)).toEqual(['member']);
    expect(await test(alert)).toMatchObject({ state: 'delivered' });
    const mail = mails.received.at(-1)!;
    expect(mail).not.toMatch(/List-Unsubscribe|mail-address/);
    await app.db.transaction(system, (tx) => tx`update member set active = false where id = ${id}`);
    expect(await test(alert)).toMatchObject({ state: 'failed', unconfirmed: [email.toUpperCase()] });
    await app.db.transaction(system, (tx) => tx`update member set active = true where id = ${id}`);
    await ok(own.api('DELETE', `/members/${id}`));
    expect(await read(alert)).toMatchObject({ addresses: [{ state: 'waiting', askedAt: null }] });
    expect(await test(alert)).toMatchObject({ state: 'failed' });
  });

  it('who chose their own address behind a sign-in link confirms it, unless they are an admin', async () => {
    const join = async (role: string, email: string) => {
      const body = { name: 'P', email: `invited-${role}-${number}@example.net`, role };
      const { id } = await ok(own.api('POST', '/members', body), 201);
      const { url } = await ok(own.api('POST', `/members/${id}/sign-in-links`), 201);
      const token = url.split('#')[1];
      await ok(
        own.as(undefined)('POST', '/sign-in-links/redeem', { token, password: 'a long password', email }),
        201,
      );
      return id;
    };
    const id = await join('member', victim);
    await join('admin', outside);
    const alert = await mailAlert([victim, outside]);
    expect(await statesOf(alert)).toEqual(['waiting', 'member']);
    expect(await test(alert)).toMatchObject({ unconfirmed: [victim] });
    await deliver();
    expect(mailsTo(victim)).toHaveLength(1);
    await ok(redeem(tokensOf(mailsTo(victim)[0]!)[0]!));
    expect(await statesOf(alert)).toEqual(['confirmed', 'member']);
    const user = {
      userName: victim,
      externalId: null,
      displayName: 'P',
      givenName: '',
      familyName: '',
      email: victim,
    };
    await app.db.transaction(system, (tx) =>
      updateUser(tx, own as unknown as Scope, id, { ...user, active: true }),
    );
    expect(await statesOf(alert)).toEqual(['member', 'member']);
  });

  it('of another organization is outside, and what one organization knows counts in no other', async () => {
    const alert = await mailAlert([outside]);
    await deliver();
    await ok(redeem(tokensOf(mails.received[0]!)[0]!));
    const other = await app.organization();
    const { id } = await other.person();
    const theirs = `theirs-${number}@example.net`;
    await app.db.transaction(system, (tx) => tx`update member set email = ${theirs} where id = ${id}`);
    const elsewhere = await mailAlert([outside, theirs], other.api);

    expect((await read(elsewhere, other.api)).addresses).toMatchObject([
      { state: 'waiting' },
      { state: 'member' },
    ]);
    expect(await statesOf(await mailAlert([theirs]))).toEqual(['waiting']);
    expect(await statesOf(alert)).toEqual(['confirmed']);
  });
});

describe('hostile', () => {
  it('a link that is forged, cut, swapped, expired or of another organization confirms nothing', async () => {
    const alert = await mailAlert([outside]);
    const other = await app.organization();
    await mailAlert([outside], other.api);
    await deliver();
    const now = new Date();
    const organizationId = BigInt((await ok(own.api('GET', '/me'))).organization.id);
    const at = (owner: bigint, address: string, version: number, time = now) =>
      links.confirm({ organizationId: owner }, address, version, time);
    const good = at(organizationId, outside, 1);
    const [text, mac] = good.split('.') as [string, string];
    const changed = (change: object) =>
      `${Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(text, 'base64url').toString()), ...change })).toString('base64url')}.${mac}`;
    const hostile = [
      '.',
      'x',
      text,
      `${text}.`,
      `.${mac}`,
      `${text}.${mac.slice(0, -1)}`,
      changed({ address: victim }),
      changed({ does: 'stop' }),
      changed({ until: now.getTime() * 2 }),
      changed({ organizationId: String(organizationId + 1n) }),
      openAddressLinks(subkey(secret, 'provider')).confirm({ organizationId }, outside, 1, now),
      at(organizationId, outside, 2),
      at(organizationId, outside, 0),
      at(organizationId, 'unknown@example.net', 1),
      at(organizationId, outside, 1, new Date(now.getTime() - 8 * 86_400_000)),
      at(organizationId + 1_000_000n, outside, 1),
    ];
    for (const token of hostile) {
      expect((await redeem(token)).status, token).toBe(401);
      expect((await find(token)).status, token).toBe(401);
    }
    for (const token of [good, ...hostile]) {
      const pressed = await app.app.inject({
        method: 'POST',
        url: `/mail-address/stop?token=${encodeURIComponent(token)}`,
      });
      expect(pressed.statusCode, token).toBe(401);
    }
    expect(await statesOf(alert)).toEqual(['waiting']);
    const tokens = mails.received.map((mail) => tokensOf(mail)[0]!);
    const theirs = tokens.find((token) => links.read(token, now)!.organizationId !== String(organizationId));
    await ok(redeem(theirs!));
    expect(await statesOf(alert)).toEqual(['waiting']);
    const stranger = links.stop({ organizationId: organizationId + 1_000_000n }, outside);
    expect((await find(stranger)).status).toBe(401);
    await redeem(stranger);
    expect(await statesOf(alert)).toEqual(['waiting']);
  });

  it('an address is asked three times a day at most, by all alerts together, and five times by all organizations', async () => {
    const alert = await mailAlert([victim]);
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) statuses.push((await again(alert, victim)).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
    await ok(own.api('DELETE', `/alerts/${alert.id}`));
    const next = await mailAlert([victim.toUpperCase()]);
    expect((await again(next, victim.toUpperCase())).status).toBe(429);
    await deliver();
    for (let i = 0; i < 4; i++) {
      const other = await app.organization();
      await mailAlert([victim], other.api);
    }
    await deliver();
    expect(mails.received).toHaveLength(2);
  });

  it('an organization asks fifty owners a day at most, and no part of what is refused stays', async () => {
    const addresses = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => `a${from + i}@example.net`);
    await mailAlert(addresses(0, 20));
    const alert = await mailAlert(addresses(20, 20));
    const create = (recipients: string[]) =>
      own.api('POST', `/projects/${alert.projectId}/alerts`, {
        name: 'A',
        kind: 'email',
        recipients,
        events: ['run.completed'],
      });
    const refused = await create(addresses(40, asksOfOrganization - 40 + 1));
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '86400']);
    expect((await own.api('PATCH', `/alerts/${alert.id}`, { recipients: addresses(60, 20) })).status).toBe(
      429,
    );
    expect((await read(alert)).addresses).toHaveLength(20);
    expect((await create(addresses(40, 10))).status).toBe(201);
    expect((await again(alert, 'a20@example.net')).status).toBe(429);
    await deliver();
    expect(mails.received).toHaveLength(50);
  });

  it('a question is not repeated by the log of deliveries, nor to an address that the alert does not name', async () => {
    const alert = await mailAlert([victim]);
    await deliver();
    const [question] = (await ok(own.api('GET', `/alerts/${alert.id}/deliveries`))).data;
    expect(question).toMatchObject({ event: 'address.confirmation', state: 'delivered' });
    expect((await own.api('POST', `/alerts/${alert.id}/deliveries/${question.id}/retry`)).status).toBe(409);
    expect((await again(alert, 'other@example.net')).status).toBe(404);
    const { api } = await own.person();
    expect((await api('POST', `/alerts/${alert.id}/confirmations`, { address: victim })).status).toBe(403);
    await deliver();
    expect(mails.received).toHaveLength(1);
  });

  it('a question that no longer counts is not sent: the address left the alert, or its owner said stop', async () => {
    const alert = await mailAlert(['gone@example.net', 'stopped@example.net']);
    await ok(own.api('PATCH', `/alerts/${alert.id}`, { recipients: ['stopped@example.net'] }));
    const organizationId = BigInt((await ok(own.api('GET', '/me'))).organization.id);
    await ok(redeem(links.stop({ organizationId }, 'stopped@example.net')));
    await deliver();
    expect(mails.received).toEqual([]);
  });

  it('letters that look like others, comments and groups are no addresses', async () => {
    const { id } = await createProject(own.api);
    for (const address of [
      '\u212Aim@example.net',
      'a@example.net, b@example.net',
      'team: a@example.net;',
      '<a@example.net>',
    ])
      expect(
        (
          await own.api('POST', `/projects/${id}/alerts`, {
            name: 'A',
            kind: 'email',
            recipients: [address],
            events: ['run.completed'],
          })
        ).status,
        address,
      ).toBe(400);
  });

  it('the name of an organization brings no link, line or address into a question', async () => {
    await ok(
      own.api('PATCH', '/organization', {
        name: 'Win at evil.example\r\nBcc: a@b.example https://evil.example',
      }),
    ).catch(() =>
      app.db.transaction(
        system,
        (tx) =>
          tx`update organization set name = ${'Win at evil.example\r\nBcc: a@b.example https://evil.example'} where id = (select max(id) from organization)`,
      ),
    );
    await mailAlert([victim]);
    await deliver();
    const [head, ...body] = mails.received[0]!.split('\r\n\r\n');
    expect(head).not.toMatch(/^Bcc/im);
    const decoded = textOf(body.join('\r\n\r\n')).replaceAll('=E2=81=A0', '\u2060');
    expect(decoded).not.toMatch(/evil\.example|https:\/\/evil|@b/);
  });
});

describe('an address that no alert names', () => {
  it('is forgotten a month after the question, unless its owner stopped the mails', async () => {
    const alert = await mailAlert(['a@example.net', 'b@example.net', 'c@example.net']);
    await deliver();
    for (const mail of mails.received) {
      const [confirm, stop] = tokensOf(mail);
      await ok(redeem(confirm!));
      if (receiverOf(mail) === 'b@example.net') await ok(redeem(stop!));
    }
    await ok(own.api('PATCH', `/alerts/${alert.id}`, { recipients: ['c@example.net'] }));
    const known = () =>
      app.db.transaction(system, async (tx) => {
        await purgeAddresses(tx);
        const organizationId = BigInt((await ok(own.api('GET', '/me'))).organization.id);
        const rows = await tx<
          { key: string }[]
        >`select key from mail_address where organization_id = ${organizationId} order by key`;
        return rows.map(({ key }) => key);
      });
    expect(await known()).toHaveLength(3);
    await passDays(31);
    expect(await known()).toEqual(['b@example.net', 'c@example.net']);
  });
});

it('without DOKIMA_PUBLIC_URL, alerts go to members only, because no link could be made', async () => {
  const closed = await startApp({ DOKIMA_SMTP_URL: mails.url, DOKIMA_MAIL_FROM: 'dokima@example.com' });
  const { api, person } = await closed.organization();
  const { id } = await person();
  const { email } = await ok(api('GET', `/members/${id}`));
  const { id: projectId } = await createProject(api);
  const create = (recipients: string[]) =>
    api('POST', `/projects/${projectId}/alerts`, {
      name: 'A',
      kind: 'email',
      recipients,
      events: ['run.completed'],
    });
  const refused = await create([email, outside]);
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('DOKIMA_PUBLIC_URL')]);
  expect((await create([email])).status).toBe(201);
  await closed.close();
});
