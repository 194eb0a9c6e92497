import type { Condition } from './condition.ts';

/** Its trace, or one with its link, was answered by this model; null: by any. Reads trace_record, trace_link_pkey. */
export const isOfModel = (model: string | null): Condition => ({
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

/** Its run is of this system version, by id or name; null: of any. Reads run_pkey. */
export const isOfVersion = (version: string | null): Condition => ({
  holds: (sql, { organizationId }) => sql`exists (
    select from run join system_version version on version.id = run.system_version_id and version.organization_id = ${organizationId}
    where run.id = r.run_id and run.organization_id = ${organizationId}
      ${version === null ? sql`` : sql`and ${version} in (version.id::text, version.name)`} offset 0)`,
});

/** It was made from a trace. Reads trace_run_run. */
export const isOfTrace: Condition = {
  holds: (sql, { organizationId }) => sql`exists (
    select from trace_run where trace_run.run_id = r.run_id and trace_run.organization_id = ${organizationId} offset 0)`,
};

/** This monitor, by id or name, drew it. Reads monitor_record_pkey. */
export const isDrawnBy = (monitor: string): Condition => ({
  holds: (sql, { organizationId }) => sql`exists (
    select from monitor_record drawn join monitor on monitor.id = drawn.monitor_id and monitor.organization_id = ${organizationId}
    where drawn.run_id = r.run_id and drawn.n = r.n and drawn.drawn and drawn.organization_id = ${organizationId}
      and ${monitor} in (monitor.id::text, monitor.name) offset 0)`,
});
