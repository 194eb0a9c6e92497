import { type RequireChangeable, setJudging } from '../../evaluation/metrics/configure-metric.ts';
import { type LockedMetric, lockMetric, type MetricConfig } from '../../evaluation/metrics/queries.ts';
import type { Sql } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors.ts';
import { bodyOf, requireOne } from '../../platform/http/http.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { setPeopleMetric } from '../../scoring/labels/name-people.ts';
import type { Reviewing } from '../queues/schema.ts';
import { settlePending } from '../queues/settle.ts';
import { findMetricSettings, updateReviewing } from './queries.ts';
import type { MetricSettingsUpdate } from './schema.ts';

const readReviewing = async (tx: Sql, scope: Scope, metricId: bigint): Promise<Reviewing> =>
  JSON.parse(bodyOf(await findMetricSettings(tx, scope, metricId), 'metric', String(metricId)));

/** Tells whether reviewers could tie: two against two is not a majority. */
const canTie = (
  { evalType, outputType, criteria }: Pick<MetricConfig, 'evalType' | 'outputType' | 'criteria'>,
  { numReviewers, reviewRule }: Reviewing,
) =>
  evalType === 'human' &&
  (outputType === 'boolean' || criteria !== null) &&
  reviewRule === 'majority' &&
  numReviewers % 2 === 0;

/** Throws 400 when a change makes ties possible for a metric, which must be locked. */
export const requireNoTies: RequireChangeable = async (tx, scope, metricId, before, after) => {
  const settings = await readReviewing(tx, scope, metricId);
  if (canTie(after, settings) && !canTie(before, settings))
    throw invalid(
      after.criteria === null ? '/outputType' : '/criteria',
      after.criteria === null
        ? 'must not be boolean while an even number of reviewers decides by majority; change the settings of the metric first'
        : 'must be null while an even number of reviewers decides by majority: each criterion has a majority; change the settings of the metric first',
    );
};

/**
 * Sets how many people review each score of a locked metric, and which review counts. It makes no new configuration, since guidelines
 * and output type stay, and so scores of more and fewer reviewers can be compared. Existing scores stay; pending scores with
 * enough reviews are settled. Throws 400 for a metric that is not human, and for settings that allow ties.
 */
const setReviewing = async (
  tx: Sql,
  scope: Scope,
  metricId: bigint,
  metric: LockedMetric,
  changes: Partial<Reviewing>,
): Promise<void> => {
  const { numReviewers, reviewRule } = await readReviewing(tx, scope, metricId);
  const changed = { numReviewers, reviewRule, ...changes };
  if (changed.numReviewers === numReviewers && changed.reviewRule === reviewRule) return;
  if (metric.evalType !== 'human')
    throw invalid(`/${Object.keys(changes)[0]}`, 'can be changed for a human metric only');
  if (canTie(metric, changed))
    throw changes.numReviewers === undefined
      ? invalid(
          '/reviewRule',
          'must be latest for an even number of reviewers: two against two is not a majority',
        )
      : invalid('/numReviewers', 'must be odd, because two against two is not a majority');
  await updateReviewing(tx, scope, metricId, changed);
  await settlePending(tx, scope, metricId, changed);
};

/** Changes the settings of a metric that the body names. Throws 400 for a setting that does not fit its evalType. */
export const updateMetricSettings = async (
  tx: Sql,
  scope: Scope,
  metricId: bigint,
  { numReviewers, reviewRule, peopleMetricId, ...judging }: MetricSettingsUpdate,
): Promise<string> => {
  const metric = requireOne(await lockMetric(tx, scope, metricId), 'metric', String(metricId));
  await setJudging(tx, scope, metricId, metric, judging);
  if (peopleMetricId !== undefined)
    await setPeopleMetric(tx, scope, metricId, metric.evalType, peopleMetricId);
  await setReviewing(tx, scope, metricId, metric, {
    ...(numReviewers !== undefined && { numReviewers }),
    ...(reviewRule !== undefined && { reviewRule }),
  });
  return bodyOf(await findMetricSettings(tx, scope, metricId), 'metric', String(metricId));
};
