import type { FastifyRequest } from 'fastify';
import { type Client, createClient } from '../../../client/src/main.ts';
import { parseAnswer } from '../../../client/src/written-number.ts';
import type { App } from '../platform/http/http.ts';

/** Headers by which the API identifies the sender. The name of the session cookie depends on the scheme. */
const credentials = ['authorization', 'cookie', 'x-requested-with', 'x-forwarded-proto'] as const;

/**
 * Returns a client that calls this process's API as the sender of a request, without a connection: with the rights, the rate limit and the
 * audit log entries of the sender. `looksAs` is what the ledger of a testset calls its looks.
 */
export const clientOf = (
  app: App,
  { headers, ip }: FastifyRequest,
  looksAs: 'mcp' | 'ask' | 'gate',
): Client => {
  const own = Object.fromEntries(
    credentials.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const { pathname, search } = new URL(String(url));
    const { method = 'GET', body, headers: asked } = init ?? {};
    const response = await app.inject({
      method: method as 'GET',
      url: `${pathname}${search}`,
      headers: { ...(asked as Record<string, string>), ...own },
      remoteAddress: ip,
      ...(typeof body === 'string' && { payload: body }),
    });
    return new Response(response.body, {
      status: response.statusCode,
      headers: response.headers as Record<string, string>,
    });
  };
  return createClient({ baseUrl: 'http://service', fetch, retries: 0, looksAs }, parseAnswer);
};
