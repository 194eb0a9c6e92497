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
