import { cpSync, existsSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Duplex } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import postgres from 'postgres';
import { closeMs, isClosing, isWorn, settledWithin, usesBetweenLooks } from './connections.ts';
import {
  clientOptions,
  type Database,
  type Pool,
  type Sql,
  type Statement,
  setTenant,
  type Tenant,
  takeRows,
} from './database.ts';
import { unpackDirectory } from './directory-archive.ts';
import { deletionReservedBytes, reservedBytes, roomKeeper } from './disk.ts';
import { takeLock } from './lock.ts';
import { migrate } from './migrate.ts';
import { preparedDirectory, shippedDatabase, unpackPrepared } from './prepared-directory.ts';

/** The worker's port as the socket that the client expects. */
class PortSocket extends Duplex {
  readonly readyState = 'open';
  readonly #worker: Worker;

  constructor(worker: Worker) {
    super();
    this.#worker = worker;
    worker.on('message', this.#receive);
    worker.on('exit', this.#end);
  }

  readonly #receive = (bytes: Uint8Array | null) => {
    if (bytes) this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  };

  readonly #end = () => this.destroy();

  override _destroy(error: Error | null, done: (error: Error | null) => void) {
    this.#worker.off('message', this.#receive);
    this.#worker.off('exit', this.#end);
    done(error);
  }

  override _read() {}

  override _write(chunk: Buffer, _encoding: string, done: () => void) {
    // A copy, transferred: otherwise the whole pool of the client's small buffers is copied each time.
    const bytes = new Uint8Array(chunk);
    this.#worker.postMessage(bytes, [bytes.buffer]);
    done();
  }

  override _final(done: () => void) {
    this.push(null);
    done();
  }
}

/** Makes the data directory, from the prepared one if it exists; completely or not at all. */
const ensureDirectory = async (directory: string): Promise<void> => {
  if (existsSync(directory)) return;
  const partial = `${directory}.partial`;
  await rm(partial, { recursive: true, force: true });
  const prepared = preparedDirectory();
  if (!existsSync(prepared) && existsSync(shippedDatabase)) await unpackPrepared();
  if (existsSync(prepared)) {
    // Not cp of node:fs/promises: that takes ten times as long, and no request waits yet.
    cpSync(prepared, partial, { recursive: true });
  } else if (existsSync(shippedDatabase)) {
    unpackDirectory(await readFile(shippedDatabase), partial);
  } else {
    const { PGlite } = await import('@electric-sql/pglite');
    await (await PGlite.create({ dataDir: partial })).close();
  }
  await chmod(partial, 0o700);
  await rename(partial, directory);
};

let compiled: WebAssembly.Module | undefined;

/**
 * PGlite's program, which the databases that a process opens share: their threads run the machine code that was made for the
 * first one, and a second database opens with half of the first one's work.
 */
const program = async (): Promise<WebAssembly.Module> => {
  // With V8's default, 13 million, a start spends a third of its time and 200 MB on optimizing the parser and the interpreter of
  // expressions: their bodies are large, so that they seem busy.
  setFlagsFromString('--wasm-tiering-budget=500000000');
  // PGlite's package is as trusted as this code: a function is checked when it first runs.
  setFlagsFromString('--wasm-lazy-validation');
  const pglite = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  compiled ??= new WebAssembly.Module(await readFile(join(dirname(pglite), 'pglite.wasm')));
  return compiled;
};

/** Time between two looks for tables that have changed much. */
const analyzeEveryMs = 10_000;

/**
 * Updates the planner's statistics of tables that have changed much, as autovacuum does on a server: PGlite has none. Without
 * it, the first of 100,000 records were found by sorting all of them. Returns the tables' names.
 */
export const analyzeChanged = async (sql: Sql): Promise<string[]> => {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_stat_user_tables where n_mod_since_analyze > 50 + 0.1 * n_live_tup`;
  // One by one: other statements come between them.
  for (const { name } of tables) await sql`analyze ${sql(name)}`;
  return tables.map(({ name }) => name);
};

const firstMessage = (worker: Worker) =>
  new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve());
    worker.once('error', reject);
  });

/** A running embedded database as it is: not migrated, and with one session. */
export type EmbeddedSession = {
  sql: Pool;
  /** Ends the client and its session, and returns those that take their place. No statement may be under way. */
  renew: () => Promise<Pool>;
  /** Throws while less than `neededBytes` of its disk is free. */
  requireRoom: (neededBytes?: number) => Promise<void>;
  /** Copies its files into a directory, at a moment at which nothing is written. */
  copyTo: (directory: string) => Promise<void>;
  close: () => Promise<void>;
};

/** Returns a client of an engine in this process, over the socket that leads there. */
export const clientOver = (socket: () => Duplex) =>
  postgres({
    ...clientOptions,
    max: 1,
    max_lifetime: null,
    user: 'postgres',
    database: 'postgres',
    // The options are there (README, "Custom socket"), the package's types don't have them. At its limit of statements under way, 100,
    // postgres.js 3.4.9 takes a transaction that is just the last of them for one that has begun: its statements are refused, and later
    // ones run in the transaction that no one ends.
    ...({ socket, max_pipeline: Number.POSITIVE_INFINITY } as object),
  });

/** Starts the embedded database in `<dataDirectory>/db`, which is made if it is missing; `free` returns the free space. */
export const startEmbedded = async (
  dataDirectory: string,
  free?: (directory: string) => Promise<number>,
): Promise<EmbeddedSession> => {
  await mkdir(dataDirectory, { recursive: true });
  const requireRoom = roomKeeper(dataDirectory, free);
  // It writes at its start, too. The start does not need the whole reserve: deletions make room later.
  await requireRoom(deletionReservedBytes);
  const release = await takeLock(dataDirectory);
  const directory = join(dataDirectory, 'db');
  await ensureDirectory(directory);
  const worker = new Worker(new URL('./embedded-worker.ts', import.meta.url), {
    workerData: { directory, program: await program() },
  });
  await firstMessage(worker);
  let closing = false;
  // Thrown where nothing catches it: the process cannot work without it, and a supervisor can start the process again.
  worker.once('exit', (code) => {
    if (!closing) throw new Error(`The embedded database stopped (exit code ${code}).`);
  });

  let sql = clientOver(() => new PortSocket(worker));
  return {
    sql,
    renew: async () => {
      await sql.unsafe('deallocate all');
      await sql.end({ timeout: 5 });
      sql = clientOver(() => new PortSocket(worker));
      return sql;
    },
    requireRoom,
    copyTo: async (target) => {
      // The only session: while it is reserved, nothing is written.
      const session = await sql.reserve();
      try {
        await session`checkpoint`;
        await cp(directory, target, { recursive: true });
      } finally {
        session.release();
      }
    },
    close: async () => {
      closing = true;
      await sql.end({ timeout: 5 });
      const exited = new Promise((resolve) => worker.once('exit', resolve));
      worker.postMessage(null);
      await exited;
      await release();
    },
  };
};

/**
 * PostgreSQL inside this process (PGlite in a worker thread, so that HTTP is never blocked), kept in `<dataDirectory>/db`.
 * Same client, same SQL as on a server; it has one session, so transactions take turns. Row-level security does not apply, because a laptop
 * has one tenant. Survives `kill -9`; without fsync, a power cut may lose the last seconds. Writes are refused before the disk is full;
 * `free` returns the free space.
 */
export const openEmbedded = async (
  dataDirectory: string,
  free?: (directory: string) => Promise<number>,
): Promise<Database> => {
  const { sql, renew, requireRoom, copyTo, close } = await startEmbedded(dataDirectory, free);
  let pool = sql;
  await migrate(pool);
  // A failure because the database is closing does not matter here.
  const analyze = setInterval(() => analyzeChanged(pool).catch(() => {}), analyzeEveryMs).unref();

  // The client ends its connection after the statement under way. Those that wait for it would never settle.
  const uses = new Set<Promise<unknown>>();
  let closing = false;
  let ended = 0;
  let mayBeWorn = false;
  let renewed: Promise<void> | undefined;
  const replaceWorn = async (): Promise<void> => {
    if (await isWorn(pool)) pool = await renew();
    renewed = undefined;
  };
  const use = async <T>(begin: () => Promise<T>): Promise<T> => {
    while (renewed && !closing) await renewed;
    if (closing) throw isClosing();
    const used = begin();
    uses.add(used);
    try {
      return await used;
    } finally {
      uses.delete(used);
      mayBeWorn ||= ++ended % usesBetweenLooks === 0;
      // At the first moment at which nothing uses the session.
      if (mayBeWorn && uses.size === 0 && !closing) {
        mayBeWorn = false;
        renewed = replaceWorn();
      }
    }
  };

  const read = <T extends object>(_tenant: unknown, statement: (sql: typeof pool) => Statement<T>) =>
    use(async () => takeRows(await statement(pool)));

  const transaction = <T>(tenant: Tenant, work: (tx: Sql) => Promise<T>): Promise<T> =>
    use(async () => {
      await requireRoom(tenant.frees ? deletionReservedBytes : reservedBytes);
      return (await pool.begin(async (tx) => {
        // Not awaited: it travels with the first statement, and a failure aborts the transaction.
        tx.unsafe(setTenant(tenant)).execute();
        return work(tx);
      })) as T;
    });

  return {
    engine: 'embedded',
    description: `embedded, in ${dataDirectory} (a power cut may lose the last seconds)`,
    read,
    // One session: all statements are sent together.
    lookUp: read,
    transaction,
    batch: transaction,
    copyTo: (target) => use(() => copyTo(target)),
    close: async () => {
      closing = true;
      clearInterval(analyze);
      await renewed;
      await settledWithin(uses, closeMs);
      await close();
    },
  };
};
