import type { RequireChangeable } from '../../evaluation/metrics/configure-metric.ts';
import { lockMetric, type MetricConfig } from '../../evaluation/metrics/queries.ts';
import type { Sql } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors.ts';
import { bodyOf, one } from '../../platform/http/http.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { findSettings, updateSettings } from './queries.ts';
import type { ReviewSettings } from './schema.ts';
import { settlePending } from './settle.ts';

/** Of two against two there is no majority. */
const canTie = (
  { evalType, outputType }: Pick<MetricConfig, 'evalType' | 'outputType'>,
  { reviewers, rule }: ReviewSettings,
) => evalType === 'human' && outputType === 'boolean' && rule === 'majority' && reviewers % 2 === 0;

/** Throws 400 when a locked metric is to become one whose reviewers could tie. One that is so already stays. */
export const requireNoTies: RequireChangeable = async (tx, scope, metricId, before, after) => {
  const settings: ReviewSettings = JSON.parse(
    bodyOf(await findSettings(tx, scope, metricId), 'metric', String(metricId)),
  );
  if (canTie(after, settings) && !canTie(before, settings))
    throw invalid(
      '/outputType',
      'must not be boolean where an even number of reviewers decides by majority: change the review settings first',
    );
};

/**
 * Sets how many people score each record of a metric, and which of their scores counts. This makes no new configuration: what
 * a score says depends on the guidelines and the output type alone, and scores under one configuration can be compared
 * however many people were asked. Scores that are there stay; pending ones that enough people have reviewed are settled.
 */
export const setReviewSettings = async (
  tx: Sql,
  scope: Scope,
  metricId: bigint,
  settings: ReviewSettings,
): Promise<string> => {
  const metric = one(await lockMetric(tx, scope, metricId), 'metric', String(metricId));
  if (metric.evalType !== 'human') throw invalid('', 'must be about a human metric: others are not reviewed');
  if (canTie(metric, settings))
    throw invalid('/reviewers', 'must be odd: of two against two there is no majority');
  await updateSettings(tx, scope, metricId, settings);
  await settlePending(tx, scope, metricId, settings);
  return bodyOf(await findSettings(tx, scope, metricId), 'metric', String(metricId));
};
