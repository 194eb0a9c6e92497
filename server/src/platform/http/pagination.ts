import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type { Fragment, Sql } from '../db/database.ts';
import { invalid } from '../errors.ts';
import { omit } from '../omit.ts';

/** Query parameters of every paged list. */
export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 20,
      description: 'Maximum number of items, 1 to 100. A page has fewer items if it would exceed 16 MB.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({ description: 'nextCursor of the previous page; absent or empty for the first page.' }),
  ),
};
export const PageQuery = Type.Object(pageQuery);

/** The answer of a paged list of `item`. */
export const pageOf = <T extends TSchema>(item: T) =>
  Type.Object({
    data: Type.Array(item, { description: 'The items of this page.' }),
    nextCursor: Type.String({ description: 'Cursor of the next page; empty on the last page.' }),
    hasMore: Type.Boolean({ description: 'Whether there is a further page.' }),
  });

/** A row of a list: the item as finished JSON text, and its key in the order of the list. */
export type PageRow = { body: string; key: string };

/** The key before the first item of a list by id, newest first. */
export const newestFirst = String(2n ** 63n - 1n);
/** The key before the first item of a list by id, oldest first. */
export const oldestFirst = '0';

/** The key before every UUID. Lists by UUID v7 are in the order of time. */
export const firstUuid = '00000000-0000-0000-0000-000000000000';
/** The key after every UUID. */
export const lastUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Size from which a page gets no further item. A string in Node holds 512 MB and a page is in memory several times, so a
 * hundred records of the largest size would end the process.
 */
const maxPageBytes = 16 * 1024 * 1024;

/**
 * Selects `columns` of `rows`, in the order of their `place`, until `text` adds up to `maxPageBytes`, and of one more row, which
 * shows that there is a next page. PostgreSQL cuts the page, so the rows after it never reach this process.
 */
export const cutToPage = <T extends object = PageRow>(
  sql: Sql,
  rows: Fragment,
  columns = sql`body, key`,
  text = sql`body`,
) => sql<T[]>`
  select ${columns} from (
    select *, sum(octet_length(${text})) over (order by place rows between unbounded preceding and 2 preceding) as bytes_before
    from (${rows}) found) page
  where coalesce(bytes_before, 0) < ${maxPageBytes}::bigint
  order by place`;

/** Number of rows on the page: at most `limit`, and none after the row with which the page reaches `maxPageBytes`. */
const pageLength = (rows: PageRow[], limit: number): number => {
  // A character has at most three bytes, so most pages are small enough without counting.
  if (3 * rows.reduce((sum, { body }) => sum + body.length, 0) < maxPageBytes)
    return Math.min(limit, rows.length);
  let bytes = 0;
  const full = rows.findIndex(({ body }) => {
    bytes += Buffer.byteLength(body);
    return bytes >= maxPageBytes;
  });
  return full < 0 ? Math.min(limit, rows.length) : Math.min(limit, full + 1);
};

const macBytes = 16;

/**
 * Answers a list page by page. A cursor is the last key of the previous page, signed together with the organization, the path and
 * the filters. A cursor that was changed, or that comes from another list, is a 400.
 */
export const pager = (key: KeyObject) => {
  const sign = (request: FastifyRequest, place: string): Buffer => {
    const filters = omit(request.query as Record<string, unknown>, 'limit', 'cursor', 'offset');
    // The operator's lists belong to no organization.
    const list = [String(request.scope?.organizationId), request.url.split('?', 1)[0], filters];
    return createHmac('sha256', key)
      .update(`${JSON.stringify(list)}\n${place}`)
      .digest()
      .subarray(0, macBytes);
  };

  const encode = (request: FastifyRequest, place: string): string =>
    Buffer.concat([sign(request, place), Buffer.from(place)]).toString('base64url');

  const decode = (request: FastifyRequest, cursor: string): string => {
    const bytes = Buffer.from(cursor, 'base64url');
    const place = bytes.subarray(macBytes).toString();
    const genuine =
      bytes.length > macBytes &&
      bytes.toString('base64url') === cursor &&
      timingSafeEqual(bytes.subarray(0, macBytes), sign(request, place));
    if (!genuine) throw invalid('/cursor', 'must be the nextCursor of the previous page of this list');
    return place;
  };

  /**
   * Sends one page. `fetch` returns at most `count` rows after the key `after`, in the order of the list. `requireParent` throws
   * 404 when the resource that the list belongs to does not exist; it is called only without rows, because a row proves it.
   */
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    first: string,
    fetch: (after: string, count: number) => Promise<PageRow[]>,
    requireParent?: () => Promise<unknown>,
  ): Promise<FastifyReply> => {
    const { limit = 20, cursor } = request.query as { limit?: number; cursor?: string };
    // The additional row shows whether there is a next page.
    const rows = await fetch(cursor ? decode(request, cursor) : first, limit + 1);
    if (rows.length === 0) await requireParent?.();
    const page = rows.slice(0, pageLength(rows, limit));
    const hasMore = rows.length > page.length;
    const nextCursor = hasMore ? encode(request, page.at(-1)!.key) : '';
    const data = page.flatMap((row, i) => (i === 0 ? row.body : [',', row.body]));
    return reply.json(['{"data":[', ...data, `],"nextCursor":"${nextCursor}","hasMore":${hasMore}}`]);
  };
};

export type Pager = ReturnType<typeof pager>;
