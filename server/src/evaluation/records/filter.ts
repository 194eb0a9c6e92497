import type { Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { isKept } from '../deletions/queries.ts';
import type { Condition } from './condition.ts';

/** Which of a project's records a list is about. The run and the times are what the indexes that lists walk can answer. */
export type RecordFilter = {
  runId?: bigint;
  createdAfter?: string;
  createdBefore?: string;
  conditions: Condition[];
  /** The only records that may fit, when they are known. */
  among?: RecordKey[];
};

/** Record `r`, to be tested by `fits`: any record, or each known record by its key. `offset 0` keeps the planner to that order. */
export const candidates = (sql: Sql, { among }: RecordFilter) =>
  among === undefined
    ? sql`record r`
    : sql`
      ${rowsOf(sql, among, { run_id: 'bigint', n: 'integer' }, { as: 'key' })}
      cross join lateral (select * from record where record.run_id = key.run_id and record.n = key.n offset 0) r`;

/** Whether record `r` is the project's and fits the filter. Its run must not be under deletion. */
export const fits = (sql: Sql, scope: Scope, projectId: bigint, filter: RecordFilter) => sql`
  r.organization_id = ${scope.organizationId} and r.project_id = ${projectId}
  and ${isKept(sql, scope, 'run', sql`r.run_id`)}
  ${filter.runId === undefined ? sql`` : sql`and r.run_id = ${filter.runId}`}
  ${filter.createdAfter === undefined ? sql`` : sql`and r.created_at >= ${filter.createdAfter}::text::timestamptz`}
  ${filter.createdBefore === undefined ? sql`` : sql`and r.created_at < ${filter.createdBefore}::text::timestamptz`}
  ${filter.conditions.reduce((all, { holds }) => sql`${all} and ${holds(sql, scope)}`, sql``)}`;
