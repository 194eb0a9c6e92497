import type { Database } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { requireReadableProject } from '../projects/queries.ts';
import { findFilterIds } from './queries.ts';
import { type RecordSearch, readSearch } from './read-search.ts';
import type { RecordFilters } from './schema.ts';

/** Reads the filters of a list and its order. Throws 404 for an unknown project, 400 for what is wrong in the search. */
export const readQuery = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  query: RecordFilters & { sort?: string },
): Promise<RecordSearch> => {
  // What is wrong in a search is said only to those who may read the project.
  if (query.q || query.sort !== undefined) await requireReadableProject(db, scope, projectId);
  return readSearch(db, scope, projectId, query);
};

/** Throws 404 for a filter with an unknown id; an empty page would hide the mistake. */
export const requireFilterIds = async (db: Database, scope: Scope, query: RecordFilters) => {
  const [found] = await db.read(scope, (sql) => findFilterIds(sql, scope, query));
  if (query.runId !== undefined && !found?.run) throw notFound('run', query.runId);
  if (query.metricId !== undefined && !found?.metric) throw notFound('metric', query.metricId);
  if (query.assigneeUserId !== undefined && !found?.assignee) throw notFound('user', query.assigneeUserId);
};
