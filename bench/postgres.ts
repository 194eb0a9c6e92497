import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { familyMemory, familySeconds } from './processor.ts';

const run = promisify(execFile);
const startDeadlineMs = 30_000;

/** Returns the folder of the newest installed PostgreSQL programs on Debian. */
const findPrograms = async (): Promise<string> => {
  const root = '/usr/lib/postgresql';
  const versions = (await readdir(root).catch(() => [])).sort((a, b) => Number(b) - Number(a));
  if (!versions[0]) {
    throw new Error(`There is no PostgreSQL under ${root}. Install one: apt-get install postgresql`);
  }
  return join(root, versions[0], 'bin');
};

/** Returns the user of PostgreSQL's package if this process is root, because PostgreSQL refuses to run as root. */
export const unprivileged = async (): Promise<{ uid: number; gid: number } | undefined> => {
  if (process.getuid?.() !== 0) return undefined;
  const id = async (option: string) => Number((await run('id', [option, 'postgres'])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
};

/** Returns a port on loopback that was free a moment ago. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
};

const waitUntilReady = async (url: string, server: ChildProcess): Promise<void> => {
  const sql = postgres(url, { max: 1, backoff: () => 0.05, onnotice: () => {} });
  const deadline = Date.now() + startDeadlineMs;
  try {
    for (;;) {
      if (server.exitCode !== null) throw new Error(`PostgreSQL ended with exit code ${server.exitCode}.`);
      try {
        await sql`select 1`;
        return;
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await delay(20);
      }
    }
  } finally {
    await sql.end();
  }
};

export type Postgres = {
  /** Creates a database, unless it exists, and returns its URL. */
  createDatabase: (name: string) => Promise<string>;
  /** Processor time that the server has used so far; undefined without /proc. */
  processorSeconds: () => Promise<number | undefined>;
  /** Memory of all its processes in MB. */
  memory: () => Promise<number | undefined>;
  /** Bytes of a database, and of the write-ahead log since the server was made. */
  storage: (database: string) => Promise<{ diskBytes: number; walBytes: number }>;
  stop: () => Promise<void>;
};

/**
 * Starts a PostgreSQL server on loopback, with the configuration of initdb: fsync and synchronous_commit are on. It is in a temporary
 * directory, or in `kept`, which stays.
 */
export const startPostgres = async (kept?: string): Promise<Postgres> => {
  const programs = await findPrograms();
  const user = await unprivileged();
  if (kept) await mkdir(kept, { recursive: true });
  const directory = kept ?? (await mkdtemp(join(tmpdir(), 'dokima-bench-postgres-')));
  if (user) await chown(directory, user.uid, user.gid);
  const data = join(directory, 'data');
  const options = { ...user, cwd: directory };
  if (!existsSync(data))
    await run(
      join(programs, 'initdb'),
      ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8'],
      options,
    );
  const port = await freePort();
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', data, '-p', String(port), '-k', directory, '-c', 'listen_addresses=127.0.0.1'],
    { ...options, stdio: 'ignore' },
  );
  const kill = () => server.kill('SIGQUIT');
  process.once('exit', kill);
  const stop = async () => {
    process.off('exit', kill);
    if (server.exitCode === null && server.signalCode === null) {
      const exited = once(server, 'exit');
      server.kill('SIGINT');
      await exited;
    }
    if (!kept) await rm(directory, { recursive: true, force: true });
  };
  const urlOf = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  try {
    await waitUntilReady(urlOf('postgres'), server);
  } catch (error) {
    await stop();
    throw error;
  }
  const createDatabase = async (name: string) => {
    const sql = postgres(urlOf('postgres'), { max: 1 });
    const [found] = await sql`select from pg_database where datname = ${name}`;
    if (!found) await sql`create database ${sql(name)}`;
    await sql.end();
    return urlOf(name);
  };
  const storage = async (name: string) => {
    const sql = postgres(urlOf(name), { max: 1 });
    const [found] = await sql<{ disk: string; wal: string }[]>`
      select pg_database_size(current_database()) as disk, pg_current_wal_lsn() - '0/0' as wal`;
    await sql.end();
    return { diskBytes: Number(found!.disk), walBytes: Number(found!.wal) };
  };
  return {
    createDatabase,
    processorSeconds: () => familySeconds(server.pid!),
    memory: () => familyMemory(server.pid!),
    storage,
    stop,
  };
};
