import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { type Pool, type Sql, setTenant, system } from './database.ts';

const directory = new URL('../../../migrations/', import.meta.url);

type Applied = {
  name: string;
  /** Hash of its text when it ran; null in a database made before hashes were kept. */
  hash: string | null;
};

/** Names of the migrations that this version knows, in their order. */
export const knownMigrations = async (): Promise<string[]> =>
  (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();

const textOf = (name: string): Promise<string> => readFile(new URL(name, directory), 'utf8');

/** Hash of what a migration does: without its comments, and the same for every kind of line end. */
const hashOf = (text: string): string =>
  createHash('sha256')
    .update(text.replace(/^\s*--.*$/gm, '').replace(/\s+/g, ' '))
    .digest('hex');

/** Lists the migrations that the database has. A table of an older form has no column `hash`. */
const listApplied = (sql: Sql | Pool) => sql<Applied[]>`
  select name, to_jsonb(migration) ->> 'hash' as hash from migration order by name`;

/** Returns the names of applied migrations whose files were changed afterwards. */
const findChanged = async (applied: Applied[], known: string[]): Promise<string[]> => {
  const changed = [];
  for (const { name, hash } of applied)
    if (known.includes(name) && hash !== hashOf(await textOf(name))) changed.push(name);
  return changed;
};

/** How the migrations of a database differ from those of this version. */
export type Difference = { applied: string[]; unknown: string[]; changed: string[]; pending: string[] };

export const compareMigrations = async (sql: Sql | Pool): Promise<Difference> => {
  const [known, done] = [await knownMigrations(), await listApplied(sql)];
  const applied = done.map(({ name }) => name);
  return {
    applied,
    unknown: applied.filter((name) => !known.includes(name)),
    changed: await findChanged(done, known),
    pending: known.filter((name) => !applied.includes(name)),
  };
};

/** Runs migrations, by their names, in a transaction of the caller. */
export const runMigrations = async (tx: Sql, names: string[]): Promise<void> => {
  await tx`create table if not exists migration (name text primary key, hash text not null, applied_at timestamptz not null default now())`;
  for (const name of names) {
    const text = await textOf(name);
    await tx.unsafe(text);
    await tx`insert into migration (name, hash) values (${name}, ${hashOf(text)})`;
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
 * Throws when the database has a migration that this version doesn't know, because it was made by a newer one, or one whose file
 * was changed after it ran, because the tables are not those that this version expects.
 */
export const migrate = async (pool: Pool): Promise<string[]> => {
  // One statement shows whether there is anything to do; at most starts there is nothing. It fails if the table does not exist yet.
  const before = await compareMigrations(pool).catch(() => undefined);
  if (before && [...before.unknown, ...before.changed, ...before.pending].length === 0) return [];
  return await pool.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('dokima migrate'))`;
    // Row-level security holds for the owner too: a migration that changes rows must see all of them.
    await tx.unsafe(setTenant(system));
    const [table] = await tx<{ name: string | null }[]>`select to_regclass('migration')::text as name`;
    if (!table?.name) {
      await requireEmpty(tx);
      const names = await knownMigrations();
      await runMigrations(tx, names);
      return names;
    }
    const { applied, unknown, changed, pending } = await compareMigrations(tx);
    if (applied.length === 0) await requireEmpty(tx);
    if (unknown.length > 0)
      throw new Error(
        `The database is newer than this version of Dokima (it has ${unknown.join(', ')}). Upgrade Dokima, or restore the backup from before the upgrade.`,
      );
    if (changed.length > 0)
      throw new Error(
        `${changed.join(', ')} differs from what made this database: its file was changed, or a version before the first release made it. Start the version that made it, export its projects, and import them into an empty database.`,
      );
    await runMigrations(tx, pending);
    return pending;
  });
};
