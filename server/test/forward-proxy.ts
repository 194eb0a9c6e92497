import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

/**
 * A forward proxy on loopback, for requests and for tunnels. It resolves names itself: each leads to the port that `ports` gives, and
 * others get 403.
 */
export const openForwardProxy = async (ports: Record<string, number>) => {
  const asked: string[] = [];
  const server = createServer((incoming, response) => {
    const url = new URL(incoming.url!);
    asked.push(`${incoming.method} ${url.origin}`);
    const port = ports[url.hostname];
    if (port === undefined) return response.writeHead(403).end();
    const { method, headers } = incoming;
    const onward = request({ host: '127.0.0.1', port, path: url.pathname, method: method!, headers });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    return incoming.pipe(onward);
  });
  server.on('connect', ({ url }, client) => {
    asked.push(`CONNECT ${url}`);
    const port = ports[url!.split(':')[0]!];
    if (port === undefined) return client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const target = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(client).pipe(target);
    });
    target.on('error', () => client.destroy());
    return client.on('error', () => target.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
