import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';

/**
 * One keep-alive HTTP/1.1 connection that makes one request at a time. Written on a bare socket because the load generator
 * shares the machine's cores with the service: fetch costs as much as what it measures. Any answer but a 2xx throws.
 */
export type Connection = {
  get: (path: string) => Promise<Buffer>;
  send: (
    method: 'POST' | 'PUT' | 'PATCH',
    path: string,
    body: string | Buffer,
    type?: string,
  ) => Promise<Buffer>;
  close: () => void;
};

type Waiting = { resolve: (body: Buffer) => void; reject: (error: Error) => void };

/** The body's bounds in an answer whose head has arrived; undefined before. */
const bodyBounds = (received: Buffer): { start: number; end: number } | undefined => {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(received.toString('latin1', 0, headEnd))?.[1];
  if (length === undefined) throw new Error('The answer has no Content-Length.');
  return { start: headEnd + 4, end: headEnd + 4 + Number(length) };
};

export const connect = async (port: number, key: string): Promise<Connection> => {
  const socket = connectSocket({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  let waiting: Waiting | undefined;
  let received: Buffer[] = [];
  let receivedBytes = 0;
  let bounds: ReturnType<typeof bodyBounds>;

  const fail = (error: Error) => {
    waiting?.reject(error);
    waiting = undefined;
  };
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('The service closed the connection.')));
  socket.on('data', (chunk) => {
    received.push(chunk);
    receivedBytes += chunk.length;
    try {
      bounds ??= bodyBounds(received.length === 1 ? chunk : Buffer.concat(received));
    } catch (error) {
      fail(error as Error);
    }
    if (!bounds || receivedBytes < bounds.end) return;
    const answer = received.length === 1 ? chunk : Buffer.concat(received);
    const body = answer.subarray(bounds.start, bounds.end);
    const done = waiting;
    waiting = undefined;
    received = [];
    receivedBytes = 0;
    bounds = undefined;
    const status = answer.toString('latin1', 9, 12);
    if (status.startsWith('2')) done?.resolve(body);
    else done?.reject(new Error(`The service answered ${status}: ${body}`));
  });

  const head = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${key}\r\n`;
  const request = (head: string, body: string | Buffer = '') =>
    new Promise<Buffer>((resolve, reject) => {
      if (socket.destroyed) return reject(new Error('The service had closed the connection.'));
      waiting = { resolve, reject };
      socket.cork();
      socket.write(head);
      if (body.length > 0) socket.write(body);
      socket.uncork();
    });
  return {
    get: (path) => request(`GET ${path} HTTP/1.1\r\n${head}\r\n`),
    send: (method, path, body, type = 'application/json') =>
      request(
        `${method} ${path} HTTP/1.1\r\n${head}Content-Type: ${type}\r\n` +
          `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
        body,
      ),
    close: () => socket.destroy(),
  };
};
