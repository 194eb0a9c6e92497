import type { Verdict } from '../../engine/statistics/comparison-schema.ts';
import type { Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import { cutToPage } from '../../platform/http/pagination.ts';
import { type Scope, serviceScope } from '../../platform/http/scope.ts';
import type { Kind } from './schema.ts';

/** A run that a verdict is about, if the ledger of its testset counts it. */
export type LookedAt = {
  testsetId: bigint;
  /** Its configurations of metrics. */
  configIds: string[];
};

/** Finds the testset and the metrics of a run. No row for a run that evaluates no testset, or has no scores. */
export const findLookedAt = (sql: Sql, scope: Scope, runId: bigint) => sql<LookedAt[]>`
  select run.testset_id as "testsetId", array(
      select metric_config_id::text from run_metric
      where run_id = run.id and organization_id = ${scope.organizationId}
      union
      select metric_config_id::text from run_tally
      where run_id = run.id and organization_id = ${scope.organizationId} and state = 'scored'
      order by 1) as "configIds"
  from run join testset on testset.id = run.testset_id and testset.organization_id = ${scope.organizationId}
  where run.id = ${runId} and run.organization_id = ${scope.organizationId} and run.kind = 'evaluation' and exists (
    select from run_tally
    where run_id = run.id and organization_id = ${scope.organizationId} and state = 'scored')`;

export type KnownLook = { n: number; baselineRunId: bigint | null; configId: string };

/** Lists what the ledger has of a run. Reads its unique index. */
export const listLooksOfRun = (sql: Sql, scope: Scope, runId: bigint) => sql<KnownLook[]>`
  select n, baseline_run_id as "baselineRunId", metric_config_id::text as "configId" from look
  where run_id = ${runId} and organization_id = ${scope.organizationId}`;

/** Finds a look at a run of the same version as this one: a row or none. A run without a version is one of its own. */
export const findLookOfVersion = (sql: Sql, scope: Scope, testsetId: bigint, runId: bigint) => sql`
  select from look join run on run.id in (look.run_id, look.baseline_run_id) and run.organization_id = ${scope.organizationId}
  join run asked on asked.id = ${runId} and asked.organization_id = ${scope.organizationId}
  where look.testset_id = ${testsetId} and look.organization_id = ${scope.organizationId}
    and (run.id = asked.id or run.system_version_id = asked.system_version_id)
  limit 1`;

/** Makes the look at a new version's run a look at its comparison with this baseline. */
export const compareLook = (tx: Sql, scope: Scope, runId: bigint, baselineRunId: bigint) => tx`
  update look set baseline_run_id = ${baselineRunId}
  where run_id = ${runId} and baseline_run_id is null and organization_id = ${scope.organizationId}`;

export type NewLook = { baselineRunId: bigint | null; configId: string };

/** Inserts what the ledger lacks of a run, as the look `n` or the next one. The caller has locked the testset. */
export const insertLooks = (
  tx: Sql,
  scope: Scope,
  { testsetId, runId, n, kind }: { testsetId: bigint; runId: bigint; n: number | null; kind: Kind },
  looks: readonly NewLook[],
) => tx<{ n: number }[]>`
  insert into look (organization_id, testset_id, n, run_id, baseline_run_id, metric_config_id, hash, split, kind, member_id)
  select run.organization_id, ${testsetId}, coalesce(${n}::integer, (
      select coalesce(max(n), 0) + 1 from look
      where testset_id = ${testsetId} and organization_id = ${scope.organizationId})),
    run.id, given.baseline_run_id, given.config_id, (
      select hash from testset_snapshot snapshot
      where snapshot.testset_id = run.testset_id and snapshot.n = run.snapshot_n
        and snapshot.organization_id = ${scope.organizationId}),
    run.split, ${kind}, ${scope.memberId === serviceScope(scope.organizationId).memberId ? null : scope.memberId}::uuid
  from run cross join ${rowsOf(tx, [...looks], { baseline_run_id: 'bigint', config_id: 'uuid' })}
  where run.id = ${runId} and run.organization_id = ${scope.organizationId}
  on conflict do nothing
  returning n`;

/** Stores the newest verdicts on the metrics of a pair of runs. */
export const storeVerdicts = (
  tx: Sql,
  scope: Scope,
  { runId, baselineRunId }: { runId: bigint; baselineRunId: bigint | null },
  verdicts: readonly { configId: string; verdict: Verdict }[],
) => tx`
  update look set verdict = given.verdict
  from ${rowsOf(tx, [...verdicts], { config_id: 'uuid', verdict: 'text' })}
  where look.run_id = ${runId} and look.baseline_run_id is not distinct from ${baselineRunId}
    and look.organization_id = ${scope.organizationId} and look.metric_config_id = given.config_id
    and look.verdict is distinct from given.verdict`;

const lookJson = (sql: Sql, scope: Scope) => sql`
  json_build_object('number', look.n, 'kind', look.kind, 'runId', look.run_id::text,
    'baselineRunIds', array(
      select distinct baseline_run_id::text from look pair
      where pair.testset_id = look.testset_id and pair.n = look.n and pair.organization_id = ${scope.organizationId}
        and baseline_run_id is not null order by 1),
    'systemVersionId', (
      select system_version_id from run where run.id = look.run_id and run.organization_id = ${scope.organizationId}),
    'hash', encode(look.hash, 'hex'), 'split', look.split, 'metrics', (
      select json_agg(json_build_object('metricId', metric.id::text, 'metricName', metric.name,
          'metricConfigId', pair.metric_config_id, 'baselineRunId', pair.baseline_run_id::text, 'verdict', pair.verdict)
        order by metric.name, pair.metric_config_id, pair.baseline_run_id)
      from look pair
      left join metric_config config on config.id = pair.metric_config_id and config.organization_id = ${scope.organizationId}
      left join metric on metric.id = config.metric_id and metric.organization_id = ${scope.organizationId}
      where pair.testset_id = look.testset_id and pair.n = look.n and pair.organization_id = ${scope.organizationId}),
    'outcome', look.outcome, 'level', look.level, 'userId', look.member_id, 'at', iso_time(look.at))::text`;

/** Lists the looks at a testset, newest first. Reads look_testset. */
export const listLooks = (sql: Sql, scope: Scope, testsetId: bigint, before: string, count: number) =>
  cutToPage(
    sql,
    sql`
    select ${lookJson(sql, scope)} as body, look.n::text as key, -look.n as place
    from (
      select distinct on (n) * from look
      where testset_id = ${testsetId} and organization_id = ${scope.organizationId} and n < ${before}::bigint
      order by n desc, at, baseline_run_id, metric_config_id
      limit ${count}) look
    order by look.n desc`,
  );
