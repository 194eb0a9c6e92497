import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import type { Config } from './config.ts';

/** Makes the data directory where there is none. Throws what to write instead when this user can't write in it. */
export const ensureDataDirectory = async ({ DOKIMA_DATA_DIR: directory }: Config): Promise<void> => {
  try {
    await mkdir(directory, { recursive: true });
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(
      `The data directory ${directory} can't be used: ${(error as Error).message}. ` +
        'Set DOKIMA_DATA_DIR to a directory that this user may read and write, or give this one to them.',
      { cause: error },
    );
  }
};
