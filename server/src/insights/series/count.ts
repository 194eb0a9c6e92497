import { passed } from '../../evaluation/scores/queries.ts';
import type { Fragment, Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';

const hourMs = 3_600_000;

/** Hours of a project, whose records are counted. */
export type Hours = { organizationId: bigint; projectId: bigint; hours: readonly Date[] };

/**
 * The records that a project got in these hours, each with its run's source and version, its measure and its model. Copies that drift
 * trials made are left out: they are not answers of a system. Reads record_newest, then the keys of the record: `offset 0` keeps the
 * planner to them, whose estimates under row-level security made it read every record for an hour. An hour's end is a separate value: under
 * row-level security an index is not searched by a sum, and every newer record would be read.
 */
export const countedRecords = (sql: Sql, { organizationId, projectId, hours }: Hours): Fragment => sql`
  select r.run_id, r.n, wanted.hour,
    case run.kind when 'traces' then 'traces' else 'runs' end as source, run.system_version_id as version_id,
    m.latency_ms, m.input_tokens, m.output_tokens, m.tokens, m.cost_usd, m.num_errors, user_group(m.user_id) as user_group,
    coalesce(own.model, linked.model) as model
  from ${rowsOf(
    sql,
    hours.map((hour) => ({
      hour: hour.toISOString(),
      until: new Date(hour.getTime() + hourMs).toISOString(),
    })),
    { hour: 'timestamptz', until: 'timestamptz' },
    { as: 'wanted' },
  )}
  cross join lateral (
    select record.run_id, record.n, record.project_id, record.otel_link_id from record
    where record.organization_id = ${organizationId} and record.project_id = ${projectId}
      and record.created_at >= wanted.hour and record.created_at < wanted.until offset 0) r
  join run on run.id = r.run_id and run.organization_id = ${organizationId}
  left join lateral (
    select * from record_measure
    where record_measure.run_id = r.run_id and record_measure.n = r.n and record_measure.organization_id = ${organizationId}
    offset 0) m on true
  left join lateral (
    select trace.model from trace
    where trace.run_id = r.run_id and trace.n = r.n and trace.organization_id = ${organizationId} and trace.model is not null
    order by trace.id limit 1) own on true
  left join lateral (
    select trace.model from trace_link link
    join trace on trace.id = link.trace_id and trace.organization_id = ${organizationId}
    where r.otel_link_id is not null and link.project_id = r.project_id and link.link = r.otel_link_id
      and link.organization_id = ${organizationId} and trace.model is not null
    order by trace.id limit 1) linked on true
  where run.kind <> 'trial'`;

/** The dimensions that every record has, from columns of `of`. */
const commonDimensions = (sql: Sql, of: Fragment): Fragment => sql`
  values ('all', ''), ('model', coalesce(${of}.model, '')), ('version', coalesce(${of}.version_id::text, ''))`;

/** The dimensions that a record of `counted` has by rows of its own. */
const ownDimensions = (sql: Sql, organizationId: bigint): Fragment => sql`
  select 'tag', tag.text from record_tag tag
  where tag.run_id = counted.run_id and tag.n = counted.n and tag.organization_id = ${organizationId}
  union all
  select 'monitor', drawn.monitor_id::text from monitor_record drawn
  where drawn.run_id = counted.run_id and drawn.n = counted.n and drawn.drawn and drawn.organization_id = ${organizationId}`;

/** Each row of `counted` once for each of the dimensions that its record belongs to. */
const dimensionsOf = (sql: Sql, organizationId: bigint): Fragment => sql`
  cross join lateral (
    ${commonDimensions(sql, sql`counted`)}
    union all
    ${ownDimensions(sql, organizationId)}
  ) place (dimension, value)`;

/** The rows of series_measure of the records of `counted`. */
export const measuresOf = (sql: Sql, organizationId: bigint): Fragment => sql`
  select hour, source, dimension, value, sum(records)::int as records, sum(measured)::int as measured,
    sum(failed)::int as failed, sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens,
    sum(tokens_n)::int as tokens_n, sum(tokens_sum) as tokens_sum, sum(tokens_squares) as tokens_squares,
    sum(tokens_cubes) as tokens_cubes,
    sum(cost_n)::int as cost_n, sum(cost_sum) as cost_sum, sum(cost_squares) as cost_squares, sum(cost_cubes) as cost_cubes,
    coalesce(array_agg(bin order by bin) filter (where bin is not null), '{}') as latency_bins,
    coalesce(array_agg(records order by bin) filter (where bin is not null), '{}') as latency_counts,
    coalesce(min(users.user_groups), '{}') as user_groups, coalesce(min(users.user_measured), '{}') as user_measured,
    coalesce(min(users.user_failed), '{}') as user_failed
  from (
    select hour, source, dimension, value, case when latency_ms is not null then floor(ln(greatest(latency_ms, 1)) / ln(1.04::float8))::smallint end as bin,
      count(*)::int as records, count(num_errors) as measured, count(*) filter (where num_errors > 0) as failed,
      coalesce(sum(input_tokens), 0)::float8 as input_tokens, coalesce(sum(output_tokens), 0)::float8 as output_tokens,
      count(tokens) as tokens_n, coalesce(sum(tokens), 0) as tokens_sum, coalesce(sum(tokens * tokens), 0) as tokens_squares,
      coalesce(sum(tokens * tokens * tokens), 0) as tokens_cubes,
      count(cost_usd) as cost_n, coalesce(sum(cost_usd), 0) as cost_sum, coalesce(sum(cost_usd * cost_usd), 0) as cost_squares,
      coalesce(sum(cost_usd * cost_usd * cost_usd), 0) as cost_cubes
    from counted ${dimensionsOf(sql, organizationId)}
    group by hour, source, dimension, value, bin) binned
  left join (
    select hour, source, dimension, value, array_agg(user_group order by user_group) as user_groups,
      array_agg(measured order by user_group) as user_measured, array_agg(failed order by user_group) as user_failed
    from (
      select hour, source, dimension, value, user_group, count(num_errors)::int as measured,
        (count(*) filter (where num_errors > 0))::int as failed
      from (select * from counted where user_group is not null) counted ${dimensionsOf(sql, organizationId)}
      group by hour, source, dimension, value, user_group) of_group
    group by hour, source, dimension, value) users using (hour, source, dimension, value)
  group by hour, source, dimension, value`;

/** The spans of the record of score `s`, if its metric scores spans. Reads span_score_pkey. */
const countSpans = (sql: Sql, organizationId: bigint): Fragment => sql`
  select count(*)::int as n, (count(*) filter (where ${passed(sql, sql`span`)}))::int as passed,
    coalesce(sum(span.value), 0) as total, coalesce(sum(span.value * span.value), 0) as squares
  from span_score span
  where config.of_spans and s.value is not null and span.run_id = s.run_id and span.n = s.n
    and span.metric_config_id = s.metric_config_id and span.organization_id = ${organizationId} and span.value is not null`;

/**
 * The scores of the records of `from`, counted by `keys`: each as one, or as its spans if the metric scores spans. The spans of a record
 * without a user share a group, since they depend on each other as the records of a user do.
 * The scores of a category are counted by label; `label` is −1 for others.
 * Reads score_pkey for each record, then metric_config_pkey for each score: `offset 0` keeps that order, since the planner expects a
 * handful of records and has read all scores once for each configuration.
 */
const countScores = (sql: Sql, organizationId: bigint, from: Fragment, keys: Fragment): Fragment => sql`
  select metric_config_id, label, score_group as user_group, ${keys},
    count(*) filter (where state = 'scored' and score_value is not null) as scored,
    coalesce(sum(units) filter (where score_value is not null), 0) as counted, coalesce(sum(passes), 0) as passed,
    count(*) filter (where state = 'pending') as pending,
    count(*) filter (where state = 'unscored' or state = 'scored' and score_value is null) as unscored,
    count(*) filter (where state = 'failed') as failed,
    coalesce(sum(total), 0) as score_sum, coalesce(sum(squares), 0) as score_squares
  from (
    select counted.*, of_record.* from ${from} counted
    cross join lateral (
      select s.metric_config_id, s.state, s.value as score_value,
        case when config.has_labels and s.value is not null then ((s.value - floor(s.value)) * 1024)::smallint else -1 end as label,
        case when config.of_spans then coalesce(counted.user_group, user_group(s.run_id || '-' || s.n)) else counted.user_group end as score_group,
        case when config.of_spans then spans.n else 1 end as units,
        case when config.of_spans then spans.passed else (${passed(sql)})::int end as passes,
        case when config.of_spans then spans.total else s.value end as total,
        case when config.of_spans then spans.squares else s.value * s.value end as squares
      from score s
      cross join lateral (
        select metric_config.passing_threshold, metric_config.span_search is not null as of_spans,
          metric_config.labels is not null as has_labels
        from metric_config
        where metric_config.id = s.metric_config_id and metric_config.organization_id = ${organizationId} offset 0) config
      cross join lateral (${countSpans(sql, organizationId)}) spans
      where s.run_id = counted.run_id and s.n = counted.n and s.organization_id = ${organizationId} offset 0) of_record
    offset 0) of_score
  group by metric_config_id, label, score_group, ${keys}`;

/**
 * The rows of series_score of the records of `counted`. Scores are counted before they are spread over the dimensions that every record has:
 * spreading each took half of the time of a count. A category has a row over all its scores, and one for each label.
 */
export const scoresOf = (sql: Sql, organizationId: bigint): Fragment => {
  const placed = sql`(
    select counted.*, place.* from counted cross join lateral (${ownDimensions(sql, organizationId)}) place (dimension, value))`;
  return sql`
  select hour, source, dimension, value, metric_config_id, label, sum(scored)::int as scored, sum(counted)::int as counted,
    sum(passed)::int as passed, sum(pending)::int as pending, sum(unscored)::int as unscored, sum(failed)::int as failed, sum(score_sum) as score_sum,
    sum(score_squares) as score_squares,
    coalesce(array_agg(user_group order by user_group) filter (where user_group is not null), '{}') as user_groups,
    coalesce(array_agg(counted order by user_group) filter (where user_group is not null), '{}') as user_scored,
    coalesce(array_agg(passed order by user_group) filter (where user_group is not null), '{}') as user_passed,
    coalesce(array_agg(score_sum order by user_group) filter (where user_group is not null), '{}') as user_sums,
    coalesce(sum(score_squares) filter (where user_group is not null), 0) as user_squares
  from (
    select hour, source, dimension, value, metric_config_id, of_label.label, user_group, sum(scored)::int as scored, sum(counted)::int as counted,
      sum(passed)::int as passed, sum(pending) as pending, sum(unscored) as unscored, sum(failed) as failed, sum(score_sum) as score_sum,
      sum(score_squares) as score_squares
    from (
      select whole.hour, whole.source, place.dimension, place.value, metric_config_id, label, user_group, scored, counted, passed, pending,
        unscored, failed, score_sum, score_squares
      from (${countScores(sql, organizationId, sql`counted`, sql`hour, source, model, version_id`)}) whole
      cross join lateral (${commonDimensions(sql, sql`whole`)}) place (dimension, value)
      union all
      select hour, source, dimension, value, metric_config_id, label, user_group, scored, counted, passed, pending, unscored, failed,
        score_sum, score_squares
      from (${countScores(sql, organizationId, placed, sql`hour, source, dimension, value`)}) own) spread
    cross join lateral (
      select -1::smallint as label union all select spread.label where spread.label >= 0) of_label
    group by hour, source, dimension, value, metric_config_id, of_label.label, user_group) of_group
  group by hour, source, dimension, value, metric_config_id, label`;
};
