import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openEmbedded } from './embedded.ts';
import { placePrepared, preparedDirectory } from './prepared-directory.ts';

/** Makes the prepared database of this version unless it exists. A rename puts it into place, so it is never incomplete. */
export const prepareEmbedded = async (): Promise<void> => {
  const prepared = preparedDirectory();
  if (existsSync(prepared)) return;
  const partial = `${prepared}.${process.pid}`;
  const database = await openEmbedded(partial);
  await database.close();
  await placePrepared(join(partial, 'db'));
  await rm(partial, { recursive: true });
};
