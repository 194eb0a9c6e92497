import type { Sql } from '../../platform/db/database.ts';
import { newUuid } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { RawJson } from '../../platform/json/json.ts';
import type { SavedViewCreate, SavedViewUpdate } from './schema.ts';

const viewJson = (sql: Sql) => sql`
  json_build_object('id', view.id, 'name', view.name, 'shared', view.shared, 'search', view.search, 'display', view.display,
    'userId', view.member_id, 'createdAt', iso_time(view.created_at), 'updatedAt', iso_time(view.updated_at))`;

/** Maximum number of views of a project, over all its members. */
export const maxViews = 500;

/** Returns the project's views that the member may see, by name; no row when there is no such project. Reads saved_view_project. */
export const listViews = (sql: Sql, scope: Scope, projectId: bigint) => sql<{ body: string }[]>`
  select json_build_object('data', (
    select coalesce(json_agg(${viewJson(sql)} order by lower(view.name), view.id), '[]')
    from (
      select * from saved_view
      where saved_view.organization_id = ${scope.organizationId} and saved_view.project_id = project.id
        and (saved_view.shared or saved_view.member_id = ${scope.memberId})
    ) view))::text as body
  from project
  where project.organization_id = ${scope.organizationId} and project.id = ${projectId}`;

export const countViews = (tx: Sql, scope: Scope, projectId: bigint) => tx<{ n: number }[]>`
  select count(*)::int as n from saved_view where organization_id = ${scope.organizationId} and project_id = ${projectId}`;

export const insertView = (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  { name, shared, search }: SavedViewCreate,
  display: RawJson,
) => tx<{ body: string }[]>`
  insert into saved_view as view (id, organization_id, project_id, member_id, name, shared, search, display)
  values (${newUuid()}, ${scope.organizationId}, ${projectId}, ${scope.memberId}, ${name}, ${shared}, ${search},
    ${display}::text::json)
  returning ${viewJson(tx)}::text as body`;

export const findView = (sql: Sql, scope: Scope, viewId: string) => sql<{ body: string }[]>`
  select ${viewJson(sql)}::text as body from saved_view as view
  where organization_id = ${scope.organizationId} and id = ${viewId}`;

/** Finds the author of a view that the member may see, and locks it until the commit. */
export const lockView = (tx: Sql, scope: Scope, viewId: string) => tx<{ memberId: string }[]>`
  select member_id as "memberId" from saved_view
  where organization_id = ${scope.organizationId} and id = ${viewId} and (shared or member_id = ${scope.memberId})
  for update`;

export const updateView = (
  tx: Sql,
  scope: Scope,
  viewId: string,
  { name, shared, search }: SavedViewUpdate,
  display: RawJson | undefined,
) => tx<{ body: string }[]>`
  update saved_view as view set
    name = coalesce(${name ?? null}, name), shared = coalesce(${shared ?? null}, shared),
    search = coalesce(${search ?? null}, search), display = coalesce(${display ?? null}::text::json, display), updated_at = now()
  where organization_id = ${scope.organizationId} and id = ${viewId}
  returning ${viewJson(tx)}::text as body`;

export const deleteView = (tx: Sql, scope: Scope, viewId: string) => tx`
  delete from saved_view where organization_id = ${scope.organizationId} and id = ${viewId}`;
