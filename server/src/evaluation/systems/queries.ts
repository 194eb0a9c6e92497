import type { Sql } from '../../platform/db/database.ts';
import { cutToPage } from '../../platform/http/pagination.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { RawJson } from '../../platform/json/json.ts';

const versionJson = (sql: Sql) => sql`
  json_build_object('id', version.id, 'systemId', version.system_id, 'name', version.name, 'config', version.config)`;

const systemJson = (sql: Sql, scope: Scope) => sql`
  json_build_object(
    'id', system.id, 'name', system.name, 'description', system.description,
    'productionVersion', (
      select ${versionJson(sql)} from system_version version
      where version.id = system.production_version_id and version.organization_id = ${scope.organizationId}),
    'versions', (
      select json_agg(json_build_object('id', version.id, 'name', version.name) order by version.id)
      from system_version version
      where version.system_id = system.id and version.organization_id = ${scope.organizationId}))::text`;

export const listSystems = (sql: Sql, scope: Scope, projectId: bigint, after: string, count: number) =>
  cutToPage(
    sql,
    sql`
    select ${systemJson(sql, scope)} as body, system.id::text as key, system.id as place
    from system
    where system.organization_id = ${scope.organizationId} and system.project_id = ${projectId}
      and system.deleted_at is null and system.id > ${after}
    order by system.id
    limit ${count}`,
  );

export const findSystem = (sql: Sql, scope: Scope, systemId: string) => sql<{ body: string }[]>`
  select ${systemJson(sql, scope)} as body
  from system
  where system.organization_id = ${scope.organizationId} and system.id = ${systemId} and system.deleted_at is null`;

/** Finds a version, also of a deleted system: runs and scores refer to it. */
export const findSystemVersion = (sql: Sql, scope: Scope, versionId: string) => sql<{ body: string }[]>`
  select ${versionJson(sql)}::text as body
  from system_version version
  where version.organization_id = ${scope.organizationId} and version.id = ${versionId}`;

/** A version with its labels; `system` is joined. */
const versionDetails = (sql: Sql, scope: Scope) => sql`
  json_build_object(
    'id', version.id, 'systemId', system.id, 'systemName', system.name, 'name', version.name, 'note', version.note,
    'labels', (
      select coalesce(json_agg(name order by place, name), '[]') from (
        select 'production' as name, 1 as place where system.production_version_id = version.id
        union all
        select 'latest', 2 where version.id = ${newestVersion(sql, scope)}
        union all
        select label.name, 3 from system_label label
        where label.organization_id = ${scope.organizationId} and label.system_version_id = version.id) labels),
    'protectedLabels', to_json(system.protected_labels),
    'createdAt', iso_time(version.created_at), 'config', version.config)::text`;

const newestVersion = (sql: Sql, scope: Scope) => sql`(
  select newest.id from system_version newest
  where newest.organization_id = ${scope.organizationId} and newest.system_id = system.id
  order by newest.id desc limit 1)`;

export const listSystemVersions = (sql: Sql, scope: Scope, systemId: string, before: string, count: number) =>
  cutToPage<{ text: string; key: string }>(
    sql,
    sql`
    select ${versionDetails(sql, scope)} as body, version.id::text as key, row_number() over (order by version.id desc) as place
    from system_version version
      join system on system.id = version.system_id and system.organization_id = ${scope.organizationId}
    where version.organization_id = ${scope.organizationId} and version.system_id = ${systemId}
      and system.deleted_at is null and version.id < ${before}
    order by version.id desc
    limit ${count}`,
    { columns: sql`body as text, key` },
  );

export const findVersionDetails = (sql: Sql, scope: Scope, versionId: string) => sql<{ body: string }[]>`
  select ${versionDetails(sql, scope)} as body
  from system_version version
    join system on system.id = version.system_id and system.organization_id = ${scope.organizationId}
  where version.organization_id = ${scope.organizationId} and version.id = ${versionId}`;

/** Finds the version that a label of a system points to. Reads system_name and the key of the version. */
export const findLabelledVersion = (
  sql: Sql,
  scope: Scope,
  projectId: bigint,
  name: string,
  label: string,
) => sql<{ body: string }[]>`
  select ${versionDetails(sql, scope)} as body
  from system
    join system_version version on version.organization_id = ${scope.organizationId} and version.system_id = system.id
  where system.organization_id = ${scope.organizationId} and system.project_id = ${projectId}
    and system.name = ${name}::text and system.deleted_at is null
    and version.id = case ${label}::text
      when 'production' then system.production_version_id
      when 'latest' then ${newestVersion(sql, scope)}
      else (
        select label.system_version_id from system_label label
        where label.organization_id = ${scope.organizationId} and label.system_id = system.id and label.name = ${label}::text)
    end`;

export const upsertSystemLabel = (
  tx: Sql,
  scope: Scope,
  systemId: string,
  name: string,
  versionId: string,
) => tx`
  insert into system_label (organization_id, system_id, name, system_version_id)
  values (${scope.organizationId}, ${systemId}, ${name}, ${versionId})
  on conflict (system_id, name) do update set system_version_id = excluded.system_version_id, updated_at = now()`;

