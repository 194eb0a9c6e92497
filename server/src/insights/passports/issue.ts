import type { Static } from 'typebox';
import { passportFormat, passportVersion } from '../../../../client/src/passport/passport.ts';
import { defaultLevel } from '../../engine/statistics/intervals.ts';
import type { BatteryVerdict } from '../../engine/statistics/trial-schema.ts';
import type { Database } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors.ts';
import { requireOne } from '../../platform/http/http.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { readSource, requireJudge, requireMetric } from '../../scoring/labels/read-judge.ts';
import { endingsOf, findModelLists } from '../../scoring/providers/model-lists.ts';
import type { ProvidersOf } from '../../scoring/providers/providers-of.ts';
import type { JudgeCalibration } from '../analysis/calibration-schema.ts';
import { findServedLately, maxDays, untestedModels } from '../analysis/doubts.ts';
import { readCalibration } from '../analysis/read-calibration.ts';
import type { PassportKey } from './key.ts';
import { findBattery, findDrift, findPassportJudge } from './queries.ts';
import type { JudgePassport } from './schema.ts';

type Payload = Static<typeof JudgePassport.schema>['payload'];
type Calibration = Static<typeof JudgeCalibration.schema>;

const dayMs = 86_400_000;
const passportDays = 90;

export type PassportDeps = {
  db: Database;
  providersOf: ProvidersOf;
  key: PassportKey;
  clock: () => number;
};

/** What says how long a judge is as it was tested. */
type Judged = {
  battery: BatteryVerdict | null;
  servedLately: readonly string[];
  labelledAt: string | null;
  endsOn: string | null;
};

/** Why a battery does not count, and what to do; null if it does. */
export const whyNotCounted = (
  battery: BatteryVerdict | null,
  { servedLately, labelledAt, endsOn }: Pick<Judged, 'servedLately' | 'labelledAt' | 'endsOn'>,
  metricId: string,
  now: number,
): string | null => {
  const next = `run: dokima judge battery ${metricId} --start, or “Test for biases” on the page of the judge`;
  if (!battery) return `no battery has tested this configuration; ${next}`;
  if (!battery.complete) return `the newest battery did not test all biases; ${next}`;
  const days = Math.floor((now - Date.parse(battery.decidedAt)) / dayMs);
  if (days > maxDays.battery)
    return `the newest battery is ${days} days old, at most ${maxDays.battery} count; ${next}`;
  const labelDays = labelledAt === null ? 0 : Math.floor((now - Date.parse(labelledAt)) / dayMs);
  if (labelDays > maxDays.labels)
    return `its passport has expired: its newest label is ${labelDays} days old, at most ${maxDays.labels} count. Label some of its records again`;
  if (endsOn !== null && now >= Date.parse(`${endsOn}T00:00:00Z`))
    return `its passport has expired: the provider shut the model down on ${endsOn}. Try others: dokima succession ${metricId} --try MODEL`;
  const untested = untestedModels(battery, servedLately);
  if (untested.length > 0)
    return `${untested.join(', ')} answers now, which the newest battery has not tested; ${next}`;
  if (battery.verdict === 'biased')
    return `${battery.sentence}: change the prompt or the model, then ${next}`;
  if (battery.verdict === 'cannot tell') {
    const more = battery.biases.flatMap(({ numMoreRecords }) => numMoreRecords ?? []);
    const labels = more.length > 0 ? `: about ${Math.max(...more)} more pinned records would decide it` : '';
    return `${battery.sentence}${labels}. Label and pin more records, then ${next}`;
  }
  return null;
};

/** The end of a passport: the earliest of its reasons. */
const expiryOf = (
  now: number,
  days: number,
  { battery, labelledAt, endsOn }: Omit<Judged, 'servedLately'>,
) => {
  const ends: [at: number, reason: string][] = [
    [now + days * dayMs, `a passport holds for ${days} days, because providers change models under one name`],
  ];
  if (endsOn) ends.push([Date.parse(`${endsOn}T00:00:00Z`), 'the provider shuts the model down on that day']);
  if (battery)
    ends.push([
      Date.parse(battery.decidedAt) + maxDays.battery * dayMs,
      `a battery counts for ${maxDays.battery} days`,
    ]);
  if (labelledAt)
    ends.push([Date.parse(labelledAt) + maxDays.labels * dayMs, `labels count for ${maxDays.labels} days`]);
  const [at, expiryReason] = ends.sort(([a], [b]) => a - b)[0]!;
  return { expiresAt: new Date(at).toISOString(), expiryReason };
};

