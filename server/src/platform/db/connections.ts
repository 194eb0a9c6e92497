import postgres from 'postgres';
import { isConnectionLost, type Pool, type Tenant } from './database.ts';

/**
 * A pool of connections, each with its own client. postgres.js has a pool too, but as of 3.4.9 a connection that closes
 * in the middle of a transaction breaks it for good: the process dies of a write to a null socket, or later statements hang
 * (porsager/postgres#1208, #1215, #1216). So a client lives here as long as its connection, and not longer.
 */
export type Connection = {
  readonly sql: Pool;
  /** Tenant whose rows its statements see outside of transactions; undefined while that is not known. */
  reader: Tenant['organizationId'] | undefined;
  /** Settles as `work` does, or rejects as soon as the connection has ended. One work at a time. */
  untilLost<T>(work: Promise<T>): Promise<T>;
  /** Uses that have ended. */
  uses: number;
  /** Ends the connection; all work that still waits for it rejects with `error`. */
  end: (error: Error) => void;
};

/** Uses of a pool of connections: the numbers that run, and that wait for a connection. */
export type PoolLoad = { running: number; waiting: number };

export type Connections = {
  /**
   * Runs `work` on a connection that nothing else uses until it ends; prefers one that already reads for this tenant.
   * Rejects at once when the connection is lost, and after `longestMs` without an answer. While none is free, it rejects when a
   * database that has been silent for 5 s refuses a new connection for another 5 s.
   */
  use<T>(tenant: Tenant, work: (connection: Connection) => Promise<T>, longestMs?: number): Promise<T>;
  /** Number of uses that run and wait now. */
  load: () => PoolLoad;
  close(): Promise<void>;
};

/** Time for a connection to begin. */
const connectMs = 5_000;
/** Longest use of one. Statements end before that (statement_timeout), so a longer use means that the server has vanished. */
const useMs = 90_000;
/** Silence on all connections after which a new one is opened, to tell a database that hangs from one that is busy. */
const silentMs = 5_000;
/** Time between two checks of that. */
const watchMs = 1_000;
/**
 * Statements that a connection may have prepared. Each is kept as long as the connection lives, by the client (4 KB) and with its plan by
 * PostgreSQL, and searches make new texts without end. The service's own work has about 250.
 */
const mostPrepared = 500;
/** Uses of a connection between two looks at that number. */
export const usesBetweenLooks = 250;

/** Returns whether this session has more prepared statements than it may have. */
export const isWorn = async (sql: Pool): Promise<boolean> => {
  const [found] = await sql<{ is_worn: boolean }[]>`
    select count(*) > ${mostPrepared} as is_worn from pg_prepared_statements`;
  return found!.is_worn;
};

/** Time for running work when the pool closes. */
export const closeMs = 5_000;

/** An error that says that the connection is gone, with the code that postgres.js gives its own. */
const connectionError = (
  code: 'CONNECT_REFUSED' | 'CONNECT_TIMEOUT' | 'CONNECTION_CLOSED' | 'CONNECTION_ENDED',
  message: string,
  cause?: unknown,
) => Object.assign(new Error(message, { cause }), { code });
export const isClosing = () => connectionError('CONNECTION_ENDED', 'The database is being closed.');
const noAnswer = (code: 'CONNECT_TIMEOUT' | 'CONNECTION_CLOSED', ms: number) =>
  connectionError(code, `The database did not answer in ${ms / 1000} s.`);

/** Waits until all of these have settled, and not longer than `ms`. */
export const settledWithin = async (uses: Iterable<Promise<unknown>>, ms: number): Promise<void> => {
  const timeout = Promise.withResolvers<void>();
  const timer = setTimeout(timeout.resolve, ms);
  await Promise.race([Promise.allSettled(uses), timeout.promise]);
  clearTimeout(timer);
};

