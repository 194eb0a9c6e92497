import type { Role } from '../../platform/http/scope.ts';
import { type GroupRoles, readGroupRoles } from '../roles.ts';

/** Settings of single sign-on with OpenID Connect. */
export type SsoSettings = {
  issuer: URL;
  clientId: string;
  clientSecret: string;
  scopes: string;
  /** Address to which the provider sends the browser back. */
  redirectUri: string;
  publicUrl: string;
  /** Shown on the button. */
  name: string;
  /** The organization that people join at their first sign-in; undefined: the oldest. */
  organizationId: bigint | undefined;
  /** Their role if no group gives one; undefined: they must be members already. */
  defaultRole: Role | undefined;
  groupRoles: GroupRoles;
  groupsClaim: string;
  /** Whether every address of the provider counts as verified. */
  trustsEmail: boolean;
};

/** The path that the provider sends browsers back to. */
export const callbackPath = '/sso/callback';
/** The path that the provider calls when it ends a session. */
export const logoutPath = '/sso/backchannel-logout';

type Settings = {
  DOKIMA_PUBLIC_URL?: string;
  DOKIMA_OIDC_ISSUER?: string;
  DOKIMA_OIDC_CLIENT_ID?: string;
  DOKIMA_OIDC_CLIENT_SECRET?: string;
  DOKIMA_OIDC_ORGANIZATION?: string;
  DOKIMA_OIDC_DEFAULT_ROLE: Role | 'none';
  DOKIMA_OIDC_NAME: string;
  DOKIMA_OIDC_SCOPES: string;
  DOKIMA_OIDC_GROUPS_CLAIM: string;
  DOKIMA_OIDC_TRUST_EMAIL: boolean;
  DOKIMA_GROUP_ROLES: string;
};

/** Returns the settings of single sign-on; undefined when it is off. */
export const ssoSettings = (config: Settings): SsoSettings | undefined => {
  const {
    DOKIMA_OIDC_ISSUER: issuer,
    DOKIMA_OIDC_CLIENT_ID: clientId,
    DOKIMA_OIDC_CLIENT_SECRET: clientSecret,
    DOKIMA_PUBLIC_URL: publicUrl,
    DOKIMA_OIDC_DEFAULT_ROLE: defaultRole,
  } = config;
  if (!issuer || !clientId || !clientSecret || !publicUrl) return undefined;
  return {
    issuer: new URL(issuer),
    clientId,
    clientSecret,
    publicUrl,
    scopes: config.DOKIMA_OIDC_SCOPES,
    redirectUri: `${publicUrl}${callbackPath}`,
    name: config.DOKIMA_OIDC_NAME,
    organizationId: config.DOKIMA_OIDC_ORGANIZATION ? BigInt(config.DOKIMA_OIDC_ORGANIZATION) : undefined,
    defaultRole: defaultRole === 'none' ? undefined : defaultRole,
    groupRoles: readGroupRoles(config.DOKIMA_GROUP_ROLES)!,
    groupsClaim: config.DOKIMA_OIDC_GROUPS_CLAIM,
    trustsEmail: config.DOKIMA_OIDC_TRUST_EMAIL,
  };
};
