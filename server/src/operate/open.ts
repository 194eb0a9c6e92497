import { existsSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Engine, Pool } from '../platform/db/database.ts';
import { startEmbedded } from '../platform/db/embedded.ts';
import { connectServer } from '../platform/db/server.ts';
import { askForSnapshot } from './snapshot.ts';

/** A database of one connection, as it is: not migrated, and with the rights of the login role. */
export type OpenDatabase = { sql: Pool; engine: Engine; close: () => Promise<void> };

const openServer = async (url: string): Promise<OpenDatabase> => {
  const sql = await connectServer(url);
  return { sql, engine: 'server', close: () => sql.end() };
};

const openEmbedded = async (directory: string): Promise<OpenDatabase> => ({
  engine: 'embedded',
  ...(await startEmbedded(directory)),
});

/** Opens the database of the settings to write into it. The service must not run on an embedded one. */
export const openTarget = ({ DATABASE_URL, DOKIMA_DATA_DIR }: Config): Promise<OpenDatabase> =>
  DATABASE_URL ? openServer(DATABASE_URL) : openEmbedded(DOKIMA_DATA_DIR);

/** Opens an embedded database that is there. Opening one that is not would make it, and a backup of nothing would look like a backup. */
const openExisting = (directory: string): Promise<OpenDatabase> => {
  if (!existsSync(join(directory, 'db')))
    throw new Error(
      `There is no data directory ${directory} with a database. Set DOKIMA_DATA_DIR or DATABASE_URL as for the service.`,
    );
  return openEmbedded(directory);
};

/** Opens the database of the settings to read from it: the embedded one of a running service as a copy. */
export const openSource = async (config: Config): Promise<OpenDatabase> => {
  if (config.DATABASE_URL) return openServer(config.DATABASE_URL);
  const copy = await askForSnapshot(config.DOKIMA_DATA_DIR);
  if (copy === undefined) return openExisting(config.DOKIMA_DATA_DIR);
  // Also where the program ends before it closes, as when a reader of its output stops early.
  const remove = () => rmSync(copy, { recursive: true, force: true });
  process.once('exit', remove);
  const database = await openExisting(copy);
  return {
    ...database,
    close: async () => {
      await database.close();
      await rm(copy, { recursive: true, force: true });
      process.removeListener('exit', remove);
    },
  };
};
