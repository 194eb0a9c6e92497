import { statfs } from 'node:fs/promises';

/** PostgreSQL's code for a full disk, which the embedded database's own errors have too. */
const diskFull = '53100';
/** The operating system's, for attachments in files. */
export const isDiskFull = (code: string): boolean => code === diskFull || code === 'ENOSPC';

/**
 * Kept free for the embedded database. On a disk that is really full, PGlite 0.5 never answers again, not even reads; one request writes
 * its 15 MB and their log, and a large deletion or rescoring several times that.
 */
export const reservedBytes = 256 * 1024 ** 2;
/** Kept free even from deletions, which may use the rest of the reserve to make room. */
export const deletionReservedBytes = 64 * 1024 ** 2;
/** How long an answer of the file system is used: not much more than the reserve can be written in this time. */
const trustedMs = 500;

const megabytes = (bytes: number): string => `${Math.floor(bytes / 1024 ** 2)} MB`;

export type FreeBytes = (directory: string) => Promise<number>;

/** Bytes that a process may still write where this directory is. */
export const freeBytes: FreeBytes = async (directory) => {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
};

/** Returns the function that throws, with the code `diskFull`, while less than `neededBytes` is free. */
export const roomKeeper = (directory: string, free = freeBytes) => {
  let known = { bytes: 0, until: 0 };
  return async (neededBytes = reservedBytes): Promise<void> => {
    if (Date.now() >= known.until) known = { bytes: await free(directory), until: Date.now() + trustedMs };
    if (known.bytes >= neededBytes) return;
    throw Object.assign(
      new Error(
        `The disk of ${directory} has ${megabytes(known.bytes)} left; a write needs ${megabytes(neededBytes)}. Delete attachments or make room, or set DOKIMA_DATA_DIR to a directory on another disk.`,
      ),
      { code: diskFull },
    );
  };
};
