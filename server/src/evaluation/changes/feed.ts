import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { credentialOf, findValidCredentials } from '../../accounts/authenticate.ts';
import type { Database } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { findChanges, findSnapshot } from './queries.ts';

/** Open streams of one project. All belong to one organization. */
type Streams = Map<Readable, { scope: Scope; end: () => void }>;

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
 * project; whose key or session has ended hears no more after the next poll. `signMs` is the time between signs of life: proxies
 * end a stream that is silent for a minute.
 */
export const changeFeed = (
  db: Database,
  log: FastifyBaseLogger,
  { pollMs = 1_000, signMs = 20_000 } = {},
) => {
  /** The open streams of each followed project, and how each ends. */
  const followed = new Map<string, Streams>();
  let isClosed = false;

  /** Ends the streams whose key or session has ended: with one statement for all, so that it can run each second. */
  const endRevoked = async (scope: Scope, streams: Streams) => {
    const credentials = new Set([...streams.values()].map(({ scope }) => credentialOf(scope)));
    const found = await db.read(scope, (sql) => findValidCredentials(sql, scope, [...credentials]));
    const valid = new Set(found.map(({ id }) => id));
    for (const { scope, end } of streams.values()) if (!valid.has(credentialOf(scope))) end();
  };

  /** Tells the streams of a project its changes since a snapshot, until no stream is left. */
  const poll = async (name: string, streams: Streams, { scope, projectId }: FollowOptions, now: string) => {
    let snapshot = now;
    const wait = () => delay(pollMs, undefined, { ref: false });
    for (await wait(); streams.size > 0; await wait()) {
      try {
        const [found] = await db.read(scope, (sql) => findChanges(sql, scope, projectId, snapshot));
        await endRevoked(scope, streams);
        snapshot = found!.snapshot;
        if (found!.body) for (const stream of streams.keys()) sendChanges(stream, found!.body);
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
      const streams: Streams = followed.get(name) ?? new Map();
      const end = () => {
        if (streams.delete(stream)) stream.push(null);
      };
      streams.set(stream, { scope, end });
      if (!followed.has(name)) {
        followed.set(name, streams);
        poll(name, streams, options, now!.snapshot);
      }

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
        for (const stream of streams.keys()) stream.push(null);
        streams.clear();
      }
    },
  };
};
