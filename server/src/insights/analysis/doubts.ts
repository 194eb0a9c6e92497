/** What keeps a judge from being trusted as its grade says: a bias battery, drift, and evidence that is too old. */

import { gradeText } from '../../../../client/src/gate/grade.ts';
import type { JudgeStatus } from '../../engine/statistics/calibration-schema.ts';
import type { BatteryVerdict } from '../../engine/statistics/trial-schema.ts';
import { configHash } from '../../evaluation/metrics/config-hash.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { Doubt } from './judge-schema.ts';

const dayMs = 86_400_000;
/** Ages after which a battery and labels no longer speak of the judge: providers change models within months (docs/decisions/0239). */
export const maxDays = { battery: 180, labels: 365 };

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

/**
 * Finds the newest battery that tested all biases or found one, of configurations that score exactly alike, and the newest drift of this one.
 * Reads trial_metric and trial_candidate_metric.
 */
const findTested = (sql: Sql, scope: Scope, metricId: bigint, configId: string) => sql<
  { now: number; battery: string | null; drift: string | null }[]
>`
  select (extract(epoch from now()) * 1000)::float8 as now,
    (select trial.verdict::text from trial
      where trial.metric_id = ${metricId} and trial.organization_id = ${scope.organizationId} and trial.kind = 'battery'
        and (trial.verdict ->> 'complete' = 'true' or trial.verdict ->> 'verdict' = 'biased')
        and trial.verdict ->> 'metricHash' = ${configHash(sql)}
      order by trial.id desc limit 1) as battery,
    (select candidate.drift ->> 'verdict' from trial_candidate candidate
      join trial on trial.id = candidate.trial_id and trial.organization_id = ${scope.organizationId}
      where candidate.metric_id = ${metricId} and candidate.metric_config_id = ${configId} and candidate.drift is not null
        and candidate.organization_id = ${scope.organizationId}
      order by trial.n desc limit 1) as drift
  from metric_config config
  where config.id = ${configId} and config.organization_id = ${scope.organizationId}`;

/** The models that answer now and that a battery has not tested. */
export const untestedModels = (battery: BatteryVerdict, servedLately: readonly string[]): string[] =>
  servedLately.filter((model) => !battery.servedModelNames.includes(model));

const ageOf = (at: string, now: number): number => Math.floor((now - Date.parse(at)) / dayMs);

const doubtsOfBattery = (battery: BatteryVerdict, servedLately: readonly string[], now: number): Doubt[] => {
  const of = `its bias battery of ${battery.decidedAt.slice(0, 10)}`;
  const days = ageOf(battery.decidedAt, now);
  const untested = untestedModels(battery, servedLately).join(', ');
  return [
    ...(battery.verdict === 'biased'
      ? [{ code: 'biased' as const, words: 'biased', sentence: `${of} says: ${battery.sentence}` }]
      : []),
    ...(battery.verdict === 'cannot tell'
      ? [
          {
            code: 'biasUndecided' as const,
            words: 'biases not decided',
            sentence: `${of} says: ${battery.sentence}`,
          },
        ]
      : []),
    ...(days > maxDays.battery
      ? [
          {
            code: 'batteryExpired' as const,
            words: 'bias battery expired',
            sentence: `${of} is ${days} days old, at most ${maxDays.battery} count`,
          },
        ]
      : []),
    ...(untested
      ? [
          {
            code: 'modelUntested' as const,
            words: 'model not tested for biases',
            sentence: `${untested} answers now, which ${of} has not tested`,
          },
        ]
      : []),
  ];
};

/** Says what keeps a judge from being trusted as its grade says. `labelledAt`: when its newest label was given. */
export const readDoubts = async (
  db: Database,
  scope: Scope,
  { metricId, configId }: { metricId: bigint; configId: string },
  labelledAt: string | null,
): Promise<Doubt[]> => {
  const [found] = await db.read(scope, (sql) => findTested(sql, scope, metricId, configId));
  if (!found) return [];
  const battery = found.battery === null ? null : (JSON.parse(found.battery) as BatteryVerdict);
  const served = battery
    ? await db.read(scope, (sql) => findServedLately(sql, scope, metricId, configId))
    : [];
  const days = labelledAt === null ? 0 : ageOf(labelledAt, found.now);
  return [
    ...(battery
      ? doubtsOfBattery(
          battery,
          served.map(({ model }) => model),
          found.now,
        )
      : []),
    ...(found.drift === 'drifted'
      ? [
          {
            code: 'drifted' as const,
            words: 'drifted',
            sentence: 'its newest drift trial says that it drifted',
          },
        ]
      : []),
    ...(days > maxDays.labels
      ? [
          {
            code: 'labelsExpired' as const,
            words: 'labels expired',
            sentence: `its newest label is ${days} days old, at most ${maxDays.labels} count`,
          },
        ]
      : []),
  ];
};

/** The status of a judge with its doubts, which its sentence names too. */
export const withDoubts = <Status extends Pick<JudgeStatus, 'grade' | 'state' | 'sentence'>>(
  status: Status,
  doubts: readonly Doubt[],
) => ({
  ...status,
  trust: [gradeText(status), ...doubts.map(({ words }) => words)].join('; '),
  doubts: [...doubts],
  sentence: [status.sentence, ...doubts.map(({ sentence }) => sentence)].join('; '),
});
