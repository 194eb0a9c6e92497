import { Readable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import { type Database, system } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { findChanges, findSnapshot } from './queries.ts';
import { keepSnapshots } from './snapshots.ts';

type Times = {
  /** How often the database is asked, once for all who watch a project. */
  pollMs: number;
  /** Between two signs of life and looks at who may watch: proxies end what is silent for a minute. */
  signMs: number;
  /** How often a snapshot is kept to look back from: so much more than was asked for may be told. */
  snapshotMs: number;
  now: () => number;
};
const usual: Times = { pollMs: 1_000, signMs: 20_000, snapshotMs: 5_000, now: () => performance.now() };
/** Nobody asks further back than this; see ChangesQuery. */
const mostPastMs = 90_000;
/** A client that leaves so much unread is behind for good: it connects again and reads everything anew. */
const mostUnreadBytes = 64 * 1024;

/** One client's stream of events. */
type EventStream = { readable: Readable; send: (text: string) => void; end: () => void };

const openStream = (onClose: () => void): EventStream => {
  let open = true;
  const close = () => {
    if (open) onClose();
    open = false;
  };
  const readable = new Readable({
    read: () => {},
    destroy: (error, done) => {
      close();
      done(error);
    },
  });
  return {
    readable,
    send: (text) => {
      if (!open) return;
      readable.push(text);
      if (readable.readableLength > mostUnreadBytes) readable.destroy();
    },
    end: () => {
      if (!open) return;
      close();
      readable.push(null);
    },
  };
};

export type FollowOptions = {
  scope: Scope;
  /** Null: what belongs to the organization and to none of its projects. */
  projectId: bigint | null;
  maxSeconds: number;
  /** What was committed in so many seconds before is told at once: what was read since then may lack it. 0: nothing. */
  pastSeconds: number;
  /** Asked now and then; what it throws ends the stream: the key is revoked, or the project is gone. */
  checkAccess: () => Promise<void>;
};

export type ChangeFeed = {
  /** Begins to keep the snapshots that looks back need; until then, and for a while after, they tell all that is kept. */
  start: () => Promise<void>;
  /** Server-sent events of the changes of a project and its organization, from now on. */
  follow: (options: FollowOptions) => Promise<Readable>;
  /** Ends all streams and whatever else runs here, so that the service can stop. */
  close: () => void;
};

/** What is watched: a project, or an organization. */
const nameOf = ({ organizationId }: Scope, projectId: bigint | null): string =>
  `${organizationId}/${projectId ?? ''}`;

type Watch = { streams: Set<EventStream>; timer: NodeJS.Timeout | undefined };

/** Tells everybody who watches a project what changed in it. Any process may have written, so the database is asked. */
export const changeFeed = (db: Database, log: FastifyBaseLogger, times: Partial<Times> = {}): ChangeFeed => {
  const { pollMs, signMs, snapshotMs, now } = { ...usual, ...times };
  const watches = new Map<string, Watch>();
  let isClosed = false;
  const readSnapshot = async () => (await db.read(system, findSnapshot))[0]!.snapshot;
  const snapshots = keepSnapshots({
    read: readSnapshot,
    log,
    now,
    everyMs: snapshotMs,
    keptMs: mostPastMs,
  });

  const startWatch = (scope: Scope, projectId: bigint | null, first: string): Watch => {
    let snapshot = first;
    const watch: Watch = { streams: new Set(), timer: undefined };
    const poll = async () => {
      try {
        const [found] = await db.read(scope, (sql) => findChanges(sql, scope, projectId, snapshot));
        snapshot = found!.snapshot;
        if (found!.body)
          for (const stream of watch.streams) stream.send(`event: changed\ndata: ${found!.body}\n\n`);
      } catch (error) {
        log.warn({ err: error }, 'the changes could not be read; the next look will find them');
      }
      if (watch.streams.size > 0) watch.timer = setTimeout(poll, pollMs);
    };
    watch.timer = setTimeout(poll, pollMs);
    watches.set(nameOf(scope, projectId), watch);
    return watch;
  };

  const leave = (name: string, watch: Watch, stream: EventStream): void => {
    watch.streams.delete(stream);
    if (watch.streams.size > 0) return;
    clearTimeout(watch.timer);
    watches.delete(name);
  };

  return {
    start: snapshots.start,
    follow: async ({ scope, projectId, maxSeconds, pastSeconds, checkAccess }) => {
      const past = snapshots.before(now() - pastSeconds * 1_000);
      const first = await readSnapshot();
      const name = nameOf(scope, projectId);
      const watch = watches.get(name) ?? startWatch(scope, projectId, first);
      const stream = openStream(() => {
        clearInterval(sign);
        clearTimeout(limit);
        leave(name, watch, stream);
      });
      const refuse = (error: unknown) => {
        if (error instanceof ApiError && error.code === 'NOT_FOUND')
          stream.send('event: deleted\ndata: {}\n\n');
        stream.end();
      };
      const sign = setInterval(() => {
        checkAccess().then(() => stream.send(': still here\n\n'), refuse);
      }, signMs);
      const limit = setTimeout(stream.end, maxSeconds * 1_000);
      watch.streams.add(stream);
      if (isClosed) stream.end();
      stream.send('retry: 2000\nevent: ready\ndata: {}\n\n');
      if (pastSeconds > 0) {
        // Once the stream listens: what is committed between the two is told twice, not never.
        const [found] = await db
          .read(scope, (sql) => findChanges(sql, scope, projectId, past))
          .catch((error) => {
            stream.end();
            throw error;
          });
        if (found?.body) stream.send(`event: changed\ndata: ${found.body}\n\n`);
      }
      return stream.readable;
    },
    close: () => {
      isClosed = true;
      snapshots.stop();
      for (const { streams } of watches.values()) for (const stream of streams) stream.end();
    },
  };
};
