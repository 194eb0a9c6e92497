import { execFile } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { certificate } from './certificate.ts';
import { openForwardProxy } from './forward-proxy.ts';
import { forPrograms } from './programs.ts';
import { callService, createStorage, endServices, startService } from './service.ts';

// A network that lets calls out only through a proxy. Behind it, models.example is a provider of models and of single sign-on.
const issuer = 'https://models.example';
const doctor = fileURLToPath(new URL('../src/operate/doctor.ts', import.meta.url));

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
let nonce = '';
const idToken = (): string => {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: issuer,
    aud: 'dokima',
    sub: 'ada',
    nonce,
    iat: now,
    exp: now + 300,
    email: 'ada@example.org',
    email_verified: true,
    groups: ['ml'],
  };
  const text = `${encode({ alg: 'RS256', kid: 'k' })}.${encode(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
};

const answers: Record<string, () => unknown> = {
  '/.well-known/openid-configuration': () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  }),
  '/jwks': () => ({ keys: [{ ...publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'k' }] }),
  '/token': () => ({ access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token: idToken() }),
  '/v1/chat/completions': () => ({
    id: '1',
    object: 'chat.completion',
    created: 1,
    model: 'judge',
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        message: { role: 'assistant', content: '{"reasoning":"It is right.","binaryScore":true}' },
      },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  }),
};
const outside = createServer(certificate, (request, response) => {
  const body = answers[new URL(request.url!, issuer).pathname]?.();
  response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body ?? {}));
});

/** A port that is free: single sign-on needs to know the address of the service before it starts. */
const freePort = async (): Promise<number> => {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

let proxy: Awaited<ReturnType<typeof openForwardProxy>>;
let storage: Awaited<ReturnType<typeof createStorage>>;
let settings: Record<string, string>;
beforeAll(async () => {
  outside.listen(0, '127.0.0.1');
  await once(outside, 'listening');
  proxy = await openForwardProxy({ 'models.example': (outside.address() as AddressInfo).port });
  storage = await createStorage();
  const authority = join(storage.settings.DOKIMA_DATA_DIR, 'authority.pem');
  await writeFile(authority, certificate.cert);
  const port = await freePort();
  settings = {
    ...storage.settings,
    HTTPS_PROXY: proxy.url,
    NODE_EXTRA_CA_CERTS: authority,
    PORT: String(port),
    DOKIMA_PUBLIC_URL: `http://127.0.0.1:${port}`,
    DOKIMA_OIDC_ISSUER: issuer,
    DOKIMA_OIDC_CLIENT_ID: 'dokima',
    DOKIMA_OIDC_CLIENT_SECRET: 'the secret of the client, for tests',
    DOKIMA_GROUP_ROLES: 'ml:member',
  };
});
afterAll(async () => {
  await endServices();
  await storage.remove();
  proxy.close();
  outside.closeAllConnections();
  outside.close();
});

const examine = async (more: Record<string, string> = {}) => {
  const env = { ...forPrograms(), ...settings, ...more, PORT: '1' };
  return promisify(execFile)(process.execPath, [doctor], { env }).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stdout }) => ({ code: code as number, said: stdout as string }),
  );
};

it('single sign-on, a judge and doctor go through the proxy; NO_PROXY makes them direct', async () => {
  const service = await startService(settings);
  const get = (path: string, cookie = '') =>
    fetch(`${service.url}${path}`, { redirect: 'manual', headers: { cookie } });
  const started = await get('/sso/start');
  const asked = new URL(started.headers.get('location')!);
  expect([started.status, asked.origin]).toEqual([302, issuer]);
  nonce = asked.searchParams.get('nonce')!;
  const cookie = started.headers.getSetCookie()[0]!.split(';')[0]!;
  const back = await get(`/sso/callback?code=c&state=${asked.searchParams.get('state')}`, cookie);
  expect([back.status, back.headers.get('location')]).toEqual([302, `${service.url}/`]);
  expect(back.headers.getSetCookie().join()).toContain('dokima_session=');
  expect(new Set(proxy.asked)).toEqual(new Set(['CONNECT models.example:443']));

  proxy.asked.length = 0;
  const body = { name: 'own', kind: 'openai-compatible', baseUrl: `${issuer}/v1`, apiKey: 'k' };
  const { id } = (await callService(service, 'POST', '/providers', body)).body;
  const tested = await callService(service, 'POST', `/providers/${id}/test`, { modelName: 'judge' });
  expect(tested.body).toMatchObject({ ok: true });
  expect(proxy.asked).toEqual(['CONNECT models.example:443']);
  await service.end('SIGTERM');

  proxy.asked.length = 0;
  const { said } = await examine();
  for (const name of ['single sign-on', 'provider'])
    expect(said).toContain(`ok  ${name}: ${issuer} answers, through ${proxy.url}\n`);
  expect(proxy.asked).toHaveLength(2);
  const direct = await examine({ NO_PROXY: '.example' });
  expect(direct.code).toBe(1);
  for (const name of ['single sign-on', 'provider'])
    expect(direct.said).toContain(`NO  ${name}: ${issuer} does not answer, directly: `);
  const away = await examine({ HTTPS_PROXY: 'http://127.0.0.1:1' });
  expect(away.said).toContain(
    "does not answer, through http://127.0.0.1:1: the proxy http://127.0.0.1:1 can't be reached",
  );
  expect(proxy.asked).toHaveLength(2);
});
