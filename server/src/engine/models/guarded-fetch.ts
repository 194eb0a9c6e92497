import { type LookupAddress, lookup } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { AddressRefused, type AllowedAddresses } from './allowed-addresses.ts';
import {
  type AddressesOf,
  addressesOf,
  hostOf,
  type OutgoingProxy,
  openOutgoingProxy,
  portOf,
} from './outgoing-proxy.ts';
import { unreachable } from './unreachable.ts';

/**
 * A fetch for addresses that users configure. It refuses addresses inside the operator's network when it connects, follows no
 * redirect and reads at most `maxBytes`. Built on node:http, because the fetch of Node 24 does not accept a lookup function.
 *
 * A proxy resolves names itself. A name that this service resolves to a refused address is not sent to the proxy. A name that only the
 * proxy can resolve is sent, and the proxy decides (docs/operations.md).
 */

/** The answer is longer than `maxBytes`. */
export class ResponseTooLarge extends Error {
  readonly code = 'ERR_RESPONSE_TOO_LARGE';
  constructor(maxBytes: number) {
    super(`the answer is longer than ${maxBytes} bytes`);
  }
}

/** Resolves names. Refuses a name if one of its addresses is not allowed at this port. The connection goes to one of these addresses. */
const guardedLookup =
  (allowed: AllowedAddresses, port: number): LookupFunction =>
  (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, '', 0);
      const refusal = addresses.map(({ address }) => allowed.refusal(host, port, address)).find(Boolean);
      if (refusal) callback(refusal, '', 0);
      else if (options.all) callback(null, addresses);
      else callback(null, addresses[0]!.address, addresses[0]!.family);
    });
  };

/** Returns why a URL is refused by an address that it has now. A name that does not resolve is not refused: it may do so later or elsewhere. */
const refusalNow = async (
  url: URL,
  allowed: AllowedAddresses,
  resolve: AddressesOf,
): Promise<AddressRefused | undefined> => {
  const host = hostOf(url);
  return (await resolve(host)).map((address) => allowed.refusal(host, portOf(url), address)).find(Boolean);
};

/**
 * Returns why a URL can't be used, or null. Called when it is saved; each connection checks again, because a name may resolve to another
 * address later.
 */
export const checkUrl = async (text: string, allowed: AllowedAddresses): Promise<string | null> => {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol))
    return 'must be a URL that begins with https:// or http://';
  if (url.username || url.password) return 'must not hold a user name or password';
  return (await refusalNow(url, allowed, addressesOf))?.message ?? null;
};

/** The same for the base URL of a provider, to which paths are added. */
export const checkBaseUrl = async (baseUrl: string, allowed: AllowedAddresses): Promise<string | null> => {
  const { username, password, search, hash } = URL.parse(baseUrl) ?? {};
  if (username || password) return 'must not hold a user name or password: set the API key instead';
  if (search || hash) return 'must end before any ? or #';
  return checkUrl(baseUrl, allowed);
};

/** The part of the network that this service may reach for its users, and how. */
export type Network = { allowedAddresses: AllowedAddresses; proxy?: OutgoingProxy };
export type FetchOptions = Network & { maxBytes?: number };
export type GuardedFetch = {
  fetch: typeof globalThis.fetch;
  /** The same fetch with another limit. */
  fetchAtMost(maxBytes: number): typeof globalThis.fetch;
  close(): void;
};

const readBody = async (response: IncomingMessage, maxBytes: number): Promise<Buffer<ArrayBuffer>> => {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop early destroys the response and with it the connection.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new ResponseTooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const headersOf = ({ rawHeaders }: IncomingMessage): Headers => {
  const headers = new Headers();
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i]!, rawHeaders[i + 1]!);
  return headers;
};

/** Statuses whose Response may not have a body. */
const bodiless = [204, 205, 304];

/** Opens a fetch with its own connections; `close` ends them. */
export const openGuardedFetch = ({
  allowedAddresses,
  proxy = openOutgoingProxy({}),
  maxBytes = 2_000_000,
}: FetchOptions): GuardedFetch => {
  const openAgents = (proxyEnv: OutgoingProxy['agents']) => ({
    'http:': new HttpAgent({ keepAlive: true, proxyEnv }),
    'https:': new HttpsAgent({ keepAlive: true, proxyEnv }),
  });
  const direct = openAgents({});
  const proxied = openAgents(proxy.agents);

  const send = (url: URL, request: Request, body: Buffer, through: string | undefined) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
      const agent = (through ? proxied : direct)[url.protocol as 'http:' | 'https:'];
      const headers = {
        ...Object.fromEntries(request.headers),
        'accept-encoding': 'identity',
        'content-length': body.length,
      };
      const outgoing = start(url, {
        method: request.method,
        headers,
        agent,
        lookup: guardedLookup(allowedAddresses, portOf(url)),
        signal: request.signal,
      });
      outgoing
        .on('response', resolve)
        .on('error', (error) => reject(unreachable(error, through)))
        .end(body);
    });

  const fetchAtMost =
    (most: number): typeof globalThis.fetch =>
    async (input, init) => {
      const request = new Request(input, init);
      const url = new URL(request.url);
      if (url.protocol !== 'http:' && url.protocol !== 'https:')
        throw new AddressRefused(`${url.protocol} is not allowed: use https:// or http://`);
      // A literal address is never looked up.
      const host = hostOf(url);
      const refusal = isIP(host) === 0 ? undefined : allowedAddresses.refusal(host, portOf(url), host);
      if (refusal) throw refusal;
      const through = proxy.proxyOf(url);
      // A proxied connection looks up nothing here, so its target is checked first.
      const refusalThere = through && (await refusalNow(url, allowedAddresses, proxy.addressesOf));
      if (refusalThere) throw refusalThere;
      const response = await send(url, request, Buffer.from(await request.arrayBuffer()), through);
      const status = response.statusCode!;
      const body = await readBody(response, most);
      return new Response(bodiless.includes(status) ? null : body, { status, headers: headersOf(response) });
    };

  return {
    fetch: fetchAtMost(maxBytes),
    fetchAtMost,
    close: () => {
      for (const agents of [direct, proxied]) for (const agent of Object.values(agents)) agent.destroy();
    },
  };
};