/** `connect` makes a client with `max: 1` that calls `onclose` when its connection closes. */
// Long: its steps share the connections and the line of those who wait
export const openConnections = (connect: (onclose: () => void) => Pool, max: number): Connections => {
  const connections = new Set<Connection>();
  const idle: Connection[] = [];
  const waiting: PromiseWithResolvers<void>[] = [];
  /** Uses that may begin now; the rest wait in line. */
  let free = max;
  const uses = new Set<Promise<unknown>>();
  let closing = false;
  /** Time of the last answer of the database, or of the first use that began to wait for it. */
  let heardAt = 0;
  /** Set while new connections get no answer. */
  let hangs = false;

  const heard = () => {
    heardAt = performance.now();
    hangs = false;
  };

  const createConnection = (): Connection => {
    let lost: Error | undefined;
    let reject: ((error: Error) => void) | undefined;
    const end = (error: Error) => {
      if (!connections.delete(connection)) return;
      const at = idle.indexOf(connection);
      if (at >= 0) idle.splice(at, 1);
      lost = error;
      reject?.(error);
      void connection.sql.end({ timeout: 0 });
    };
    // Not Promise.race against a promise that lives as long as the connection: that one would hold on to every result.
    const untilLost = async <T>(work: Promise<T>): Promise<T> => {
      const ended = Promise.withResolvers<T>();
      reject = ended.reject;
      if (lost) reject(lost);
      work.then(ended.resolve, ended.reject);
      try {
        return await ended.promise;
      } finally {
        reject = undefined;
      }
    };
    const onclose = () => end(connectionError('CONNECTION_CLOSED', 'The connection to the database closed.'));
    const connection: Connection = { sql: connect(onclose), reader: undefined, uses: 0, untilLost, end };
    connections.add(connection);
    return connection;
  };

  /** Opens a connection and waits until it answers: its server may take connections and drop them. */
  const openConnection = async (): Promise<Connection> => {
    const connection = createConnection();
    const timer = setTimeout(() => connection.end(noAnswer('CONNECT_TIMEOUT', connectMs)), connectMs);
    try {
      await connection.untilLost(connection.sql`select`);
      heard();
      return connection;
    } catch (error) {
      // For any reason: a changed password, or a database that is renamed or closed for a restore, also makes the database unavailable.
      const refused = connectionError(
        'CONNECT_REFUSED',
        `The database refuses: ${(error as Error).message}`,
        error,
      );
      connection.end(refused);
      throw refused;
    } finally {
      clearTimeout(timer);
    }
  };

  const takeIdle = ({ organizationId }: Tenant): Connection | undefined => {
    const at = idle.findLastIndex(({ reader }) => reader === organizationId);
    return at < 0 ? idle.pop() : idle.splice(at, 1)[0];
  };

  /** Takes a connection back, unless it has prepared so many statements that a new one is cheaper. */
  const giveBack = async (connection: Connection): Promise<void> => {
    if (!connections.has(connection)) return;
    const isDue = ++connection.uses % usesBetweenLooks === 0;
    // A look that fails says nothing: the next use finds out what is wrong with the connection.
    if (isDue && (await connection.untilLost(isWorn(connection.sql)).catch(() => false)))
      connection.end(connectionError('CONNECTION_ENDED', 'It had prepared too many statements.'));
    if (connections.has(connection)) idle.push(connection);
  };

  const useOne = async <T>(
    tenant: Tenant,
    work: (connection: Connection) => Promise<T>,
    longestMs: number,
  ): Promise<T> => {
    if (closing) throw isClosing();
    const connection = takeIdle(tenant) ?? (await openConnection());
    const timer = setTimeout(() => connection.end(noAnswer('CONNECTION_CLOSED', longestMs)), longestMs);
    try {
      const result = await connection.untilLost(work(connection));
      heard();
      return result;
    } catch (error) {
      // A statement reports the loss before the socket does: no one else should get this connection.
      if (isConnectionLost(error)) connection.end(error as Error);
      else heard();
      throw error;
    } finally {
      await giveBack(connection);
      clearTimeout(timer);
    }
  };

  /** In the order of their calls: one that comes later never takes the connection that an earlier one waits for. */
  const inTurn = async <T>(
    tenant: Tenant,
    work: (connection: Connection) => Promise<T>,
    longestMs: number,
  ): Promise<T> => {
    if (free > 0) free--;
    else {
      if (hangs) throw noAnswer('CONNECT_TIMEOUT', connectMs);
      const turn = Promise.withResolvers<void>();
      waiting.push(turn);
      await turn.promise;
    }
    try {
      return await useOne(tenant, work, longestMs);
    } finally {
      const next = waiting.shift();
      if (next) next.resolve();
      else free++;
    }
  };

  let probing = false;
  /** Checks over a separate connection whether a silent database is there; if it is not, no request waits in line for it. */
  const probe = async () => {
    if (probing || uses.size === 0 || performance.now() - heardAt < silentMs) return;
    probing = true;
    const begunAt = performance.now();
    try {
      (await openConnection()).end(
        connectionError('CONNECTION_ENDED', 'It was opened to see whether it can be.'),
      );
    } catch (error) {
      // A refusal (for example, too many connections) proves that the server is up.
      if ((error as Error).cause instanceof postgres.PostgresError) heard();
      hangs = heardAt < begunAt;
      if (hangs) for (const turn of waiting.splice(0)) turn.reject(noAnswer('CONNECT_TIMEOUT', connectMs));
    } finally {
      probing = false;
    }
  };
  const watch = setInterval(probe, watchMs).unref();

  return {
    use: (tenant, work, longestMs = useMs) => {
      if (uses.size === 0) heardAt = performance.now();
      const used = inTurn(tenant, work, longestMs);
      uses.add(used);
      const done = () => uses.delete(used);
      used.then(done, done);
      return used;
    },
    load: () => ({ running: max - free, waiting: waiting.length }),
    close: async () => {
      closing = true;
      clearInterval(watch);
      await settledWithin(uses, closeMs);
      await Promise.all([...connections].map(({ sql }) => sql.end({ timeout: 1 })));
    },
  };
};
