import { configHash } from '../../evaluation/metrics/config-hash.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';

export type PassportJudge = {
  projectId: string;
  metricName: string;
  hash: string;
  evalModelName: string | null;
  /** Other configurations of the metric with the same hash, newest first. */
  twins: string[];
};

/** Finds the configuration of a metric with its hash, and those that score exactly alike. */
export const findPassportJudge = (sql: Sql, scope: Scope, metricId: bigint, configId: string) => sql<
  PassportJudge[]
>`
  with hashed as (
    select config.id, config.eval_model_name, ${configHash(sql)} as hash from metric_config config
    where config.metric_id = ${metricId} and config.organization_id = ${scope.organizationId})
  select metric.project_id::text as "projectId", metric.name as "metricName", own.hash, own.eval_model_name as "evalModelName",
    array(select twin.id::text from hashed twin where twin.hash = own.hash and twin.id <> own.id order by twin.id desc) as twins
  from metric join hashed own on own.id = ${configId}
  where metric.id = ${metricId} and metric.organization_id = ${scope.organizationId}`;

/** Finds the newest battery verdict of configurations with this hash, as JSON text. Reads trial_metric. */
export const findBattery = (sql: Sql, scope: Scope, metricId: bigint, hash: string) => sql<
  { n: number; verdict: string }[]
>`
  select n, verdict::text as verdict from trial
  where metric_id = ${metricId} and organization_id = ${scope.organizationId} and kind = 'battery' and verdict is not null
    and verdict ->> 'metricHash' = ${hash}
  order by id desc
  limit 1`;

/** Finds the newest finished drift trial of a configuration. Reads trial_candidate_metric. */
export const findDrift = (sql: Sql, scope: Scope, metricId: bigint, configId: string) => sql<
  { n: number; verdict: 'drifted' | 'no drift seen'; sentence: string; createdAt: string }[]
>`
  select trial.n, candidate.drift ->> 'verdict' as verdict, candidate.drift ->> 'sentence' as sentence,
    iso_time(trial.created_at) as "createdAt"
  from trial_candidate candidate
  join trial on trial.id = candidate.trial_id and trial.organization_id = ${scope.organizationId}
  where candidate.metric_id = ${metricId} and candidate.metric_config_id = ${configId} and candidate.drift is not null
    and candidate.organization_id = ${scope.organizationId}
  order by trial.n desc
  limit 1`;

/** The newest runs, and their verdicts, that are read for the models that answer now. */
const recent = { runs: 3, scores: 100 };

/** Lists the models that answered lately for a configuration, in its newest runs that are not trials. Reads run_metric_metric and score_pkey. */
export const findServedLately = (sql: Sql, scope: Scope, metricId: bigint, configId: string) => sql<
  { model: string }[]
>`
  select distinct answered.model
  from (
    select run_metric.run_id from run_metric
    join run on run.id = run_metric.run_id and run.organization_id = ${scope.organizationId} and run.kind <> 'trial'
    where run_metric.metric_id = ${metricId} and run_metric.metric_config_id = ${configId}
      and run_metric.organization_id = ${scope.organizationId}
    order by run_metric.run_id desc limit ${recent.runs}) newest
  cross join lateral (
    select field_text(s.evidence, 'modelAnswered') as model from score s
    where s.run_id = newest.run_id and s.metric_config_id = ${configId} and s.organization_id = ${scope.organizationId}
      and s.state = 'scored' and s.scored_by is null
    order by s.n desc limit ${recent.scores}) answered
  where answered.model is not null
  order by answered.model`;
