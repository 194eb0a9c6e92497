import { madeBy } from '../../evaluation/scores/made-by.ts';
import { passed } from '../../evaluation/scores/queries.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { machineValue } from '../../scoring/labels/queries.ts';

export type ExaminedTestset = {
  projectId: bigint;
  inputs: string[];
  expected: string[];
  groupingField: string | null;
  numTestcases: number;
};

export const findExaminedTestset = (sql: Sql, scope: Scope, testsetId: bigint) => sql<ExaminedTestset[]>`
  select project_id as "projectId", input_fields as inputs, expected_fields as expected, grouping_field as "groupingField",
    (select count(*)::int from testcase where testset_id = testset.id and organization_id = ${scope.organizationId}) as "numTestcases"
  from testset where id = ${testsetId} and organization_id = ${scope.organizationId}`;

/** Longer testcases are not read: 10,000 of them would not fit into memory. */
export const longestCase = 20_000;

/** Returns the testcases of a testset as JSON arrays, at most `most`. Reads testcase_pkey. */
export const findExaminedCases = (sql: Sql, scope: Scope, testsetId: bigint, most: number) => sql<
  { numbers: string; data: string; revisions: string; made: string; changed: string; invalid: string }[]
>`
  select coalesce(json_agg(n), '[]')::text as numbers, coalesce(json_agg(data), '[]')::text as data,
    coalesce(json_agg(revision), '[]')::text as revisions, coalesce(json_agg(iso_time(created_at)), '[]')::text as made,
    coalesce(json_agg(iso_time(updated_at)), '[]')::text as changed, coalesce(json_agg(invalid), '[]')::text as invalid
  from (
    select n, revision, created_at, updated_at, (validation_errors is not null)::int as invalid,
      case when length(json_data::text) <= ${longestCase} then json_data::text end as data
    from testcase
    where testset_id = ${testsetId} and organization_id = ${scope.organizationId}
    order by n limit ${most}) t`;

/** Finds the metric with the most scores in a run, or the one given. */
export const findExaminedMetric = (
  sql: Sql,
  scope: Scope,
  { runId, metricId }: { runId: bigint | null; metricId: bigint | null },
) => sql<{ id: bigint; name: string; peopleMetricId: bigint | null }[]>`
  select metric.id, metric.name, people.people_metric_id as "peopleMetricId"
  from metric
  left join judge_people people on people.metric_id = metric.id and people.organization_id = ${scope.organizationId}
  where metric.organization_id = ${scope.organizationId} and metric.id = coalesce(${metricId}::bigint, (
    select config.metric_id
    from run_tally tally
    join metric_config config on config.id = tally.metric_config_id and config.organization_id = ${scope.organizationId}
    where tally.run_id = ${runId} and tally.organization_id = ${scope.organizationId} and tally.state = 'scored'
    group by config.metric_id, config.eval_type
    having sum(tally.n) > 0
    -- People score few records, and they are the truth about the others.
    order by (config.eval_type = 'human'), sum(tally.n) desc, config.metric_id
    limit 1))`;

/** The start of long outputs, and their end, where models write their final answer. */
const kept = { whole: 2_000, end: 400 };

/**
 * Returns the verdicts of a run on the current revision of its testcases as JSON arrays, with the outputs of those that failed. Reads one
 * range of score_pkey and of record_pkey.
 */
export const findExaminedRecords = (
  sql: Sql,
  scope: Scope,
  { runId, testsetId, metricId }: { runId: bigint; testsetId: bigint; metricId: bigint },
) => sql<{ records: string; testcases: string; passed: string; outputs: string }[]>`
  select coalesce(json_agg(n), '[]')::text as records, coalesce(json_agg(testcase_n), '[]')::text as testcases,
    coalesce(json_agg(passed), '[]')::text as passed, coalesce(json_agg(outputs), '[]')::text as outputs
  from (
    select r.n, r.testcase_n, (${passed(sql)})::int as passed,
      case when not (${passed(sql)}) then
        case when length(r.outputs::text) <= ${kept.whole} then r.outputs::text else right(r.outputs::text, ${kept.end}) end
      end as outputs
    from record r
    join testcase on testcase.testset_id = ${testsetId} and testcase.n = r.testcase_n
      and testcase.revision = r.testcase_revision and testcase.organization_id = ${scope.organizationId}
    join score s on s.run_id = ${runId} and s.n = r.n and s.organization_id = ${scope.organizationId} and s.value is not null
    join metric_config config on config.id = s.metric_config_id and config.metric_id = ${metricId}
      and config.organization_id = ${scope.organizationId}
    where r.run_id = ${runId} and r.testset_id = ${testsetId} and r.organization_id = ${scope.organizationId}
    order by r.n) found`;

