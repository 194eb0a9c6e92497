import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { App } from './http.ts';

const connectionsOf = new WeakMap<Server, Set<Socket>>();

/** Keeps the open connections, which Node does not tell. Called once, before the app listens. */
export const followConnections = ({ server }: App): void => {
  const connections = new Set<Socket>();
  connectionsOf.set(server, connections);
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
};

/**
 * Waits until what is written has been sent, or can't be. Node takes a connection for idle once its answer is written, even if
 * the client has yet to read most of it, and drops the rest when the server closes.
 */
const untilSent = async ({ server }: App): Promise<void> => {
  const unsent = [...(connectionsOf.get(server) ?? [])].filter(({ writableLength }) => writableLength > 0);
  // Nothing more is written: it is told when all before it has been, or the connection has closed.
  await Promise.all(unsent.map((socket) => new Promise((resolve) => socket.write('', resolve))));
};

/**
 * Takes no new requests and answers those under way. Who is not done after `longestMs` is cut off: one client that sends a byte
 * now and then would else keep the process until its supervisor kills it, and the database with it.
 */
export const closeApp = async (app: App, longestMs: number): Promise<void> => {
  const timer = setTimeout(() => {
    app.log.warn(`requests still open after ${longestMs / 1000} s are cut off`);
    app.server.closeAllConnections();
  }, longestMs);
  try {
    await untilSent(app);
    await app.close();
  } finally {
    clearTimeout(timer);
  }
};
