import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import { expect, it } from 'vitest';
import { openLogouts } from './read-logout.ts';

const issuer = new URL('https://idp.example.com');
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const keys = JSON.stringify({
  keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }],
});

const now = new Date();
const logoutToken = () =>
  new SignJWT({ events: { 'http://schemas.openid.net/event/backchannel-logout': {} }, sid: 'S', jti: 'J' })
    .setProtectedHeader({ alg: 'RS256', kid: 'k' })
    .setIssuer(issuer.href)
    .setAudience('dokima')
    .setIssuedAt(now)
    .sign(privateKey);

/** Reads a logout token while the address of the provider's keys answers so. */
const readWhile = async (answer: RequestListener) => {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const jwks_uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
  const configuration = async () => ({ serverMetadata: () => ({ issuer: issuer.href, jwks_uri }) });
  try {
    return await openLogouts({ issuer, clientId: 'dokima' }, { configuration })(await logoutToken(), now);
  } finally {
    server.closeAllConnections();
    server.close();
  }
};

it('a logout is read with the keys of the provider', async () => {
  expect(await readWhile((_, response) => response.end(keys))).toMatchObject({ session: 'S' });
});

it.each<[string, RequestListener]>([
  ['answers 503', (_, response) => response.writeHead(503).end('busy')],
  ['answers with a page', (_, response) => response.end('<html>')],
  ['ends the connection', (request) => request.socket.destroy()],
])('a logout gets 503 while the address of the keys %s: the provider sends it again', async (_, answer) => {
  await expect(readWhile(answer)).rejects.toMatchObject({ code: 'UNAVAILABLE', status: 503 });
});
