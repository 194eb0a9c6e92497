import { readdir, readFile } from 'node:fs/promises';
import { type Pool, type Sql, setTenant, system } from './database.ts';

const directory = new URL('../../../migrations/', import.meta.url);

type Applied = { name: string };

/** Names of the migrations that this version knows, in their order. */
export const knownMigrations = async (): Promise<string[]> =>
  (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();

/** Runs migrations, by their names, in a transaction of the caller. */
export const runMigrations = async (tx: Sql, names: string[]): Promise<void> => {
  await tx`create table if not exists migration (name text primary key, applied_at timestamptz not null default now())`;
  for (const name of names) {
    await tx.unsafe(await readFile(new URL(name, directory), 'utf8'));
    await tx`insert into migration (name) values (${name})`;
  }
};

/** Throws if there are tables but no record that this service created them. */
const requireEmpty = async (tx: Sql): Promise<void> => {
  const [found] = await tx<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and relname in ('organization', 'project', 'record')
    limit 1`;
  if (found)
    throw new Error(
      `The database has a table ${found.name}, but no list of Dokima's migrations: a restore did not finish, or the table belongs to another program. Restore into an empty database, or name an empty one.`,
    );
};

/**
 * Brings the database to the newest migration; each runs once, in the order of its name. Processes that start together take
 * turns: the advisory lock is held until the commit, and the second process finds nothing left to do.
 * Throws when the database has a migration that this version doesn't know: it was made by a newer one.
 */
export const migrate = async (pool: Pool): Promise<string[]> => {
  const names = await knownMigrations();
  // One statement shows whether there is anything to do; at most starts there is nothing. It fails if the table does not exist yet.
  const done = await pool<Applied[]>`select name from migration`.catch(() => []);
  if (done.length === names.length && done.every(({ name }) => names.includes(name))) return [];
  return await pool.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('dokima migrate'))`;
    // Row-level security holds for the owner too: a migration that changes rows must see all of them.
    await tx.unsafe(setTenant(system));
    const [table] = await tx<{ name: string | null }[]>`select to_regclass('migration')::text as name`;
    const applied = new Set(
      table?.name ? (await tx<Applied[]>`select name from migration`).map(({ name }) => name) : [],
    );
    if (applied.size === 0) await requireEmpty(tx);
    const unknown = [...applied].filter((name) => !names.includes(name));
    if (unknown.length > 0) {
      throw new Error(
        `The database is newer than this version of Dokima (it has ${unknown.join(', ')}). Upgrade Dokima, or restore the backup from before the upgrade.`,
      );
    }
    const pending = names.filter((name) => !applied.has(name));
    await runMigrations(tx, pending);
    return pending;
  });
};
