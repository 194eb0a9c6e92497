import { membersAt } from '../../evaluation/testsets/past-queries.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';

/** Hashes of a record's parts and of its testcase; the texts only where they are asked for. */
export type RecordTexts = {
  n: number;
  testcaseHash: string | null;
  inputsHash: string;
  expectedHash: string;
  outputsHash: string;
  inputs?: string;
  expected?: string;
  outputs?: string;
};

const hashOf = (sql: Sql, column: string) =>
  sql`encode(sha256(convert_to(r.${sql(column)}::text, 'UTF8')), 'hex')`;

/**
 * Lists the records of a run with the hashes of their parts, and of the revision of the testcase that they answer. Reads one range of
 * record_pkey.
 */
export const listRecordTexts = (
  sql: Sql,
  scope: Scope,
  { runId, withTexts }: { runId: bigint; withTexts: boolean },
) => sql<RecordTexts[]>`
  select r.n, coalesce((
      select encode(testcase.hash, 'hex') from testcase
      where testcase.testset_id = r.testset_id and testcase.n = r.testcase_n and testcase.revision = r.testcase_revision
        and testcase.organization_id = ${scope.organizationId}), (
      select encode(past.hash, 'hex') from testcase_past past
      where past.testset_id = r.testset_id and past.n = r.testcase_n and past.revision = r.testcase_revision
        and past.organization_id = ${scope.organizationId} limit 1)) as "testcaseHash",
    ${hashOf(sql, 'inputs')} as "inputsHash", ${hashOf(sql, 'expected')} as "expectedHash",
    ${hashOf(sql, 'outputs')} as "outputsHash"
    ${withTexts ? sql`, r.inputs::text as inputs, r.expected::text as expected, r.outputs::text as outputs` : sql``}
  from record r
  where r.run_id = ${runId} and r.organization_id = ${scope.organizationId}
  order by r.n`;

/** Lists the votes of the judges of a run, where several were asked for. Reads one range of score. */
export const listVotes = (sql: Sql, scope: Scope, runId: bigint) => sql<
  { n: number; configId: string; votes: string }[]
>`
  select n, metric_config_id as "configId", (evidence -> 'votes')::text as votes
  from score
  where run_id = ${runId} and organization_id = ${scope.organizationId} and evidence -> 'votes' is not null`;

/**
 * Lists the testcases of a snapshot, one line each; its hash is that of the lines: compact JSON of number, hash, split and tags. A deleted
 * testcase whose texts were erased is missing.
 */
export const listSnapshotLines = (
  sql: Sql,
  scope: Scope,
  { testsetId, n }: { testsetId: bigint; n: number },
) => sql<{ line: string }[]>`
  select '[' || member.n || ',"' || encode(member.hash, 'hex') || '",' || coalesce(to_json(member.split)::text, 'null')
    || ',' || array_to_json(member.tags)::text || ']' as line
  from testset_snapshot snapshot
  cross join lateral ${membersAt(sql, scope, testsetId, sql`snapshot.edition`)} member
  where snapshot.testset_id = ${testsetId} and snapshot.n = ${n} and snapshot.organization_id = ${scope.organizationId}
  order by member.n`;

/** Finds the entry of the audit log that holds a decision. Reads audit_event_texts. */
export const findRegistration = (sql: Sql, scope: Scope, projectId: bigint, id: string) => sql<
  { entryId: string; at: string; place: string | null; hash: string | null }[]
>`
  select id as "entryId", iso_time(at) as at, place::text as place, encode(hash, 'hex') as hash from audit_event
  where organization_id = ${scope.organizationId} and resource = 'Decisions' and resource_id = ${id} and salt is not null
    and operation = 'createDecision' and project_id = ${projectId}
  order by id limit 1`;

/** Finds the configuration of a system version, as JSON text. */
export const findVersionConfig = (sql: Sql, scope: Scope, id: string) => sql<{ config: string }[]>`
  select config::text as config from system_version where id = ${id}::uuid and organization_id = ${scope.organizationId}`;

export const countRecords = (sql: Sql, scope: Scope, runIds: readonly bigint[]) => sql<{ n: number }[]>`
  select count(*)::int as n from record
  where run_id = any(${runIds.map(String)}::bigint[]) and organization_id = ${scope.organizationId}`;
