import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { FastifyRequest } from 'fastify';
import { unauthorized } from '../../platform/errors.ts';
import type { App } from '../../platform/http/http.ts';
import type { Authenticate } from '../../platform/http/scope.ts';
import { makeOnce } from '../../platform/make-once.ts';
import { clientOf } from '../call-service.ts';

const webRequest = ({ method, headers, body }: FastifyRequest): Request =>
  new Request('http://service/mcp', {
    method,
    headers: Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || name === 'content-length' ? [] : [[name, String(value)] as [string, string]],
    ),
    ...(method === 'POST' && { body: JSON.stringify(body ?? null) }),
  });

/**
 * The Model Context Protocol over streamable HTTP, with the API's keys. It keeps no sessions, so that any process can answer any
 * request. The protocol's code is loaded by the first request: it would delay every start.
 */
export const mcpRoutes = async (app: App, authenticate: Authenticate): Promise<void> => {
  app.addHook('onRequest', async (request) => {
    // Cookies don't count: a page of another site could send them.
    if (request.headers.authorization === undefined) throw unauthorized();
    request.scope = { ...(await authenticate(request)), address: request.ip };
  });

  const load = makeOnce(async () => {
    const [{ createMcpHandler }, { mcpServer }] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('../../../../client/src/agents/mcp-server.ts'),
    ]);
    return { createMcpHandler, mcpServer };
  });

  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    schema: { hide: true },
    handler: async (request, reply) => {
      const { createMcpHandler, mcpServer } = await load();
      // The tools never change while a process runs, so there is nothing to subscribe to.
      const handler = createMcpHandler(() => mcpServer(clientOf(app, request, 'mcp')), {
        maxSubscriptions: 0,
        onerror: (error) => request.log.info({ err: error }, 'a request of MCP was refused'),
      });
      const response = await handler.fetch(webRequest(request), { parsedBody: request.body });
      reply.code(response.status).headers(Object.fromEntries(response.headers));
      return reply.send(response.body ? Readable.fromWeb(response.body as ReadableStream) : '');
    },
  });
};
