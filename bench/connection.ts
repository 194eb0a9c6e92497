import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';

/**
 * One keep-alive HTTP/1.1 connection that makes one request at a time. It uses a plain socket, because the load generator shares
 * the machine's cores with the service, and fetch costs as much as the work that it measures. Throws for any answer but a 2xx. An
 * answer's body is in the connection's buffer and is valid until its next request.
 */
export type Connection = {
  get: (path: string) => Promise<Buffer>;
  send: (
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body: string | Buffer,
    type?: string,
  ) => Promise<Buffer>;
  close: () => void;
};

type Waiting = { resolve: (body: Buffer) => void; reject: (error: Error) => void };

/** Returns where the answer's body is in the first `length` received bytes; undefined until all headers have arrived. */
const bodyBounds = (received: Buffer, length: number): { start: number; end: number } | undefined => {
  const headEnd = received.subarray(0, length).indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const contentLength = /\r\ncontent-length: (\d+)/i.exec(received.toString('latin1', 0, headEnd))?.[1];
  if (contentLength === undefined) throw new Error('The answer has no Content-Length.');
  return { start: headEnd + 4, end: headEnd + 4 + Number(contentLength) };
};

export const connect = async (port: number, key: string): Promise<Connection> => {
  let waiting: Waiting | undefined;
  // All answers share one buffer. With a new one for each answer, this client's garbage collection was part of the result.
  let received = Buffer.allocUnsafe(256 * 1024);
  let length = 0;
  let bounds: ReturnType<typeof bodyBounds>;

  const fail = (error: Error) => {
    waiting?.reject(error);
    waiting = undefined;
  };
  const answer = ({ start, end }: { start: number; end: number }): void => {
    const body = received.subarray(start, end);
    const status = received.toString('latin1', 9, 12);
    const done = waiting;
    waiting = undefined;
    length = 0;
    bounds = undefined;
    if (status.startsWith('2')) done?.resolve(body);
    else done?.reject(new Error(`The service answered ${status}: ${body}`));
  };
  const receive = (byteCount: number): boolean => {
    length += byteCount;
    try {
      bounds ??= bodyBounds(received, length);
    } catch (error) {
      fail(error as Error);
    }
    if (bounds && length >= bounds.end) answer(bounds);
    else if (length === received.length) received = Buffer.concat([received], length * 2);
    return true;
  };
  const socket = connectSocket({
    port,
    host: '127.0.0.1',
    noDelay: true,
    onread: { buffer: () => received.subarray(length), callback: receive },
  });
  await once(socket, 'connect');
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('The service closed the connection.')));

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
