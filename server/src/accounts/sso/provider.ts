import * as oidc from 'openid-client';
import { untrustedBy } from '../../engine/models/unreachable.ts';
import { ApiError } from '../../platform/errors.ts';
import { isEmailAddress } from '../email-address.ts';
import type { SsoSettings } from './settings.ts';

/** State of a sign-in, kept in the browser's cookie until the provider answers. */
export type Flow = { state: string; nonce: string; verifier: string; next: string };

/** The person who signed in, from the provider's ID token. */
export type Identity = {
  /** Issuer and subject: no other account of any provider has it. */
  subject: string;
  /** The session at the provider; null if it names none. */
  session: string | null;
  /** The verified e-mail address. */
  email: string;
  name: string;
  groups: string[];
};

/** Why a sign-in was refused; the sign-in page explains it. */
export type Problem =
  | 'expired'
  | 'provider'
  | 'refused'
  | 'unverified'
  | 'too-many-groups'
  | 'no-member'
  | 'no-group'
  | 'other-account';

/** A sign-in that is refused. The public text is the page's; the message is for the log. */
export class SsoRefused extends Error {
  readonly problem: Problem;
  constructor(problem: Problem, message: string, cause?: unknown) {
    super(message, { cause });
    this.problem = problem;
  }
}

/** Names an account of the provider as members keep it. */
export const subjectOf = (issuer: URL, sub: string): string => `${issuer.href} ${sub}`;

const isLoopback = ({ hostname }: URL): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string');

/** Values by which providers mark an address as verified. */
const yes: readonly unknown[] = [true, 'true', 1, '1'];

const identityOf = (
  { issuer, groupsClaim, trustsEmail }: SsoSettings,
  claims: oidc.IDToken,
  info: Record<string, unknown>,
): Identity => {
  // The ID token is signed; userinfo only adds missing claims.
  const all: Record<string, unknown> = { ...info, ...claims };
  const {
    email,
    email_verified: verified,
    xms_edov: domainVerified,
    name,
    preferred_username: username,
  } = all;
  if (typeof email !== 'string' || !email.includes('@'))
    throw new SsoRefused('unverified', 'the ID token has no e-mail address');
  if (!isEmailAddress(email))
    throw new SsoRefused(
      'unverified',
      `the address ${JSON.stringify(email)} may be read as another person's`,
    );
  // Entra ID says xms_edov, as an optional claim; some providers send texts.
  const isVerified = [verified, domainVerified].some((value) => yes.includes(value));
  if (!isVerified && (!trustsEmail || verified === false || verified === 'false'))
    throw new SsoRefused('unverified', `the provider does not say that ${email} is verified`);
  const { _claim_names: elsewhere } = all as { _claim_names?: Record<string, unknown> };
  if (elsewhere && groupsClaim in elsewhere)
    throw new SsoRefused('too-many-groups', `the provider left out ${groupsClaim}: they are too many`);
  return {
    subject: subjectOf(issuer, claims.sub),
    session: typeof claims.sid === 'string' ? claims.sid : null,
    email,
    name: texts([name, username, email])[0]!.slice(0, 200),
    groups: texts(all[groupsClaim]),
  };
};

/**
 * Signs in at an OpenID Connect provider: authorization code with PKCE, state and nonce. Its configuration is read at the first
 * sign-in, and again after a failure.
 */
export const openProvider = (settings: SsoSettings) => {
  let discovered: Promise<oidc.Configuration> | undefined;
  const discover = async (): Promise<oidc.Configuration> => {
    const { issuer, clientId, clientSecret } = settings;
    const options = isLoopback(issuer) && issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [];
    // Signatures of ID tokens are checked although they come over TLS from the provider itself.
    const execute = [...options, oidc.enableNonRepudiationChecks];
    return oidc.discovery(issuer, clientId, clientSecret, undefined, { execute, timeout: 10 });
  };
  const configuration = (): Promise<oidc.Configuration> => {
    discovered ??= discover().catch((error) => {
      discovered = undefined;
      const certificate = untrustedBy(error);
      const message = certificate
        ? `The sign-in provider ${settings.issuer.host} can't be reached: ${certificate}.`
        : 'The sign-in provider does not answer. Try again shortly; the log shows the cause.';
      throw new ApiError('UNAVAILABLE', message, { retryAfterSeconds: 5, cause: error });
    });
    return discovered;
  };

  return {
    configuration,

    /** Returns the page of the provider to which the browser is sent, and the state of the sign-in. */
    begin: async (next: string): Promise<{ url: URL; flow: Flow }> => {
      const verifier = oidc.randomPKCECodeVerifier();
      const flow = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier, next };
      const url = oidc.buildAuthorizationUrl(await configuration(), {
        redirect_uri: settings.redirectUri,
        scope: settings.scopes,
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { url, flow };
    },

    /** Exchanges the code in the query for an ID token and returns whose it is. Throws SsoRefused. */
    finish: async (query: string, { state, nonce, verifier }: Flow): Promise<Identity> => {
      const config = await configuration();
      // Built from the setting, because the sender chooses the Host of a request.
      const url = new URL(`${settings.redirectUri}${query}`);
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
      try {
        const tokens = await oidc.authorizationCodeGrant(config, url, checks);
        const claims = tokens.claims()!;
        const needsInfo = claims.email === undefined || claims[settings.groupsClaim] === undefined;
        const info =
          needsInfo && config.serverMetadata().userinfo_endpoint
            ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)
            : {};
        return identityOf(settings, claims, info);
      } catch (error) {
        if (error instanceof SsoRefused) throw error;
        const denied = error instanceof oidc.AuthorizationResponseError;
        throw new SsoRefused(denied ? 'refused' : 'provider', (error as Error).message, error);
      }
    },
  };
};

export type SsoProvider = ReturnType<typeof openProvider>;
