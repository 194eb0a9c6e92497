import { BlockList, isIP } from 'node:net';
import { addNetwork, hasAddress, isNetwork, listOf } from '../../platform/networks.ts';

const listed = (networks: string[]): BlockList => {
  const list = new BlockList();
  for (const network of networks) addNetwork(list, network);
  return list;
};

/** Networks that are not the public Internet, from the IANA special-purpose registries. */
const blocked = {
  4: listed([
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
  ]),
  // Only 2000::/3 is global unicast; the last four ranges within it carry or imitate other addresses. The list is separate, because the
  // range of IPv4-mapped addresses within ::/3 would match all of IPv4.
  6: listed(['::/3', '4000::/2', '8000::/1', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']),
};

/**
 * Metadata services of AWS (also of its containers), Google, Azure, Oracle, Alibaba and OpenStack, which give out the
 * credentials of the machine: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html and others.
 */
const metadata = listed([
  '169.254.0.0/16',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::/32',
  'fe80::a9fe:a9fe',
  // The same behind NAT64.
  '64:ff9b::a9fe:0/112',
]);

/** Whether an IP address is not on the public Internet. A text that is not an address counts as private. */
export const isPrivateAddress = (address: string): boolean => {
  const family = isIP(address) as 0 | 4 | 6;
  return family === 0 || hasAddress(blocked[family], address);
};

/** An entry of the setting: a host or a network, and a port or 0 for all. */
type Entry = { host: string; port: number };

const entryOf = (text: string): Entry | undefined => {
  if (isNetwork(text)) return { host: text, port: 0 };
  const parts = /^(?:\[([\da-f:.]+(?:\/\d+)?)\]|([\w.-]+(?:\/\d+)?))(?::(\d{1,5}))?$/i.exec(text);
  if (!parts) return undefined;
  const [, bracketed, plain, port = '0'] = parts;
  const host = (bracketed ?? plain!).toLowerCase();
  if ((bracketed !== undefined || host.includes('/')) && !isNetwork(host)) return undefined;
  return Number(port) > 65_535 ? undefined : { host, port: Number(port) };
};

/** Whether a text is a value of DOKIMA_ALLOW_PRIVATE_ADDRESSES. */
export const isAddressList = (text: string): boolean =>
  text === 'true' || text === 'false' || listOf(text).every((entry) => entryOf(entry) !== undefined);

/** The operator does not allow the address. */
export class AddressRefused extends Error {
  readonly code = 'ERR_ADDRESS_REFUSED';
}

/** Decides to which addresses this service connects for its users. */
export type AllowedAddresses = {
  /** Returns why the service does not connect to an address that `host` stands for, or undefined. */
  refusal(host: string, port: number, address: string): AddressRefused | undefined;
};

const alwaysRefused = (host: string) =>
  new AddressRefused(
    `${host} has the address of a cloud's metadata service, which gives out credentials and is always refused`,
  );

const refused = (host: string, port: number) =>
  new AddressRefused(
    `${host} is a private, loopback or link-local address. ` +
      `The operator can allow it with DOKIMA_ALLOW_PRIVATE_ADDRESSES=${host.includes(':') ? `[${host}]` : host}:${port}`,
  );

/**
 * Reads a value of DOKIMA_ALLOW_PRIVATE_ADDRESSES: `true`, `false`, or a list of hosts and networks, each with a port or without.
 * Public addresses are always allowed, and metadata services of clouds never.
 */
export const openAllowedAddresses = (setting: string): AllowedAddresses => {
  const isAll = setting === 'true';
  const entries =
    setting === 'true' || setting === 'false' ? [] : listOf(setting).map((text) => entryOf(text)!);
  const matches = ({ host }: Entry, name: string, address: string) =>
    isNetwork(host) ? hasAddress(listed([host]), address) : host === name.toLowerCase();
  return {
    refusal: (host, port, address) => {
      if (isIP(address) !== 0 && hasAddress(metadata, address)) return alwaysRefused(host);
      if (isAll || !isPrivateAddress(address)) return undefined;
      const isAllowed = entries.some(
        (entry) => (entry.port === 0 || entry.port === port) && matches(entry, host, address),
      );
      return isAllowed ? undefined : refused(host, port);
    },
  };
};
