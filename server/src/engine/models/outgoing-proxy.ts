import { lookup } from 'node:dns/promises';
import { type ProxyEnv, setGlobalProxyFromEnv } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { addNetwork, hasAddress, isNetwork, listOf } from '../../platform/networks.ts';

/** The settings of the proxy through which this service reaches others. */
export type ProxySettings = { HTTPS_PROXY?: string; HTTP_PROXY?: string; NO_PROXY?: string };

/** Returns the addresses that a name has on this machine; none if it does not resolve. */
export type AddressesOf = (host: string) => Promise<string[]>;
export const addressesOf: AddressesOf = async (host) =>
  (await lookup(host, { all: true }).catch(() => [])).map(({ address }) => address);

/** Decides which connections go through the proxy. */
export type OutgoingProxy = {
  /** Returns the proxy for a URL, without its password; undefined if the connection is direct. */
  proxyOf(url: URL): string | undefined;
  /** The proxies, as the agents of node:http take them. They do not know the exceptions: ask `proxyOf` first. */
  agents: { HTTPS_PROXY?: string; HTTP_PROXY?: string };
  addressesOf: AddressesOf;
};

/** The host of a URL, an IPv6 address without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');
export const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80));

const networksOf = (entries: string[]): BlockList => {
  const list = new BlockList();
  for (const entry of entries) addNetwork(list, entry);
  return list;
};

// The proxy's own loopback addresses are another machine's.
const loopback = networksOf(['127.0.0.0/8', '::1']);
const isLoopback = (host: string): boolean =>
  isIP(host) === 0 ? /(^|\.)localhost\.?$/i.test(host) : hasAddress(loopback, host);

/** Whether an entry of NO_PROXY names a host: itself, its subdomains, or a network for a host that is written as an address. */
const names = (entry: string, host: string, port: number): boolean => {
  if (entry === '*') return true;
  if (isNetwork(entry)) return isIP(host) !== 0 && hasAddress(networksOf([entry]), host);
  const [, bracketed, plain, ofPort] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
  if (ofPort !== undefined && Number(ofPort) !== port) return false;
  const name = (bracketed ?? plain ?? entry).replace(/^\*?\./, '');
  return host === name || (isIP(host) === 0 && host.endsWith(`.${name}`));
};

const withoutPassword = (proxy: string): string => {
  const { protocol, host } = new URL(proxy);
  return `${protocol}//${host}`;
};

/** Reads the settings of the proxy. A program on this machine is always reached directly. */
export const openOutgoingProxy = (
  { HTTPS_PROXY, HTTP_PROXY, NO_PROXY = '' }: ProxySettings,
  resolve = addressesOf,
): OutgoingProxy => {
  const exceptions = listOf(NO_PROXY.replaceAll(/\s+/g, ','));
  return {
    addressesOf: resolve,
    agents: { ...(HTTPS_PROXY && { HTTPS_PROXY }), ...(HTTP_PROXY && { HTTP_PROXY }) },
    proxyOf: (url) => {
      const proxy = url.protocol === 'https:' ? HTTPS_PROXY : HTTP_PROXY;
      if (!proxy) return undefined;
      const host = hostOf(url).toLowerCase();
      const isDirect = isLoopback(host) || exceptions.some((entry) => names(entry, host, portOf(url)));
      return isDirect ? undefined : withoutPassword(proxy);
    },
  };
};

/**
 * Gives the proxy to the fetch of this process, for the addresses that the operator has set: those of single sign-on and of the store of
 * attachments. Node knows fewer forms of exceptions, so each of these addresses is decided here. Returns a function that ends it.
 */
export const giveFetchProxy = (settings: ProxySettings, addresses: (string | undefined)[]): (() => void) => {
  if (!settings.HTTPS_PROXY && !settings.HTTP_PROXY) return () => {};
  const proxy = openOutgoingProxy(settings);
  const direct = addresses
    .flatMap((address) => (address ? [new URL(address)] : []))
    .filter((url) => proxy.proxyOf(url) === undefined)
    .map(({ hostname }) => hostname);
  const exceptions = listOf((settings.NO_PROXY ?? '').replaceAll(/\s+/g, ',')).flatMap((entry) =>
    entry === '*' ? [entry] : [entry, `.${entry.replace(/^\*?\./, '')}`],
  );
  const environment: ProxyEnv = {
    ...proxy.agents,
    NO_PROXY: ['localhost', '127.0.0.1', '[::1]', ...direct, ...exceptions].join(','),
  };
  return setGlobalProxyFromEnv(environment);
};
