import { beforeAll, expect, it } from 'vitest';
import { ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { seededRandom, uniform } from '../../engine/statistics/random.ts';

/** Requests that no directory sends, drawn from a seed: each gets an answer, none is an error of the service. */

const { app, own } = await openApp({ DOKIMA_GROUP_ROLES: 'ml:member' });
let authorization: string;
const ids = { Users: '', Groups: '' };

const send = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, payload?: string) => {
  const { statusCode, body } = await app.app.inject({
    method,
    url: `/scim/v2${path}`,
    headers: { authorization, ...(payload !== undefined && { 'content-type': 'application/scim+json' }) },
    ...(payload !== undefined && { payload }),
  });
  return { status: statusCode, text: body };
};

beforeAll(async () => {
  authorization = `Bearer ${(await ok(own.api('POST', '/scim-tokens', { name: 'Directory' }), 201)).token}`;
  const user = await send('POST', '/Users', JSON.stringify({ userName: 'fuzz@example.org' }));
  ids.Users = JSON.parse(user.text).id;
  const group = { displayName: 'fuzz', members: [{ value: ids.Users }] };
  ids.Groups = JSON.parse((await send('POST', '/Groups', JSON.stringify(group))).text).id;
});

const texts = [
  '',
  'a',
  '\0',
  '\ud800',
  '\udfff\ud800',
  'k\u212a',
  '"',
  '\\',
  '%',
  'a@b.example',
  '\u202e',
  '😀'.repeat(200),
  'x'.repeat(5_000),
  'true',
  '__proto__',
  'constructor',
  '00000000-0000-7000-8000-000000000000',
  'not-a-uuid',
  '1e999',
];
const names = [
  'userName',
  'externalId',
  'displayName',
  'name',
  'name.givenName',
  'name.formatted',
  'emails',
  'emails[type eq "work"].value',
  'active',
  'members',
  'members[value eq "x"]',
  'members[value eq "00000000-0000-7000-8000-000000000000"]',
  'Operations',
  'op',
  'path',
  'value',
  'primary',
  'type',
  'toString',
  'valueOf',
  '__proto__',
  'schemas',
  'id',
  'meta',
];

it('600 hostile requests from a seed: no answer is 5xx, and the member and the group can still be read', async () => {
  const source = seededRandom(38);
  const random = () => uniform(source);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const value = (depth: number): unknown => {
    const kind = Math.floor(random() * (depth > 3 ? 4 : 7));
    if (kind === 0) return pick(texts);
    if (kind === 1) return pick([null, true, false, 0, -1, 1.5, 1e308, 2 ** 53]);
    if (kind === 2) return pick([ids.Users, ids.Groups, pick(texts)]);
    if (kind === 3) return pick(names);
    if (kind === 4) return Array.from({ length: Math.floor(random() * 4) }, () => value(depth + 1));
    return object(depth);
  };
  const object = (depth: number) =>
    Object.fromEntries(
      Array.from({ length: 1 + Math.floor(random() * 4) }, () => [pick(names), value(depth + 1)]),
    );
  const operation = () =>
    random() < 0.2
      ? value(1)
      : {
          op: random() < 0.8 ? pick(['add', 'replace', 'remove', 'Replace']) : value(2),
          ...(random() < 0.7 && { path: random() < 0.9 ? pick(names) : value(2) }),
          ...(random() < 0.9 && { value: value(1) }),
        };
  const body = (method: string) => {
    const user = { userName: `f${random()}@example.org`, displayName: `f${random()}` };
    const sent =
      method === 'PATCH' && random() < 0.9
        ? { Operations: Array.from({ length: 1 + Math.floor(random() * 3) }, operation) }
        : random() < 0.6
          ? { ...user, ...object(0) }
          : value(0);
    const text = JSON.stringify(sent);
    return random() < 0.05 ? text.slice(0, Math.floor(random() * text.length)) : text;
  };
  const part = () => encodeURIComponent(pick(texts.filter((text) => text.isWellFormed())));
  const filter = () =>
    random() < 0.7
      ? `${pick(names)} eq ${JSON.stringify(pick(texts.slice(0, 11)))}`
      : pick(texts.slice(0, 3));
  const query = () =>
    Array.from(
      { length: Math.floor(random() * 4) },
      () =>
        `${pick(['filter', 'startIndex', 'count', 'excludedAttributes', 'attributes', 'sortBy'])}=${random() < 0.5 ? encodeURIComponent(filter().toWellFormed()) : part()}`,
    ).join('&');

  const wrong: string[] = [];
  for (let i = 0; i < 600; i++) {
    const kind = pick(['Users', 'Groups'] as const);
    const method = pick(['GET', 'POST', 'PUT', 'PATCH', 'PATCH', 'PATCH'] as const);
    const id = method !== 'POST' && random() < 0.85 ? `/${random() < 0.9 ? ids[kind] : part()}` : '';
    const path = `/${kind}${id}?${query()}`;
    const payload = method === 'GET' ? undefined : body(method);
    const { status, text } = await send(method, path, payload);
    if (status >= 500) wrong.push(`${method} ${path} ${payload} → ${status} ${text}`);
  }
  expect(wrong).toEqual([]);
  for (const kind of ['Users', 'Groups'] as const) {
    expect((await send('GET', `/${kind}/${ids[kind]}`)).status).toBe(200);
    expect((await send('GET', `/${kind}`)).status).toBe(200);
  }
  expect((await own.api('GET', '/members')).status).toBe(200);
});
