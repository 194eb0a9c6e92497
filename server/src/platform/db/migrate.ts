import { readdir, readFile } from 'node:fs/promises';
import { type Pool, setTenant, system } from './database.ts';

const directory = new URL('../../../migrations/', import.meta.url);

type Applied = { name: string };

/**
 * Brings the database to the newest migration; each runs once, in the order of its name. Processes that start together take
 * turns: the advisory lock is held until the commit, and who comes second finds nothing left to do.
 * Throws when the database has a migration that this version doesn't know: it was made by a newer one.
 */
export const migrate = async (pool: Pool): Promise<string[]> => {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  // Most starts find nothing to do, and one statement tells. It fails where there is no such table yet.
  const done = await pool<Applied[]>`select name from migration`.catch(() => []);
  if (done.length === names.length && done.every(({ name }) => names.includes(name))) return [];
  return await pool.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('dokima migrate'))`;
    // Row-level security holds for the owner too: a migration that changes rows must see all of them.
    await tx.unsafe(setTenant(system));
    await tx`create table if not exists migration (name text primary key, applied_at timestamptz not null default now())`;
    const applied = new Set((await tx<Applied[]>`select name from migration`).map((row) => row.name));
    const unknown = [...applied].filter((name) => !names.includes(name));
    if (unknown.length > 0) {
      throw new Error(
        `The database is newer than this version of Dokima (it has ${unknown.join(', ')}). Upgrade Dokima.`,
      );
    }
    const pending = names.filter((name) => !applied.has(name));
    for (const name of pending) {
      await tx.unsafe(await readFile(new URL(name, directory), 'utf8'));
      await tx`insert into migration (name) values (${name})`;
    }
    return pending;
  });
};