export const updateProtectedLabels = (tx: Sql, scope: Scope, systemId: string, labels: string[]) => tx`
  update system set protected_labels = ${labels}::text[]
  where organization_id = ${scope.organizationId} and id = ${systemId}`;

export const deleteSystemLabel = (tx: Sql, scope: Scope, systemId: string, name: string) => tx`
  delete from system_label label using system
  where system.organization_id = ${scope.organizationId} and system.id = ${systemId} and system.deleted_at is null
    and label.organization_id = ${scope.organizationId} and label.system_id = system.id and label.name = ${name}`;

/** The version that a label points to, for the audit log. */
export const findSystemLabel = (
  sql: Sql,
  scope: Scope,
  { systemId, label }: { systemId: string; label: string },
) => sql<{ body: string }[]>`
  select json_build_object('systemId', system.id, 'label', ${label}::text, 'systemVersionId', label.system_version_id)::text as body
  from system, lateral (
    select system.production_version_id as system_version_id where ${label}::text = 'production'
    union all
    select system_version_id from system_label
    where organization_id = ${scope.organizationId} and system_id = system.id and name = ${label}) label
  where system.organization_id = ${scope.organizationId} and system.id = ${systemId}`;

/** A locked system: its id, and the fields that `requireMayMove` needs. */
export type LockedSystem = { id: string; protectedLabels: string[]; productionVersionId: string };
const lockedColumns = (tx: Sql) => tx`
  id, protected_labels as "protectedLabels", production_version_id as "productionVersionId"`;

/** Finds a system and locks it until the commit. */
export const lockSystem = (tx: Sql, scope: Scope, systemId: string) => tx<LockedSystem[]>`
  select ${lockedColumns(tx)} from system
  where organization_id = ${scope.organizationId} and id = ${systemId} and deleted_at is null
  for update`;

export const lockSystemByName = (tx: Sql, scope: Scope, projectId: bigint, name: string) => tx<
  LockedSystem[]
>`
  select ${lockedColumns(tx)} from system
  where organization_id = ${scope.organizationId} and project_id = ${projectId} and name = ${name} and deleted_at is null
  for update`;

/** Inserts a system, unless the project already has one of this name. */
export const insertSystem = (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  system: { id: string; name: string; description: string; versionId: string },
) => tx`
  insert into system (id, organization_id, project_id, name, description, production_version_id, created_by)
  values (${system.id}, ${scope.organizationId}, ${projectId}, ${system.name}, ${system.description}, ${system.versionId},
    ${scope.memberId})
  on conflict do nothing`;

export type SystemChanges = { name?: string; description?: string; production_version_id?: string };

export const updateSystemRow = (tx: Sql, scope: Scope, systemId: string, changes: SystemChanges) => tx`
  update system set ${tx(changes)} where organization_id = ${scope.organizationId} and id = ${systemId}`;

export const deleteSystem = (tx: Sql, scope: Scope, systemId: string) => tx`
  update system set deleted_at = now()
  where organization_id = ${scope.organizationId} and id = ${systemId} and deleted_at is null
  returning id`;

/** Finds the version with the same configuration as a JSON value. Reads system_version_config. */
export const findVersionByConfig = (tx: Sql, scope: Scope, systemId: string, config: RawJson) => tx<
  { id: string }[]
>`
  select version.id
  from system_version version, comparable_json(${config}::text::json) wanted
  where version.organization_id = ${scope.organizationId} and version.system_id = ${systemId}
    and version.config_hash = jsonb_hash_extended(wanted, 0) and comparable_json(version.config) = wanted`;

export const findVersionOfSystem = (tx: Sql, scope: Scope, systemId: string, versionId: string) => tx<
  { id: string }[]
>`
  select id from system_version
  where organization_id = ${scope.organizationId} and system_id = ${systemId} and id = ${versionId}`;

/** Inserts a version. Without a name it is named by its number. */
export const insertSystemVersion = (
  tx: Sql,
  scope: Scope,
  systemId: string,
  version: { id: string; name: string | null; note: string; config: RawJson },
) => tx`
  insert into system_version (id, organization_id, system_id, name, note, config)
  select ${version.id}, ${scope.organizationId}, ${systemId},
    coalesce(${version.name}::text, 'Version ' || (
      select count(*) + 1 from system_version
      where organization_id = ${scope.organizationId} and system_id = ${systemId})),
    ${version.note}, ${version.config}::text::json`;

export const describeSystemVersion = (
  tx: Sql,
  scope: Scope,
  versionId: string,
  { name, note }: { name?: string | undefined; note?: string | undefined },
) => tx`
  update system_version set name = coalesce(${name ?? null}::text, name), note = coalesce(${note ?? null}::text, note)
  where organization_id = ${scope.organizationId} and id = ${versionId}`;
