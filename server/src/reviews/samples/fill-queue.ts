import { randomInt } from 'node:crypto';
import { lockMetric } from '../../evaluation/metrics/queries.ts';
import { requireRecordMetric } from '../../evaluation/scores/upsert-scores.ts';
import type { Sql } from '../../platform/db/database.ts';
import { conflict, invalid } from '../../platform/errors.ts';
import { bodyOf, requireOne } from '../../platform/http/http.ts';
import { newUuid, numericId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { allocate } from './allocate.ts';
import {
  type Design,
  drawRecords,
  findMetricOf,
  findSample,
  findSampledRun,
  findSampleOf,
  insertFrame,
  insertSample,
  listStrata,
  queueSample,
  type Sample,
  type StoredStratum,
} from './sample-queries.ts';
import { type ReviewSampleCreate, strataSources } from './sample-schema.ts';

/** Maximum number of strata: with more, a sample that people can score would hold little more than one record of each. */
const maxStrata = 100;

/** Reads the source of the strata. Throws 400 unless exactly one source is given. */
const readStrata = (stratifyBy: ReviewSampleCreate['stratifyBy'] | null): Pick<Design, 'source' | 'name'> => {
  if (!stratifyBy) return { source: null, name: null };
  const [source, another] = strataSources.filter((key) => stratifyBy[key] !== undefined);
  if (!source || another)
    throw invalid('/stratifyBy', `must have exactly one of ${strataSources.join(', ')}`);
  const name = stratifyBy[source]!;
  return { source, name: source === 'metricId' ? String(numericId('metric', name)) : name };
};

/**
 * Throws 409 when the request's seed, strata or allocation differ from those of the sample: after a second draw by
 * another design the chance of each record would be unknown.
 */
const requireSameDesign = (
  body: ReviewSampleCreate,
  strata: Pick<Design, 'source' | 'name'>,
  sample: Sample,
) => {
  const same =
    (body.seed ?? sample.seed) === sample.seed &&
    (body.allocation ?? sample.allocation) === sample.allocation &&
    (!body.stratifyBy || (strata.source === sample.source && strata.name === sample.name));
  if (!same) {
    const { id, seed, source, name, allocation } = sample;
    throw conflict(
      'The queue of this run was filled with another design. Extend it with the same one (leave out seed, stratifyBy and allocation), ' +
        'so that the inclusion probabilities stay correct.',
      { sampleId: id, seed, stratifyBy: source && { [source]: name }, allocation },
    );
  }
};

/** Returns how many records to draw from the strata in all. Throws 400 for a total that can't be drawn. */
const readTotal = ({ size, share }: ReviewSampleCreate, strata: readonly StoredStratum[]): number => {
  const numRecords = strata.reduce((sum, stratum) => sum + stratum.numRecords, 0);
  const least = strata.reduce((sum, stratum) => sum + Math.max(1, stratum.numDrawn), 0);
  if (numRecords === 0) throw invalid('', 'must be about a run with records');
  // 0.1 × 30 is 3.0000000000000004, which must not become 4.
  const ofShare = (part: number) => Math.ceil(Number((part * numRecords).toPrecision(12)));
  const [path, total] = size === undefined ? ['/share', ofShare(share!)] : ['/size', size];
  if (total > numRecords) throw invalid(path, `must be at most ${numRecords}: the run has no more records`);
  if (total < least)
    throw invalid(
      path,
      `must make at least ${least} records: drawn records stay, and each of the ${strata.length} strata needs one` +
        'or its records could not have been drawn at all',
    );
  return total;
};

/**
 * Fills a metric's queue with a random sample of a run, or extends its sample. Records of a stratum are drawn in one fixed random
 * order: a larger sample holds the smaller one and is itself a simple random sample, so each record's inclusion probability is
 * numDrawn / numRecords of its stratum. Records that are new since the first draw form separate strata. Throws 409 if no such probability
 * exists: the run queues all its records, or was sampled by another design.
 */
export const fillQueue = async (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  body: ReviewSampleCreate,
): Promise<string> => {
  if ((body.size === undefined) === (body.share === undefined))
    throw invalid('', 'must have either size or share');
  const metricId = numericId('metric', body.metricId);
  const strataOf = readStrata(body.stratifyBy);
  const run = requireOne(await findSampledRun(tx, scope, runId, metricId), 'run', String(runId));
  requireOne(await findMetricOf(tx, scope, run.projectId, metricId), 'metric', body.metricId);
  if (strataOf.source === 'metricId') {
    const other = BigInt(strataOf.name!);
    requireOne(await findMetricOf(tx, scope, run.projectId, other), 'metric', strataOf.name!);
    if (other === metricId) throw invalid('/stratifyBy/metricId', 'must be another metric');
  }
  const metric = requireOne(await lockMetric(tx, scope, metricId), 'metric', body.metricId);
  const { configId, evalType } = metric;
  if (evalType !== 'human') throw invalid('/metricId', 'must be a human metric: only those are reviewed');
  requireRecordMetric(metric);
  if (run.scoredByRun)
    throw conflict(
      'This run scores all its records with this metric, so they are queued already. Sample a run without this metric.',
      { runId: String(runId), metricId: body.metricId },
    );

  const [before] = await findSampleOf(tx, scope, runId, configId);
  if (before) requireSameDesign(body, strataOf, before);
  const { seed = randomInt(2 ** 32), allocation = 'proportional' } = body;
  const sample = before ?? { id: newUuid(), seed, allocation, ...strataOf };
  if (!before) await insertSample(tx, scope, runId, { metricId, configId }, sample);
  await insertFrame(tx, scope, runId, sample);
  const strata = await listStrata(tx, scope, sample.id);
  if (strata.length > maxStrata)
    throw invalid('/stratifyBy', `must give at most ${maxStrata} strata, not ${strata.length}`);
  const total = readTotal(body, strata);
  await drawRecords(tx, scope, sample.id, allocate(strata, total, sample.allocation));
  await queueSample(tx, scope, runId, sample.id, configId);
  return bodyOf(await findSample(tx, scope, sample.id), 'review sample', sample.id);
};
