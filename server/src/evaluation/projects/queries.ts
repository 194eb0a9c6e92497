import type { Database, Sql } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { requireOne } from '../../platform/http/http.ts';
import { cutToPage } from '../../platform/http/pagination.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { maySee } from '../access/queries.ts';
import { isKept } from '../deletions/queries.ts';
import type { ProjectCreate, ProjectUpdate } from './schema.ts';

const projectJson = (sql: Sql) => sql`
  json_build_object('id', project.id::text, 'name', project.name, 'description', project.description)::text`;

export const listProjects = (sql: Sql, scope: Scope, after: string, count: number) =>
  cutToPage(
    sql,
    sql`
    select ${projectJson(sql)} as body, project.id::text as key, project.id as place
    from project
    where project.organization_id = ${scope.organizationId} and project.id > ${after} and ${maySee(sql, scope)}
      and ${isKept(sql, scope, 'project')}
    order by project.id
    limit ${count}`,
  );

export const findProject = (sql: Sql, scope: Scope, projectId: bigint) => sql<{ body: string }[]>`
  select ${projectJson(sql)} as body
  from project
  where project.organization_id = ${scope.organizationId} and project.id = ${projectId}`;

/** Throws notFound if the project does not exist or is hidden. */
export const requireReadableProject = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
): Promise<void> => {
  requireOne(
    await db.lookUp(scope, (sql) => findProject(sql, scope, projectId)),
    'project',
    String(projectId),
  );
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
  where ${maySee(tx, scope)}
  returning ${projectJson(tx)} as body`;

export const updateProject = (tx: Sql, scope: Scope, projectId: bigint, changes: ProjectUpdate) => tx<
  { body: string }[]
>`
  update project set ${tx(changes)}
  where organization_id = ${scope.organizationId} and id = ${projectId}
  returning ${projectJson(tx)} as body`;
