import { createHash } from 'node:crypto';
import type { Fragment, Sql } from '../../platform/db/database.ts';

/**
 * The draw of a key: a number from 0 up to 1, evenly distributed, that depends on the seed and the key alone. It is the first 48 bits of
 * the SHA-256 of `<seed> <key>`, divided by 2^48, so that anyone can repeat it. Every sample is drawn by it: the keys with the lowest draws
 * are its members, or those below a share.
 *
 * Without a seed (null), the draw is the same for everyone: the hash is that of the key. Keys of different purposes begin with different
 * words, such as `pinned 7-1`; otherwise two samples by one seed would hold the same records.
 */
export const draw = (seed: number | null, key: string): number =>
  createHash('sha256')
    .update(seed === null ? key : `${seed} ${key}`)
    .digest()
    .readUIntBE(0, 6) /
  2 ** 48;

/** The same draw as an SQL expression of type `double precision`. `seed` is a number or a column, `key` an expression of type text. */
export const drawSql = (sql: Sql, seed: number | Fragment | null, key: Fragment): Fragment => {
  const text =
    seed === null ? key : sql`${typeof seed === 'number' ? sql`${seed}::bigint` : seed} || ' ' || ${key}`;
  return sql`(('x' || left(encode(sha256(convert_to(${text}, 'UTF8')), 'hex'), 12))::bit(48)::bigint / 281474976710656::double precision)`;
};
