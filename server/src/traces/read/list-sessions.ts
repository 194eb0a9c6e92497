import type { Fragment, Sql } from '../../platform/db/database.ts';
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
export type SessionRow = GroupRow & { userId: string | null; recordId: string | null; input: string | null };
export type UserRow = GroupRow & { sessions: number };

const sums = (sql: Sql): Fragment => sql`
  count(*)::integer as traces, sum(trace.num_errors)::integer as errors,
  sum(trace.input_tokens)::double precision as "inputTokens", sum(trace.output_tokens)::double precision as "outputTokens",
  sum(trace.cost_usd) as "costUsd", min(trace.start_ns)::text as first, max(trace.end_ns)::text as last`;

const page = (sql: Sql, column: Fragment, after: string, count: number): Fragment => {
  const [last = '', ...id] = after.split(' ');
  return sql`
    group by ${column}
    ${after === '' ? sql`` : sql`having (max(trace.end_ns), ${column}) < (${last}::text::numeric, ${id.join(' ')})`}
    order by max(trace.end_ns) desc, ${column} desc
    limit ${count}`;
};

/**
 * One page of a project's sessions, those with the latest trace first. Reads the traces of all sessions with trace_session, or of
 * one user with trace_user; the first input by the session's first trace.
 */
export const listSessions = (
  sql: Sql,
  { organizationId }: Scope,
  projectId: bigint,
  userId: string | undefined,
  after: string,
  count: number,
) => sql<SessionRow[]>`
  select found.*, first.input, first.run_id || '-' || first.n as "recordId"
  from (
    select trace.session_id as id, max(trace.end_ns) || ' ' || trace.session_id as key, min(trace.user_id) as "userId", ${sums(sql)}
    from trace
    where trace.project_id = ${projectId} and trace.organization_id = ${organizationId} and trace.session_id is not null
      ${userId === undefined ? sql`` : sql`and trace.user_id = ${userId}`}
    ${page(sql, sql`trace.session_id`, after, count)}) found
  left join lateral (
    select trace.input, trace.run_id, trace.n from trace
    where trace.project_id = ${projectId} and trace.session_id = found.id and trace.organization_id = ${organizationId}
    order by trace.start_ns limit 1) first on true
  order by found.last::numeric desc, found.id desc`;

/** One page of the users whom a project's traces name, those with the latest trace first. Reads trace_user. */
export const listUsers = (
  sql: Sql,
  { organizationId }: Scope,
  projectId: bigint,
  after: string,
  count: number,
) => sql<UserRow[]>`
  select trace.user_id as id, max(trace.end_ns) || ' ' || trace.user_id as key, ${sums(sql)},
    count(distinct trace.session_id)::integer as sessions
  from trace
  where trace.project_id = ${projectId} and trace.organization_id = ${organizationId} and trace.user_id is not null
  ${page(sql, sql`trace.user_id`, after, count)}`;

const itemOf = ({ key, first, last, id, ...fields }: SessionRow | UserRow): PageRow => ({
  key,
  body: JSON.stringify({
    ...('sessions' in fields ? { userId: id } : { sessionId: id }),
    ...fields,
    firstSeen: isoTime(BigInt(first)),
    lastSeen: isoTime(BigInt(last)),
  }),
});

export const itemsOf = (rows: (SessionRow | UserRow)[]): PageRow[] => rows.map(itemOf);
