import { createHash, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Linked into place, so that the file is there whole or not at all: a process that starts at the same time, or after a crash,
 * must not take half a secret for the secret. Of several, one links and all read what it linked.
 */
const makeSecret = async (path: string): Promise<string> => {
  const made = `${path}.${process.pid}`;
  try {
    await writeFile(made, randomBytes(32).toString('hex'), { mode: 0o600 });
    await link(made, path).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(made, { force: true });
  }
  const secret = await readFile(path, 'utf8');
  if (!secret) throw new Error(`The file ${path} is empty. Delete it; the service then makes a new secret.`);
  return secret;
};

/** The configured secret, or the one made at the first start and kept in the data directory, readable by its owner only. */
export const loadSecret = async ({
  DOKIMA_SECRET,
  DOKIMA_DATA_DIR,
}: {
  DOKIMA_SECRET?: string;
  DOKIMA_DATA_DIR: string;
}): Promise<Buffer> => {
  if (DOKIMA_SECRET) return Buffer.from(DOKIMA_SECRET);
  const path = join(DOKIMA_DATA_DIR, 'secret');
  await mkdir(DOKIMA_DATA_DIR, { recursive: true });
  const kept = await readFile(path, 'utf8').catch(() => '');
  return Buffer.from(kept || (await makeSecret(path)));
};

/**
 * A key of its own for each use of the secret, so that what is signed for one can't serve another. A KeyObject, because from
 * bytes Node makes one for each signature, which costs four times what the signature does.
 */
export const subkey = (secret: Buffer, use: string): KeyObject =>
  createSecretKey(createHash('sha256').update(secret).update(use).digest());