/** Names the versions of runs, with the model that each configuration names. */
export const findExaminedVersions = (sql: Sql, scope: Scope, versionIds: string[]) => sql<
  { id: string; name: string; model: string | null }[]
>`
  select id::text as id, name, coalesce(field_text(config, 'model'), field_text(config, 'modelName')) as model
  from system_version
  where id = any(${versionIds}::uuid[]) and organization_id = ${scope.organizationId}`;

/**
 * Returns verdicts of people beside those of the metric, as JSON arrays: scores that people gave in its place, and scores of the human metric.
 * Labels that a model made do not count.
 */
export const findExaminedLabels = (
  sql: Sql,
  scope: Scope,
  {
    runIds,
    testsetId,
    metricId,
    peopleMetricId,
  }: { runIds: bigint[]; testsetId: bigint; metricId: bigint; peopleMetricId: bigint | null },
) => sql<{ testcases: string; records: string; metric: string; people: string }[]>`
  with verdict as (
    -- Grouped and not joined: on new tables the planner takes both sides for single rows, and reads one again for each row of the other.
    select s.run_id, s.n,
      max((coalesce(
        case when s.scored_by is not null and not s.sent then ${machineValue(sql, scope)} end, s.value)
        >= coalesce(config.passing_threshold, 1))::int) filter (where config.metric_id = ${metricId}) as metric,
      coalesce(
        max((${passed(sql)})::int) filter (where config.metric_id = ${peopleMetricId} and ${madeBy(sql)} is distinct from 'model'),
        max((${passed(sql)})::int) filter (where config.metric_id = ${metricId} and s.scored_by is not null and not s.sent
          and ${machineValue(sql, scope)} is not null)) as people
    from score s
    join metric_config config on config.id = s.metric_config_id and config.metric_id in (${metricId}, ${peopleMetricId})
      and config.organization_id = ${scope.organizationId}
    where s.run_id = any(${runIds.map(String)}::bigint[]) and s.organization_id = ${scope.organizationId} and s.value is not null
    group by s.run_id, s.n)
  select coalesce(json_agg(r.testcase_n), '[]')::text as testcases,
    coalesce(json_agg(verdict.run_id || '-' || verdict.n), '[]')::text as records,
    coalesce(json_agg(verdict.metric), '[]')::text as metric, coalesce(json_agg(verdict.people), '[]')::text as people
  from verdict
  join record r on r.run_id = verdict.run_id and r.n = verdict.n and r.organization_id = ${scope.organizationId}
    and r.testset_id = ${testsetId}
  join testcase on testcase.testset_id = ${testsetId} and testcase.n = r.testcase_n
    and testcase.revision = r.testcase_revision and testcase.organization_id = ${scope.organizationId}
  where verdict.metric is not null and verdict.people is not null`;

/** Characters of a prompt that are searched. */
const longestPrompt = 200_000;

/** Lists the newest versions of the prompts of a project and its judges, with their texts. */
export const findPrompts = (sql: Sql, scope: Scope, projectId: bigint, most: number) => sql<
  { name: string; text: string; systemId: string | null; metricId: string | null }[]
>`
  (select system.name || ', version ' || version.name as name, left(version.config::text, ${longestPrompt}) as text,
      system.id as "systemId", null as "metricId"
    from system_version version
    join system on system.id = version.system_id and system.project_id = ${projectId} and system.deleted_at is null
      and system.organization_id = ${scope.organizationId}
    where version.organization_id = ${scope.organizationId}
    order by version.created_at desc limit ${most})
  union all
  (select 'the judge ' || metric.name, left(config.guidelines || E'\n' || coalesce(config.prompt_template, ''), ${longestPrompt}),
      null, metric.id::text
    from metric
    join metric_config config on config.id = metric.current_config_id and config.organization_id = ${scope.organizationId}
      and config.eval_type = 'ai'
    where metric.project_id = ${projectId} and metric.deleted_at is null and metric.organization_id = ${scope.organizationId}
    order by metric.id desc limit ${most})`;
