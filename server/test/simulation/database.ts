import { cpSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import type { Pool } from '../../src/platform/db/database.ts';
import { clientOver } from '../../src/platform/db/embedded.ts';
import { prepareEmbedded } from '../../src/platform/db/prepare-embedded.ts';
import { preparedDirectory } from '../../src/platform/db/prepared-directory.ts';
import { type Machine, runOn } from './clocks.ts';
import { Wire } from './wire.ts';

/**
 * PGlite takes 1,024 random bytes at a time, and gives 16 of them to an id. This uses up what an earlier schedule left, when chance gives
 * zeros only: the next id is the first of new bytes.
 */
const useUpRandomBytes = `do $$
begin
  while gen_random_uuid() <> '00000000-0000-4000-8000-000000000000' loop end loop;
  for i in 1 .. 63 loop perform gen_random_uuid(); end loop;
end $$`;
/**
 * No chance, and a time after all schedules. PostgreSQL sets a timer for its statistics by the time at which it last reported them. A timer is
 * an event, so that time must be the same when each schedule begins.
 */
const noChance: Machine = {
  now: () => Date.UTC(2200, 0, 1),
  monotonic: () => 0,
  random: () => 0,
  after: () => () => {},
};

/** Schedules between two clean-ups of deleted rows, which take longer than a schedule. */
const vacuumEvery = 40;

/** One database in this thread, which many schedules use one after the other. */
export type SimulatedDatabase = {
  sql: Pool;
  wire: Wire;
  /** Deletes all rows, and runs the database on this machine from now on. */
  startOn: (machine: Machine) => Promise<void>;
  close: () => Promise<void>;
};

export const openSimulatedDatabase = async (): Promise<SimulatedDatabase> => {
  await prepareEmbedded();
  const directory = await mkdtemp(join(tmpdir(), 'dokima-simulation-'));
  const dataDir = join(directory, 'db');
  cpSync(preparedDirectory(), dataDir, { recursive: true });
  const pglite = await PGlite.create({ dataDir, extensions: { pg_trgm } });
  let machine: Machine | undefined;
  const wire = new Wire(pglite, (work) => (machine ? runOn(machine, work) : work()));
  const sql = clientOver(() => wire) as Pool;
  const tables = await sql<{ name: string }[]>`
    select oid::regclass::text as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migration'`;
  const sequences = await sql<{ name: string }[]>`
    select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S'`;
  // Only tables that have pages: emptying all of them takes ten times as long.
  const filled = tables
    .map(({ name }) => `select '${name}' as name where exists (select from ${name})`)
    .join(' union all ');
  const restart = `select ${sequences.map(({ name }) => `setval('${name}', 1, false)`).join(', ')}`;
  let emptied = 0;
  const empty = async () => {
    const rows = await sql.unsafe<{ name: string }[]>(filled, [], { prepare: true });
    const names = rows.map(({ name }) => name);
    await sql.unsafe(`set session_replication_role = replica; ${names.map((name) => `delete from ${name};`).join(' ')}
        set session_replication_role = origin`);
    await sql.unsafe(restart, [], { prepare: true });
    if (++emptied % vacuumEvery === 0) for (const name of names) await sql.unsafe(`vacuum ${name}`);
  };
  return {
    sql,
    wire,
    startOn: async (next) => {
      await empty();
      machine = noChance;
      await sql.unsafe(useUpRandomBytes);
      machine = next;
    },
    close: async () => {
      machine = undefined;
      await sql.end({ timeout: 1 });
      await pglite.close();
      await rm(directory, { recursive: true });
    },
  };
};
