import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import type { Asker } from '../../platform/turns.ts';
import { hashInTurn } from './hash-turns.ts';

// OWASP's cost for scrypt: 32 MB and about a quarter of a second per guess. The hash stores it, so it can be raised later.
const cost = { N: 2 ** 15, r: 8, p: 3 };
const hashBytes = 32;

const derive = (password: string, salt: Buffer, { N, r, p }: typeof cost, asker: Asker): Promise<Buffer> => {
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
  const hash = () =>
    new Promise<Buffer>((resolve, reject) => {
      // Keyboards compose é in different ways: normalized, all give one password.
      scrypt(password.normalize('NFKC'), salt, hashBytes, options, (error, hash) =>
        error ? reject(error) : resolve(hash),
      );
    });
  return hashInTurn(hash, asker);
};

const stored = (salt: Buffer, hash: Buffer): string =>
  ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$');

/** Returns the stored form of a password: `scrypt$N$r$p$salt$hash`. Throws 429 like `hashInTurn`. */
export const hashPassword = async (password: string, asker: Asker): Promise<string> => {
  const salt = randomBytes(16);
  return stored(salt, await derive(password, salt, cost, asker));
};

/** A stored form that no password matches. Checking against it takes as long as against a real one. */
export const unmatched = (): string => stored(randomBytes(16), randomBytes(hashBytes));

/** Whether the password matches the stored form. Throws 429 like `hashInTurn`. */
export const verifyPassword = async (password: string, kept: string, asker: Asker): Promise<boolean> => {
  const [, N, r, p, salt, hash] = kept.split('$') as [string, string, string, string, string, string];
  const expected = Buffer.from(hash, 'base64url');
  const stretching = { N: Number(N), r: Number(r), p: Number(p) };
  const found = await derive(password, Buffer.from(salt, 'base64url'), stretching, asker);
  return timingSafeEqual(found, expected);
};
