import { configHash } from '../../evaluation/metrics/config-hash.ts';
import type { Sql } from '../../platform/db/database.ts';
import { cutToPage } from '../../platform/http/pagination.ts';
import type { Scope } from '../../platform/http/scope.ts';

/** Finds whether a project has a testset: a row or none. */
export const findOwnTestset = (sql: Sql, scope: Scope, projectId: bigint, testsetId: bigint) => sql`
  select from testset
  where id = ${testsetId} and project_id = ${projectId} and organization_id = ${scope.organizationId}`;

export type RegisteredTestset = {
  id: string;
  name: string;
  numTestcases: number;
  snapshot: number;
  hash: string;
};

/** Finds a testset of a project with the snapshot of its testcases as they are now. No row without one. */
export const findRegisteredTestset = (sql: Sql, scope: Scope, projectId: bigint, testsetId: bigint) => sql<
  RegisteredTestset[]
>`
  select testset.id::text as id, testset.name, snapshot.num_testcases as "numTestcases", snapshot.n as snapshot,
    encode(snapshot.hash, 'hex') as hash
  from testset
  join testset_snapshot snapshot on snapshot.testset_id = testset.id and snapshot.edition = testset.edition
    and snapshot.organization_id = ${scope.organizationId}
  where testset.id = ${testsetId} and testset.project_id = ${projectId} and testset.organization_id = ${scope.organizationId}`;

export type RegisteredMetric = {
  id: string;
  name: string;
  configId: string;
  hash: string;
  evalModelName: string | null;
};

/** Finds metrics of a project with their current configurations, or those that a run used. */
export const findRegisteredMetrics = (
  sql: Sql,
  scope: Scope,
  { projectId, metricIds, runId }: { projectId: bigint; metricIds: bigint[]; runId: bigint | null },
) => sql<RegisteredMetric[]>`
  select metric.id::text as id, metric.name, config.id as "configId", ${configHash(sql)} as hash,
    config.eval_model_name as "evalModelName"
  from metric
  join metric_config config on config.organization_id = ${scope.organizationId} and config.id = ${
    runId === null
      ? sql`metric.current_config_id`
      : sql`(
          select metric_config_id from run_metric
          where run_id = ${runId} and metric_id = metric.id and organization_id = ${scope.organizationId})`
  }
  where metric.id = any(${metricIds.map(String)}::bigint[]) and metric.project_id = ${projectId}
    and metric.deleted_at is null and metric.organization_id = ${scope.organizationId}
  order by metric.id`;

export const findNow = (sql: Sql) => sql<{ now: string }[]>`select iso_time(now()) as now`;

/** Finds a registered decision in the audit log. Reads audit_event_texts. */
export const findDecision = (sql: Sql, scope: Scope, projectId: bigint, id: string) => sql<
  { body: string }[]
>`
  select after::text as body from audit_event
  where organization_id = ${scope.organizationId} and resource = 'Decisions' and resource_id = ${id} and salt is not null
    and operation = 'createDecision' and project_id = ${projectId}
  order by id limit 1`;

/**
 * Lists the decisions of a project, newest first, as JSON text. A document of the log is read once for all its fields. Reads
 * audit_event_decisions.
 */
export const listDecisions = (sql: Sql, scope: Scope, projectId: bigint, before: string, count: number) =>
  cutToPage(
    sql,
    sql`
    select json_build_object('id', resource_id, 'question', document -> 'question', 'owner', document -> 'owner',
        'testset', document -> 'testset', 'baselineRunId', document -> 'baseline' -> 'runId',
        'minTestcases', document -> 'minTestcases', 'level', document -> 'level',
        'registeredAt', document -> 'registeredAt', 'registeredBy', document -> 'registeredBy')::text as body,
      id::text as key, row_number() over (order by id desc) as place
    from (
      select id, resource_id, after -> 'document' as document from audit_event
      where project_id = ${projectId} and organization_id = ${scope.organizationId} and operation = 'createDecision'
        and salt is not null and id < ${before}::uuid
      order by id desc
      limit ${count}) entry`,
  );

/** Lists the waivers of a decision, oldest first, as JSON text. Reads audit_event_project_texts. */
export const listWaivers = (sql: Sql, scope: Scope, projectId: bigint, id: string, runId: string) => sql<
  { body: string }[]
>`
  select after::text as body from audit_event
  where organization_id = ${scope.organizationId} and project_id = ${projectId} and salt is not null
    and resource = 'Decisions' and operation = 'waiveDecision' and field_text(after, 'decisionId') = ${id}
    and field_text(after, 'runId') = ${runId}
  order by id`;

export type RunFacts = {
  createdAt: string;
  hadRecords: boolean;
  /** Testcases of the testset that it answers in their current revision. */
  numTestcases: number;
  /** Later runs of the testset with scores, and those of the same version. */
  numLooks: number;
  ofSameVersion: string[];
  /** Runs that were deleted in the project since then. */
  numDeleted: number;
};

/** Reads what happened on a testset since a time, and what a run has of it. */
export const findRunFacts = (
  sql: Sql,
  scope: Scope,
  {
    runId,
    testsetId,
    projectId,
    since,
  }: { runId: bigint; testsetId: bigint; projectId: bigint; since: string },
) => sql<RunFacts[]>`
  with looks as (
    select run.id, run.system_version_id from run
    where run.project_id = ${projectId} and run.testset_id = ${testsetId} and run.organization_id = ${scope.organizationId}
      and run.kind = 'evaluation' and run.created_at >= ${since}::text::timestamptz and exists (
        select from run_tally tally
        where tally.run_id = run.id and tally.organization_id = ${scope.organizationId} and tally.state = 'scored' offset 0))
  select iso_time(run.created_at) as "createdAt",
    run.created_at < ${since}::text::timestamptz as "hadRecords", (
      select count(distinct r.testcase_n)::int from record r
      join testcase on testcase.testset_id = ${testsetId} and testcase.n = r.testcase_n
        and testcase.revision = r.testcase_revision and testcase.organization_id = ${scope.organizationId}
      where r.run_id = ${runId} and r.testset_id = ${testsetId} and r.organization_id = ${scope.organizationId}) as "numTestcases",
    (select count(*)::int from looks) as "numLooks",
    array(select looks.id::text from looks
      where looks.system_version_id = run.system_version_id and looks.id <> run.id order by looks.id) as "ofSameVersion",
    (select count(*)::int from audit_event e
      where e.organization_id = ${scope.organizationId} and e.project_id = ${projectId} and e.operation = 'deleteRun'
        and not e.failed and e.at >= ${since}::text::timestamptz) as "numDeleted"
  from run where run.id = ${runId} and run.organization_id = ${scope.organizationId}`;
