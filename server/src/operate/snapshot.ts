import { chmod, readdir, rm } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import { basename, join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { FastifyBaseLogger } from 'fastify';
import { newUuid } from '../platform/http/ids.ts';

/**
 * The embedded database belongs to the process of the service, so a backup asks this process for a copy of its files, over a
 * socket in the data directory. Only the user who may read the data may use the socket.
 */
const socketPath = (dataDirectory: string) => join(dataDirectory, 'backup.sock');
const prefix = 'snapshot-';

/** Deletes the copies that interrupted backups have left. */
const deleteSnapshots = async (dataDirectory: string): Promise<void> => {
  for (const name of await readdir(dataDirectory))
    if (name.startsWith(prefix)) await rm(join(dataDirectory, name), { recursive: true, force: true });
};

/** Starts to answer requests for copies. `copyTo` writes one. Without a socket, backups need the service to be stopped. */
export const listenForBackups = async (
  dataDirectory: string,
  copyTo: (directory: string) => Promise<void>,
  log: FastifyBaseLogger,
): Promise<{ close: () => Promise<void> }> => {
  await deleteSnapshots(dataDirectory);
  const path = socketPath(dataDirectory);
  await rm(path, { force: true });
  const server: Server = createServer((_request, response) => {
    const directory = join(dataDirectory, `${prefix}${newUuid()}`);
    copyTo(join(directory, 'db')).then(
      () => response.end(JSON.stringify({ directory })),
      (error) => {
        log.error({ err: error }, 'the database could not be copied for a backup');
        response.writeHead(500).end(JSON.stringify({ message: (error as Error).message }));
      },
    );
  });
  await new Promise<void>((resolve) => {
    server.once('error', (error) => {
      log.warn({ err: error }, 'backups need the service to be stopped: their socket could not be opened');
      resolve();
    });
    server.listen(path, () => resolve(chmod(path, 0o600)));
  });
  return { close: () => new Promise((resolve) => server.close(() => resolve())) };
};

/** Asks the service for a copy of its database, and returns the copy's directory; undefined if no service runs there. */
export const askForSnapshot = async (dataDirectory: string): Promise<string | undefined> => {
  const outgoing = request({ socketPath: socketPath(dataDirectory), method: 'POST' });
  const response = await new Promise<import('node:http').IncomingMessage | undefined>((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.once('error', (error: NodeJS.ErrnoException) =>
      ['ENOENT', 'ECONNREFUSED'].includes(error.code ?? '') ? resolve(undefined) : reject(error),
    );
    outgoing.end();
  });
  if (!response) return undefined;
  const answer = (await json(response)) as { directory?: string; message?: string };
  if (!answer.directory) throw new Error(`The service could not copy its database: ${answer.message}`);
  // The service may have been started with a path relative to a directory that is not ours.
  return join(dataDirectory, basename(answer.directory));
};
