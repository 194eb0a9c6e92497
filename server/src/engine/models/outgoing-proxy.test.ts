import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { certificate } from '../../../test/certificate.ts';
import { openEndpoint } from '../../../test/endpoint.ts';
import { openForwardProxy } from '../../../test/forward-proxy.ts';
import { readConfig } from '../../config.ts';
import { openSender } from '../../signals/alerts/send.ts';
import { openAllowedAddresses } from './allowed-addresses.ts';
import { openGuardedFetch } from './guarded-fetch.ts';
import { giveFetchProxy, openOutgoingProxy } from './outgoing-proxy.ts';

/** Names that this machine resolves, to its own network; only the proxy knows others. */
const resolved: Record<string, string> = {
  'wiki.intern.example': '10.0.0.5',
  'metadata.example': '169.254.169.254',
};
const addressesOf = async (host: string) => (resolved[host] ? [resolved[host]] : []);

let plain: Awaited<ReturnType<typeof openEndpoint>>;
let proxy: Awaited<ReturnType<typeof openForwardProxy>>;
const secure = createServer(certificate, (_request, response) => response.end('over TLS'));
const usual = getCACertificates('default');

beforeAll(async () => {
  plain = await openEndpoint(() => ({ body: 'plain' }));
  secure.listen(0, '127.0.0.1');
  await once(secure, 'listening');
  const ports = {
    'plain.example': Number(new URL(plain.url).port),
    'models.example': (secure.address() as AddressInfo).port,
    'wiki.intern.example': Number(new URL(plain.url).port),
  };
  proxy = await openForwardProxy(ports);
});
beforeEach(() => {
  proxy.asked.length = 0;
  setDefaultCACertificates([...usual, certificate.cert]);
});
afterAll(async () => {
  setDefaultCACertificates(usual);
  proxy.close();
  secure.closeAllConnections();
  secure.close();
  await plain.close();
});

const settings = (more = {}) => ({ HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url, ...more });
const networkOf = (more = {}, allowed = 'false') => ({
  allowedAddresses: openAllowedAddresses(allowed),
  proxy: openOutgoingProxy(settings(more), addressesOf),
});
const get = async (url: string, more = {}, allowed = 'false'): Promise<string> => {
  const { fetch, close } = openGuardedFetch(networkOf(more, allowed));
  try {
    return await (await fetch(url)).text();
  } finally {
    close();
  }
};

describe('a call through the proxy', () => {
  it('tunnels https and forwards http', async () => {
    expect(await get('https://models.example/v1')).toBe('over TLS');
    expect(await get('http://plain.example/v1')).toBe('plain');
    expect(proxy.asked).toEqual(['CONNECT models.example:443', 'GET http://plain.example']);
  });

  it('is not made for an address that is refused: literal, or of a name that resolves here', async () => {
    for (const url of ['http://10.0.0.5/', 'https://wiki.intern.example/', 'http://wiki.intern.example/'])
      await expect(get(url)).rejects.toThrow('is a private');
    for (const url of ['http://169.254.169.254/', 'http://metadata.example/'])
      await expect(get(url, {}, 'true')).rejects.toThrow('metadata service');
    expect(proxy.asked).toEqual([]);
    expect(await get('http://wiki.intern.example/', {}, 'wiki.intern.example')).toBe('plain');
    expect(proxy.asked).toHaveLength(1);
  });

  it('reaches this machine, and what NO_PROXY names, directly', async () => {
    expect(await get(plain.url, {}, 'true')).toBe('plain');
    await expect(get('http://plain.example/', { NO_PROXY: 'plain.example' })).rejects.toThrow('ENOTFOUND');
    expect(proxy.asked).toEqual([]);
  });

  it('says that the proxy refuses or is away, and which certificate is unknown', async () => {
    const { host } = new URL(proxy.url);
    const withPassword = { HTTPS_PROXY: `http://user:secret-word@${host}` };
    await expect(get('https://other.example/', withPassword)).rejects.toThrow(
      `the proxy http://${host} opens no connection to it (403)`,
    );
    await expect(get('https://models.example/', { HTTPS_PROXY: 'http://127.0.0.1:1' })).rejects.toThrow(
      "the proxy http://127.0.0.1:1 can't be reached (ECONNREFUSED)",
    );
    setDefaultCACertificates(usual);
    await expect(get('https://models.example/')).rejects.toThrow(
      /DEPTH_ZERO_SELF_SIGNED_CERT\): set NODE_EXTRA_CA_CERTS/,
    );
  });

  it('is made for webhooks, whose errors say the same', async () => {
    const sender = openSender(networkOf(), undefined, { smtpUrl: undefined, from: undefined });
    const message = { title: 'Test', lines: ['Test'], path: '/', facts: {} };
    const send = (url: string) =>
      sender.send(
        { kind: 'slack', target: url, url },
        { id: '1', event: 'test', createdAt: '', sentAt: '', message },
      );
    expect(await send('https://models.example/hook')).toEqual({ ok: true, status: 200 });
    expect(await send('https://other.example/hook')).toMatchObject({ ok: false, error: /\(403\)/ });
    sender.close();
  });

  it('is made by fetch, which single sign-on and the store use', async () => {
    const end = giveFetchProxy(settings({ NO_PROXY: '127.0.0.0/8 .direct.example' }), [
      plain.url,
      'https://models.example',
    ]);
    try {
      expect(await (await fetch('https://models.example/')).text()).toBe('over TLS');
      expect(await (await fetch(plain.url)).text()).toBe('plain');
      await expect(fetch('https://a.direct.example/')).rejects.toThrow();
      expect(proxy.asked).toEqual(['CONNECT models.example:443']);
    } finally {
      end();
    }
  });
});

describe('NO_PROXY', () => {
  const isDirect = (NO_PROXY: string, url: string) =>
    openOutgoingProxy(settings({ NO_PROXY })).proxyOf(new URL(url)) === undefined;

  it.each([
    ['*', 'https://a.example'],
    ['b.example, a.example', 'https://a.example'],
    ['a.example', 'https://sub.A.example'],
    ['.a.example', 'https://sub.a.example'],
    ['*.a.example', 'https://sub.a.example'],
    ['a.example:8443', 'https://a.example:8443'],
    ['10.0.0.0/8', 'http://10.1.2.3'],
    ['10.1.2.3', 'http://10.1.2.3:80'],
    ['[fd00::1]:80', 'http://[fd00::1]'],
    ['fd00::/8', 'http://[fd00::1]'],
    ['', 'http://localhost:11434'],
    ['', 'http://[::1]:1'],
    ['', 'http://127.1.2.3'],
  ])('%j excepts %s', (list, url) => expect(isDirect(list, url)).toBe(true));

  it.each([
    ['a.example', 'https://ba.example'],
    ['a.example:8443', 'https://a.example'],
    ['10.0.0.0/8', 'http://11.1.2.3'],
    ['3', 'http://10.1.2.3'],
    ['', 'https://localhost.a.example'],
  ])('%j does not except %s', (list, url) => expect(isDirect(list, url)).toBe(false));
});

it('the settings are read in both cases, and a proxy of another kind is refused', () => {
  const config = readConfig({ https_proxy: 'http://proxy:3128', NO_PROXY: 'a', no_proxy: 'b' });
  expect(config).toMatchObject({ HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: 'a' });
  expect(() => readConfig({ HTTP_PROXY: 'socks5://proxy:1080' })).toThrow('HTTP_PROXY must be a URL');
});
