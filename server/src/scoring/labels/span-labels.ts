import { givenBy, madeBy } from '../../evaluation/scores/made-by.ts';
import type { Fragment, Sql } from '../../platform/db/database.ts';
import type { Owner, Scope } from '../../platform/http/scope.ts';
import type { LabelSource } from './label-source.ts';

/** The last value that a model or code gave for span score `s` before people replaced it. Reads span_score_history_record. */
const machineValue = (sql: Sql, { organizationId }: Owner) => sql`
  (select h.value from span_score_history h
    where h.run_id = s.run_id and h.n = s.n and h.metric_config_id = s.metric_config_id and h.otel_trace_id = s.otel_trace_id
      and h.span_id = s.span_id and h.organization_id = ${organizationId} and h.scored_by is null and h.value is not null
    order by h.id desc limit 1)`;

/** The scores of spans by the judge's configuration in the runs `ran`, as the table `judged`. Reads span_score_pkey for the records of each run. */
export const judgedSpans = (
  sql: Sql,
  { organizationId }: Owner,
  configId: string,
  threshold: number,
): Fragment => sql`
  select s.run_id, s.n, s.metric_config_id, s.value, s.scored_by, s.updated_at, ${givenBy(sql)} as maker, ${threshold}::float8 as threshold,
    s.otel_trace_id, s.span_id
  from ran
  cross join lateral (
    select * from span_score
    where span_score.run_id = ran.run_id and span_score.metric_config_id = ${configId} and span_score.organization_id = ${organizationId}
    offset 0) s`;

/** Labels of spans, one for each span that a source has said something about, like those of records. */
export const labelsOfSpans = (sql: Sql, scope: Scope, source: LabelSource): Fragment => {
  const { organizationId } = scope;
  const own = sql`case when s.scored_by is null then s.value else coalesce(${machineValue(sql, scope)}, s.value) end`;
  const span = sql`s.run_id, s.n, s.otel_trace_id, s.span_id`;
  if (source.of === 'metric')
    return sql`
      select distinct on (${span}) ${span}, person.value as human,
        (person.value >= coalesce(config.passing_threshold, 1))::int as human_passed, ${own} as judge,
        person.updated_at as labelled_at, null::text as rule, made.maker
      from metric_config config
      cross join judged s
      join span_score person on person.run_id = s.run_id and person.n = s.n and person.metric_config_id = config.id
        and person.otel_trace_id = s.otel_trace_id and person.span_id = s.span_id and person.organization_id = ${organizationId}
        and person.value is not null ${source.byPeople ? sql`and person.scored_by is not null` : sql``}
      cross join lateral (select ${madeBy(sql, sql`person`)} as maker) made
      where config.metric_id = ${source.metricId} and config.organization_id = ${organizationId}
      order by ${span}, coalesce(made.maker = 'model', false), person.updated_at desc`;
  if (source.of === 'thumbs')
    return sql`
      select ${span}, (avg(thumb.rating::int) > 0.5)::int as human, (avg(thumb.rating::int) > 0.5)::int as human_passed,
        min(${own}) as judge, max(thumb.updated_at) as labelled_at, null::text as rule,
        case when bool_or(thumb.made_by = 'model') then 'model' when bool_and(thumb.made_by = 'person') then 'person' else 'client' end as maker
      from judged s
      join annotation thumb on thumb.run_id = s.run_id and thumb.n = s.n and thumb.span_id = encode(s.span_id, 'hex')
        and thumb.otel_trace_id = encode(s.otel_trace_id, 'hex') and thumb.organization_id = ${organizationId}
      group by ${span}, thumb.made_by = 'model'
      having avg(thumb.rating::int) <> 0.5`;
  if (source.of === 'overrides')
    return sql`
      select ${span}, value as human, (value >= threshold)::int as human_passed, judge, updated_at as labelled_at, null::text as rule, maker
      from (
        select s.*, ${machineValue(sql, scope)} as judge from judged s
        where s.scored_by is not null and s.value is not null) s
      where judge is not null`;
  return sql`
    select ${span}, value as human, 0 as human_passed, value as judge, updated_at as labelled_at, null::text as rule, null::text as maker
    from judged s where false`;
};
