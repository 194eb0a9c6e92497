import type { Sql } from '../db/database.ts';

/** The pattern of `ilike` for texts that contain a word. */
export const isLike = (sql: Sql, word: string) => sql`${`%${word.replaceAll(/[\\%_]/g, '\\$&')}%`}::text`;
