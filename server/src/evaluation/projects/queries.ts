import type { Database, Sql } from '../../platform/db/database.ts';
import { conflict, notFound } from '../../platform/errors.ts';
import { one } from '../../platform/http/http.ts';
import { cutToPage } from '../../platform/http/pagination.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { ProjectCreate, ProjectUpdate } from './schema.ts';

const projectJson = (sql: Sql) => sql`
  json_build_object('id', project.id::text, 'name', project.name, 'description', project.description)::text`;

export const listProjects = (sql: Sql, scope: Scope, after: string, count: number) =>
  cutToPage(
    sql,
    sql`
    select ${projectJson(sql)} as body, project.id::text as key, project.id as place
    from project
    where project.organization_id = ${scope.organizationId} and project.id > ${after}
    order by project.id
    limit ${count}`,
  );

export const findProject = (sql: Sql, scope: Scope, projectId: bigint) => sql<{ body: string }[]>`
  select ${projectJson(sql)} as body
  from project
  where project.organization_id = ${scope.organizationId} and project.id = ${projectId}`;

/** Throws notFound when the project is not there to read. */
export const requireReadableProject = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
): Promise<void> => {
  one(await db.lookUp(scope, (sql) => findProject(sql, scope, projectId)), 'project', String(projectId));
};

/** Locks the project against deletion until the transaction ends. Throws notFound. */
export const requireProject = async (tx: Sql, scope: Scope, projectId: bigint): Promise<void> => {
  const found = await tx`
    select from project where organization_id = ${scope.organizationId} and id = ${projectId} for key share`;
  if (found.count === 0) throw notFound('project', String(projectId));
};

/** Inserts a project, or finds the one that was made with the same importKey. */
export const insertProject = (
  tx: Sql,
  scope: Scope,
  { name, description, importKey = null }: Omit<ProjectCreate, 'importKey'> & { importKey?: string | null },
) => tx<{ body: string }[]>`
  insert into project (organization_id, name, description, import_key)
  values (${scope.organizationId}, ${name}, ${description}, ${importKey})
  on conflict (organization_id, import_key) where import_key is not null do update set import_key = excluded.import_key
  returning ${projectJson(tx)} as body`;

const importJson = (sql: Sql) => sql`
  json_build_object('projectId', project.id::text, 'importKey', project.import_key,
    'startedAt', iso_time(project.created_at), 'completedAt', iso_time(project.import_completed_at))::text`;

/** How a project's import stands; nothing for a project that is none. */
export const findProjectImport = (sql: Sql, scope: Scope, projectId: bigint) => sql<{ body: string }[]>`
  select ${importJson(sql)} as body
  from project
  where organization_id = ${scope.organizationId} and id = ${projectId} and import_key is not null`;

/**
 * Keeps the import of a project from being completed until the commit. Throws notFound when the project is not there, conflict
 * when it is no import or is complete: then it is changed by what makes things anew alone.
 */
export const requireImport = async (tx: Sql, scope: Scope, projectId: bigint): Promise<void> => {
  const [project] = await tx<{ underWay: boolean }[]>`
    select import_key is not null and import_completed_at is null as "underWay" from project
    where organization_id = ${scope.organizationId} and id = ${projectId}
    for share`;
  if (!project) throw notFound('project', String(projectId));
  if (!project.underWay)
    throw conflict('The project is not being imported. Only an import that is under way takes this.', {
      projectId: String(projectId),
    });
};

/** requireImport of a run's project, whose id it returns. The project is locked before the run, as in a deletion. Throws notFound. */
export const requireImportOf = async (tx: Sql, scope: Scope, runId: bigint): Promise<bigint> => {
  const runs = await tx<{ projectId: bigint }[]>`
    select project_id as "projectId" from run where id = ${runId} and organization_id = ${scope.organizationId}`;
  const { projectId } = one(runs, 'run', String(runId));
  await requireImport(tx, scope, projectId);
  return projectId;
};

export const completeProjectImport = (tx: Sql, scope: Scope, projectId: bigint) => tx<{ body: string }[]>`
  update project set import_completed_at = coalesce(import_completed_at, now())
  where organization_id = ${scope.organizationId} and id = ${projectId} and import_key is not null
  returning ${importJson(tx)} as body`;

export const updateProject = (tx: Sql, scope: Scope, projectId: bigint, changes: ProjectUpdate) => tx<
  { body: string }[]
>`
  update project set ${tx(changes)}
  where organization_id = ${scope.organizationId} and id = ${projectId}
  returning ${projectJson(tx)} as body`;

/** Deletes the project with everything in it. */
export const deleteProject = (tx: Sql, scope: Scope, projectId: bigint) => tx`
  delete from project where organization_id = ${scope.organizationId} and id = ${projectId} returning id`;
