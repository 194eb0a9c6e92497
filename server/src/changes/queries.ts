import type { Scope } from '../auth.ts';
import type { Fragment, Sql } from '../db/database.ts';

/** What is committed now, as PostgreSQL tells it: what is not in this snapshot is still to be told. */
export const findSnapshot = (sql: Sql) => sql<{ snapshot: string }[]>`
  select pg_current_snapshot()::text as snapshot`;

/** Changes as an event tells them, run by run; null when there are none. */
const changesText = (sql: Sql, condition: Fragment) => sql`
  (select '{"runs":[' || string_agg(
      '{"runId":"' || run_id || '","recordIds":' || coalesce(record_ids, 'null') || '}', ',' order by run_id) || ']}'
    from (
      select run_id, case when bool_and(n is not null) and count(distinct n) <= 100
        then '["' || string_agg(distinct run_id || '-' || n, '","') || '"]' end as record_ids
      from change where ${condition}
      group by run_id) changed)`;

/** The project's changes of the last seconds, as findChanges tells them. Reads change_time (project_id, noted_at). */
export const findPastChanges = (sql: Sql, scope: Scope, projectId: bigint, seconds: number) => sql<
  { body: string | null }[]
>`
  select ${changesText(
    sql,
    sql`organization_id = ${scope.organizationId} and project_id = ${projectId}
      and noted_at > clock_timestamp() - ${seconds}::double precision * interval '1 second'`,
  )} as body`;

/**
 * The project's changes that were committed after `snapshot`, run by run, each told once; null when there are none. And the
 * snapshot to ask with next. Reads change_project (project_id, xact).
 */
export const findChanges = (sql: Sql, scope: Scope, projectId: bigint, snapshot: string) => sql<
  { snapshot: string; body: string | null }[]
>`
  select pg_current_snapshot()::text as snapshot, ${changesText(
    sql,
    sql`organization_id = ${scope.organizationId} and project_id = ${projectId}
      and xact >= pg_snapshot_xmin(${snapshot}::text::pg_snapshot)
      and not pg_visible_in_snapshot(xact, ${snapshot}::text::pg_snapshot)`,
  )} as body`;

/** Forgets what everybody has been told who was there to be told. */
export const purgeChanges = (tx: Sql) => tx`delete from change where noted_at < now() - interval '5 minutes'`;
