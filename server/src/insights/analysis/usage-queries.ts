import type { Database, Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';

/** Latency, tokens and cost of a run's records, by the number of the record; as PostgreSQL's text of arrays. */
export type UsageColumns = Record<'numbers' | 'latencyMs' | 'tokens' | 'costUsd', string | null>;

/** Returns latency, tokens and cost of the records of a run, without judges. Reads one range of record_measure_pkey. */
const findUsageColumns = (sql: Sql, scope: Scope, runId: bigint) => sql<UsageColumns[]>`
  select array_agg(n)::text as numbers, array_agg(latency_ms)::text as "latencyMs", array_agg(tokens)::text as tokens,
    array_agg(cost_usd)::text as "costUsd"
  from record_measure
  where run_id = ${runId} and organization_id = ${scope.organizationId}`;

/** Reads latency, tokens and cost of the records of each run. */
export const readUsage = async (
  db: Database,
  scope: Scope,
  runs: readonly { runId: string }[],
): Promise<UsageColumns[]> => {
  const usage: UsageColumns[] = [];
  for (const { runId } of runs) {
    const [columns] = await db.read(scope, (sql) => findUsageColumns(sql, scope, BigInt(runId)));
    usage.push(columns!);
  }
  return usage;
};
