import type { Database } from '../../platform/db/database.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { wantIndex } from '../settings/want-index.ts';
import type { Condition } from './condition.ts';
import { findByCondition, findText } from './queries.ts';

/** Up to `most` records of a project that have the text, in any order. Has the project indexed from now on. */
export const readText = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  text: string,
  most: number,
): Promise<RecordKey[]> => {
  await wantIndex(db, scope, projectId);
  return db.read(scope, (sql) => findText(sql, projectId, text, most));
};

/** Up to `most` records of a project for which a condition may hold, in any order; undefined if no index finds them. */
export const readCandidates = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  { find, isOfField }: Condition,
  most: number,
): Promise<RecordKey[] | undefined> => {
  if (!find) return undefined;
  if (isOfField) await wantIndex(db, scope, projectId);
  return db.read(scope, (sql) => findByCondition(sql, scope, projectId, find, most));
};
