import { existsSync } from 'node:fs';
import { chmod, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openEmbedded } from './embedded.ts';
import { preparedDirectory } from './prepared-directory.ts';

/** Makes the prepared database of this version unless it exists. A rename puts it into place, so it is never incomplete. */
export const prepareEmbedded = async (): Promise<void> => {
  const prepared = preparedDirectory();
  if (existsSync(prepared)) return;
  const partial = `${prepared}.${process.pid}`;
  const database = await openEmbedded(partial);
  await database.close();
  // It has no rows, and the service may not run as the user who installs it.
  const whole = join(partial, 'db');
  await chmod(whole, 0o755);
  for (const entry of await readdir(whole, { recursive: true, withFileTypes: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  // Another process may have been faster.
  await rename(whole, prepared).catch(() => {});
  await rm(partial, { recursive: true });
};
