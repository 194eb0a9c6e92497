import { createSecretKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../../../test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { type ModelServer, openOpenAiServer } from '../../../test/model-server.ts';
import { system } from '../../platform/db/database.ts';
import { seal, unseal } from '../../platform/seal.ts';

let app: TestApp;
let own: Organization;
let models: ModelServer;

beforeAll(async () => {
  [app, models] = await Promise.all([
    startApp({ DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true' }),
    openOpenAiServer(),
  ]);
  own = await app.organization();
});
afterAll(() => Promise.all([app.close(), models.close()]));

let count = 0;
const create = (fields: Record<string, unknown> = {}) =>
  ok(
    own.api('POST', '/providers', {
      name: `p${++count}`,
      kind: 'openai-compatible',
      baseUrl: models.url,
      apiKey: 'sk-very-secret',
      ...fields,
    }),
    201,
  );
const stored = async (id: string) => {
  const [row] = await app.db.read(
    system,
    (sql) => sql<{ row: string }[]>`
    select row_to_json(provider)::text as row from provider where id = ${id}`,
  );
  return row!.row;
};

describe('providers', () => {
  it('are answered without their secrets, which are stored encrypted', async () => {
    const made = await create({
      kind: 'bedrock',
      options: { region: 'eu-west-1', secretAccessKey: 'hidden' },
    });
    expect(made).toMatchObject({ hasSecret: true, options: { region: 'eu-west-1' }, maxConcurrency: 8 });
    expect(JSON.stringify(made)).not.toMatch(/sk-very-secret|hidden/);
    expect(await stored(made.id)).not.toMatch(/sk-very-secret|hidden/);
  });

  it('400 for a changed base URL without the secrets, which stay bound to the old one', async () => {
    const { id } = await create();
    const elsewhere = { baseUrl: 'https://models.example.com' };
    const refused = await own.api('PATCH', `/providers/${id}`, elsewhere);
    expect(refused.status).toBe(400);
    expect(refused.body.details.issues).toEqual([
      { path: '/apiKey', message: 'must be sent again when the base URL changes' },
    ]);
    await ok(own.api('PATCH', `/providers/${id}`, { ...elsewhere, apiKey: 'sk-again' }));
  });

  it('are opened for no other base URL, even where the database names one', async () => {
    const { id } = await create();
    await app.db.transaction(
      system,
      (tx) => tx`update provider set base_url = ${`${models.url}/elsewhere`} where id = ${id}`,
    );
    expect((await own.api('POST', `/providers/${id}/test`, { modelName: 'm' })).status).toBe(409);
  });

  it('400 for a changed resource of Azure without its key', async () => {
    const { id } = await create({ kind: 'azure', baseUrl: undefined, options: { resourceName: 'ours' } });
    const options = { resourceName: 'theirs' };
    const refused = await own.api('PATCH', `/providers/${id}`, { options });
    expect(refused.status).toBe(400);
    expect(refused.body.details.issues).toEqual([
      { path: '/apiKey', message: 'must be sent again when the resource changes' },
    ]);
    const version = { resourceName: 'ours', apiVersion: 'v1' };
    await ok(own.api('PATCH', `/providers/${id}`, { options: version }));
    await ok(own.api('PATCH', `/providers/${id}`, { options, apiKey: 'sk-again' }));
  });

  it.each([
    ['azure', 'resourceName'],
    ['bedrock', 'region'],
  ])('400 for an option of %s that would name another host: %s', async (kind, option) => {
    const { id } = await create({ kind, baseUrl: undefined, options: { [option]: 'one' } });
    for (const value of ['evil.example/x?', 'evil.example#', 'a.b', 'a@b', '..', ' ', '']) {
      const options = { [option]: value };
      const created = await own.api('POST', '/providers', { name: 'another', kind, options, apiKey: 'k' });
      const changed = await own.api('PATCH', `/providers/${id}`, { options, apiKey: 'k' });
      for (const { status, body } of [created, changed]) {
        expect(status, value).toBe(400);
        expect(body.details.issues).toMatchObject([{ path: `/options/${option}` }]);
      }
    }
  });

  it('keep their key when something else changes', async () => {
    const { id } = await create();
    await ok(own.api('PATCH', `/providers/${id}`, { maxConcurrency: 2 }));
    models.answer({ reply: { reasoning: 'Yes.', binaryScore: true } });
    const tested = await ok(own.api('POST', `/providers/${id}/test`, { modelName: 'm' }));
    expect(tested).toMatchObject({ ok: true, modelAnswered: 'm-2025-01-01' });
    expect(models.received.at(-1)!.headers.authorization).toBe('Bearer sk-very-secret');
  });

  it('keep the secret options that a change of the others can not repeat, until they are emptied', async () => {
    const secrets = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'hidden one' };
    const options = { region: 'eu-west-1', ...secrets };
    const { id } = await create({ kind: 'bedrock', baseUrl: undefined, apiKey: undefined, options });
    const change = (changed: object) => ok(own.api('PATCH', `/providers/${id}`, { options: changed }));
    const north = { region: 'eu-north-1' };
    expect(await change(north)).toMatchObject({ options: north, hasSecret: true });
    expect(await change({ ...north, accessKeyId: '' })).toMatchObject({ options: north, hasSecret: true });
    expect(await change({ ...north, secretAccessKey: '' })).toMatchObject({
      options: north,
      hasSecret: false,
    });
  });

  it('say when tested what to change, and nothing of the key', async () => {
    const { id } = await create();
    models.answer({ status: 401, body: '{"error":{"message":"bad key sk-very-secret"}}' });
    const tested = await ok(own.api('POST', `/providers/${id}/test`, { modelName: 'm' }));
    expect(tested.ok).toBe(false);
    expect(tested.message).toMatch(/key/i);
    expect(tested.message).not.toContain('sk-very-secret');
  });

  it('whose key another DOKIMA_SECRET sealed say so, and work once they are given it again', async () => {
    const { id } = await create();
    await app.db.transaction(
      system,
      (tx) => tx`update provider set secret = ${Buffer.alloc(60)} where id = ${id}`,
    );
    models.answer({ reply: { reasoning: 'Yes.', binaryScore: true } });
    const test = () => own.api('POST', `/providers/${id}/test`, { modelName: 'm' });
    const refused = await test();
    expect(refused.status).toBe(409);
    expect(refused.body.message).toMatch(/DOKIMA_SECRET has changed .* Enter the key again/);
    await ok(own.api('PATCH', `/providers/${id}`, { maxConcurrency: 3 }));
    expect((await test()).status).toBe(409);
    await ok(own.api('PATCH', `/providers/${id}`, { apiKey: 'sk-new' }));
    expect(await ok(test())).toMatchObject({ ok: true });
    expect(models.received.at(-1)!.headers.authorization).toBe('Bearer sk-new');
  });

  it('409 when the name is taken, 400 for the reserved one', async () => {
    const { name } = await create();
    const again = { name, kind: 'openai', apiKey: 'k' };
    expect((await own.api('POST', '/providers', again)).status).toBe(409);
    expect((await own.api('POST', '/providers', { ...again, name: 'fake' })).status).toBe(400);
  });
});

describe('addresses', () => {
  it('400 for a private base URL unless the operator allows them', async () => {
    const guarded = await startApp();
    try {
      const { api } = await guarded.organization();
      const body = { name: 'local', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:11434/v1' };
      const refused = await api('POST', '/providers', body);
      expect(refused.status).toBe(400);
      expect(refused.body.details.issues[0].path).toBe('/baseUrl');
    } finally {
      await guarded.close();
    }
  });
});

describe('seal', () => {
  const key = createSecretKey(Buffer.alloc(32, 1));
  it('opens with the same key and context only', () => {
    const sealed = seal(key, 'row 1', 'text');
    expect(unseal(key, 'row 1', sealed)).toBe('text');
    expect(() => unseal(key, 'row 2', sealed)).toThrow();
    expect(() => unseal(createSecretKey(Buffer.alloc(32, 2)), 'row 1', sealed)).toThrow();
    sealed[sealed.length - 20]! ^= 1;
    expect(() => unseal(key, 'row 1', sealed)).toThrow();
  });
});
