import { Type } from 'typebox';
import { defaultLevel } from '../../engine/statistics/intervals.ts';
import { defaultPower } from '../../engine/statistics/paired-proportions.ts';
import { findMetricId } from '../../evaluation/metrics/queries.ts';
import { requireReadableProject } from '../../evaluation/projects/queries.ts';
import { countTestcases } from '../../evaluation/runs/queries.ts';
import { notFound } from '../../platform/errors.ts';
import { type App, one } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { pathParam, ref } from '../../platform/http/openapi.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { compute } from './compute.ts';
import { Plan, PlanQuery, type TrendPoint, Trends, TrendsQuery } from './project-schema.ts';
import { findNewestRuns } from './queries.ts';
import { readRun, readRuns } from './read-run.ts';

const tags = ['Analysis'];
const params = Type.Object({ projectId: pathParam('project') });

/** Earlier runs that a plan looks at: the newest tells how testcases vary, one before it how much both agree. */
const planRuns = 5;

type Trend = { metricId: string; metricName: string; outputType: string };

export const projectAnalysisRoutes = (app: App, { db }: RouteDeps): void => {
  for (const { name, schema } of [Trends, Plan]) app.addSchema({ $id: name, ...schema });

  /** How many testcases a testset has. Throws notFound when it is not the project's. */
  const countTestcasesOf = async (scope: Scope, projectId: bigint, id: string): Promise<number> => {
    const testsetId = numericId('testset', id);
    const rows = await db.read(scope, (sql) => countTestcases(sql, scope, projectId, testsetId));
    return one(rows, 'testset', id).n;
  };

  /** The metric's number. Throws notFound when it is not the project's. */
  const requireMetricOf = async (scope: Scope, projectId: bigint, id: string): Promise<bigint> => {
    const metricId = numericId('metric', id);
    const metric = one(await db.read(scope, (sql) => findMetricId(sql, scope, metricId)), 'metric', id);
    if (metric.projectId !== projectId) throw notFound('metric', id);
    return metricId;
  };

  app.get(
    '/projects/:projectId/trends',
    {
      schema: {
        operationId: 'listTrends',
        summary: 'Each metric of a project over its last runs, each point with its uncertainty.',
        tags,
        params,
        querystring: TrendsQuery,
        response: { 200: ref(Trends) },
      },
    },
    async ({ scope, params, query }, reply) => {
      const { limit = 20, level = defaultLevel } = query;
      const projectId = numericId('project', params.projectId);
      await requireReadableProject(db, scope, projectId);
      const metricId =
        query.metricId === undefined ? null : await requireMetricOf(scope, projectId, query.metricId);
      const heads = await db.read(scope, (sql) => findNewestRuns(sql, scope, projectId, metricId, limit));
      const metrics = new Map<string, Trend & { points: TrendPoint[] }>();
      // One run after the other: a hundred large ones at once would not fit into memory.
      for (const head of heads.toReversed()) {
        const run = await readRun(db, scope, head.id, metricId === null ? undefined : [metricId]);
        const points: (Trend & TrendPoint)[] = JSON.parse(await compute('trendPoints', { run, level }));
        for (const { metricId: id, metricName, outputType, ...point } of points) {
          const { metricConfigId, groupedBy, states, passRate, mean } = point;
          const trend = metrics.get(id) ?? { metricId: id, metricName, outputType, points: [] };
          const { createdAt, systemVersionId } = head;
          const testsetId = head.testsetId === null ? null : String(head.testsetId);
          const ofRun = { runId: String(head.id), createdAt, testsetId, systemVersionId };
          trend.points.push({ ...ofRun, metricConfigId, groupedBy, states, passRate, mean });
          metrics.set(id, trend);
        }
      }
      return reply.json(JSON.stringify({ level, numRuns: heads.length, metrics: [...metrics.values()] }));
    },
  );

  app.get(
    '/projects/:projectId/plan',
    {
      schema: {
        operationId: 'planRun',
        summary:
          'How many testcases a comparison needs, or how small a difference it can see, from earlier runs.',
        tags,
        params,
        querystring: PlanQuery,
        response: { 200: ref(Plan) },
      },
    },
    async ({ scope, params, query }, reply) => {
      const { trials = 1, difference = null, measure = 'score' } = query;
      const { level = defaultLevel, power = defaultPower } = query;
      const projectId = numericId('project', params.projectId);
      await requireReadableProject(db, scope, projectId);
      const metricId = await requireMetricOf(scope, projectId, query.metricId);
      const testcases =
        query.testsetId === undefined ? null : await countTestcasesOf(scope, projectId, query.testsetId);
      const n = query.n ?? testcases;
      const heads = await db.read(scope, (sql) => findNewestRuns(sql, scope, projectId, metricId, planRuns));
      const earlier = heads.map(({ id }) => id);
      const runs = await readRuns(db, scope, earlier, [metricId]);
      const job = { runs, metricId: String(metricId), measure, difference, n, trials, level, power };
      return reply.json(await compute('plan', job));
    },
  );
};
