import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openEmbedded } from './embedded.ts';
import { preparedDirectory } from './prepared-directory.ts';

/** Makes the prepared database of this version unless it is there. Renamed into place, it is there whole or not at all. */
export const prepareEmbedded = async (): Promise<void> => {
  const prepared = preparedDirectory();
  if (existsSync(prepared)) return;
  const partial = `${prepared}.${process.pid}`;
  const database = await openEmbedded(partial);
  await database.close();
  // Another process may have been faster.
  await rename(join(partial, 'db'), prepared).catch(() => {});
  await rm(partial, { recursive: true });
};
