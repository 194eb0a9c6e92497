import type { Sql } from '../../platform/db/database.ts';
import type { RecordKey } from '../../platform/http/ids.ts';

/** Ids of the traces of a record: those from which it was created, and those with its link. Reads trace_record, trace_link_pkey. */
export const tracesOf = (sql: Sql, scope: { organizationId: bigint }, { runId, n }: RecordKey) => sql`
  (select trace.id from trace
    where trace.run_id = ${runId} and trace.n = ${n} and trace.organization_id = ${scope.organizationId}
  union
  select link.trace_id from record r
    join trace_link link on link.project_id = r.project_id and link.link = r.otel_link_id
    where r.run_id = ${runId} and r.n = ${n} and r.organization_id = ${scope.organizationId}
      and link.organization_id = ${scope.organizationId})`;

/** The trace of the test that the link of the record `r` names (traces/store/test-spans.ts): null for other links. Reads the unique index of otel_id in a project. */
export const traceOfTest = (sql: Sql, { organizationId }: { organizationId: bigint }) => sql`
  (select trace.id from trace
  where trace.project_id = r.project_id and trace.organization_id = ${organizationId} and trace.otel_id =
    case when r.otel_link_id ~ '^test:[0-9a-f]{32}:[0-9a-f]{16}$' then decode(substr(r.otel_link_id, 6, 32), 'hex') end)`;
