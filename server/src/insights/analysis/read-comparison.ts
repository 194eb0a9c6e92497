import type { Static } from 'typebox';
import { defaultLevel } from '../../engine/statistics/intervals.ts';
import { defaultPower } from '../../engine/statistics/paired-proportions.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { requireMetric } from '../../scoring/labels/read-judge.ts';
import type { CompareQuery } from './compare-schema.ts';
import { type Compute, compute } from './compute.ts';
import { growthsOf, planOf } from './plan-of-looks.ts';
import { readDifferences, snapshotOf } from './read-differences.ts';
import { readJudges } from './read-judges.ts';
import { readLabels, readSliceFields } from './read-labels.ts';
import { withNearDuplicates } from './read-near-duplicates.ts';
import { readCriteria, readRuns, requireRuns } from './read-run.ts';
import { readTries } from './read-tries.ts';
import type { RunColumns } from './run-scores.ts';
import type { RecordLabels } from './slices.ts';
import { readSwitches } from './switches.ts';
import { readUsage } from './usage-queries.ts';
import { readTraffic, refuseUnweighted } from './weights.ts';

const labelsOf = async (
  db: Database,
  scope: Scope,
  runs: RunColumns[],
  by: string,
): Promise<RecordLabels[]> => {
  const labels: RecordLabels[] = [];
  for (const run of runs) labels.push(await readLabels(db, scope, run, by));
  return labels;
};

/** Reads runs with the scores of their metrics, or with the verdicts on the criteria of one. */
const readAll = async (
  db: Database,
  scope: Scope,
  runIds: bigint[],
  criteriaOf: bigint | null,
): Promise<(RunColumns & { numCriteriaLeftOut?: number })[]> => {
  if (criteriaOf === null) return readRuns(db, scope, runIds);
  const runs: (RunColumns & { numCriteriaLeftOut: number })[] = [];
  for (const id of runIds) runs.push(await readCriteria(db, scope, id, criteriaOf));
  return runs;
};

/** Compares the runs of a query. Returns the answer as JSON text, and the runs. Throws 404 for an unknown run. */
export const readComparison = async (
  db: Database,
  scope: Scope,
  query: Static<typeof CompareQuery>,
  computed: Compute = compute,
): Promise<{ text: string; runs: RunColumns[] }> => {
  const { runs: ids, level = defaultLevel, power = defaultPower, seed = 1, measure = 'score' } = query;
  const { test = 'fixed', by, value, slices = false, usage = false } = query;
  const { pairs = 'all', pooled = [] } = query;
  refuseUnweighted(query);
  const heads = await requireRuns(db, scope, ids);
  const plan = await planOf(db, scope, query, heads);
  const criteriaOf =
    query.criteriaOf === undefined
      ? null
      : (await requireMetric(db, scope, query.criteriaOf, heads[0]!.projectId)).id;
  const read = (runIds: bigint[]) => readAll(db, scope, runIds, criteriaOf);
  const found = await read(heads.map(({ id }) => id));
  const leftOut = Math.max(0, ...found.map(({ numCriteriaLeftOut = 0 }) => numCriteriaLeftOut));
  const runs = await withNearDuplicates(db, scope, found);
  const more = await requireRuns(db, scope, pooled);
  const pooledRuns = await read(more.map(({ id }) => id));
  // People's labels, and earlier tries, are of the metric and not of its criteria.
  const judges = criteriaOf === null ? await readJudges(db, scope, runs) : {};
  const slice = by === undefined ? null : { by, value: value!, labels: await labelsOf(db, scope, runs, by) };
  const metricIds =
    criteriaOf === null ? runs.flatMap(({ scores }) => scores.map(({ metricId }) => metricId)) : [];
  const switches = await readSwitches(db, scope, metricIds);
  const named = heads.map(({ testset, snapshot, split, systemId, systemVersionId }) => ({
    testset: JSON.parse(testset ?? 'null'),
    snapshot: snapshotOf({ snapshot }),
    split,
    systemId,
    systemVersionId,
  }));
  const text = await computed('compare', {
    runs,
    pooled: pooledRuns,
    tries: slice || criteriaOf !== null ? [] : await readTries(db, scope, { heads, pooled: more, runs }),
    pairsOf: pairs,
    heads: named,
    testcases: await readDifferences(db, scope, heads, pairs),
    plan,
    growths: test === 'sequential' ? await growthsOf(db, scope, heads) : {},
    traffic: await readTraffic(db, scope, runs, query),
    drawnRunIds: heads.flatMap(({ id, isOrderDrawn }) => (isOrderDrawn ? [id.toString()] : [])),
    judges,
    switches,
    slice,
    usage: usage ? await readUsage(db, scope, runs) : null,
    sliceFields: slices ? await readSliceFields(db, scope, runs) : null,
    level,
    power,
    seed,
    measure,
    test,
  });
  return {
    text: criteriaOf === null ? text : `{"numCriteriaLeftOut":${leftOut},${text.slice(1)}`,
    runs,
  };
};
