import { passed } from '../../evaluation/scores/queries.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { mostFailures } from './schema.ts';

/** A failed record, with the start of its texts, and its failed scores as a JSON array. */
export type Failure = { n: number; inputs: string; outputs: string; scores: string };

/** Longer texts tell no more about what failed. */
const longest = 20_000;

const failedScores = (sql: Sql, { organizationId }: Scope, runId: bigint, metricId: bigint | null) => sql`
  from score s
  join metric_config config on config.id = s.metric_config_id and config.organization_id = ${organizationId}
  where s.run_id = ${runId} and s.organization_id = ${organizationId} and s.value is not null and not (${passed(sql)})
    ${metricId === null ? sql`` : sql`and config.metric_id = ${metricId}`}`;

/** Returns the newest failed records of a run. Reads one range of score_pkey. */
export const findFailures = (sql: Sql, scope: Scope, runId: bigint, metricId: bigint | null) => sql<
  Failure[]
>`
  select failed.n, failed.scores, left(r.inputs::text, ${longest}) as inputs, left(r.outputs::text, ${longest}) as outputs
  from (
    select s.n, json_agg(s.score)::text as scores ${failedScores(sql, scope, runId, metricId)}
    group by s.n order by s.n desc limit ${mostFailures}) failed
  join record r on r.run_id = ${runId} and r.n = failed.n and r.organization_id = ${scope.organizationId}
  order by failed.n desc`;

export const countFailures = (sql: Sql, scope: Scope, runId: bigint, metricId: bigint | null) => sql<
  { failures: number }[]
>`
  select count(distinct s.n)::int as failures ${failedScores(sql, scope, runId, metricId)}`;
