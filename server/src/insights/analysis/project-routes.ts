import { Type } from 'typebox';
import { defaultLevel } from '../../engine/statistics/intervals.ts';
import { defaultPower } from '../../engine/statistics/paired-proportions.ts';
import { requireReadableProject } from '../../evaluation/projects/queries.ts';
import { project } from '../../evaluation/resources.ts';
import { countTestcases } from '../../evaluation/runs/queries.ts';
import { type App, one } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { pathParam, ref } from '../../platform/http/openapi.ts';
import { answerRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { requireMetric } from '../../scoring/labels/read-judge.ts';
import { type AnchoredPoint, anchorTrend } from './anchor-trend.ts';
import { compute } from './compute.ts';
import { Plan, PlanQuery, type TrendPoint, Trends, TrendsQuery } from './project-schema.ts';
import { findNewestRuns } from './queries.ts';
import { readJudges } from './read-judges.ts';
import { readRun, readRuns } from './read-run.ts';
import { readSwitches } from './switches.ts';

const tags = ['Analysis'];
const _params = Type.Object({ projectId: pathParam('project') });

/** Earlier runs that a plan reads: the newest gives the variances, an earlier one the correlation with it. */
const planRuns = 5;

type Trend = { metricId: string; metricName: string; outputType: string };

export const projectAnalysisRoutes = (app: App, { db }: RouteDeps): void => {
  /** Counts the testcases of a testset. Throws 404 when the project has no such testset. */
  const countTestcasesOf = async (scope: Scope, projectId: bigint, id: string): Promise<number> => {
    const testsetId = numericId('testset', id);
    const rows = await db.read(scope, (sql) => countTestcases(sql, scope, projectId, testsetId));
    return one(rows, 'testset', id).n;
  };

  answerRoute(app, 'GET', '/projects/:projectId/trends', {
    operationId: 'listTrends',
    summary: 'List each metric of a project over its latest runs, each point with its uncertainty.',
    tags,
    of: project,
    query: TrendsQuery,
    response: ref(Trends),
    answer: async ({ scope, params, query }) => {
      const { limit = 20, level = defaultLevel } = query;
      const projectId = numericId('project', params.projectId);
      await requireReadableProject(db, scope, projectId);
      const metricId =
        query.metricId === undefined ? null : (await requireMetric(db, scope, query.metricId, projectId)).id;
      const heads = await db.read(scope, (sql) => findNewestRuns(sql, scope, projectId, metricId, limit));
      const metrics = new Map<string, Trend & { points: TrendPoint[] }>();
      // One run at a time: a hundred large ones would not fit into memory.
      for (const head of heads.toReversed()) {
        const run = await readRun(db, scope, head.id, metricId === null ? undefined : [metricId]);
        const points: (Trend & TrendPoint)[] = JSON.parse(await compute('trendPoints', { run, level }));
        for (const { metricId: id, metricName, outputType, ...point } of points) {
          const { metricConfigId, groupedBy, states, passRate, mean, cost } = point;
          const trend = metrics.get(id) ?? { metricId: id, metricName, outputType, points: [] };
          const { createdAt, systemVersionId } = head;
          const testsetId = head.testsetId === null ? null : String(head.testsetId);
          const ofRun = { runId: String(head.id), createdAt, testsetId, systemVersionId };
          const unanchored = { anchored: null, change: null };
          trend.points.push({
            ...ofRun,
            metricConfigId,
            groupedBy,
            states,
            passRate,
            mean,
            cost,
            ...unanchored,
          });
          metrics.set(id, trend);
        }
      }
      const switches = await readSwitches(db, scope, metrics.keys());
      const anchored = [...metrics.values()].map((trend) => ({
        ...trend,
        points: anchorTrend(
          switches.filter((one) => one.metricId === trend.metricId),
          trend.points as (TrendPoint & AnchoredPoint)[],
          level,
        ),
      }));
      return JSON.stringify({ level, numRuns: heads.length, metrics: anchored });
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
      const projectId = numericId('project', params.projectId);
      await requireReadableProject(db, scope, projectId);
      const { id: metricId } = await requireMetric(db, scope, query.metricId, projectId);
      const testcases =
        query.testsetId === undefined ? null : await countTestcasesOf(scope, projectId, query.testsetId);
      const n = query.n ?? testcases;
      const heads = await db.read(scope, (sql) => findNewestRuns(sql, scope, projectId, metricId, planRuns));
      const earlier = heads.map(({ id }) => id);
      const runs = await readRuns(db, scope, earlier, [metricId]);
      const judges = await readJudges(db, scope, runs.slice(0, 2));
      const job = {
        runs,
        metricId: String(metricId),
        measure,
        difference,
        n,
        trials,
        level,
        power,
        tests,
        judges,
      };
      return await compute('plan', job);
    },
  });
};
