import type { Sql } from '../../platform/db/database.ts';
import { numericId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { requireProject } from '../projects/queries.ts';
import { findSessionProjects } from './queries.ts';
import type { AttachmentCreate } from './schema.ts';

/**
 * Returns the project of a declared file: the one that it names; otherwise the default project of the key or the only other project,
 * if the session has a record or a trace there and the member may write. Null if there is none, or several: a member who stores the
 * session in a project of theirs must not get files that belong elsewhere. Throws 404 for an unknown project.
 */
export const findProjectOfFile = async (
  tx: Sql,
  scope: Scope,
  { projectId: named, sessionId }: AttachmentCreate,
): Promise<bigint | null> => {
  if (named !== undefined) {
    const projectId = numericId('project', named);
    await requireProject(tx, scope, projectId);
    return projectId;
  }
  const [first, second] = await findSessionProjects(tx, scope, sessionId);
  return first && (first.isDefault || !second) ? first.id : null;
};
