import { describe, expect, it } from 'vitest';
import { isAddressList, isPrivateAddress, openAllowedAddresses } from './allowed-addresses.ts';

describe('an address', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    '::ffff:10.0.0.1',
    '::ffff:7f00:1',
    '::ffff:1.1.1.1',
    '64:ff9b::a00:1',
    '2002:7f00:1::',
    'fe80::1',
    'fd00:ec2::254',
    'ff02::1',
    'no address',
  ])('%s is not public', (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });
  it.each(['1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111'])('%s is public', (address) => {
    expect(isPrivateAddress(address)).toBe(false);
  });
});

/** Whether an address is allowed under a setting. */
const allows = (setting: string, host: string, port: number, address: string) =>
  openAllowedAddresses(setting).refusal(host, port, address) === undefined;

describe('DOKIMA_ALLOW_PRIVATE_ADDRESSES', () => {
  it('opens the hosts, ports and networks of its list, and nothing beside them', () => {
    const setting = 'localhost:11434, 10.1.0.0/16, judge.internal, [::1]:8080, fd12::/16, 192.168.1.5:80';
    expect(allows(setting, 'localhost', 11434, '127.0.0.1')).toBe(true);
    expect(allows(setting, 'LOCALHOST', 11434, '::1')).toBe(true);
    expect(allows(setting, 'localhost', 5432, '127.0.0.1')).toBe(false);
    expect(allows(setting, '127.0.0.1', 11434, '127.0.0.1')).toBe(false);
    expect(allows(setting, 'any.name', 9, '10.1.255.255')).toBe(true);
    expect(allows(setting, 'any.name', 9, '::ffff:10.1.2.3')).toBe(true);
    expect(allows(setting, 'any.name', 9, '10.2.0.0')).toBe(false);
    expect(allows(setting, 'judge.internal', 1, '172.16.0.1')).toBe(true);
    expect(allows(setting, 'evil.judge.internal', 1, '172.16.0.1')).toBe(false);
    expect(allows(setting, '::1', 8080, '::1')).toBe(true);
    expect(allows(setting, '::1', 8081, '::1')).toBe(false);
    expect(allows(setting, 'x', 1, 'fd12:3456::1')).toBe(true);
    expect(allows(setting, '192.168.1.5', 80, '192.168.1.5')).toBe(true);
    expect(allows(setting, '1.1.1.1', 1, '1.1.1.1')).toBe(true);
  });

  it.each([
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '169.254.170.2',
    'fd00:ec2::254',
    '100.100.100.200',
    '168.63.129.16',
  ])('never opens the metadata service at %s', (address) => {
    for (const setting of [
      'true',
      'false',
      `${address.includes(':') ? `[${address}]` : address}, metadata, ::/0, 0.0.0.0/0`,
    ]) {
      expect(isAddressList(setting)).toBe(true);
      expect(openAllowedAddresses(setting).refusal('metadata', 80, address)?.message).toMatch(
        /metadata service/,
      );
    }
  });

  it('names the value that would allow an address', () => {
    const { refusal } = openAllowedAddresses('false');
    const suggested = /=(\S+)$/.exec(refusal('::1', 8080, '::1')!.message)![1]!;
    expect(suggested).toBe('[::1]:8080');
    expect(allows(suggested, '::1', 8080, '::1')).toBe(true);
    expect(refusal('localhost', 11434, '127.0.0.1')?.message).toMatch(/=localhost:11434$/);
  });

  it.each([
    'localhost:',
    'localhost:99999',
    'http://localhost',
    '10.0.0.0/33',
    '[localhost]:1',
    'a b',
    '[10.0.0.0/99]',
  ])('refuses %s', (setting) => expect(isAddressList(setting)).toBe(false));
});
