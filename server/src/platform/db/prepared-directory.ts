import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cacheDirectory } from '../cache.ts';
import { unpackDirectory } from './directory-archive.ts';

const migrations = new URL('../../../migrations/', import.meta.url);
const pglite = createRequire(import.meta.url).resolve('@electric-sql/pglite');

/** Returns a hash of the sources of a new embedded database: PGlite, the migrations with their hashes, and that everyone may read its files. */
const fingerprint = (): string => {
  const hash = createHash('sha256')
    .update('hashed, readable')
    .update(readFileSync(join(dirname(pglite), '../package.json')));
  for (const name of readdirSync(migrations).sort()) {
    hash.update(name).update(readFileSync(new URL(name, migrations)));
  }
  return hash.digest('hex').slice(0, 16);
};

/** The prepared database as the npm package has it, in an archive. The repository has none. */
export const shippedDatabase = new URL('../../../database.zst', import.meta.url);

/** A migrated database without rows, made while installing: copying it takes 0.1 s, initdb and migrating 5 s. */
export const preparedDirectory = (): string => join(cacheDirectory, `database-${fingerprint()}`);

/** Puts a complete directory into the place of the prepared one. It has no rows, and the service may not run as the user who makes it. */
export const placePrepared = async (made: string): Promise<void> => {
  await chmod(made, 0o755);
  for (const entry of await readdir(made, { recursive: true, withFileTypes: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  // Another process may have been faster.
  await rename(made, preparedDirectory()).catch(() => {});
};

/**
 * Unpacks the shipped database in the place of the prepared one, so that each later start copies it: that takes a third of the processor
 * time, and commands that start a service for themselves pay it each time. Does nothing without the right to write there.
 */
export const unpackPrepared = async (): Promise<void> => {
  const partial = `${preparedDirectory()}.${process.pid}`;
  try {
    await mkdir(cacheDirectory, { recursive: true });
    unpackDirectory(await readFile(shippedDatabase), partial);
    await placePrepared(partial);
  } catch {
    // A full disk, a package that only its owner may change: the archive serves too.
  } finally {
    await rm(partial, { recursive: true, force: true }).catch(() => {});
  }
};
