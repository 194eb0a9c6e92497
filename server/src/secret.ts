import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';

/** The configured secret, or the one made at the first start and kept in the data directory, readable by its owner only. */
export const loadSecret = async ({ DOKIMA_SECRET, DOKIMA_DATA_DIR }: Config): Promise<Buffer> => {
  if (DOKIMA_SECRET) return Buffer.from(DOKIMA_SECRET);
  const path = join(DOKIMA_DATA_DIR, 'secret');
  await mkdir(DOKIMA_DATA_DIR, { recursive: true });
  // 'wx' loses against a file that is there, so of processes that start together one makes it and all read it.
  await writeFile(path, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 }).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return Buffer.from(await readFile(path, 'utf8'));
};
