import type { FastifyReply } from 'fastify';
import type { Fragment, Sql, Statement } from '../db/database.ts';
import { freeBytes } from './bound-bodies.ts';

/** Reads one statement: `db.read` or `db.lookUp` of a tenant. */
export type ReadRows = <T extends object>(statement: (sql: Sql) => Statement<T>) => Promise<T[]>;

/** Texts up to this size are read before their part of the memory is free: reading them again would cost more than they take. */
const readAtOnceBytes = 512 * 1024;

/** Reads the rows of a statement if their texts have at most `atOnceBytes` together, and in any case their size. */
const readShort = (sql: Sql, rows: Fragment, text: string, atOnceBytes: number) => sql<
  { allBytes: number }[]
>`
  with found as materialized (${rows}),
    sized as (select coalesce(sum(octet_length(${sql(text)})), 0)::integer as "allBytes" from found)
  select found.*, "allBytes" from sized left join found on "allBytes" <= ${atOnceBytes}::integer`;

/**
 * Reads rows with texts for an answer, and takes the memory of the answer. Long texts are not read before that is free, so PostgreSQL
 * runs the statement twice for them. `text` is the column of the texts.
 */
export const readTexts = async <Row extends object>(
  reply: Pick<FastifyReply, 'holdAnswer'>,
  read: ReadRows,
  statement: (sql: Sql) => Statement<Row>,
  { text = 'body', atOnceBytes = readAtOnceBytes } = {},
): Promise<Row[]> => {
  const found = await read((sql) => readShort(sql, statement(sql) as Fragment, text, atOnceBytes));
  const allBytes = found[0]?.allBytes ?? 0;
  if (allBytes === 0) return [];
  if (allBytes > freeBytes) await reply.holdAnswer(allBytes);
  return allBytes > atOnceBytes ? read(statement) : (found as unknown as Row[]);
};
