import type { Fragment, Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { longestValue, mostValues } from '../../platform/search/value-groups.ts';
import { type Config, joined } from './condition.ts';
import { candidates, fits, type RecordFilter } from './filter.ts';
import type { Grouping } from './grouping.ts';
import { inSlice, type Slice } from './queries.ts';

/** A group of a slice of records, beside sums over all groups of the slice. */
export type GroupRow = {
  key: string | null;
  value: string | null;
  isCut: boolean;
  n: number;
  /** Number of values of records, and of different values. */
  entries: number;
  values: number;
};

const keyOf = (sql: Sql, { isExact = false }: Pick<Grouping, 'isExact'>): Fragment =>
  isExact ? sql`left(entry.value, ${longestValue})` : sql`lower(left(entry.value, ${longestValue}))`;

/** Counts the records of a slice that fit by their value, most frequent first. Reads record_newest once, and the records. */
export const countGroups = (
  sql: Sql,
  scope: Scope,
  projectId: bigint,
  filter: RecordFilter,
  slice: Slice,
  grouping: Grouping,
) => sql<GroupRow[]>`
  select key, value, "isCut", n, sum(n) over ()::integer as entries, count(*) over ()::integer as values
  from (
    select ${keyOf(sql, grouping)} as key, min(left(entry.value, ${longestValue})) as value,
      coalesce(bool_or(length(entry.value) > ${longestValue}), false) as "isCut", count(*)::integer as n
    from ${candidates(sql, filter)}
    ${grouping.entries(sql, scope)}
    where ${fits(sql, scope, projectId, filter)} and ${inSlice(sql, slice)}
    group by 1) found
  order by n desc, key
  limit ${mostValues}`;

/**
 * The number of verdicts of record `r` by these configurations and of those that pass, as `verdict`: one, its newest score, or one for
 * each span if the configuration of that score scores spans; with `ofTraces`, each span of the traces of `entry`. Reads score_pkey, and
 * span_score_pkey for spans.
 */
const newestVerdicts = (sql: Sql, scope: Scope, configs: readonly Config[], ofTraces: boolean): Fragment => {
  const ofSpans = configs.filter((config) => config.ofSpans).map(({ id }) => id);
  return sql`
  cross join lateral (
    select s.metric_config_id, s.value, case ${joined(
      sql,
      configs.map(
        ({ id, threshold }) =>
          sql`when s.metric_config_id = ${id}::text::uuid then ${String(threshold)}::text::double precision`,
      ),
      sql``,
    )} end as threshold
    from score s
    where s.run_id = r.run_id and s.n = r.n and s.organization_id = ${scope.organizationId}
      and s.metric_config_id = any(${configs.map(({ id }) => id)}::text[]::uuid[])
      and s.value is not null and s.validation_errors is null
    ${configs.length === 1 ? sql`offset 0` : sql`order by s.metric_config_id desc limit 1`}) newest
  cross join lateral (${
    ofSpans.length === 0
      ? sql`select 1 as scored, (newest.value >= newest.threshold)::int as passed`
      : sql`
    select count(*) as scored, count(*) filter (where each.value >= newest.threshold) as passed
    from (
      select newest.value where newest.metric_config_id <> all(${ofSpans}::text[]::uuid[])
      union all
      select given.value from span_score given
      where given.run_id = r.run_id and given.n = r.n and given.metric_config_id = newest.metric_config_id
        and given.organization_id = ${scope.organizationId} and given.value is not null
        ${ofTraces ? sql`and given.otel_trace_id = any(entry.traces)` : sql``}) each
    having count(*) > 0`
  }) verdict`;
};

/** Counts the records of a slice that fit. */
export const countRecords = (
  sql: Sql,
  scope: Scope,
  projectId: bigint,
  filter: RecordFilter,
  slice: Slice,
) => sql<{ n: number }[]>`
  select count(*)::integer as n from ${candidates(sql, filter)}
  where ${fits(sql, scope, projectId, filter)} and ${inSlice(sql, slice)}`;

/**
 * Sums the verdicts of the records of a slice by value and unit: their inputs, or the record if it has none. The units of a value are one
 * text, `unit scored passed` with commas between: a row for each takes as long as reading the records.
 */
export const sumUnits = (
  sql: Sql,
  scope: Scope,
  projectId: bigint,
  filter: RecordFilter,
  slice: Slice,
  /** Of groups of traces, `entries` joins the traces of each value too. */
  grouping: Pick<Grouping, 'entries' | 'isExact'> & { ofTraces?: boolean },
  keys: readonly (string | null)[],
  configs: readonly Config[],
) => sql<{ key: string | null; units: string }[]>`
  select key, string_agg(unit || ' ' || scored || ' ' || passed, ',') as units
  from (
  select ${keyOf(sql, grouping)} as key, coalesce(r.inputs_hash::text, r.run_id || '-' || r.n) as unit,
    sum(verdict.scored) as scored, sum(verdict.passed) as passed
  from ${candidates(sql, filter)}
  ${grouping.entries(sql, scope)}
  ${newestVerdicts(sql, scope, configs, grouping.ofTraces ?? false)}
  where ${fits(sql, scope, projectId, filter)} and ${inSlice(sql, slice)}
    and (${keyOf(sql, grouping)} = any(${keys.filter((key) => key !== null)}::text[])
      ${keys.includes(null) ? sql`or entry.value is null` : sql``})
  group by 1, 2) summed
  group by key`;
