import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { findChanges, findSnapshot } from './queries.ts';

/** A client that leaves this much unread is disconnected: it connects again and reads everything. */
const maxUnreadBytes = 64 * 1024;

type FollowOptions = {
  scope: Scope;
  /** The project to follow; null follows only what belongs to the organization itself. */
  projectId: bigint | null;
  maxSeconds: number;
  /** Whether the changes of the last minutes come first. */
  withPast: boolean;
  /** Called with each sign of life. Its error ends the stream: the key was revoked, or the project was deleted. */
  checkAccess: () => Promise<void>;
};

const send = (stream: Readable, text: string): void => {
  stream.push(text);
  if (stream.readableLength > maxUnreadBytes) stream.destroy();
};

const sendChanges = (stream: Readable, body: string): void =>
  send(stream, `event: changed\ndata: ${body}\n\n`);

/**
 * Streams changes to clients. Any process may write them, so the database is polled, once for all clients that follow the same
 * project. `signMs` is the time between signs of life: proxies end a stream that is silent for a minute.
 */
export const changeFeed = (
  db: Database,
  log: FastifyBaseLogger,
  { pollMs = 1_000, signMs = 20_000 } = {},
) => {
  /** The open streams of each followed project. */
  const followed = new Map<string, Set<Readable>>();
  let isClosed = false;

  /** Tells the streams of a project its changes since a snapshot, until no stream is left. */
  const poll = async (
    name: string,
    streams: Set<Readable>,
    { scope, projectId }: FollowOptions,
    now: string,
  ) => {
    let snapshot = now;
    const wait = () => delay(pollMs, undefined, { ref: false });
    for (await wait(); streams.size > 0; await wait()) {
      try {
        const [found] = await db.read(scope, (sql) => findChanges(sql, scope, projectId, snapshot));
        snapshot = found!.snapshot;
        if (found!.body) for (const stream of streams) sendChanges(stream, found!.body);
      } catch (error) {
        log.warn({ err: error }, 'the changes could not be read; the next poll will find them');
      }
    }
    followed.delete(name);
  };

  return {
    /**
     * Returns a stream of server-sent events, from now on. A change that is committed while it opens may come twice, but is never
     * missed. Throws when the past changes can't be read.
     */
    follow: async (options: FollowOptions): Promise<Readable> => {
      const { scope, projectId, maxSeconds, withPast, checkAccess } = options;
      const [now] = await db.read(scope, findSnapshot);
      const stream = new Readable({ read: () => {} });
      if (isClosed) {
        stream.push(null);
        return stream;
      }
      const name = `${scope.organizationId}/${projectId ?? ''}`;
      const streams = followed.get(name) ?? new Set();
      streams.add(stream);
      if (!followed.has(name)) {
        followed.set(name, streams);
        poll(name, streams, options, now!.snapshot);
      }

      const end = () => {
        if (streams.delete(stream)) stream.push(null);
      };
      const sign = setInterval(() => {
        checkAccess().then(
          () => {
            if (streams.has(stream)) send(stream, ': still here\n\n');
          },
          (error) => {
            const isDeleted = error instanceof ApiError && error.code === 'NOT_FOUND';
            if (isDeleted && streams.has(stream)) send(stream, 'event: deleted\ndata: {}\n\n');
            end();
          },
        );
      }, signMs);
      const limit = setTimeout(end, maxSeconds * 1_000);
      stream.on('close', () => {
        clearInterval(sign);
        clearTimeout(limit);
        streams.delete(stream);
      });

      send(stream, 'retry: 2000\nevent: ready\ndata: {}\n\n');
      if (withPast) {
        try {
          const [past] = await db.read(scope, (sql) => findChanges(sql, scope, projectId, undefined));
          if (past?.body && streams.has(stream)) sendChanges(stream, past.body);
        } catch (error) {
          stream.destroy();
          throw error;
        }
      }
      return stream;
    },

    /** Ends all streams, so that the service can stop. */
    close: (): void => {
      isClosed = true;
      for (const streams of followed.values()) {
        for (const stream of streams) stream.push(null);
        streams.clear();
      }
    },
  };
};
