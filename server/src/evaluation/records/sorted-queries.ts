import type { Fragment, Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import { cutToPage } from '../../platform/http/pagination.ts';
import type { Owner, Scope } from '../../platform/http/scope.ts';
import { type Condition, hasMeasure, hasScoreOf, joined, measureColumn, negated } from './condition.ts';
import { candidates, fits, type RecordFilter } from './filter.ts';
import { placeOf, placeText, recordDetail } from './queries.ts';
import type { Sort } from './read-search.ts';

/** The place before a project's oldest record. */
export const oldestRecord = '-infinity 0 0';

/** One page of a project's records, oldest first. Walks record_newest (project_id, created_at, run_id, n) forwards. */
export const listOldest = (
  sql: Sql,
  scope: Scope,
  projectId: bigint,
  filter: RecordFilter,
  after: string,
  count: number,
  skip: number,
) =>
  cutToPage(
    sql,
    sql`
    select ${recordDetail(sql, scope, sql`r.run_id`)} as body, ${placeText(sql)} as key,
      row_number() over (order by found.created_at, found.run_id, found.n) as place
    from (
      select r.created_at, r.run_id, r.n from ${candidates(sql, filter)}
      where ${fits(sql, scope, projectId, filter)} and (r.created_at, r.run_id, r.n) > ${placeOf(sql, after)}
      order by r.created_at, r.run_id, r.n
      limit ${count} offset ${skip}) found
    cross join lateral (
      select * from record
      where record.run_id = found.run_id and record.n = found.n and record.organization_id = ${scope.organizationId}
      offset 0) r`,
  );

/** Whether record `r` has a value to sort by. */
export const hasValue = ({ by }: Sort, wanted: boolean): Condition => {
  const some =
    typeof by === 'object' ? hasScoreOf(by.configs, {}) : hasMeasure(by === 'created' ? 'latency' : by, {});
  return wanted ? { holds: some.holds } : negated(some);
};

/** A place in the order; `inclusive`: including the record itself. */
type Key = { value: string; runId: string; n: string; inclusive?: boolean };
const keyOf = (after: string): Key | undefined => {
  const [value = '', runId = '', n = ''] = after.split(' ');
  return after === '' ? undefined : { value, runId, n };
};

/**
 * The rows (value, run_id, n) to sort by, as relations `key`: of the records that are known, or of the project from the place
 * `after`. Each is read in the order of an index: record_measure_*, or score_value for one configuration of the metric. As one
 * relation over several configurations, PostgreSQL read all their scores and sorted them: 5 s for 200,000.
 */
export const keys = (
  sql: Sql,
  { organizationId }: Owner,
  projectId: bigint,
  { among }: RecordFilter,
  { by, descending }: Sort,
  after: Key | undefined,
): Fragment[] => {
  const isBeyond = (value: Fragment, row: Fragment) => {
    if (!after) return sql``;
    const place = sql`(${after.value}::text::double precision, ${after.runId}::text::bigint, ${after.n}::text::integer)`;
    const beyond = descending ? sql`<` : sql`>`;
    return sql`and (${value}, ${row}.run_id, ${row}.n) ${beyond}${after.inclusive ? sql`=` : sql``} ${place}`;
  };
  if (typeof by === 'object') {
    const ids = sql`${by.configs.map(({ id }) => id)}::text[]::uuid[]`;
    if (among)
      return [
        sql`
        (select given.run_id, given.n, sorted.value from ${given(sql, among)}
        cross join lateral (
          select s.value from score s
          where s.run_id = given.run_id and s.n = given.n and s.organization_id = ${organizationId}
            and s.metric_config_id = any(${ids}) and s.value is not null
          order by s.metric_config_id desc limit 1) sorted
        where true ${isBeyond(sql`sorted.value`, sql`given`)}) key`,
      ];
    // If a record has scores of several configurations, the newest one counts. Their ids increase with time.
    const parts = by.configs.map(
      ({ id }, i) => sql`
        (select s.value, s.run_id, s.n from score s
        where s.metric_config_id = ${id}::text::uuid and s.value is not null and s.organization_id = ${organizationId}
          ${isBeyond(sql`s.value`, sql`s`)}
          ${
            i === 0
              ? sql``
              : sql`and not exists (
                  select from score newer
                  where newer.run_id = s.run_id and newer.n = s.n and newer.organization_id = ${organizationId}
                    and newer.metric_config_id = any(${by.configs.slice(0, i).map((config) => config.id)}::text[]::uuid[])
                    and newer.value is not null offset 0)`
          }) key`,
    );
    const none = sql`(select 0::double precision as value, 0::bigint as run_id, 0 as n where false) key`;
    return parts.length > 0 ? parts : [none];
  }
  const column = measureColumn(sql, by === 'created' ? 'latency' : by);
  if (among)
    return [
      sql`
      (select given.run_id, given.n, sorted.value from ${given(sql, among)}
      cross join lateral (
        select m.${column} as value from record_measure m
        where m.run_id = given.run_id and m.n = given.n and m.organization_id = ${organizationId} and m.${column} is not null
        offset 0) sorted
      where true ${isBeyond(sql`sorted.value`, sql`given`)}) key`,
    ];
  return [
    sql`
    (select m.${column} as value, m.run_id, m.n from record_measure m
    where m.project_id = ${projectId} and m.organization_id = ${organizationId} and m.${column} is not null
      ${isBeyond(sql`m.${column}`, sql`m`)}) key`,
  ];
};

const given = (sql: Sql, among: NonNullable<RecordFilter['among']>): Fragment =>
  rowsOf(sql, among, { run_id: 'bigint', n: 'integer' });

/** Record `r` of each key, read by record_pkey. `offset 0` keeps the planner to the order of the keys. */
const recordOfKey = (sql: Sql): Fragment => sql`
  cross join lateral (select * from record where record.run_id = key.run_id and record.n = key.n offset 0) r`;

/**
 * One page of a project's records that have a value in the column of `sort`, in its order. Walks the index of the column and tests
 * each record against the filter, so the cost of a page grows with the rows that it skips.
 */
export const listSorted = (
  sql: Sql,
  scope: Scope,
  projectId: bigint,
  filter: RecordFilter,
  sort: Sort,
  after: string,
  count: number,
  skip: number,
) => {
  const direction = sort.descending ? sql`desc` : sql``;
  const parts = keys(sql, scope, projectId, filter, sort, keyOf(after)).map(
    (key) => sql`
      (select key.value, key.run_id, key.n
      from ${key}
      ${recordOfKey(sql)}
      where ${fits(sql, scope, projectId, filter)}
      order by key.value ${direction}, key.run_id ${direction}, key.n ${direction}
      limit ${count + skip})`,
  );
  return cutToPage(
    sql,
    sql`
    select ${recordDetail(sql, scope, sql`r.run_id`)} as body,
      found.value::text || ' ' || found.run_id || ' ' || found.n as key,
      row_number() over (order by found.value ${direction}, found.run_id ${direction}, found.n ${direction}) as place
    from (
      select * from (${joined(sql, parts, sql`union all`)}) parts
      order by value ${direction}, run_id ${direction}, n ${direction}
      limit ${count} offset ${skip}) found
    cross join lateral (
      select * from record
      where record.run_id = found.run_id and record.n = found.n and record.organization_id = ${scope.organizationId}
      offset 0) r`,
  );
};

/** Counts the records of a project that fit the filter and have a value in the column of `sort`. */
export const countSorted = (
  sql: Sql,
  scope: Scope,
  projectId: bigint,
  filter: RecordFilter,
  sort: Sort,
) => sql<{ n: number }[]>`
  select sum(part.n)::integer as n from (${joined(
    sql,
    keys(sql, scope, projectId, filter, sort, undefined).map(
      (key) => sql`
        (select count(*) as n from ${key} ${recordOfKey(sql)} where ${fits(sql, scope, projectId, filter)})`,
    ),
    sql`union all`,
  )}) part`;
