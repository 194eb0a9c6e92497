import type { Database } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';

/**
 * Has the records of a project indexed from now on, unless a setting says otherwise. The search that asks for it reads them one by one. A
 * failure must not fail that search, and the next search repeats it.
 */
export const wantIndex = async (db: Database, scope: Scope, projectId: bigint): Promise<void> => {
  const [found] = await db.read(
    scope,
    (sql) => sql<{ isSet: boolean }[]>`
      select search_index is not null as "isSet" from project_settings
      where project_id = ${projectId} and organization_id = ${scope.organizationId}`,
  );
  if (found?.isSet) return;
  await db
    .transaction(
      scope,
      (tx) => tx`
        insert into project_settings as stored (project_id, organization_id, search_index)
        select id, organization_id, true from project where id = ${projectId} and organization_id = ${scope.organizationId}
        on conflict (project_id) do update set search_index = true where stored.search_index is null`,
    )
    .catch(() => {});
};
