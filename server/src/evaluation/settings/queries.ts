import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { noMasking } from '../masking/schema.ts';
import { mostWaiting, type ProjectSettingsUpdate } from './schema.ts';

export const findProjectSettings = (sql: Sql, scope: Scope, projectId: bigint) => sql<{ body: string }[]>`
  select json_build_object('restricted', project.restricted, 'recordDays', settings.record_days,
    'traceDays', settings.trace_days, 'searchIndex', settings.search_index,
    'masking', coalesce(settings.masking, ${JSON.stringify(noMasking)}::text::json))::text as body
  from project left join project_settings settings on settings.project_id = project.id
  where project.organization_id = ${scope.organizationId} and project.id = ${projectId}`;

/** Returns the state of a project's search index. Reads record_text_waiting. */
export const findSearchIndex = (sql: Sql, scope: Scope, projectId: bigint) => sql<{ body: string }[]>`
  select json_build_object('active', coalesce(settings.search_index, false), 'numWaiting', case when settings.search_index then (
    select count(*) from (
      select from record_text t
      where t.project_id = project.id and not t.indexed and t.organization_id = ${scope.organizationId}
      limit ${mostWaiting}) waiting) else 0 end)::text as body
  from project left join project_settings settings on settings.project_id = project.id
  where project.organization_id = ${scope.organizationId} and project.id = ${projectId}`;

/** Stores the given settings; the others stay as they are. */
export const upsertProjectSettings = (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  { recordDays, traceDays, masking, searchIndex }: ProjectSettingsUpdate,
) => {
  const rules = masking === undefined ? null : JSON.stringify(masking);
  return tx`
  insert into project_settings as stored (project_id, organization_id, record_days, trace_days, masking, search_index)
  values (${projectId}, ${scope.organizationId}, ${recordDays ?? null}, ${traceDays ?? null}, ${rules}::text::json,
    ${searchIndex ?? null})
  on conflict (project_id) do update set
    record_days = ${recordDays === undefined ? tx`stored.record_days` : tx`excluded.record_days`},
    trace_days = ${traceDays === undefined ? tx`stored.trace_days` : tx`excluded.trace_days`},
    masking = coalesce(excluded.masking, stored.masking),
    search_index = ${searchIndex === undefined ? tx`stored.search_index` : tx`excluded.search_index`}
  where stored.organization_id = ${scope.organizationId}`;
};
