import type { Sql } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors.ts';
import { bodyOf } from '../../platform/http/http.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { namePeopleIfUnknown } from '../labels/name-people.ts';
import {
  deleteOpenTrials,
  deletePinnedSet,
  findPinnedSet,
  insertPinnedLabels,
  insertPinnedSet,
  type NewSet,
  storeServedModels,
} from './pinned-queries.ts';
import { findConfigOfMetric } from './rescoring/queries.ts';

/** Minimum number of pinned records: one can show a change, but its uncertainty needs two. */
const fewestPinned = 2;

/**
 * Pins labelled records of a metric with its verdicts. They replace the pinned set with its trials, except those that adopted a candidate, which had another
 * reference.
 * Throws 400 when there are too few labels.
 */
export const pinRecords = async (tx: Sql, scope: Scope, metricId: bigint, set: NewSet): Promise<string> => {
  const [config] = await findConfigOfMetric(tx, scope, metricId, set.judge.configId);
  if (config?.spans) throw invalid('', 'must be about a metric that scores records: this one scores spans');
  await deletePinnedSet(tx, scope, metricId);
  await deleteOpenTrials(tx, scope, metricId);
  await insertPinnedSet(tx, scope, metricId, set);
  const { count } = await insertPinnedLabels(tx, scope, metricId, set);
  if (count < fewestPinned) {
    throw invalid(
      '',
      `needs ${fewestPinned} records that both people and this configuration of the judge have decided, not ${count}`,
    );
  }
  if (set.source.of === 'metric') await namePeopleIfUnknown(tx, scope, metricId, set.source.metricId);
  await storeServedModels(tx, scope, metricId, set.judge.configId);
  return bodyOf(await findPinnedSet(tx, scope, metricId), 'pinned set', String(metricId));
};