/** Calibrates a configuration by its own labels or, without any, by those of one that scores exactly alike. */
const calibrate = async (
  db: Database,
  scope: Scope,
  metric: Awaited<ReturnType<typeof requireMetric>>,
  configIds: readonly string[],
): Promise<Calibration> => {
  const source = await readSource(db, scope, metric, {});
  let first: Calibration | undefined;
  for (const configId of configIds) {
    const judge = await requireJudge(db, scope, metric.id, configId, null);
    const asked = { metricId: metric.id, judge, source, runId: null, judged: null, rates: [] };
    const answer = await readCalibration(db, scope, { ...asked, split: 'all', level: defaultLevel });
    const calibration = JSON.parse(answer) as Calibration;
    if (calibration.n > 0) return calibration;
    first ??= calibration;
  }
  return first!;
};

/** What a passport of a judge says now, unsigned. Throws 404 for an unknown configuration, 400 unless a model judges with it. */
export const describePassport = async (
  { db, providersOf, clock }: Omit<PassportDeps, 'key'>,
  scope: Scope,
  id: string,
  { metricConfigId, days = passportDays }: { metricConfigId?: string; days?: number },
): Promise<Payload> => {
  const now = clock();
  const metric = await requireMetric(db, scope, id);
  const { configId, evalType, ofSpans } = await requireJudge(db, scope, metric.id, metricConfigId, null);
  if (evalType !== 'ai' || ofSpans) throw invalid('', 'must name a metric by which a model scores records');
  const judge = requireOne(
    await db.read(scope, (sql) => findPassportJudge(sql, scope, metric.id, configId)),
    'metric',
    id,
  );
  const calibration = await calibrate(db, scope, metric, [configId, ...judge.twins]);
  const [tested] = await db.read(scope, (sql) => findBattery(sql, scope, metric.id, judge.hash));
  const battery = tested ? (JSON.parse(tested.verdict) as BatteryVerdict) : null;
  const [drift] = await db.read(scope, (sql) => findDrift(sql, scope, metric.id, configId));
  const served = await db.read(scope, (sql) => findServedLately(sql, scope, metric.id, configId));
  const servedLately = served.map(({ model }) => model);
  const [lists, providers] = await Promise.all([
    findModelLists(db, scope),
    providersOf(scope.organizationId).catch(() => []),
  ]);
  const [ending] = endingsOf([judge.evalModelName ?? ''], lists, providers, now);
  const { grade, sentence, loss, labelsBy, numLabels, labelledAt } = calibration.judge;
  const endsOn = ending?.endsOn ?? null;
  const reason = whyNotCounted(battery, { servedLately, labelledAt, endsOn }, id, now);
  return {
    format: passportFormat,
    version: passportVersion,
    projectId: judge.projectId,
    metricId: String(metric.id),
    metricName: judge.metricName,
    metricConfigId: configId,
    metricHash: judge.hash,
    grade,
    sentence,
    loss,
    sensitivity: calibration.sensitivity,
    specificity: calibration.specificity,
    assumption: calibration.assumption ?? 'the labelled records were chosen at random, and people are right',
    numLabels,
    labelsBy,
    labelledAt,
    calibratedConfigId: calibration.judge.metricConfigId,
    drift: drift
      ? { trialNumber: drift.n, verdict: drift.verdict, sentence: drift.sentence, createdAt: drift.createdAt }
      : null,
    battery,
    batteryTrialNumber: tested?.n ?? null,
    batteryCounts: reason === null,
    batteryReason: reason,
    model: { name: judge.evalModelName, servedLately, endsOn },
    issuedAt: new Date(now).toISOString(),
    ...expiryOf(now, days, { battery, labelledAt, endsOn }),
  };
};
