import type { Config } from '../config.ts';
import {
  AddressRefused,
  type AllowedAddresses,
  openAllowedAddresses,
} from '../engine/models/allowed-addresses.ts';
import { openGuardedFetch } from '../engine/models/guarded-fetch.ts';
import { openOutgoingProxy } from '../engine/models/outgoing-proxy.ts';
import { type Finding, found } from './finding.ts';
import type { OpenDatabase } from './open.ts';

/** Where the providers without a base URL are. Those of Azure and Bedrock depend on their options. */
const usualAddresses: Record<string, string> = {
  openai: 'https://api.openai.com',
  anthropic: 'https://api.anthropic.com',
  google: 'https://generativelanguage.googleapis.com',
};

const limitMs = 5_000;

/** Asks an address for its root. Any answer shows that the way there is open. */
const reach = async (
  name: string,
  address: string,
  config: Config,
  allowedAddresses: AllowedAddresses,
): Promise<Finding> => {
  const url = new URL(address);
  const proxy = openOutgoingProxy(config);
  const through = proxy.proxyOf(url);
  const way = through ? `through ${through}` : 'directly';
  const { fetch, close } = openGuardedFetch({ allowedAddresses, proxy });
  try {
    await fetch(url.origin, { signal: AbortSignal.timeout(limitMs) });
    return found(name, `${url.origin} answers, ${way}`);
  } catch (error) {
    const { message } = error as Error;
    // Its message names the setting and the value.
    if (error instanceof AddressRefused)
      return found(name, `${url.origin} is refused: ${message}`, 'The list of settings is docs/settings.md.');
    const next = through
      ? 'See "Through a company\'s proxy" in docs/operations.md. NO_PROXY names hosts that are reached directly.'
      : 'Open the network for it, or set HTTPS_PROXY. See "Through a company\'s proxy" in docs/operations.md.';
    return found(name, `${url.origin} does not answer, ${way}: ${message}`, next);
  } finally {
    close();
  }
};

/** Reports whether single sign-on and the providers of all organizations can be reached, by the settings of the proxy. */
export const reachOthers = async (config: Config, { sql }: OpenDatabase): Promise<Finding[]> => {
  const { DOKIMA_OIDC_ISSUER: issuer, DOKIMA_ALLOW_PRIVATE_ADDRESSES: allowed } = config;
  const stored = await sql<{ kind: string; baseUrl: string | null }[]>`
    select distinct kind, base_url as "baseUrl" from provider order by kind, base_url`;
  const addresses = stored.flatMap(({ kind, baseUrl }) => baseUrl ?? usualAddresses[kind] ?? []);
  const origins = new Set(addresses.map((address) => new URL(address).origin));
  return Promise.all([
    ...(issuer ? [reach('single sign-on', issuer, config, openAllowedAddresses('true'))] : []),
    ...[...origins].map((origin) => reach('provider', origin, config, openAllowedAddresses(allowed))),
  ]);
};
