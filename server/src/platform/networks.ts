import { type BlockList, isIP } from 'node:net';

/** Returns the entries of a setting that is a list with commas. */
export const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** Whether a text is an IP address, or a network such as 10.0.0.0/8. */
export const isNetwork = (text: string): boolean => {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address) as 0 | 4 | 6];
  if (bits < 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
};

/** Adds an address or network, for which `isNetwork` is true, to a list. */
export const addNetwork = (list: BlockList, network: string): void => {
  const [address, prefix] = network.split('/') as [string, string | undefined];
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
  list.addSubnet(address, prefix === undefined ? (family === 'ipv4' ? 32 : 128) : Number(prefix), family);
};

/** Whether a list has an IP address. An IPv4 address written as IPv6 (::ffff:10.0.0.1) counts as IPv4. */
export const hasAddress = (list: BlockList, address: string): boolean =>
  list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
