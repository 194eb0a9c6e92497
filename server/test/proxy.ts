import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy in front of a server, so that a test can take the server away and give it back. */
export type TcpProxy = {
  port: number;
  /** Breaks every connection and refuses new ones. */
  cut: () => Promise<void>;
  /** Keeps every connection open and lets nothing more through, as a server that hangs does. Returns what undoes it. */
  freeze: () => () => void;
  /** Lets connections through again. */
  restore: () => Promise<void>;
};

export const openProxy = async (target: { host: string; port: number }): Promise<TcpProxy> => {
  const sockets = new Set<Socket>();
  let frozen = false;
  const server = createServer((client) => {
    const upstream = connect(target);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      if (frozen) from.pause();
      // A broken connection is what this is for: either end takes the other with it.
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as { port: number };
  return {
    port,
    cut: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    freeze: () => {
      frozen = true;
      for (const socket of sockets) socket.pause();
      return () => {
        frozen = false;
        for (const socket of sockets) socket.resume();
      };
    },
    restore: () => listen(port),
  };
};
