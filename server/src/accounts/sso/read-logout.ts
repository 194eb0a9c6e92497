import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { ApiError } from '../../platform/errors.ts';
import { SsoRefused, subjectOf } from './provider.ts';
import type { SsoSettings } from './settings.ts';

/** What a provider ends: a session, or all sessions of an account. Those that began after `before` go on: a token may come again. */
export type Logout = { subject: string | null; session: string | null; before: Date };

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
/** Signatures by the keys that a provider publishes. */
const signatures = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const longestLogout = '10 minutes';
/** How far the clocks of the provider and the database may differ. */
const clockToleranceSeconds = 60;

const refused = (why: string, cause?: unknown) => new SsoRefused('provider', why, cause);

/** What the provider says of itself. */
type Published = { serverMetadata: () => { issuer: string; jwks_uri?: string | undefined } };

/**
 * Returns the reader of logout tokens of OpenID Connect Back-Channel Logout 1.0, which the provider signs with the keys of its ID tokens.
 * Throws SsoRefused for any other token.
 */
export const openLogouts = (
  { issuer, clientId }: Pick<SsoSettings, 'issuer' | 'clientId'>,
  { configuration }: { configuration: () => Promise<Published> },
): ((token: string, now: Date) => Promise<Logout>) => {
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined;
  return async (token, now) => {
    const { issuer: name, jwks_uri: address } = (await configuration()).serverMetadata();
    if (!address) throw refused('the provider publishes no keys');
    keys ??= createRemoteJWKSet(new URL(address));
    const { payload } = await jwtVerify(token, keys, {
      issuer: name,
      audience: clientId,
      algorithms: signatures,
      requiredClaims: ['iat', 'jti'],
      maxTokenAge: longestLogout,
      clockTolerance: clockToleranceSeconds,
      currentDate: now,
    }).catch((error) => {
      // The keys could not be read: the provider may send the token again. The generic error is that of an answer without keys, such as a 503.
      const { code } = error as { code?: string };
      if (
        error instanceof errors.JWKSTimeout ||
        code === 'ERR_JOSE_GENERIC' ||
        !(error instanceof errors.JOSEError)
      )
        throw new ApiError('UNAVAILABLE', 'The sign-in provider does not answer.', {
          retryAfterSeconds: 5,
          cause: error,
        });
      throw refused(`the logout token is not valid: ${error.message}`, error);
    });
    const { events, nonce, sub, sid, iat } = payload;
    if (typeof ((events as Record<string, unknown> | undefined)?.[logoutEvent] ?? undefined) !== 'object')
      throw refused('the token is no logout token');
    if (nonce !== undefined) throw refused('a logout token has no nonce');
    const session = typeof sid === 'string' ? sid : null;
    const subject = typeof sub === 'string' ? subjectOf(issuer, sub) : null;
    if (session === null && subject === null)
      throw refused('the logout token names neither a person nor a session');
    return { subject, session, before: new Date((iat! + clockToleranceSeconds) * 1_000) };
  };
};
