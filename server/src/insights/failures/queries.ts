import { passed } from '../../evaluation/scores/queries.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { mostFailures } from './schema.ts';
import type { Reason } from './without-templates.ts';

/** A failed record, with the start of its texts, and what its failed scores say, as a JSON array of reasons. */
export type Failure = { n: number; inputs: string; outputs: string; reasons: string };

/** Longer texts tell no more about what failed. */
const longest = 20_000;

const scoresThat = (
  sql: Sql,
  { organizationId }: Scope,
  runId: bigint,
  metricId: bigint | null,
  passes: boolean,
) => sql`
  from score s
  join metric_config config on config.id = s.metric_config_id and config.organization_id = ${organizationId}
  where s.run_id = ${runId} and s.organization_id = ${organizationId} and s.value is not null and (${passed(sql)}) = ${passes}
    ${metricId === null ? sql`` : sql`and config.metric_id = ${metricId}`}`;

const failedScores = (sql: Sql, scope: Scope, runId: bigint, metricId: bigint | null) =>
  scoresThat(sql, scope, runId, metricId, false);

const reasonText = (sql: Sql) => sql`coalesce(s.score ->> 'reasoning', '')`;

/** Returns the newest failed records of a run. Reads one range of score_pkey. */
export const findFailures = (sql: Sql, scope: Scope, runId: bigint, metricId: bigint | null) => sql<
  Failure[]
>`
  select failed.n, failed.reasons, left(r.inputs::text, ${longest}) as inputs, left(r.outputs::text, ${longest}) as outputs
  from (
    select s.n, json_agg(json_build_object('metricId', config.metric_id::text, 'text', left(${reasonText(sql)}, ${longest})))::text as reasons
    ${failedScores(sql, scope, runId, metricId)}
    group by s.n order by s.n desc limit ${mostFailures}) failed
  join record r on r.run_id = ${runId} and r.n = failed.n and r.organization_id = ${scope.organizationId}
  order by failed.n desc`;

export const countFailures = (sql: Sql, scope: Scope, runId: bigint, metricId: bigint | null) => sql<
  { failures: number }[]
>`
  select count(distinct s.n)::int as failures ${failedScores(sql, scope, runId, metricId)}`;

/** Returns what the newest scores that pass say, of as many records as failures are grouped. Reads one range of score_pkey. */
export const findPassedReasons = (sql: Sql, scope: Scope, runId: bigint, metricId: bigint | null) => sql<
  Reason[]
>`
  select config.metric_id::text as "metricId", left(${reasonText(sql)}, ${longest}) as text
  ${scoresThat(sql, scope, runId, metricId, true)}
  order by s.n desc limit ${mostFailures}`;
