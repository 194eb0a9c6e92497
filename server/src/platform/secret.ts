import { createHash, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Writes the secret to another file and links it into place, so that the file is complete whenever it exists, also after a crash. When
 * several processes start at once, one of them links its secret and all read that one.
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

/** Returns the configured secret, or the one in the data directory, made at the first start and readable by its owner only. */
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
 * Derives a separate key for each use of the secret, so that a signature for one use is not valid for another. It is a KeyObject,
 * because Node would otherwise make one for each signature, which takes four times as long as the signature.
 */
export const subkey = (secret: Buffer, use: string): KeyObject =>
  createSecretKey(createHash('sha256').update(secret).update(use).digest());
