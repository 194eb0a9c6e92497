import type { EvalType, OutputType } from '../../evaluation/metrics/schema.ts';
import type { Fragment, Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { countedRecords, measuresOf, scoresOf } from './count.ts';
import type { Bucket, SeriesUnit } from './schema.ts';

/** Project, range and filter of a series. */
export type Asked = {
  projectId: bigint;
  from: Date;
  to: Date;
  bucket: Bucket;
  dimension: 'all' | 'model' | 'version' | 'tag' | 'monitor';
  /** The values wanted; null for all. */
  values: readonly string[] | null;
  source: 'traces' | 'runs' | null;
  /** Hours that are counted now instead of read. */
  live: readonly Date[];
};

type ChangedHour = { hour: Date; countedAt: string | null; records: number };

/**
 * The hours of the range whose records may have changed since they were counted, newest first, each with its number of records, until they
 * exceed `most`. The hour that runs and the one before it are among them: the chore that notes changes is some seconds late.
 */
export const findChangedHours = (
  sql: Sql,
  scope: Scope,
  { projectId, from, to }: Pick<Asked, 'projectId' | 'from' | 'to'>,
  most: number,
) => sql<ChangedHour[]>`
  select changed.hour, iso_time(max(changed.counted_at)) as "countedAt", (
    select count(*)::int from (
      select from record
      where record.organization_id = ${scope.organizationId} and record.project_id = ${projectId}
        and record.created_at >= changed.hour and record.created_at < changed.until
      limit ${most + 1}) found) as records
  from (
    select hour, hour + interval '1 hour' as until, counted_at from series_hour
    where organization_id = ${scope.organizationId} and project_id = ${projectId} and changed
    union all
    select hour, hour + interval '1 hour', null from generate_series(
      date_trunc('hour', now() - interval '1 hour', 'UTC'), date_trunc('hour', now(), 'UTC'), interval '1 hour') hour
    where not exists (
      select from series_hour known
      where known.organization_id = ${scope.organizationId} and known.project_id = ${projectId} and known.hour = hour.hour
        and known.changed)
    offset 0) changed
  where changed.hour >= ${from} and changed.hour < ${to}
  group by changed.hour, changed.until
  order by changed.hour desc
  limit 50`;

/** Counts the rest if it was too much for one read. */
export const countChangedHours = (
  sql: Sql,
  scope: Scope,
  { projectId, from, to, live }: Pick<Asked, 'projectId' | 'from' | 'to' | 'live'>,
) => sql<{ uncounted: number; countedUntil: string | null }[]>`
  select (count(*) filter (where counted_at is null))::int as uncounted, iso_time(min(counted_at)) as "countedUntil"
  from series_hour
  where organization_id = ${scope.organizationId} and project_id = ${projectId} and changed and hour >= ${from} and hour < ${to}
    and not (hour = any(${hoursOf(live)}::text[]::timestamptz[]))`;

const hoursOf = (hours: readonly Date[]): string[] => hours.map((hour) => hour.toISOString());

/** Rows of one of the tables of counts in the range, with those of the live hours, which are counted from the records. */
const rowsOf = (
  sql: Sql,
  { organizationId }: Scope,
  { projectId, from, to, dimension, values, source, live }: Asked,
  of: 'measures' | 'scores',
  columns: Fragment,
): Fragment => {
  const [table, counted] = {
    measures: [sql`series_measure`, measuresOf] as const,
    scores: [sql`series_score`, scoresOf] as const,
  }[of];
  const wanted = sql`dimension = ${dimension} ${source === null ? sql`` : sql`and source = ${source}`}`;
  const isNamed = values === null ? sql`` : sql`and value = any(${[...values]}::text[])`;
  // The times in a separate query: otherwise the cast of text to times is repeated for each row.
  const within = sql`
    organization_id = ${organizationId} and project_id = ${projectId} and hour >= ${from} and hour < ${to}
    and not (hour = any(array(select time::timestamptz from unnest(${hoursOf(live)}::text[]) time))) and ${wanted}`;
  // Value by value, so that each is read from its index: the planner expects one row for any hour and would read all values.
  const stored =
    values === null
      ? sql`select hour, value, ${columns} from ${table} where ${within}`
      : sql`
        select counts.* from unnest(${[...values]}::text[]) named (name)
        cross join lateral (
          select hour, value, ${columns} from ${table} where value = named.name and ${within} offset 0) counts`;
  if (live.length === 0) return stored;
  const records = countedRecords(sql, { organizationId, projectId, hours: live });
  return sql`
    ${stored}
    union all
    select hour, value, ${columns}
    from (with counted as materialized (${records}) ${counted(sql, organizationId)}) counted where ${wanted} ${isNamed}`;
};

const measureColumns = (sql: Sql) => sql`
  records, measured, failed, input_tokens, output_tokens, tokens_n, tokens_sum, tokens_squares, tokens_cubes, cost_n, cost_sum,
  cost_squares, cost_cubes, latency_bins, latency_counts, user_groups, user_measured, user_failed`;
const scoreColumns = (sql: Sql) => sql`
  metric_config_id, label, scored, counted, passed, pending, unscored, failed, score_sum, score_squares, user_groups, user_scored, user_passed,
  user_sums, user_squares`;

/** The values with most records, and how many there are. Reads series_measure_records. */
export const listGroups = (sql: Sql, scope: Scope, asked: Asked, most: number) => sql<
  { value: string; groups: number }[]
>`
  select value, (count(*) over ())::int as groups
  from (${rowsOf(sql, scope, asked, 'measures', sql`records`)}) measure
  group by value
  order by sum(records) desc, value
  limit ${most}`;

export type MeasureRow = {
  start: Date;
  value: string;
  records: number;
  measured: number;
  failed: number;
  inputTokens: number;
  outputTokens: number;
  tokensN: number;
  tokensSum: number;
  tokensSquares: number;
  tokensCubes: number;
  costN: number;
  costSum: number;
  costSquares: number;
  costCubes: number;
  /** `bin:count` of each bin of each hour, separated by commas. */
  latencies: string | null;
  /** `group:number` of each hour, as in `latencies`; null without users. */
  userMeasured: string | null;
  userFailed: string | null;
};

/** The numbers of the groups of users, hour by hour. */
const byUserGroup = (sql: Sql, numbers: Fragment) => sql`
  string_agg(array_to_string(user_groups, ',') || ':' || array_to_string(${numbers}, ','), ';') filter (where user_groups <> '{}')`;

/** Sums by bucket and value, oldest first. Reads series_measure_value. */
export const listMeasures = (sql: Sql, scope: Scope, asked: Asked) => sql<MeasureRow[]>`
  select date_trunc(${asked.bucket}::text, hour, 'UTC') as start, value, sum(records)::int as records,
    sum(measured)::int as measured, sum(failed)::int as failed,
    sum(input_tokens) as "inputTokens", sum(output_tokens) as "outputTokens",
    sum(tokens_n)::int as "tokensN", sum(tokens_sum) as "tokensSum", sum(tokens_squares) as "tokensSquares",
    sum(tokens_cubes) as "tokensCubes",
    sum(cost_n)::int as "costN", sum(cost_sum) as "costSum", sum(cost_squares) as "costSquares", sum(cost_cubes) as "costCubes",
    string_agg(array_to_string(latency_bins, ',') || ':' || array_to_string(latency_counts, ','), ';')
      filter (where latency_bins <> '{}') as latencies, ${byUserGroup(sql, sql`user_measured`)} as "userMeasured",
    ${byUserGroup(sql, sql`user_failed`)} as "userFailed"
  from (${rowsOf(sql, scope, asked, 'measures', measureColumns(sql))}) measure
  group by start, value
  order by start`;

export type ScoreRow = {
  start: Date;
  value: string;
  metricConfigId: string;
  /** The place of the label that the scores have; −1 for all scores. */
  label: number;
  /** Number of records with a score. */
  scored: number;
  /** What the passes and sums are over: these records, or their spans. */
  counted: number;
  passed: number;
  pending: number;
  unscored: number;
  failed: number;
  scoreSum: number;
  scoreSquares: number;
  userScored: string | null;
  userPassed: string | null;
  userSums: string | null;
  userSquares: number;
};

/** The same for scores. Reads series_score_value. */
export const listScores = (sql: Sql, scope: Scope, asked: Asked) => sql<ScoreRow[]>`
  select date_trunc(${asked.bucket}::text, hour, 'UTC') as start, value, metric_config_id as "metricConfigId", label,
    sum(scored)::int as scored, sum(counted)::int as counted, sum(passed)::int as passed, sum(pending)::int as pending, sum(unscored)::int as unscored,
    sum(failed)::int as failed, sum(score_sum) as "scoreSum", sum(score_squares) as "scoreSquares",
    ${byUserGroup(sql, sql`user_scored`)} as "userScored", ${byUserGroup(sql, sql`user_passed`)} as "userPassed",
    ${byUserGroup(sql, sql`user_sums`)} as "userSums", sum(user_squares) as "userSquares"
  from (${rowsOf(sql, scope, asked, 'scores', scoreColumns(sql))}) score
  group by start, value, metric_config_id, label
  order by start`;

export type SeriesMetric = {
  metricId: string;
  metricName: string;
  evalType: EvalType;
  outputType: OutputType;
  metricConfigId: string;
  current: boolean;
  /** JSON text of the labels of a category; null for other metrics. */
  labels: string | null;
  /** What its rates count. */
  unit: SeriesUnit;
};

/** The metrics of these configurations, by name, the newest configuration first. Leaves out deleted metrics. */
export const listMetricsOf = (sql: Sql, scope: Scope, configIds: readonly string[]) => sql<SeriesMetric[]>`
  select metric.id::text as "metricId", metric.name as "metricName", config.eval_type as "evalType",
    config.output_type as "outputType", config.id as "metricConfigId", metric.current_config_id = config.id as current,
    config.labels::text as labels,
    case when config.span_search is null then 'record' else 'span' end as unit
  from metric_config config
  join metric on metric.id = config.metric_id and metric.organization_id = ${scope.organizationId} and metric.deleted_at is null
  where config.organization_id = ${scope.organizationId} and config.id = any(${[...configIds]}::text[]::uuid[])
  order by lower(metric.name), metric.id, config.id desc`;

/** Finds the metrics for which monitors of a project draw at different rates, deleted ones included: their records stay. */
export const listUnequalRates = (sql: Sql, scope: Scope, projectId: bigint) => sql<
  { metricId: string; least: number; most: number }[]
>`
  select asked.metric_id::text as "metricId", min(monitor.sampling_rate) as least, max(monitor.sampling_rate) as most
  from monitor
  join monitor_metric asked on asked.monitor_id = monitor.id and asked.organization_id = ${scope.organizationId}
  where monitor.project_id = ${projectId} and monitor.organization_id = ${scope.organizationId}
  group by asked.metric_id
  having max(monitor.sampling_rate) > min(monitor.sampling_rate)`;

/** The names of system versions, each after that of its system. */
export const listVersionNames = (sql: Sql, scope: Scope, ids: readonly string[]) => sql<
  { id: string; name: string }[]
>`
  select version.id, system.name || ' ' || version.name as name
  from system_version version
  join system on system.id = version.system_id and system.organization_id = ${scope.organizationId}
  where version.organization_id = ${scope.organizationId} and version.id = any(${[...ids]}::text[]::uuid[])`;

export const findMonitorOfProject = (sql: Sql, scope: Scope, projectId: bigint, monitorId: string) => sql<
  { name: string }[]
>`
  select name from monitor
  where organization_id = ${scope.organizationId} and project_id = ${projectId} and id = ${monitorId} and deleted_at is null`;
