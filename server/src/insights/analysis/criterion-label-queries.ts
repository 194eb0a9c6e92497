import type { Fragment, Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type JudgeConfig, type LabelSource, withLabels } from '../../scoring/labels/queries.ts';

/** What a judge and people said about each criterion of the labelled records. */
export type CriterionLabels = {
  /** The criteria of the judge, as JSON; null if it has none. */
  criteria: string | null;
  /** JSON of [record, verdicts of the judge, verdicts of people][]: 1, 0, or null by id of the criterion; null without verdicts. */
  said: string | null;
};

/** Verdicts of a score by the id of their criterion. */
const verdictsOf = (sql: Sql, criteria: Fragment) => sql`
  (select json_object_agg(verdict ->> 'id', case verdict ->> 'met' when 'true' then 1 when 'false' then 0 end)
    from json_array_elements(case when json_typeof(${criteria}) = 'array' then ${criteria} end) verdict)`;

const criteriaIn = (sql: Sql, score: Fragment) =>
  sql`coalesce(${score}.score -> 'criteria', ${score}.evidence -> 'criteria')`;

/** The criteria of the newest score of people for a labelled record; of people's own score in the judge's place for overrides. */
const ofPeople = (sql: Sql, scope: Scope, source: LabelSource): Fragment => {
  if (source.of === 'overrides')
    return sql`select case when s.scored_by is not null then ${criteriaIn(sql, sql`s`)} end as criteria`;
  if (source.of !== 'metric') return sql`select null::json as criteria`;
  return sql`
    select ${criteriaIn(sql, sql`person`)} as criteria
    from score person
    join metric_config config on config.id = person.metric_config_id and config.metric_id = ${source.metricId}
      and config.organization_id = ${scope.organizationId}
    where person.run_id = labels.run_id and person.n = labels.n and person.value is not null
      and person.organization_id = ${scope.organizationId}
      ${source.byPeople ? sql`and person.scored_by is not null and not person.sent` : sql``}
    order by person.updated_at desc limit 1`;
};

/** Returns the verdicts on the criteria of labelled records. Reads score_pkey for each, and what people replaced from score_history_record. */
export const findCriterionLabels = (
  sql: Sql,
  scope: Scope,
  judge: JudgeConfig,
  source: LabelSource,
  runIds: bigint[],
) => sql<CriterionLabels[]>`
  ${withLabels(sql, scope, judge, source, runIds)}
  select (
      select config.criteria::text from metric_config config
      where config.id = ${judge.configId} and config.organization_id = ${scope.organizationId}) as criteria,
    json_agg(json_build_array(labels.run_id || '-' || labels.n, ${verdictsOf(sql, sql`of_judge.criteria`)},
      ${verdictsOf(sql, sql`of_people.criteria`)}))::text as said
  from labels
  join score s on s.run_id = labels.run_id and s.n = labels.n and s.metric_config_id = ${judge.configId}
    and s.organization_id = ${scope.organizationId}
  cross join lateral (
    select coalesce((
        select ${criteriaIn(sql, sql`h`)} from score_history h
        where s.scored_by is not null and h.run_id = s.run_id and h.n = s.n and h.metric_config_id = s.metric_config_id
          and h.organization_id = ${scope.organizationId} and h.scored_by is null and h.state <> 'pending'
        order by h.id desc limit 1), ${criteriaIn(sql, sql`s`)}) as criteria offset 0) of_judge
  left join lateral (${ofPeople(sql, scope, source)}) of_people on true`;
