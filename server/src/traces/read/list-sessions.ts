import type { Database, Fragment, Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import type { PageRow } from '../../platform/http/pagination.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { isoTime } from './format.ts';

/** Sums over the traces of a session or of a user. Times are nanoseconds as text. */
type GroupRow = {
  id: string;
  key: string;
  numTraces: number;
  numErrors: number;
  inputTokens: number | null;
  outputTokens: number | null;
  costUsd: number | null;
  first: string;
  last: string;
};
type SessionRow = GroupRow & { userId: string | null; recordId: string | null; input: string | null };
type UserRow = GroupRow & { numSessions: number };

const sums = (sql: Sql): Fragment => sql`
  count(*)::integer as "numTraces", sum(trace.num_errors)::integer as "numErrors",
  sum(trace.input_tokens)::double precision as "inputTokens", sum(trace.output_tokens)::double precision as "outputTokens",
  sum(trace.cost_usd) as "costUsd", min(trace.start_ns)::text as first, max(trace.end_ns)::text as last`;

type Group = { column: 'session_id' | 'user_id'; projectId: bigint; userId?: string | undefined };

/** The id of each group on the page, with the start and the id of its latest trace, by which the list is ordered. */
type Latest = { id: string; start: string; trace: string };

/** A page of groups: those after a group's start and trace, or the first ones. */
type Page = { after: string; count: number };

/**
 * Number of the latest traces that are walked for a page: more if the first ones do not fill it. A page of 100 users with 100 traces each
 * needs 10,000.
 */
const walks = [2_000, 50_000];

const columnOf = (sql: Sql, { column }: Group): Fragment =>
  column === 'user_id' ? sql`trace.user_id` : sql`trace.session_id`;

const isIn = (sql: Sql, { organizationId }: Scope, { projectId, userId }: Group): Fragment => sql`
  trace.project_id = ${projectId} and trace.organization_id = ${organizationId} and trace.start_us is not null
  ${userId === undefined ? sql`` : sql`and trace.user_id = ${userId}`}`;

const isBeyond = (sql: Sql, after: string): Fragment => {
  const [start = '', trace = ''] = after.split(' ');
  return after === ''
    ? sql`true`
    : sql`(trace.start_us, trace.id) < (${start}::text::bigint, ${trace}::text::bigint)`;
};

/** The page of `groups`, a relation with the last trace of each group. */
const pageOf = (sql: Sql, groups: Fragment, { after, count }: Page): Fragment => sql`
  select trace.group_id as id, trace.start_us::text as start, trace.id::text as trace from ${groups} trace
  where ${isBeyond(sql, after)} order by trace.start_us desc, trace.id desc limit ${count}`;

/**
 * The page as far as the groups of the latest traces fill it, and how many traces were walked: `most`, unless there are fewer. Reads
 * trace_start, and trace_session_latest or trace_user_latest once for each group.
 */
const walkLatest = (sql: Sql, scope: Scope, group: Group, page: Page, most: number | null) => {
  const column = columnOf(sql, group);
  return sql<{ walked: number; latest: Latest[] }[]>`
    with walked as materialized (
      select ${column} as group_id from trace
      where ${isIn(sql, scope, group)} and ${column} is not null and ${isBeyond(sql, page.after)}
      order by trace.start_us desc, trace.id desc
      limit ${most}),
    latest as (
      select walked.group_id, newest.* from (select distinct group_id from walked) walked
      cross join lateral (
        select trace.start_us, trace.id from trace
        where ${isIn(sql, scope, group)} and ${column} = walked.group_id
        order by trace.start_us desc, trace.id desc limit 1) newest)
    select (select count(*)::integer from walked) as walked,
      (select coalesce(json_agg(page), '[]') from (${pageOf(sql, sql`latest`, page)}) page) as latest`;
};

/** The page. Steps from group to group by trace_session_latest or trace_user_latest, so it reads a trace of each group. */
export const stepThroughGroups = (sql: Sql, scope: Scope, group: Group, page: Page) => {
  const column = columnOf(sql, group);
  const last = (condition: Fragment) => sql`
    select ${column} as group_id, trace.start_us, trace.id from trace
    where ${isIn(sql, scope, group)} and ${condition}
    order by ${column} desc, trace.start_us desc, trace.id desc limit 1`;
  return sql<Latest[]>`
    with recursive latest as (
      (${last(sql`${column} is not null`)})
      union all
      select next.* from latest cross join lateral (${last(sql`${column} < latest.group_id`)}) next)
    ${pageOf(sql, sql`latest`, page)}`;
};

/**
 * One page of groups, the one with the latest trace first. When the walks do not fill it, there are few groups, or a few have nearly all
 * traces. The traces of one user are walked to the end: stepping would pass the sessions of all others.
 */
const findLatest = async (db: Database, scope: Scope, group: Group, page: Page): Promise<Latest[]> => {
  for (const most of group.userId === undefined ? walks : [walks[0]!, null]) {
    const [found] = await db.read(scope, (sql) => walkLatest(sql, scope, group, page, most));
    if (found!.latest.length === page.count || most === null || found!.walked < most) return found!.latest;
  }
  return db.read(scope, (sql) => stepThroughGroups(sql, scope, group, page));
};

const itemOf = ({ key, first, last, id, ...fields }: SessionRow | UserRow): PageRow => ({
  key,
  body: JSON.stringify({
    ...('numSessions' in fields ? { userId: id } : { sessionId: id }),
    ...fields,
    firstSeen: isoTime(BigInt(first)),
    lastSeen: isoTime(BigInt(last)),
  }),
});

/** The groups of a page as a relation `found`, with the key of each. */
const given = (sql: Sql, latest: Latest[]): Fragment =>
  rowsOf(
    sql,
    latest.map(({ id, start, trace }) => ({ id, key: `${start} ${trace}` })),
    { id: 'text', key: 'text' },
    { as: 'found', place: 'place' },
  );

/**
 * One page of a project's sessions, or of those of one user, the one with the latest trace first. Sums the traces of the page's sessions by
 * trace_session, and finds the first input by the session's first trace.
 */
export const listSessions = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  userId: string | undefined,
  after: string,
  count: number,
): Promise<PageRow[]> => {
  const { organizationId } = scope;
  const latest = await findLatest(db, scope, { column: 'session_id', projectId, userId }, { after, count });
  const rows = await db.read(
    scope,
    (sql) => sql<SessionRow[]>`
    select found.id, found.key, summed.*, first.input, first.run_id || '-' || first.n as "recordId"
    from ${given(sql, latest)}
    cross join lateral (
      select min(trace.user_id) as "userId", ${sums(sql)} from trace
      where trace.project_id = ${projectId} and trace.session_id = found.id and trace.organization_id = ${organizationId}
        ${userId === undefined ? sql`` : sql`and trace.user_id = ${userId}`}) summed
    left join lateral (
      select trace.input, trace.run_id, trace.n from trace
      where trace.project_id = ${projectId} and trace.session_id = found.id and trace.organization_id = ${organizationId}
      order by trace.start_us limit 1) first on true
    order by found.place`,
  );
  return rows.map(itemOf);
};

/** One page of the users whom a project's traces name, the one with the latest trace first. Sums their traces by trace_user_latest. */
export const listUsers = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  after: string,
  count: number,
): Promise<PageRow[]> => {
  const latest = await findLatest(db, scope, { column: 'user_id', projectId }, { after, count });
  const rows = await db.read(
    scope,
    (sql) => sql<UserRow[]>`
    select found.id, found.key, summed.*
    from ${given(sql, latest)}
    cross join lateral (
      select ${sums(sql)}, count(distinct trace.session_id)::integer as "numSessions" from trace
      where trace.project_id = ${projectId} and trace.user_id = found.id and trace.organization_id = ${scope.organizationId}) summed
    order by found.place`,
  );
  return rows.map(itemOf);
};
