import { defaultLevel } from '../../engine/statistics/intervals.ts';
import { defaultPower } from '../../engine/statistics/paired-proportions.ts';
import { invalid } from '../../platform/errors.ts';
import type { App } from '../../platform/http/http.ts';
import { ApiErrorBody } from '../../platform/http/openapi.ts';
import type { PageRow } from '../../platform/http/pagination.ts';
import { answerRoute, ownOrganization, searchRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { ref } from '../../platform/named-schema.ts';
import { requireMetric } from '../../scoring/labels/read-judge.ts';
import { withRecords, withWorst } from './changed-records.ts';
import { ChangedTestcase, ChangesQuery, CompareQuery, RunComparison } from './compare-schema.ts';
import { compute } from './compute.ts';
import { growthsOf, planOf } from './plan-of-looks.ts';
import { readJudges } from './read-judges.ts';
import { readLabels, readSliceFields } from './read-labels.ts';
import { withNearDuplicates } from './read-near-duplicates.ts';
import { readRuns, requireRuns } from './read-run.ts';
import { readTries } from './read-tries.ts';
import type { RunColumns } from './run-scores.ts';
import type { RecordLabels } from './slices.ts';
import { readSwitches } from './switches.ts';
import { readUsage } from './usage-queries.ts';
import { readTraffic, refuseUnweighted } from './weights.ts';

const tags = ['Analysis'];

const requireDistinct = (runs: string[]): void => {
  if (new Set(runs).size < runs.length) throw invalid('/runs', 'must name each run once');
};

export const compareRoutes = (app: App, deps: RouteDeps): void => {
  const { db } = deps;
  const labelsOf = async (scope: Scope, runs: RunColumns[], by: string): Promise<RecordLabels[]> => {
    const labels: RecordLabels[] = [];
    for (const run of runs) labels.push(await readLabels(db, scope, run, by));
    return labels;
  };

  answerRoute(app, 'GET', '/runs/compare', {
    operationId: 'compareRuns',
    summary: 'Compare runs on the testcases that they share: differences, intervals and verdicts.',
    tags,
    of: ownOrganization,
    query: CompareQuery,
    response: ref(RunComparison),
    others: { 404: ref(ApiErrorBody) },
    answer: async ({ scope, query }) => {
      const { runs: ids, level = defaultLevel, power = defaultPower, seed = 1, measure = 'score' } = query;
      const { test = 'fixed', by, value, worst, slices = false, usage = false } = query;
      const { pairs = 'all', pooled = [] } = query;
      requireDistinct([...ids, ...pooled]);
      if (pooled.length > 0 && by !== undefined) throw invalid('/pooled', 'cannot be given with by');
      if (usage && by !== undefined) throw invalid('/usage', 'cannot be given with by');
      if (slices && by !== undefined) throw invalid('/slices', 'cannot be given with by');
      if (worst !== undefined && by !== undefined) throw invalid('/worst', 'cannot be given with by');
      if ((by === undefined) !== (value === undefined))
        throw invalid(by === undefined ? '/by' : '/value', 'by and value must be given together');
      refuseUnweighted(query);
      const heads = await requireRuns(db, scope, ids);
      const plan = await planOf(db, scope, query, heads);
      const found = await readRuns(
        db,
        scope,
        heads.map(({ id }) => id),
      );
      const runs = await withNearDuplicates(db, scope, found);
      const more = await requireRuns(db, scope, pooled);
      const pooledRuns = await readRuns(
        db,
        scope,
        more.map(({ id }) => id),
      );
      const judges = await readJudges(db, scope, runs);
      const slice = by === undefined ? null : { by, value: value!, labels: await labelsOf(scope, runs, by) };
      const metricIds = runs.flatMap(({ scores }) => scores.map(({ metricId }) => metricId));
      const switches = await readSwitches(db, scope, metricIds);
      const named = heads.map(({ testset, systemId, systemVersionId }) => ({
        testset: JSON.parse(testset ?? 'null'),
        systemId,
        systemVersionId,
      }));
      const comparison = await compute('compare', {
        runs,
        pooled: pooledRuns,
        tries: slice ? [] : await readTries(db, scope, { heads, pooled: more, runs }),
        pairsOf: pairs,
        heads: named,
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
      if (worst === undefined) return comparison;
      return withWorst(db, scope, JSON.parse(comparison), runs, { measure, count: worst });
    },
  });

  searchRoute(app, deps, '/runs/compare/testcases', {
    operationId: 'listChangedTestcases',
    summary: 'List the testcases whose scores changed between two runs.',
    tags,
    of: ownOrganization,
    query: ChangesQuery,
    item: ref(ChangedTestcase),
    others: { 404: ref(ApiErrorBody) },
    first: '',
    read: async ({ scope, query: { runs, metricId } }) => {
      requireDistinct(runs);
      const heads = await requireRuns(db, scope, runs);
      return { runIds: heads.map(({ id }) => id), metricId: (await requireMetric(db, scope, metricId)).id };
    },
    find: async ({ runIds, metricId }, afterKey, count, { scope, query }) => {
      const { measure = 'score', change = ['better', 'worse'], order = 'testcase' } = query;
      const [before, after] = await readRuns(db, scope, runIds, [metricId]);
      const job = {
        before: before!,
        after: after!,
        metricId: String(metricId),
        measure,
        change,
        order,
        afterKey,
        count,
      };
      const changes: PageRow[] = JSON.parse(await compute('listChanges', job));
      return query.records ? withRecords(db, scope, changes) : changes;
    },
  });
};
