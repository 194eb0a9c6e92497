import type { Database } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { quoteName } from './grouping.ts';
import { fieldsOf, separator } from './record-fields.ts';

/** Most fields that are listed: a project with more uses names as values. */
const mostFields = 500;
/** Records that the index lacks whose fields are read too, and their longest part: an answer of a moment. */
const [mostWaiting, longestPart] = [100, 10_000];

/** Returns the paths of the fields of indexed records. Reads record_shape. */
const indexedPaths = (db: Database, scope: Scope, projectId: bigint) =>
  db.read(
    scope,
    (sql) => sql<{ path: string }[]>`
    select distinct unnest(fields) as path from record_shape
    where project_id = ${projectId} and organization_id = ${scope.organizationId}
    order by path limit ${4 * mostFields}`,
  );

/** Returns parts of records that the index lacks: all of them in a project that was never searched. Reads record_text_waiting. */
const waitingParts = (db: Database, scope: Scope, projectId: bigint) =>
  db.read(
    scope,
    (sql) => sql<{ inputs: string; expected: string; outputs: string }[]>`
    select r.inputs::text as inputs, r.expected::text as expected, r.outputs::text as outputs
    from (
      select run_id, n from record_text
      where project_id = ${projectId} and organization_id = ${scope.organizationId} and not indexed
      limit ${mostWaiting}) t
    join record r on r.run_id = t.run_id and r.n = t.n and r.organization_id = ${scope.organizationId}
    where greatest(octet_length(r.inputs::text), octet_length(r.expected::text), octet_length(r.outputs::text)) <= ${longestPart}`,
  );

/** Lists the paths of fields that records of a project have, as a search writes them. A field that has fields is left out. */
export const listFields = async (db: Database, scope: Scope, projectId: bigint): Promise<string[]> => {
  const waiting = await waitingParts(db, scope, projectId);
  const paths = new Set(
    [
      ...(await indexedPaths(db, scope, projectId)).map(({ path }) => path),
      ...waiting.flatMap((parts) => fieldsOf(parts).paths ?? []),
    ].filter((path) => path.includes(separator)),
  );
  const parents = new Set([...paths].map((path) => path.slice(0, path.lastIndexOf(separator))));
  return [...paths]
    .filter((path) => !parents.has(path))
    .sort()
    .slice(0, mostFields)
    .map((path) => {
      const [group = '', ...names] = path.split(separator);
      return [group, ...names.map(quoteName)].join('.');
    });
};
