import { createHash } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createProject, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { keyFinder } from '../authenticate.ts';

const { app, own } = await openApp();

const createKey = (fields: Record<string, unknown> = {}) =>
  ok(own.api('POST', '/keys', { name: 'K', ...fields }), 201);
const statusOf = async (key: string) => (await own.as(key)('GET', '/me')).status;
const find = async (id: string) =>
  (await ok(own.api('GET', '/keys?limit=100'))).data.find((key: { id: string }) => key.id === id);

/** Revokes a key without informing this process. */
const revokeElsewhere = (id: string) =>
  app.db.transaction(own, (tx) => tx`update api_key set revoked_at = now() where id = ${id}`);

/** Every value of the key's row, as text. */
const storedAs = async (id: string) => {
  const [row] = await app.db.read(
    own,
    (sql) =>
      sql<
        { text: string; hash: Buffer }[]
      >`select to_json(k)::text as text, hash from api_key k where id = ${id}`,
  );
  return row!;
};

describe('POST /keys', () => {
  it('201 shows the key this once; it is stored as its hash, with the prefix for people', async () => {
    const { key, ...rest } = await createKey();
    expect(key).toMatch(/^ak_[\w-]{43}$/);
    expect(rest).toMatchObject({
      userId: own.memberId,
      name: 'K',
      access: 'full',
      expiresAt: null,
      lastUsedAt: null,
    });
    expect(key.startsWith(rest.prefix)).toBe(true);
    expect(rest.prefix.length).toBeLessThan(12);
    expect(await find(rest.id)).toEqual(rest);

    const { text, hash } = await storedAs(rest.id);
    expect(hash).toEqual(createHash('sha256').update(key).digest());
    expect(text).not.toContain(key.slice(rest.prefix.length));
  });

  it('201 gives every key another secret', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => createKey()));
    expect(new Set(keys.map(({ key }) => key)).size).toBe(20);
  });

  it.each([
    [{ name: '' }, '/name'],
    [{ access: 'write' }, '/access'],
    [{ expiresAt: 'tomorrow' }, '/expiresAt'],
    [{ expiresAt: '2026-02-30T00:00:00Z' }, '/expiresAt'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, '/expiresAt'],
    [{ scope: 'all' }, '/scope'],
  ])('400 for %j', async (fields, path) => {
    const { status, body } = await own.api('POST', '/keys', { name: 'K', ...fields });
    expect(status).toBe(400);
    expect(body.details.issues[0].path).toBe(path);
  });
});

describe('a key', () => {
  it('with access to read reads, and is refused every write', async () => {
    const { key } = await createKey({ access: 'read' });
    const reader = own.as(key);
    expect((await ok(reader('GET', '/me'))).key.access).toBe('read');
    const { status, body } = await reader('POST', '/projects', { name: 'P', description: '' });
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'FORBIDDEN' });
    expect((await reader('POST', '/keys', { name: 'more', access: 'full' })).status).toBe(403);
  });

  it('ends at its expiry', async () => {
    const { id } = await createKey({ expiresAt: '2100-01-01T00:00:00+02:00' });
    expect((await find(id)).expiresAt).toBe('2099-12-31T22:00:00.000Z');
    const { id: pastId, key } = await createKey({ expiresAt: '2100-01-01T00:00:00Z' });
    await app.db.transaction(own, (tx) => tx`update api_key set expires_at = now() where id = ${pastId}`);
    expect(await statusOf(key)).toBe(401);
  });

  it('is remembered as valid until its expiry, and not a moment longer', async () => {
    const expiresAt = '2100-01-01T00:00:00Z';
    const { id, key } = await createKey({ expiresAt });
    let now = Date.parse(expiresAt) - 500;
    const { find: findKey } = keyFinder(app.db, () => now);
    expect((await findKey(key))?.keyId).toBe(id);
    await revokeElsewhere(id);
    now = Date.parse(expiresAt) - 1;
    expect((await findKey(key))?.keyId).toBe(id);
    now += 1;
    expect(await findKey(key)).toBeUndefined();
  });

  it('makes none that outlives it', async () => {
    const { key } = await createKey({ expiresAt: '2100-01-01T00:00:00Z' });
    const make = (fields = {}) => own.as(key)('POST', '/keys', { name: 'child', ...fields });
    expect((await make()).body.expiresAt).toBe('2100-01-01T00:00:00.000Z');
    expect((await make({ expiresAt: '2099-01-01T00:00:00Z' })).body.expiresAt).toBe(
      '2099-01-01T00:00:00.000Z',
    );
    const later = await make({ expiresAt: '2100-01-01T00:00:01Z' });
    expect({ status: later.status, path: later.body.details.issues[0].path }).toEqual({
      status: 400,
      path: '/expiresAt',
    });
  });

  it('notes its last use', async () => {
    const { id, key } = await createKey();
    expect((await find(id)).lastUsedAt).toBeNull();
    const before = Date.now();
    expect(await statusOf(key)).toBe(200);
    // Noted after the answer.
    await expect.poll(async () => Date.parse((await find(id)).lastUsedAt)).toBeGreaterThanOrEqual(before - 1);
  });

  it.each([
    ['none', undefined],
    ['an unknown one', `ak_${'x'.repeat(43)}`],
    ['one without ak_', 'x'.repeat(43)],
    ['an empty one', ''],
    ['one with something after it', 'ak_x y'],
  ])('401 for %s, in the same words', async (_name, key) => {
    const { status, body } = await own.as(key)('GET', '/me');
    expect({ status, body }).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED', details: {} } });
    expect(body.message).toContain('invalid or missing');
  });

  it('is taken with Bearer in any case', async () => {
    const { key } = await createKey();
    const answer = await own.as(undefined)('GET', '/me', undefined, {
      headers: { authorization: `bearer ${key}` },
    });
    expect(answer.status).toBe(200);
  });
});

describe('DELETE /keys/:keyId', () => {
  it('ends the key with the next request, takes it from the list, and is 404 the second time', async () => {
    const { id, key } = await createKey();
    expect(await statusOf(key)).toBe(200);
    await ok(own.api('DELETE', `/keys/${id}`));
    expect(await statusOf(key)).toBe(401);
    expect(await find(id)).toBeUndefined();
    expect((await own.api('DELETE', `/keys/${id}`)).status).toBe(404);
  });

  it('lets a key revoke itself', async () => {
    const { id, key } = await createKey();
    await ok(own.as(key)('DELETE', `/keys/${id}`));
    expect(await statusOf(key)).toBe(401);
  });

  it('ends within a second what another process revokes', async () => {
    const { id, key } = await createKey();
    let now = 0;
    const { find: findKey } = keyFinder(app.db, () => now);
    expect((await findKey(key))?.keyId).toBe(id);
    await revokeElsewhere(id);
    now = 1_000;
    expect(await findKey(key)).toBeUndefined();
  });

  it('ends it as soon when the clock of this machine is set back', async () => {
    const { id, key } = await createKey();
    expect(await statusOf(key)).toBe(200);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    await revokeElsewhere(id);
    await expect.poll(() => statusOf(key)).toBe(401);
  });

  it('401, and nothing is written, for a member whom another process has just removed', async () => {
    const project = await createProject(own.api);
    const { api, id } = await own.person();
    await ok(api('GET', '/me'));
    await app.db.transaction(own, (tx) => tx`delete from member where id = ${id}`);
    const view = { name: 'Late', shared: true, search: '', display: {} };
    expect((await api('POST', `/projects/${project.id}/views`, view)).status).toBe(401);
    expect((await ok(own.api('GET', `/projects/${project.id}/views`))).data).toEqual([]);
  });
});
