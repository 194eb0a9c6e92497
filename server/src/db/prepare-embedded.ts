import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openEmbedded } from './embedded.ts';
import { preparedDirectory } from './prepared-directory.ts';

/** Makes the prepared database of this version unless it is there. Renamed into place, it is there whole or not at all. */
export const prepareEmbedded = async (): Promise<void> => {
  if (existsSync(preparedDirectory)) return;
  const partial = `${preparedDirectory}.${process.pid}`;
  const database = await openEmbedded(partial);
  await database.close();
  // Another process may have been faster.
  await rename(join(partial, 'db'), preparedDirectory).catch(() => {});
  await rm(partial, { recursive: true });
};
