import type { Database } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type Scale, scaleOf } from '../metrics/scale.ts';
import { findConfigsOfRun } from './queries.ts';

const maxKnown = 10_000;

/**
 * Returns the scale of each configuration, or undefined if one does not belong to the run's project, scores spans or has criteria. Remembers
 * them: a configuration never changes, and never leaves its project.
 */
export const openOutputTypes = (db: Database) => {
  const known = new Map<string, Scale>();
  return async (
    scope: Scope,
    runId: bigint,
    configIds: string[],
  ): Promise<Map<string, Scale> | undefined> => {
    const nameOf = (configId: string) => `${scope.organizationId} ${runId} ${configId}`;
    const types = new Map(configIds.map((id) => [id, known.get(nameOf(id))]));
    const unknown = [...types.keys()].filter((id) => !types.get(id));
    if (unknown.length > 0) {
      const found = await db.lookUp(scope, (sql) => findConfigsOfRun(sql, scope, runId, unknown));
      if (
        found.length < unknown.length ||
        found.some(({ spans, criteria }) => spans !== null || criteria !== null)
      )
        return undefined;
      if (known.size + found.length > maxKnown) known.clear();
      for (const config of found) {
        const scale = scaleOf(config);
        known.set(nameOf(config.id), scale);
        types.set(config.id, scale);
      }
    }
    return types as Map<string, Scale>;
  };
};
