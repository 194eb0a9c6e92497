import type { Scope } from '../../../platform/http/scope.ts';
import type { ProvidersOf } from '../../providers/providers-of.ts';
import type { Read } from '../read-trials.ts';
import { type Scorers, withEstimate } from './estimate-rest.ts';
import { findRescorings } from './queries.ts';

/** Returns what estimates of rescorings need. If the providers can't be opened, only the estimated time is missing. */
export const scorersReader =
  (providersOf: ProvidersOf, codeProcesses: number) =>
  async ({ organizationId }: Scope): Promise<Scorers> => {
    const providers = await providersOf(organizationId).catch(() => []);
    return { providers, codeProcesses };
  };

/** Reads rescorings of one run by their ids, each as JSON text with its id. */
export const readRescorings = async (
  read: Read,
  scope: Scope,
  runId: bigint,
  ids: string[],
  scorers: Scorers,
): Promise<{ id: string; body: string }[]> => {
  const rows = await read(scope, (sql) => findRescorings(sql, scope, runId, ids));
  return rows.map((row) => ({ id: row.id, body: withEstimate(row, scorers) }));
};
