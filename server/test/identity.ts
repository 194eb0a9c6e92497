/// <reference path="./oidc-provider.d.ts" />
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** A real OpenID Connect provider on this machine, for tests of single sign-on. */

export const publicUrl = 'http://dokima.test';
const clientId = 'dokima';
const clientSecret = 'the secret of the client, for tests';

type Claims = Record<string, unknown>;
export type Person = Claims & { sub: string };

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string): Claims => JSON.parse(Buffer.from(part, 'base64url').toString());

const jwkOf = (key: KeyObject) => ({ ...key.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'k' });

export type Identities = {
  /** Settings with which the service uses the provider. */
  settings: Record<string, string>;
  issuer: string;
  /** The person who signs in from now on. */
  person: Person;
  /** Changes the claims of ID tokens and signs them again, as an attacker or a broken provider would. */
  forge: ((claims: Claims) => Claims) | undefined;
  /** Signs the forged ID tokens with a key that the provider does not publish, or with none. */
  signs: 'rightly' | 'wrongly' | 'not';
  /** A logout token with these claims, signed as `signs` says. */
  logoutToken: (claims: Claims) => string;
  /** Opens a page of the provider as a browser does, and returns the address that it leads back to. */
  visit: (url: string) => Promise<URL>;
  close: () => Promise<void>;
};

/** `address` is the public URL of the service. */
export const startIdentities = async (address = publicUrl): Promise<Identities> => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const { privateKey: otherKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const grantId = async ({ oidc }: { oidc: { provider: Provider; client: { clientId: string } } }) => {
    const grant = new oidc.provider.Grant({
      clientId: oidc.client.clientId,
      accountId: identities.person.sub,
    });
    grant.addOIDCScope('openid email profile');
    await grant.save();
    return grant;
  };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${address}/sso/callback`],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [jwkOf(createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' })))] },
    claims: { email: ['email', 'email_verified'], profile: ['name', 'groups'], openid: ['sub'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: async () => identities.person,
    }),
    loadExistingGrant: grantId,
    cookies: { keys: ['a key for cookies'] },
    pkce: { required: () => true },
  });
  provider.use(async (context, next) => {
    await next();
    if (context.path !== '/token' || !context.body.id_token || !identities.forge) return;
    const [header, payload] = context.body.id_token.split('.') as [string, string];
    const alg = identities.signs === 'not' ? { ...decode(header), alg: 'none' } : decode(header);
    const text = `${encode(alg)}.${encode(identities.forge(decode(payload)))}`;
    const key = identities.signs === 'rightly' ? privateKey : otherKey;
    const mac =
      identities.signs === 'not' ? '' : sign('sha256', Buffer.from(text), key).toString('base64url');
    context.body.id_token = `${text}.${mac}`;
  });
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/')) {
      const result = { login: { accountId: identities.person.sub } };
      void provider.interactionFinished(request, response, result);
    } else void answer(request, response);
  });

  const visit = async (url: string): Promise<URL> => {
    const cookies = new Map<string, string>();
    for (let at = new URL(url); ; ) {
      if (at.origin === publicUrl) return at;
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(at, { redirect: 'manual', headers: { cookie } });
      for (const set of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!;
        cookies.set(name!, value!);
      }
      const next = response.headers.get('location');
      if (!next) throw new Error(`${at} answered ${response.status} ${await response.text()}`);
      at = new URL(next, at);
    }
  };

  const logoutToken = (claims: Claims): string => {
    const alg = identities.signs === 'not' ? 'none' : 'RS256';
    const now = Math.floor(Date.now() / 1_000);
    const common = { iss: issuer, aud: clientId, iat: now, exp: now + 120, jti: `${now}` };
    const event = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const text = `${encode({ alg, typ: 'logout+jwt', kid: 'k' })}.${encode({ ...common, events: event, ...claims })}`;
    const key = identities.signs === 'rightly' ? privateKey : otherKey;
    const mac =
      identities.signs === 'not' ? '' : sign('sha256', Buffer.from(text), key).toString('base64url');
    return `${text}.${mac}`;
  };

  const identities: Identities = {
    settings: {
      DOKIMA_PUBLIC_URL: publicUrl,
      DOKIMA_OIDC_ISSUER: issuer,
      DOKIMA_OIDC_CLIENT_ID: clientId,
      DOKIMA_OIDC_CLIENT_SECRET: clientSecret,
    },
    issuer,
    person: { sub: 'no one yet' },
    forge: undefined,
    signs: 'rightly',
    logoutToken,
    visit,
    close: () => new Promise((done) => server.close(() => done())),
  };
  return identities;
};
