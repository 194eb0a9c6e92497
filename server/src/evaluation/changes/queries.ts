import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';

/**
 * Returns the snapshot `since` or, without one, PostgreSQL's snapshot of now. Changes that are not visible in it are still to be sent.
 * Fails with code 22P02 if `since` is not a snapshot.
 */
export const findSnapshot = (sql: Sql, since?: string) => sql<{ snapshot: string }[]>`
  select coalesce(${since ?? null}::text::pg_snapshot, pg_current_snapshot())::text as snapshot`;

/** Changes as JSON text, null without any, and the snapshot for the next query. */
export type News = { snapshot: string; body: string | null };

/**
 * Returns as JSON text the changes of a project and its organization that were committed after `snapshot`, or null without any,
 * and the snapshot for the next call. By snapshots, each transaction is found once, whatever its time or order; a time or a sequence
 * would miss a transaction that commits late. Without a project it returns only the organization's. Reads change_project
 * (project_id, xact), twice.
 */
export const findChanges = (sql: Sql, scope: Scope, projectId: bigint | null, snapshot: string) =>
  sql<News[]>`
    select pg_current_snapshot()::text as snapshot,
      (select '{"runs":[' || coalesce(string_agg(
          '{"runId":"' || run_id || '","recordIds":' || coalesce(record_ids, 'null') || '}', ',' order by run_id), '')
          || '],"resources":[' || coalesce(string_agg('"' || resource || '"', ',' order by resource), '') || ']}'
        from (
          select run_id, resource, case when bool_and(n is not null) and count(distinct n) <= 100
            then '["' || string_agg(distinct run_id || '-' || n, '","') || '"]' end as record_ids
          from change
          where organization_id = ${scope.organizationId}
            and (project_id = ${projectId}::bigint or project_id is null)
            and xact >= pg_snapshot_xmin(${snapshot}::text::pg_snapshot)
            and not pg_visible_in_snapshot(xact, ${snapshot}::text::pg_snapshot)
          group by run_id, resource) changed
        having count(*) > 0) as body`;

/** Finds who has a role in a project and whether others are kept out, as a text that changes with it. Reads project_member_pkey. */
export const findRoles = (sql: Sql, scope: Scope, projectId: bigint) => sql<{ roles: string }[]>`
  select project.restricted || ' ' || coalesce((
    select string_agg(member_id || role, ',' order by member_id)
    from project_member where project_id = ${projectId} and organization_id = ${scope.organizationId}), '') as roles
  from project where id = ${projectId} and organization_id = ${scope.organizationId}`;

/**
 * Deletes changes that were written more than five minutes ago and are in `told`, a snapshot of some minutes ago: those of a long
 * transaction are kept until minutes after its commit. A transaction number of the future comes from another server, of
 * which this database is a copy. Changes that a background job must read are kept for it, for a day at most.
 */
export const purgeChanges = (tx: Sql, told: string) => tx`
  delete from change
  where noted_at < now() - interval '5 minutes'
    and (pg_visible_in_snapshot(xact, ${told}::text::pg_snapshot) or xact >= pg_snapshot_xmax(pg_current_snapshot()))
    and (noted_at < now() - interval '1 day' or not exists (
      select from change_reader
      where holds and not pg_visible_in_snapshot(xact, snapshot::pg_snapshot) and xact < pg_snapshot_xmax(pg_current_snapshot())))`;
