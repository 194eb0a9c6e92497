import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { freePort, unprivileged } from '../../bench/postgres.ts';
import { until } from './until.ts';

const run = promisify(execFile);

/** Where Debian keeps the programs of the newest PostgreSQL that is installed; undefined where there is none. */
const findPrograms = (): string | undefined => {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).map(Number) : [];
  return versions.length > 0 ? join(root, String(Math.max(...versions)), 'bin') : undefined;
};

const programs = findPrograms();

/** Whether a test can have a PostgreSQL server to itself: one that it may stop. */
export const hasOwnPostgres = programs !== undefined;

export type OwnPostgres = {
  url: string;
  /** Restarts as a former primary that another server has replaced: it only reads, and waits for the other's log. */
  becomeStandby: () => Promise<void>;
  /** Ends that: it writes again. */
  promote: () => Promise<void>;
  /** Ends it as a power cut would. */
  kill: () => Promise<void>;
  close: () => Promise<void>;
};

/** A PostgreSQL server in a temporary directory, on loopback: a new one, or a standby that follows `primary`. */
export const openOwnPostgres = async (primary?: OwnPostgres): Promise<OwnPostgres> => {
  const user = await unprivileged();
  // The temporary directory of the tests is closed to other users.
  const directory = await mkdtemp(join(user ? '/tmp' : tmpdir(), 'dokima-test-postgres-'));
  if (user) await chown(directory, user.uid, user.gid);
  const options = { ...user, cwd: directory };
  const data = join(directory, 'data');
  if (primary)
    await run(
      join(programs!, 'pg_basebackup'),
      ['-D', data, '-d', primary.url, '--write-recovery-conf', '--checkpoint=fast', '--no-sync'],
      options,
    );
  else {
    const settings = ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--no-sync'];
    await run(join(programs!, 'initdb'), settings, options);
  }
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const sql = postgres(url, { max: 1, backoff: () => 0.05, onnotice: () => {} });

  const start = async (): Promise<ChildProcess> => {
    const listening = ['-D', data, '-p', String(port), '-k', directory, '-c', 'listen_addresses=127.0.0.1'];
    const started = spawn(join(programs!, 'postgres'), [...listening, '-c', 'fsync=off'], {
      ...options,
      stdio: 'ignore',
    });
    await until(() => sql`select 1`.catch(() => undefined));
    return started;
  };
  let server = await start();
  const kill = () => server.kill('SIGQUIT');
  process.once('exit', kill);
  // SIGINT is fast: it ends its sessions instead of waiting for them.
  const stop = async (signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT') => {
    if (server.exitCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  };

  return {
    url,
    becomeStandby: async () => {
      await stop();
      const signal = join(data, 'standby.signal');
      await writeFile(signal, '');
      if (user) await chown(signal, user.uid, user.gid);
      server = await start();
    },
    promote: async () => {
      await sql`select pg_promote()`;
    },
    kill: () => stop('SIGQUIT'),
    close: async () => {
      process.off('exit', kill);
      await sql.end();
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};
