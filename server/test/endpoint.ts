import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Asked = { text: string; bytes: Buffer; headers: IncomingHttpHeaders };
export type Reply = { status?: number; headers?: Record<string, string>; body: string | Buffer };

/** A system under test that answers over HTTP on loopback, as `answer` says. */
export const openEndpoint = async (answer: (asked: Asked) => Reply | Promise<Reply>) => {
  const received: Asked[] = [];
  const server = createServer(async (request, response) => {
    const bytes = Buffer.concat(await request.toArray());
    const asked = { text: bytes.toString(), bytes, headers: request.headers };
    received.push(asked);
    const { status = 200, headers = {}, body } = await answer(asked);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  // Else it closes an idle connection after 5 s, maybe just when the service takes it again: that would be an attempt more.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/answer`,
    received,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
