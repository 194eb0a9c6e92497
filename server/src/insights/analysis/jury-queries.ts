import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type JudgeConfig, judgeValue, type LabelSource, withLabels } from '../../scoring/labels/queries.ts';

export type JuryModels = { models: string[] };

/** Returns the models of a configuration's jury, its own first; no row without a jury. */
export const findJuryModels = (sql: Sql, scope: Scope, configId: string) => sql<JuryModels[]>`
  select array_prepend(eval_model_name, jury_models) as models from metric_config
  where id = ${configId} and organization_id = ${scope.organizationId} and cardinality(jury_models) > 0`;

/** A record, or a span, that a jury judged. */
export type JuryRecord = {
  /** The record, or that of the span: spans of one record are one unit. */
  record: string;
  /** Null without a testcase. */
  testcase: string | null;
  /** The jury's score; null without one. */
  verdict: number | null;
  /** Whether people pass the record; null without a label. */
  human: boolean | null;
  /** JSON of each model with its score, [model, value | null][]. */
  said: string;
};

/** Maximum number of records whose evidence, which is long, is read, newest first. */
export const maxJuryRecords = 2_000;

/** The same for a jury that judges spans. Reads span_score_pkey for each of the spans. */
const listJurySpans = (sql: Sql, scope: Scope, judge: JudgeConfig, source: LabelSource) => {
  const span = sql`run_id, n, otel_trace_id, span_id`;
  const newest = sql`order by run_id desc, n desc, otel_trace_id, span_id limit ${maxJuryRecords}`;
  return sql<JuryRecord[]>`
  ${withLabels(sql, scope, judge, source, [])},
  seen as (
    (select ${span} from judged ${newest})
    union (select ${span} from labels ${newest})),
  verdicts as (
    select s.run_id, s.n, s.otel_trace_id, s.span_id, coalesce(own.value, s.value) as verdict, coalesce(own.evidence, s.evidence) as evidence
    from seen
    join span_score s on s.run_id = seen.run_id and s.n = seen.n and s.metric_config_id = ${judge.configId}
      and s.otel_trace_id = seen.otel_trace_id and s.span_id = seen.span_id and s.organization_id = ${scope.organizationId}
    left join lateral (
      select h.value, h.evidence from span_score_history h
      where s.scored_by is not null and h.run_id = s.run_id and h.n = s.n and h.metric_config_id = s.metric_config_id
        and h.otel_trace_id = s.otel_trace_id and h.span_id = s.span_id and h.organization_id = ${scope.organizationId}
        and h.scored_by is null and h.value is not null
      order by h.id desc limit 1) own on true)
  select verdicts.run_id || '-' || verdicts.n as record, r.testset_id || '-' || r.testcase_n as testcase, verdict,
    labels.human_passed = 1 as human, ${saidBy(sql)} as said
  from verdicts
  join record r on r.run_id = verdicts.run_id and r.n = verdicts.n and r.organization_id = ${scope.organizationId}
  left join labels on labels.run_id = verdicts.run_id and labels.n = verdicts.n
    and labels.otel_trace_id = verdicts.otel_trace_id and labels.span_id = verdicts.span_id
  where json_typeof(evidence -> 'jury') = 'array'`;
};

/** What each model said, from the evidence of a verdict. */
const saidBy = (sql: Sql) => sql`(
      select coalesce(json_agg(json_build_array(juror -> 'modelName', juror -> 'verdict' -> 'value')), '[]')
      from json_array_elements(evidence -> 'jury') juror)::text`;

/** Verdicts of each model of a jury: on the newest records that it judged, and on the newest that people labelled. */
export const listJuryRecords = (sql: Sql, scope: Scope, judge: JudgeConfig, source: LabelSource) =>
  judge.ofSpans
    ? listJurySpans(sql, scope, judge, source)
    : sql<JuryRecord[]>`
  ${withLabels(sql, scope, judge, source, [])},
  seen as (
    (select run_id, n from judged order by run_id desc, n desc limit ${maxJuryRecords})
    union (select run_id, n from labels order by run_id desc, n desc limit ${maxJuryRecords})),
  verdicts as (
    select s.run_id, s.n, ${judgeValue(sql, scope)} as verdict, case when s.scored_by is null then s.evidence else (
        select h.evidence from score_history h
        where h.run_id = s.run_id and h.n = s.n and h.metric_config_id = s.metric_config_id
          and h.organization_id = ${scope.organizationId} and h.scored_by is null and h.value is not null
        order by h.id desc limit 1) end as evidence
    from seen
    join score s on s.run_id = seen.run_id and s.n = seen.n and s.metric_config_id = ${judge.configId}
      and s.organization_id = ${scope.organizationId})
  select verdicts.run_id || '-' || verdicts.n as record, r.testset_id || '-' || r.testcase_n as testcase, verdict,
    labels.human_passed = 1 as human, ${saidBy(sql)} as said
  from verdicts
  join record r on r.run_id = verdicts.run_id and r.n = verdicts.n and r.organization_id = ${scope.organizationId}
  left join labels on labels.run_id = verdicts.run_id and labels.n = verdicts.n
  where json_typeof(evidence -> 'jury') = 'array'`;
