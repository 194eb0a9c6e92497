import { Type } from 'typebox';
import { defaultLevel } from '../../engine/statistics/intervals.ts';
import { invalid } from '../../platform/errors.ts';
import { type App, bodyOf, one } from '../../platform/http/http.ts';
import { pathParam, ref, Success, successBody } from '../../platform/http/openapi.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { readSource, requireJudge, requireMetric } from '../labels/read-judge.ts';
import { DriftCheck, DriftQuery, JudgeDrift, PinnedSet, PinnedSetCreate, sizeOf } from './drift-schema.ts';
import { pinRecords } from './pin-records.ts';
import { deleteOpenTrials, deletePinnedSet, findPinnedSet } from './pinned-queries.ts';
import { readDrift } from './read-drift.ts';
import { startCheck } from './start-check.ts';

const tags = ['Analysis'];
const params = Type.Object({ metricId: pathParam('metric') });

export const driftRoutes = (app: App, { db, write }: RouteDeps): void => {
  app.put(
    '/metrics/:metricId/pinned-set',
    {
      config: { audit: 'settings' },
      schema: {
        operationId: 'pinRecords',
        summary: 'Pin labelled records for later checks of the judge.',
        description: 'Its verdicts on them are the reference.',
        tags,
        params,
        body: PinnedSetCreate,
        response: { 200: ref(PinnedSet) },
      },
    },
    async (request, reply) => {
      const { scope, body } = request;
      const metric = await requireMetric(db, scope, request.params.metricId);
      const source = await readSource(db, scope, metric, body);
      const judge = await requireJudge(db, scope, metric.id, body.metricConfigId, null);
      if (judge.evalType === 'human') throw invalid('', 'must be about a metric that a model or code scores');
      const set = { judge, source, automatic: body.automatic ?? false, size: sizeOf(body) };
      return write(request, reply, 200, (tx) => pinRecords(tx, scope, metric.id, set));
    },
  );

  app.get(
    '/metrics/:metricId/pinned-set',
    {
      schema: {
        operationId: 'getPinnedSet',
        summary: 'Get the pinned set of a metric.',
        tags,
        params,
        response: { 200: ref(PinnedSet) },
      },
    },
    async ({ scope, params: { metricId } }, reply) => {
      const { id } = await requireMetric(db, scope, metricId);
      const found = await db.read(scope, (sql) => findPinnedSet(sql, scope, id));
      return reply.json(bodyOf(found, 'pinned set', metricId));
    },
  );

  app.delete(
    '/metrics/:metricId/pinned-set',
    {
      config: { audit: 'settings' },
      schema: {
        operationId: 'deletePinnedSet',
        summary: 'Delete the pinned set of a metric.',
        description: 'The runs of its checks stay.',
        tags,
        params,
        response: { 200: ref(Success) },
      },
    },
    async (request, reply) => {
      const { metricId } = request.params;
      const { id } = await requireMetric(db, request.scope, metricId);
      return write(request, reply, 200, async (tx, scope) => {
        one(await deletePinnedSet(tx, scope, id), 'pinned set', metricId);
        await deleteOpenTrials(tx, scope, id);
        return successBody;
      });
    },
  );

  app.post(
    '/metrics/:metricId/drift-checks',
    {
      schema: {
        operationId: 'startDriftCheck',
        summary: 'Start a check: the judge decides its pinned records again with its current configuration.',
        tags,
        params,
        response: { 201: ref(DriftCheck) },
      },
    },
    async (request, reply) => {
      const { id } = await requireMetric(db, request.scope, request.params.metricId);
      return write(request, reply, 201, (tx, scope) => startCheck(tx, scope, id));
    },
  );

  app.get(
    '/metrics/:metricId/drift',
    {
      schema: {
        operationId: 'measureDrift',
        summary: "Compare the judge's verdicts on its pinned records with those of the reference.",
        tags,
        params,
        querystring: DriftQuery,
        response: { 200: ref(JudgeDrift) },
      },
    },
    async ({ scope, params: { metricId }, query }, reply) => {
      const { level = defaultLevel, limit = 5 } = query;
      const { id } = await requireMetric(db, scope, metricId);
      return reply.json(await readDrift(db, scope, id, { level, limit }));
    },
  );
};
