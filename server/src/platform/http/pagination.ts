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
      description: 'Maximum number of items, 1 to 100. A page has fewer items if it would exceed 4 MB.',
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

/** Whether a page ends with this row, because of its bytes, and others follow. */
export type Cut = { isCut?: boolean | null };

/** A row of a list: the item as finished JSON text, and its key in the order of the list. */
export type PageRow = { body: string; key: string } & Cut;

/** The key before the first item of a list by id, newest first. */
export const newestFirst = String(2n ** 63n - 1n);
/** The key before the first item of a list by id, oldest first. */
export const oldestFirst = '0';

/** The key before every UUID. Lists by UUID v7 are in the order of time. */
export const firstUuid = '00000000-0000-0000-0000-000000000000';
/** The key after every UUID. */
export const lastUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Largest page of several items: a single item may have more. A page is in memory several times: as the database's message, as a
 * string, as bytes, and until its reader has taken it.
 */
export const maxPageBytes = 4 * 1024 * 1024;

/**
 * Selects `columns` of `rows`, in the order of their `place`, until `text` would add up to more than `maxBytes`, but at least one row.
 * `isCut` is true in the last row if others follow. PostgreSQL cuts the page, so the rows after it never reach this process.
 */
export const cutToPage = <T extends object = PageRow>(
  sql: Sql,
  rows: Fragment,
  { columns = sql`body, key`, text = sql`body`, maxBytes = maxPageBytes } = {},
) => sql<(T & Cut)[]>`
  select ${columns}, next_bytes > ${maxBytes}::bigint as "isCut" from (
    select *, row_number() over (order by place) as number,
      sum(octet_length(${text})) over (order by place) as bytes,
      sum(octet_length(${text})) over (order by place rows between unbounded preceding and 1 following)
        * (lead(1) over (order by place)) as next_bytes
    from (${rows}) found) page
  where number = 1 or bytes <= ${maxBytes}::bigint
  order by place`;

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
    const page = rows.slice(0, limit);
    const hasMore = rows.length > page.length || page.at(-1)?.isCut === true;
    const nextCursor = hasMore ? encode(request, page.at(-1)!.key) : '';
    const data = page.flatMap((row, i) => (i === 0 ? row.body : [',', row.body]));
    return reply.json(['{"data":[', ...data, `],"nextCursor":"${nextCursor}","hasMore":${hasMore}}`]);
  };
};

export type Pager = ReturnType<typeof pager>;
