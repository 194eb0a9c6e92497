import type { Database, Fragment, Sql } from '../../platform/db/database.ts';
import type { PageRow } from '../../platform/http/pagination.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { isoTime } from './format.ts';

/** What the traces of a session or of a user sum up to. Times are nanoseconds as text. */
type GroupRow = {
  id: string;
  key: string;
  traces: number;
  errors: number;
  inputTokens: number | null;
  outputTokens: number | null;
  costUsd: number | null;
  first: string;
  last: string;
};
type SessionRow = GroupRow & { userId: string | null; recordId: string | null; input: string | null };
type UserRow = GroupRow & { sessions: number };

const sums = (sql: Sql): Fragment => sql`
  count(*)::integer as traces, sum(trace.num_errors)::integer as errors,
  sum(trace.input_tokens)::double precision as "inputTokens", sum(trace.output_tokens)::double precision as "outputTokens",
  sum(trace.cost_usd) as "costUsd", min(trace.start_ns)::text as first, max(trace.end_ns)::text as last`;

/** The latest traces that are looked at for a page before every trace is: they fill it unless few groups have nearly all traces. */
const lookedAtFirst = 2_000;

type Group = { column: 'session_id' | 'user_id'; projectId: bigint; userId?: string | undefined };

/** The id of each group on the page, with the start and the id of its latest trace, by which the list is ordered. */
type Latest = { id: string; start: string; trace: string };

/**
 * One page of groups, the one with the latest trace first. Walks the latest traces by trace_start and keeps those that are the last of
 * their group by trace_session_latest or trace_user_latest. When they do not fill the page, reads the last trace of every group with
 * that index.
 */
const findLatest = async (
  db: Database,
  scope: Scope,
  { column, projectId, userId }: Group,
  after: string,
  count: number,
): Promise<Latest[]> => {
  const { organizationId } = scope;
  const [start = '', trace = ''] = after.split(' ');
  const columnOf = (sql: Sql, row: Fragment) =>
    column === 'user_id' ? sql`${row}.user_id` : sql`${row}.session_id`;
  const isIn = (sql: Sql, row: Fragment) => sql`
    ${row}.project_id = ${projectId} and ${row}.organization_id = ${organizationId} and ${row}.start_us is not null
    and ${columnOf(sql, row)} is not null ${userId === undefined ? sql`` : sql`and ${row}.user_id = ${userId}`}`;
  const isBeyond = (sql: Sql) =>
    after === ''
      ? sql`true`
      : sql`(trace.start_us, trace.id) < (${start}::text::bigint, ${trace}::text::bigint)`;
  const [found] = await db.read(
    scope,
    (sql) => sql<{ walked: number; latest: Latest[] }[]>`
    with walked as materialized (
      select ${columnOf(sql, sql`trace`)} as id, trace.start_us, trace.id as trace from trace
      where ${isIn(sql, sql`trace`)} and ${isBeyond(sql)}
      order by trace.start_us desc, trace.id desc
      limit ${lookedAtFirst}),
    latest as (
      select walked.id, walked.start_us::text as start, walked.trace::text as trace from walked
      where not exists (
        select from trace later
        where ${isIn(sql, sql`later`)} and ${columnOf(sql, sql`later`)} = walked.id
          and (later.start_us, later.id) > (walked.start_us, walked.trace) offset 0)
      order by walked.start_us desc, walked.trace desc
      limit ${count})
    select (select count(*)::integer from walked) as walked, (select coalesce(json_agg(latest), '[]') from latest) as latest`,
  );
  if (found!.latest.length === count || found!.walked < lookedAtFirst) return found!.latest;
  return db.read(
    scope,
    (sql) => sql<Latest[]>`
    select trace.group_id as id, trace.start_us::text as start, trace.id::text as trace
    from (
      select distinct on (group_id) trace.start_us, trace.id, ${columnOf(sql, sql`trace`)} as group_id from trace
      where ${isIn(sql, sql`trace`)}
      order by group_id, trace.start_us desc, trace.id desc) trace
    where ${isBeyond(sql)}
    order by trace.start_us desc, trace.id desc
    limit ${count}`,
  );
};

const itemOf = ({ key, first, last, id, ...fields }: SessionRow | UserRow): PageRow => ({
  key,
  body: JSON.stringify({
    ...('sessions' in fields ? { userId: id } : { sessionId: id }),
    ...fields,
    firstSeen: isoTime(BigInt(first)),
    lastSeen: isoTime(BigInt(last)),
  }),
});

/** The groups of a page as a relation `found`, with the key of each. */
const given = (sql: Sql, latest: Latest[]): Fragment => sql`
  unnest(${latest.map(({ id }) => id)}::text[], ${latest.map(({ start, trace }) => `${start} ${trace}`)}::text[])
    with ordinality as found (id, key, place)`;

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
  const latest = await findLatest(db, scope, { column: 'session_id', projectId, userId }, after, count);
  const rows = await db.read(
    scope,
    (sql) => sql<SessionRow[]>`
    select found.id, found.key, its.*, first.input, first.run_id || '-' || first.n as "recordId"
    from ${given(sql, latest)}
    cross join lateral (
      select min(trace.user_id) as "userId", ${sums(sql)} from trace
      where trace.project_id = ${projectId} and trace.session_id = found.id and trace.organization_id = ${organizationId}
        ${userId === undefined ? sql`` : sql`and trace.user_id = ${userId}`}) its
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
  const latest = await findLatest(db, scope, { column: 'user_id', projectId }, after, count);
  const rows = await db.read(
    scope,
    (sql) => sql<UserRow[]>`
    select found.id, found.key, its.*
    from ${given(sql, latest)}
    cross join lateral (
      select ${sums(sql)}, count(distinct trace.session_id)::integer as sessions from trace
      where trace.project_id = ${projectId} and trace.user_id = found.id and trace.organization_id = ${scope.organizationId}) its
    order by found.place`,
  );
  return rows.map(itemOf);
};
