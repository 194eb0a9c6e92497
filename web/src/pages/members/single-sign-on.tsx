import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { useMay } from '../../resources/session/me.ts';
import type { SingleSignOn as Settings } from '../../types.ts';
import { CopyButton } from '../../ui/copy.tsx';
import { FactList } from '../../ui/fact.tsx';
import { countOf } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';

type Provider = NonNullable<Settings['provider']>;

const joinsAs = ({ defaultRole, numGroups }: Provider): string => {
  const ofGroups = numGroups > 0 ? `by ${countOf(numGroups, 'group')} of the directory` : '';
  if (defaultRole) return [`as ${defaultRole}`, ofGroups && `or ${ofGroups}`].filter(Boolean).join(', ');
  return ofGroups || 'only people who are members already can sign in';
};

const Facts = ({ provider, isRequired }: { provider: Provider; isRequired: boolean }) => (
  <FactList
    facts={[
      ['Provider', `${provider.name}: ${provider.issuer}`],
      ['Passwords', isRequired ? 'off: people sign in with the provider' : 'on, beside the provider'],
      ['New people join', joinsAs(provider)],
      ['Client id', provider.clientId],
      [
        'Redirect address',
        <span key="" className="flex items-center gap-1">
          {provider.redirectUri} <CopyButton text={provider.redirectUri} label="Copy the redirect address" />
        </span>,
      ],
      ['Sign-out address', provider.logoutUri],
      ['Scopes', provider.scopes],
      ['Groups', `from the claim ${provider.groupsClaim}`],
      ['Addresses', provider.trustsEmail ? 'all count as verified' : 'must be verified by the provider'],
    ]}
  />
);

/** How single sign-on is set, for admins. The operator sets it. */
export const SingleSignOn = () => {
  const { administer } = useMay();
  const found = useQuery({ ...apiQuery('getSingleSignOn'), enabled: administer });
  if (!administer) return null;
  return (
    <Section title="Single sign-on">
      <Loaded query={found} lines={2}>
        {({ provider, required }) =>
          provider ? (
            <Facts provider={provider} isRequired={required} />
          ) : (
            <p className="max-w-2xl text-soft">
              Off: people sign in with a password. The operator of the service turns it on with{' '}
              <code className="font-mono text-sm">DOKIMA_OIDC_ISSUER</code>,{' '}
              <code className="font-mono text-sm">DOKIMA_OIDC_CLIENT_ID</code> and{' '}
              <code className="font-mono text-sm">DOKIMA_OIDC_CLIENT_SECRET</code>. It then works with Okta,
              Entra ID, Google and any other provider of OpenID Connect.
            </p>
          )
        }
      </Loaded>
    </Section>
  );
};
