import type { Sql } from '../../platform/db/database.ts';
import { limitReached } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/scope.ts';

/** Makes later creations of such resources in the project wait until the end of this one. */
export const lockPlaces = (tx: Sql, projectId: bigint, resources: string) => tx`
  select pg_advisory_xact_lock(hashtextextended(${`${resources} of project ${projectId}`}::text, 0))`;

type Limited = {
  /** Their name in docs/limits.md. */
  resources: string;
  limit: number;
  count: (tx: Sql, scope: Scope, projectId: bigint) => PromiseLike<{ n: number }[]>;
};

/**
 * Throws LIMIT_REACHED if the project has no place for one more. It counts under a lock: otherwise two that are created at the same time
 * would both take the last place.
 */
export const requirePlace = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  { resources, limit, count }: Limited,
): Promise<void> => {
  await lockPlaces(tx, projectId, resources);
  const [counted] = await count(tx, scope, projectId);
  if (counted!.n >= limit) throw limitReached(resources, limit);
};
