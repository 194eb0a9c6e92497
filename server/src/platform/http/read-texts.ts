import type { FastifyReply } from 'fastify';
import type { Fragment, Sql, Statement } from '../db/database.ts';
import { cutToPage, maxPageBytes } from './pagination.ts';

/** Reads one statement: `db.read` or `db.lookUp` of a tenant. */
export type ReadRows = <T extends object>(statement: (sql: Sql) => Statement<T>) => Promise<T[]>;

/** Texts up to this size are read before their part of the memory is free: reading them again would cost more than they take. */
const readAtOnceBytes = 512 * 1024;

/** In place of a column: the whole row counts. It is the name of the rows in `readShort`. */
export const wholeRow = 'found';

export type ReadOptions = {
  text?: string | undefined;
  kind?: 'answer' | 'values';
  /** Ends a page of a list by its bytes, as `cutToPage` does. */
  isPage?: boolean;
  atOnceBytes?: number;
};

type Sizes = { allBytes: number; longestBytes: number; numRows: number };

/** Reads the rows of a statement if their texts have at most `atOnceBytes` together, and in any case their size. */
const readShort = (sql: Sql, rows: Fragment, text: string, atOnceBytes: number) => sql<Sizes[]>`
  with found as materialized (${rows}),
    sized as (
      select coalesce(sum(octet_length(${sql(text)}::text)), 0)::double precision as "allBytes",
        coalesce(max(octet_length(${sql(text)}::text)), 0)::double precision as "longestBytes", count(*)::integer as "numRows"
      from found)
  select found.*, "allBytes", "longestBytes", "numRows" from sized left join found on "allBytes" <= ${atOnceBytes}::integer`;

const withoutSizes = <Row>({ allBytes, longestBytes, numRows, ...row }: Sizes): Row => row as Row;

/** The statement of a page that has too many bytes, up to where it ends. */
const cut = <Row extends object>(sql: Sql, rows: Statement<Row>, text: string): Statement<Row> =>
  cutToPage<Row>(sql, sql`select *, row_number() over () as place from (${rows as Fragment}) listed`, {
    columns: sql`*`,
    text: sql(text) as unknown as Fragment,
  }) as unknown as Statement<Row>;

/**
 * Reads rows with texts for an answer, and takes the memory of the answer. Long texts are not read before that is free, so PostgreSQL
 * runs the statement twice for them. `text` is the column of the texts, or `wholeRow` where every column counts. `kind` says what
 * becomes of them.
 */
export const readTexts = async <Row extends object>(
  reply: Pick<FastifyReply, 'holdAnswer'>,
  read: ReadRows,
  statement: (sql: Sql) => Statement<Row>,
  { text = 'body', kind = 'answer', isPage = false, atOnceBytes = readAtOnceBytes }: ReadOptions = {},
): Promise<Row[]> => {
  const found = await read((sql) => readShort(sql, statement(sql) as Fragment, text, atOnceBytes));
  const { allBytes = 0, longestBytes = 0, numRows = 0 } = found[0] ?? {};
  if (allBytes === 0) return [];
  // A statement that cuts its page itself returns one row if that is long.
  const isCut = isPage && numRows > 1 && allBytes > maxPageBytes;
  await reply.holdAnswer(isCut ? Math.max(maxPageBytes, longestBytes) : allBytes, kind);
  if (allBytes <= atOnceBytes) return found.map(withoutSizes<Row>);
  return read((sql) => (isCut ? cut(sql, statement(sql), text) : statement(sql)));
};
