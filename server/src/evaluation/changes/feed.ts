import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { credentialOf, findValidCredentials } from '../../accounts/authenticate.ts';
import type { SessionLimits } from '../../accounts/sign-ins/session-limits.ts';
import type { Database } from '../../platform/db/database.ts';
import { ApiError, invalid } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { findChanges, findRoles, findSnapshot, type News } from './queries.ts';

/** Who reads a stream, and the snapshot up to which they have received the changes. */
type Subscriber = {
  scope: Scope;
  snapshot: string;
  end: () => void;
  /** Ends the stream if its reader may not read it any more. Returns whether it goes on. */
  check: () => Promise<boolean>;
};
/** Open streams of one project. All belong to one organization. */
type Streams = Map<Readable, Subscriber>;

/** PostgreSQL's code for a text that is not of the type that it is cast to. */
const invalidText = '22P02';

/** A client with this many unread bytes is disconnected: it connects again and reads everything. */
const maxUnreadBytes = 64 * 1024;

type FollowOptions = {
  scope: Scope;
  /** The project to follow; null follows only resources of the organization itself. */
  projectId: bigint | null;
  maxSeconds: number;
  /** The position after which the stream begins; without one it begins now. */
  since?: string | undefined;
  /**
   * Called before each sign of life, and when roles in the project change. Its error ends the stream: the key was revoked, the project was
   * deleted or is hidden now.
   */
  checkAccess: () => Promise<void>;
};

const send = (stream: Readable, text: string): void => {
  stream.push(text);
  if (stream.readableLength > maxUnreadBytes) stream.destroy();
};

const sendEvent = (stream: Readable, name: string, snapshot: string, data: string): void =>
  send(stream, `id: ${snapshot}\nevent: ${name}\ndata: ${data}\n\n`);

/**
 * Streams changes to clients. Any process may write them, so the database is polled, once for all clients that follow the same project. A
 * client whose key or session has ended receives nothing after the next poll. `signMs` is the time between signs of life: proxies end a
 * stream that is silent for a minute.
 */
// Long: its steps share the streams that are open
export const changeFeed = (
  db: Database,
  log: FastifyBaseLogger,
  sessions: SessionLimits,
  { pollMs = 1_000, signMs = 20_000 }: { pollMs?: number | undefined; signMs?: number } = {},
) => {
  /** The open streams of each followed project, each with the function that ends it. */
  const followed = new Map<string, Streams>();
  let isClosed = false;

  /** Ends the streams whose key or session has ended: one statement checks all, so that it can run each second. */
  const endRevoked = async (scope: Scope, streams: Streams) => {
    const credentials = new Set([...streams.values()].map(({ scope }) => credentialOf(scope)));
    const found = await db.read(scope, (sql) => findValidCredentials(sql, sessions, scope, [...credentials]));
    const valid = new Set(found.map(({ id }) => id));
    for (const { scope, end } of streams.values()) if (!valid.has(credentialOf(scope))) end();
  };

  /**
   * Sends each stream the changes that were committed since its snapshot. All streams have the same snapshot, except those that have just
   * begun.
   */
  const sendNews = async ({ scope, projectId }: FollowOptions, streams: Streams) => {
    const groups = [...Map.groupBy(streams, ([, { snapshot }]) => snapshot)];
    // The last reader can leave while the roles are read.
    if (groups.length === 0) return;
    const news: News[] = [];
    for (const [snapshot] of groups)
      news.push(...(await db.read(scope, (sql) => findChanges(sql, scope, projectId, snapshot))));
    await endRevoked(scope, streams);
    // Takes the earliest snapshot: some streams get a change between two snapshots twice, and none misses it.
    const { snapshot } = news[0]!;
    groups.forEach(([, group], i) => {
      for (const [stream, subscriber] of group) {
        subscriber.snapshot = snapshot;
        if (news[i]!.body && streams.has(stream)) sendEvent(stream, 'changed', snapshot, news[i]!.body);
      }
    });
  };

  const rolesOf = async ({ scope, projectId }: FollowOptions): Promise<string | undefined> => {
    if (projectId === null) return undefined;
    const [found] = await db.read(scope, (sql) => findRoles(sql, scope, projectId));
    return found?.roles;
  };

  /** Polls for the streams of a project until none is left. `before` are the roles in the project when the first stream began. */
  const poll = async (name: string, streams: Streams, options: FollowOptions, before: string | undefined) => {
    let roles = before;
    const wait = () => delay(pollMs, undefined, { ref: false });
    for (await wait(); streams.size > 0; await wait()) {
      try {
        const now = await rolesOf(options);
        if (now !== roles) await Promise.all([...streams.values()].map(({ check }) => check()));
        roles = now;
        await sendNews(options, streams);
      } catch (error) {
        log.warn({ err: error }, 'the changes could not be read; the next poll will find them');
      }
    }
    followed.delete(name);
  };

  const mayGoOn = async (stream: Readable, streams: Streams, checkAccess: () => Promise<void>) => {
    try {
      await checkAccess();
      return streams.has(stream);
    } catch (error) {
      const subscriber = streams.get(stream);
      const isGone = error instanceof ApiError && error.code === 'NOT_FOUND';
      if (isGone && subscriber) sendEvent(stream, 'deleted', subscriber.snapshot, '{}');
      subscriber?.end();
      return false;
    }
  };

  return {
    /**
     * Returns a stream of server-sent events. A change that is committed while it opens may come twice, but is never missed.
     * Throws 400 when `since` is not a position.
     */
    follow: async (options: FollowOptions): Promise<Readable> => {
      const { scope, projectId, maxSeconds, since, checkAccess } = options;
      const [begin] = await db
        .read(scope, (sql) => findSnapshot(sql, since))
        .catch((error) => {
          throw error.code === invalidText
            ? invalid('/since', 'must be the position of an earlier answer')
            : error;
        });
      const roles = await rolesOf(options);
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
      const check = () => mayGoOn(stream, streams, checkAccess);
      const subscriber: Subscriber = { scope, snapshot: begin!.snapshot, end, check };
      streams.set(stream, subscriber);
      if (!followed.has(name)) {
        followed.set(name, streams);
        poll(name, streams, options, roles);
      }
      const showLife = async () => {
        if (await check()) sendEvent(stream, 'alive', subscriber.snapshot, '{}');
      };
      const signs = setInterval(() => void showLife(), signMs);
      const limit = setTimeout(end, maxSeconds * 1_000);
      stream.on('close', () => {
        clearInterval(signs);
        clearTimeout(limit);
        streams.delete(stream);
      });
      send(stream, 'retry: 2000\n');
      sendEvent(stream, 'ready', begin!.snapshot, '{}');
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
