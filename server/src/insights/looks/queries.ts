import type { Verdict } from '../../engine/statistics/comparison-schema.ts';
import type { Period } from '../../engine/statistics/ledger.ts';
import type { Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import { cutToPage } from '../../platform/http/pagination.ts';
import { type Scope, serviceScope } from '../../platform/http/scope.ts';
import type { GateOutcome, Kind } from './schema.ts';

export const findRuns = (sql: Sql, scope: Scope, ids: bigint[]) => sql<
  { id: bigint; projectId: bigint; testsetId: string | null }[]
>`
  select id, project_id as "projectId", testset_id::text as "testsetId" from run
  where id = any(${ids.map(String)}::bigint[]) and organization_id = ${scope.organizationId}`;

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

/** Makes the look at a new version's run a look at its comparison with this baseline, unless a gate tested it alone. */
export const compareLook = (tx: Sql, scope: Scope, runId: bigint, baselineRunId: bigint) => tx`
  update look set baseline_run_id = ${baselineRunId}
  where run_id = ${runId} and baseline_run_id is null and level is null and organization_id = ${scope.organizationId}`;

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

/** Whether two looks are at testcases that both have: a whole testset has those of each split. */
const overlaps = (sql: Sql) => sql`(other.split = own.split or other.split is null or own.split is null)`;

/**
 * Numbers a look among those of its period at testcases that it has too, those before it. With `n` null, numbers the look that would come next
 * at all of the testset. Reads look_testset.
 */
export const findNumber = (
  sql: Sql,
  scope: Scope,
  { testsetId, n, per }: { testsetId: bigint; n: number | null; per: Period },
) => sql<{ number: number }[]>`
  with own as (
    select min(split) as split, coalesce(min(at), now()) as at from look
    where testset_id = ${testsetId} and organization_id = ${scope.organizationId} and n = ${n}::integer)
  select count(distinct other.n)::int + ${n === null ? 1 : 0}::integer as number
  from own left join look other on other.testset_id = ${testsetId} and other.organization_id = ${scope.organizationId}
    and (${n}::integer is null or other.n <= ${n}::integer) and ${overlaps(sql)}
    and date_trunc(${per}, other.at at time zone 'UTC') = date_trunc(${per}, own.at at time zone 'UTC')`;

/** Stores that a gate tested this look at this part of its level, and its outcome if it has decided. */
export const storeGate = (
  tx: Sql,
  scope: Scope,
  { testsetId, n, runId }: { testsetId: bigint; n: number; runId: bigint },
  { level, outcome }: { level: number; outcome: GateOutcome | null },
) => tx`
  update look set kind = 'gate', level = ${level}, outcome = coalesce(${outcome}, outcome)
  where testset_id = ${testsetId} and n = ${n} and run_id = ${runId} and organization_id = ${scope.organizationId}`;

export type LookCounts = { numLooks: number; numVersions: number; numLooksEver: number; since: string };

/** Counts the looks at a testset, or at one of its splits: of the present period, of how many versions, and ever. Reads look_testset. */
export const countLooks = (
  sql: Sql,
  scope: Scope,
  { testsetId, split, per }: { testsetId: bigint; split: string | null; per: Period },
) => sql<LookCounts[]>`
  with seen as (
    select n, min(run_id) as run_id, min(at) as at from look
    where testset_id = ${testsetId} and organization_id = ${scope.organizationId}
      and (${split}::text is null or split is null or split = ${split}::text)
    group by n),
  present as (select date_trunc(${per}, now() at time zone 'UTC') at time zone 'UTC' as since)
  select count(*) filter (where seen.at >= since)::int as "numLooks",
    count(distinct coalesce(run.system_version_id::text, seen.run_id::text)) filter (where seen.at >= since)::int as "numVersions",
    count(seen.n)::int as "numLooksEver", iso_time(since) as since
  from present left join seen on true
  left join run on run.id = seen.run_id and run.organization_id = ${scope.organizationId}
  group by since`;

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
