import type { Sql } from '../../platform/db/database.ts';
import type { Owner } from '../../platform/http/scope.ts';
import type { Condition } from './condition.ts';

/** The records of traces by this model. Reads trace_model, then trace_link_trace and record_project_link. */
const findOfModel =
  (model: string): NonNullable<Condition['find']> =>
  (sql, { organizationId }, projectId) =>
    sql`
    select matched.run_id, matched.n from trace
    cross join lateral (
      select trace.run_id, trace.n where trace.run_id is not null
      union all
      select made.run_id, made.n from trace_link link
      join record made on made.project_id = link.project_id and made.otel_link_id = link.link
        and made.organization_id = ${organizationId}
      where link.trace_id = trace.id and link.organization_id = ${organizationId} offset 0) matched
    where trace.project_id = ${projectId} and trace.model = ${model} and trace.organization_id = ${organizationId}`;

/**
 * This model answered in its trace, or in one with its link; null: any model. Reads trace_record and trace_link_pkey, or trace_model.
 */
export const isOfModel = (model: string | null): Condition => ({
  ...(model !== null && { find: findOfModel(model) }),
  holds: (sql, { organizationId }) => {
    const fits = model === null ? sql`trace.model is not null` : sql`trace.model = ${model}`;
    return sql`(exists (
        select from trace
        where trace.run_id = r.run_id and trace.n = r.n and trace.organization_id = ${organizationId} and ${fits} offset 0)
      or r.otel_link_id is not null and exists (
        select from trace_link link join trace on trace.id = link.trace_id and trace.organization_id = ${organizationId}
        where link.project_id = r.project_id and link.link = r.otel_link_id and link.organization_id = ${organizationId}
          and ${fits} offset 0))`;
  },
});

/** Its run is of this system version, by id or name; null: of any. Reads run_pkey, or run_project and record_pkey. */
export const isOfVersion = (version: string | null): Condition => {
  const runs = (sql: Sql, { organizationId }: Owner) => sql`
    from run join system_version version on version.id = run.system_version_id and version.organization_id = ${organizationId}
    where run.organization_id = ${organizationId}
      ${version === null ? sql`` : sql`and ${version} in (version.id::text, version.name)`}`;
  return {
    holds: (sql, scope) => sql`exists (select ${runs(sql, scope)} and run.id = r.run_id offset 0)`,
    find: (sql, scope, projectId) => sql`
      select matched.run_id, matched.n from (select run.id ${runs(sql, scope)} and run.project_id = ${projectId} offset 0) run
      cross join lateral (
        select made.run_id, made.n from record made
        where made.run_id = run.id and made.organization_id = ${scope.organizationId} offset 0) matched`,
  };
};

/** It was created from a trace. Reads run_pkey. */
export const isOfTrace: Condition = {
  holds: (sql, { organizationId }) => sql`exists (
    select from run where run.id = r.run_id and run.kind = 'traces' and run.organization_id = ${organizationId} offset 0)`,
};

/** This monitor, by id or name, drew it. Reads monitor_record_pkey, or monitor_record_decided. */
export const isDrawnBy = (monitor: string): Condition => ({
  find: (sql, { organizationId }, projectId) => sql`
    select drawn.run_id, drawn.n
    from (
      select id from monitor
      where project_id = ${projectId} and organization_id = ${organizationId} and ${monitor} in (id::text, name) offset 0) monitor
    cross join lateral (
      select run_id, n from monitor_record
      where monitor_record.monitor_id = monitor.id and monitor_record.decided_at is not null and monitor_record.drawn
        and monitor_record.organization_id = ${organizationId} offset 0) drawn`,
  holds: (sql, { organizationId }) => sql`exists (
    select from monitor_record drawn join monitor on monitor.id = drawn.monitor_id and monitor.organization_id = ${organizationId}
    where drawn.run_id = r.run_id and drawn.n = r.n and drawn.drawn and drawn.organization_id = ${organizationId}
      and ${monitor} in (monitor.id::text, monitor.name) offset 0)`,
});
