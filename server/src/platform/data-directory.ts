import { constants } from 'node:fs';
import { access, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Makes a directory and its parents. mkdir's own `recursive` never ends if no directory can be made, as in /proc. */
const makeDirectory = async (directory: string): Promise<void> => {
  try {
    await mkdir(directory);
  } catch (error) {
    if (await isDirectory(directory)) return;
    const above = dirname(directory);
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT' && above !== directory;
    if (!isMissing || (await isDirectory(above))) throw error;
    await makeDirectory(above);
    await makeDirectory(directory);
  }
};

/** Makes the data directory if it does not exist. Throws when this user can't write in it. */
export const ensureDataDirectory = async (directory: string): Promise<void> => {
  try {
    await makeDirectory(directory);
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(
      `The data directory ${directory} can't be used: ${(error as Error).message}. ` +
        'Set DOKIMA_DATA_DIR to a directory that this user may read and write, or change the permissions of this one.',
      { cause: error },
    );
  }
};
