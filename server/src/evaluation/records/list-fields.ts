import type { Database } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { quoteName } from './grouping.ts';

/** Most fields that are listed: a project with more uses names as values. */
const mostFields = 500;

/**
 * Lists the paths of fields that records of a project have, as a search writes them. A field that has fields is left out. Reads
 * record_shape.
 */
export const listFields = async (db: Database, scope: Scope, projectId: bigint): Promise<string[]> => {
  const rows = await db.read(
    scope,
    (sql) => sql<{ names: string[] }[]>`
    with field as (
      select distinct unnest(fields) as path from record_shape
      where project_id = ${projectId} and organization_id = ${scope.organizationId}),
    placed as (select path, lead(path) over (order by path collate "C") as next from field)
    select string_to_array(path, chr(31)) as names from placed
    where position(chr(31) in path) > 0 and not coalesce(starts_with(next, path || chr(31)), false)
    order by path collate "C" limit ${mostFields}`,
  );
  return rows.map(({ names: [group = '', ...names] }) => [group, ...names.map(quoteName)].join('.'));
};
