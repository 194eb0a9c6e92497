import { Type } from 'typebox';
import { defaultLevel } from '../../engine/statistics/intervals.ts';
import { defaultPower } from '../../engine/statistics/paired-proportions.ts';
import { requireReadableProject } from '../../evaluation/projects/queries.ts';
import { project } from '../../evaluation/resources.ts';
import { countTestcases } from '../../evaluation/runs/queries.ts';
import { countWanted, requireNoTestcases } from '../../evaluation/testsets/wanted-testcases.ts';
import { invalid } from '../../platform/errors.ts';
import { type App, requireOne } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { pathParam } from '../../platform/http/openapi.ts';
import { answerRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { ref } from '../../platform/named-schema.ts';
import { requireMetric } from '../../scoring/labels/read-judge.ts';
import { compute } from './compute.ts';
import type { KeepSummary } from './keep-summaries.ts';
import type { PlannedTestset } from './plan.ts';
import { Plan, PlanQuery, Trends, TrendsQuery } from './project-schema.ts';
import { findNewestRuns, findTestcaseLabels } from './queries.ts';
import { readJudges } from './read-judges.ts';
import { readCriteria, readRuns } from './read-run.ts';
import type { RunColumns } from './run-scores.ts';
import { readTrends } from './trends.ts';
import { askedWeights } from './weights.ts';

const tags = ['Analysis'];
const _params = Type.Object({ projectId: pathParam('project') });

/** Earlier runs that a plan reads: the newest gives the variances, an earlier one the correlation with it. */
const planRuns = 5;
/** Runs whose criteria a plan reads: one gives the variances, both the correlation. */
const criteriaRuns = 2;

export const projectAnalysisRoutes = (app: App, { db }: RouteDeps, kept: KeepSummary): void => {
  /** Reads the size and the groups of a testset. Throws 404 when the project has no such testset. */
  const readTestset = async (
    scope: Scope,
    projectId: bigint,
    id: string,
    split: string | undefined,
  ): Promise<PlannedTestset> => {
    const testsetId = numericId('testset', id);
    const rows = await db.read(scope, (sql) => countTestcases(sql, scope, projectId, testsetId));
    const all = requireOne(rows, 'testset', id);
    const { n } =
      split === undefined
        ? all
        : await countWanted((one) => db.read(scope, one), scope, testsetId, { split });
    const wanted = { testsetIds: [String(testsetId)], numbers: null, split };
    const labels = await db.read(scope, (sql) => findTestcaseLabels(sql, scope, wanted, null));
    return { id: Number(testsetId), n, labels };
  };

  answerRoute(app, 'GET', '/projects/:projectId/trends', {
    operationId: 'listTrends',
    summary: 'List each metric of a project over its latest runs, each point with its uncertainty.',
    tags,
    of: project,
    query: TrendsQuery,
    response: ref(Trends),
    answer: async ({ scope, params, query }) => {
      const { limit = 20, level = defaultLevel, kind, scored, judges = false } = query;
      const projectId = numericId('project', params.projectId);
      await requireReadableProject(db, scope, projectId);
      const weights = askedWeights(query);
      if (weights && judges)
        throw invalid(
          '/judges',
          "cannot be weighted: people's labels correct the rate of all records; leave out judges, or the weights",
        );
      const metric = query.metricId && (await requireMetric(db, scope, query.metricId, projectId));
      const ofMetric = metric ? metric.id : undefined;
      const job = { projectId, metricId: ofMetric, kind, scored, limit, level, judges, weights };
      return JSON.stringify(await readTrends(db, scope, kept, job));
    },
  });

  answerRoute(app, 'GET', '/projects/:projectId/plan', {
    operationId: 'planRun',
    summary: 'Plan a comparison from earlier runs.',
    description: 'How many testcases it needs, or how small a difference it can detect.',
    tags,
    of: project,
    query: PlanQuery,
    response: ref(Plan),
    answer: async ({ scope, params, query }) => {
      const { trials = 1, difference = null, measure = 'score', tests = 1 } = query;
      const { level = defaultLevel, power = defaultPower } = query;
      const { candidates = 1, baselineRuns = 1, looks = 1 } = query;
      const projectId = numericId('project', params.projectId);
      await requireReadableProject(db, scope, projectId);
      const { id: metricId } = await requireMetric(db, scope, query.metricId, projectId);
      const testset =
        query.testsetId === undefined
          ? null
          : await readTestset(scope, projectId, query.testsetId, query.split);
      if (!testset) requireNoTestcases(query);
      const heads = await db.read(scope, (sql) =>
        findNewestRuns(sql, scope, projectId, { metricId }, planRuns),
      );
      const earlier = heads.map(({ id }) => id);
      const runs = await readRuns(db, scope, earlier, [metricId]);
      const judges = await readJudges(db, scope, runs.slice(0, 2));
      const job = {
        runs,
        versions: heads.map(({ systemVersionId }) => systemVersionId),
        metricId: String(metricId),
        measure,
        difference,
        n: query.n ?? null,
        testset,
        trials,
        level,
        power,
        tests: tests * candidates,
        baselineRuns,
        looks,
        judges,
      };
      const criteria: RunColumns[] = [];
      for (const id of earlier.slice(0, criteriaRuns))
        criteria.push(await readCriteria(db, scope, id, metricId));
      const hasCriteria = criteria.some(({ scores }) => scores.length > 0);
      const answer = await compute('plan', { ...job, shares: hasCriteria && measure === 'score' });
      if (!hasCriteria) return answer;
      const { measure: _, ...shared } = job;
      return `${answer.slice(0, -1)},"criteria":${await compute('planCriteria', { ...shared, criteria })}}`;
    },
  });
};
