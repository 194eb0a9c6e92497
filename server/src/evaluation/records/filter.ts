import type { Fragment, Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { passed } from '../scores/queries.ts';
import { type Condition, hasText } from './condition.ts';

/** Whether record `r` of run `run` carries all these tags. Reads record_tag_text. */
const carriesAll = (sql: Sql, scope: Scope, run: Fragment, tags: string[]) => sql`
  (select count(*) from record_tag t
    where t.run_id = ${run} and t.n = r.n and t.organization_id = ${scope.organizationId}
      and t.text = any(${tags}::text[])) = ${tags.length}`;

/** Filters of a list of a project's records. */
export type RecordFilter = {
  runId?: bigint;
  metricId?: bigint;
  result?: string;
  tags: string[];
  assigneeId?: string;
  text?: string;
  /** The only records that may fit, when they are known. */
  among?: RecordKey[];
  createdAfter?: string;
  createdBefore?: string;
  conditions?: Condition[];
  /** Texts that every record has for which the conditions hold. */
  hints?: string[];
};

const resultCondition = (sql: Sql, result: string | undefined) => {
  if (result === undefined) return sql`true`;
  if (result === 'pass') return sql`s.value is not null and ${passed(sql)}`;
  if (result === 'fail') return sql`s.value is not null and not (${passed(sql)})`;
  if (result === 'unscored') return sql`s.state = 'unscored' or s.validation_errors is not null`;
  return sql`s.state = ${result}`;
};

/** Results that few scores have: an index finds these scores and their records. */
const rare = new Set<string | undefined>(['pending', 'unscored', 'failed']);

/**
 * For results that many scores have, each record is tested in turn: `offset 0` keeps the planner from joining the scores. Its estimates are
 * rough here, and a join read all scores of the organization: 18 s on the embedded database instead of 1.4 s.
 */
const hasScore = (sql: Sql, scope: Scope, { metricId, result }: RecordFilter) => sql`
  exists (
    select from score s join metric_config config on config.id = s.metric_config_id
    where s.run_id = r.run_id and s.n = r.n and s.organization_id = ${scope.organizationId}
      and config.organization_id = ${scope.organizationId}
      ${metricId === undefined ? sql`` : sql`and config.metric_id = ${metricId}`}
      and (${resultCondition(sql, result)})
    ${!rare.has(result) ? sql`offset 0` : sql``})`;

/** Record `r`, to be tested by `fits`: any record, or each known record by its key. `offset 0` keeps the planner to that order. */
export const candidates = (sql: Sql, { among }: RecordFilter) =>
  among === undefined
    ? sql`record r`
    : sql`
      ${rowsOf(sql, among, { run_id: 'bigint', n: 'integer' }, { as: 'key' })}
      cross join lateral (select * from record where record.run_id = key.run_id and record.n = key.n offset 0) r`;

/** Whether record `r` is the project's and fits the filter. */
export const fits = (sql: Sql, scope: Scope, projectId: bigint, filter: RecordFilter) => sql`
  r.organization_id = ${scope.organizationId} and r.project_id = ${projectId}
  ${filter.runId === undefined ? sql`` : sql`and r.run_id = ${filter.runId}`}
  ${filter.createdAfter === undefined ? sql`` : sql`and r.created_at >= ${filter.createdAfter}::text::timestamptz`}
  ${filter.createdBefore === undefined ? sql`` : sql`and r.created_at < ${filter.createdBefore}::text::timestamptz`}
  ${
    filter.assigneeId === undefined
      ? sql``
      : sql`and exists (
          select from record_assignment a
          where a.run_id = r.run_id and a.n = r.n and a.organization_id = ${scope.organizationId}
            and a.assignee_id = ${filter.assigneeId})`
  }
  ${filter.tags.length > 0 ? sql`and ${carriesAll(sql, scope, sql`r.run_id`, filter.tags)}` : sql``}
  ${filter.metricId === undefined && filter.result === undefined ? sql`` : sql`and ${hasScore(sql, scope, filter)}`}
  ${filter.text === undefined ? sql`` : sql`and ${hasText(filter.text).holds(sql, scope)}`}
  ${(filter.conditions ?? []).reduce((all, { holds }) => sql`${all} and ${holds(sql, scope)}`, sql``)}`;
