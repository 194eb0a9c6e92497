import { Type } from 'typebox';
import type { App } from '../../platform/http/http.ts';
import { answerRoute, ownOrganization } from '../../platform/http/resource-routes.ts';
import { named, ref } from '../../platform/named-schema.ts';
import { MemberRole } from '../members/schema.ts';
import { logoutPath, type SsoSettings } from './settings.ts';

const text = (description: string) => Type.String({ description });

const SingleSignOn = named(
  'SingleSignOn',
  Type.Object(
    {
      on: Type.Boolean({ description: 'Whether people can sign in with a provider of OpenID Connect.' }),
      required: Type.Boolean({ description: 'Whether passwords are off.' }),
      provider: Type.Union(
        [
          Type.Object({
            name: text('Name of the provider on the sign-in page.'),
            issuer: text('Issuer of the provider.'),
            clientId: text('Id of this service at the provider.'),
            redirectUri: text('Address that the provider must allow.'),
            logoutUri: text('Address that the provider calls when it ends a session.'),
            scopes: text('Scopes of the sign-in.'),
            groupsClaim: text('Claim of the ID token that lists the groups.'),
            numGroups: Type.Integer({ description: 'Number of groups that give a role.' }),
            defaultRole: Type.Union([MemberRole, Type.Null()], {
              description: 'Role of people whose groups give none; null: only members can sign in.',
            }),
            trustsEmail: Type.Boolean({
              description: 'Whether each address of the provider counts as verified.',
            }),
          }),
          Type.Null(),
        ],
        { description: 'How the provider is set; null when single sign-on is off.' },
      ),
    },
    { description: 'How single sign-on is set. The environment of the service sets it.' },
  ),
);

type Deps = { settings: SsoSettings | undefined; isRequired: boolean };

/** Tells admins how single sign-on is set. Secrets and the names of groups, which other organizations of the server share, stay out. */
export const ssoSettingsRoute = (app: App, { settings, isRequired }: Deps): void => {
  answerRoute(app, 'GET', '/single-sign-on', {
    config: { admin: true },
    operationId: 'getSingleSignOn',
    summary: 'Get how single sign-on is set.',
    description: 'The operator sets it in the environment of the service. Admins only.',
    tags: ['Sign-in'],
    of: ownOrganization,
    response: ref(SingleSignOn),
    answer: async () =>
      JSON.stringify({
        on: settings !== undefined,
        required: isRequired,
        provider: settings
          ? {
              name: settings.name,
              issuer: settings.issuer.href,
              clientId: settings.clientId,
              redirectUri: settings.redirectUri,
              logoutUri: `${settings.publicUrl}${logoutPath}`,
              scopes: settings.scopes,
              groupsClaim: settings.groupsClaim,
              numGroups: settings.groupRoles.size,
              defaultRole: settings.defaultRole ?? null,
              trustsEmail: settings.trustsEmail,
            }
          : null,
      }),
  });
};
