import { Type } from 'typebox';
import type { RouteDeps } from '../app.ts';
import { invalid, notFound } from '../errors.ts';
import { type App, bodyOf, one } from '../http.ts';
import { idempotencyKey } from '../idempotency.ts';
import { numericId, recordKey } from '../ids.ts';
import { pathParam, ref, Success, successBody } from '../openapi.ts';
import { lastUuid, newestFirst, PageQuery, pageOf } from '../pagination.ts';
import { requireReadableProject } from '../projects/queries.ts';
import { findProjectRecord } from '../records/queries.ts';
import { inlineRecord, previewMetric } from '../scoring/preview.ts';
import { requireSoundLogic } from './check-logic.ts';
import { createMetric, setJudgeRepeats, updateMetric } from './configure-metric.ts';
import {
  deleteMetric,
  findGuidelinesOfNoCode,
  findJudgeSettings,
  findMetric,
  listMetrics,
  listMetricVersions,
} from './queries.ts';
import {
  createValidator,
  JudgeSettings,
  Metric,
  MetricCreate,
  MetricPreview,
  MetricPreviewed,
  MetricUpdate,
  MetricVersion,
  previewValidator,
  updateValidator,
} from './schema.ts';

const tags = ['Metrics'];
const projectParams = Type.Object({ projectId: pathParam('project') });
const params = Type.Object({ metricId: pathParam('metric') });

export const metricRoutes = (app: App, { config, db, page, scoring, write }: RouteDeps): void => {
  app.addSchema({ $id: Metric.name, ...Metric.schema });
  app.addSchema({ $id: MetricVersion.name, ...MetricVersion.schema });

  app.get(
    '/projects/:projectId/metrics',
    {
      schema: {
        operationId: 'listMetrics',
        summary: 'List the metrics of a project, newest first.',
        tags,
        params: projectParams,
        querystring: PageQuery,
        response: { 200: pageOf(ref(Metric)) },
      },
    },
    (request, reply) => {
      const { scope } = request;
      const projectId = numericId('project', request.params.projectId);
      return page(
        request,
        reply,
        newestFirst,
        (before, count) => db.read(scope, (sql) => listMetrics(sql, scope, projectId, before, count)),
        () => requireReadableProject(db, scope, projectId),
      );
    },
  );

  app.post(
    '/projects/:projectId/metrics',
    {
      schema: {
        operationId: 'createMetric',
        summary: 'Create a metric: one of nine variants, chosen by evalType and outputType.',
        tags,
        params: projectParams,
        body: MetricCreate,
        response: { 201: ref(Metric) },
      },
      validatorCompiler: createValidator,
    },
    async (request, reply) => {
      const projectId = numericId('project', request.params.projectId);
      await requireSoundLogic(scoring.sandbox, request.body);
      return write(request, reply, 201, (tx, scope) =>
        createMetric(tx, scope, projectId, request.body, config.DOKIMA_JUDGE_MODEL),
      );
    },
  );

  app.get(
    '/metrics/:metricId',
    {
      schema: {
        operationId: 'getMetric',
        summary: 'Get a metric.',
        tags,
        params,
        response: { 200: ref(Metric) },
      },
    },
    async ({ scope, params: { metricId } }, reply) => {
      const id = numericId('metric', metricId);
      return reply.json(
        bodyOf(await db.read(scope, (sql) => findMetric(sql, scope, id)), 'metric', metricId),
      );
    },
  );

  app.get(
    '/metrics/:metricId/versions',
    {
      schema: {
        operationId: 'listMetricVersions',
        summary: 'List the configurations of a metric, newest first.',
        tags,
        params,
        querystring: PageQuery,
        response: { 200: pageOf(ref(MetricVersion)) },
      },
    },
    (request, reply) => {
      const { scope, params } = request;
      const id = numericId('metric', params.metricId);
      // A metric has at least one configuration, so none is a metric that is not there.
      return page(
        request,
        reply,
        lastUuid,
        (before, count) => db.read(scope, (sql) => listMetricVersions(sql, scope, id, before, count)),
        async () => {
          throw notFound('metric', params.metricId);
        },
      );
    },
  );

  app.patch(
    '/metrics/:metricId',
    {
      schema: {
        operationId: 'updateMetric',
        summary:
          'Change a metric. What affects scoring makes a new configuration; scores that exist keep theirs.',
        tags,
        params,
        body: MetricUpdate,
        response: { 200: ref(Metric) },
      },
      validatorCompiler: updateValidator,
    },
    async (request, reply) => {
      const metricId = numericId('metric', request.params.metricId);
      const { body } = request;
      await requireSoundLogic(scoring.sandbox, body);
      if (body.evalType === 'heuristic' && body.guidelines === undefined) {
        // Guidelines that stay may become code by this.
        const [kept] = await db.read(request.scope, (sql) =>
          findGuidelinesOfNoCode(sql, request.scope, metricId),
        );
        if (kept) await requireSoundLogic(scoring.sandbox, { ...body, ...kept });
      }
      return write(request, reply, 200, (tx, scope) =>
        updateMetric(tx, scope, metricId, body, config.DOKIMA_JUDGE_MODEL),
      );
    },
  );

  app.delete(
    '/metrics/:metricId',
    {
      schema: {
        operationId: 'deleteMetric',
        summary: 'Delete a metric. Its configurations and every score they gave stay.',
        tags,
        params,
        response: { 200: ref(Success) },
      },
    },
    (request, reply) => {
      const { metricId } = request.params;
      const id = numericId('metric', metricId);
      return write(request, reply, 200, async (tx, scope) => {
        one(await deleteMetric(tx, scope, id), 'metric', metricId);
        return successBody;
      });
    },
  );

  app.get(
    '/metrics/:metricId/judge-settings',
    {
      schema: {
        operationId: 'getJudgeSettings',
        summary: 'Get how often the judge of a metric is asked.',
        tags,
        params,
        response: { 200: JudgeSettings },
      },
    },
    async ({ scope, params: { metricId } }, reply) => {
      const id = numericId('metric', metricId);
      return reply.json(
        bodyOf(await db.read(scope, (sql) => findJudgeSettings(sql, scope, id)), 'metric', metricId),
      );
    },
  );

  app.put(
    '/metrics/:metricId/judge-settings',
    {
      schema: {
        operationId: 'updateJudgeSettings',
        summary: 'Set how often the judge of a metric is asked. A change makes a new configuration.',
        tags,
        params,
        body: JudgeSettings,
        response: { 200: JudgeSettings },
      },
    },
    (request, reply) => {
      const metricId = numericId('metric', request.params.metricId);
      return write(request, reply, 200, (tx, scope) =>
        setJudgeRepeats(tx, scope, metricId, request.body.judgeRepeats),
      );
    },
  );

  app.post(
    '/projects/:projectId/metrics/preview',
    {
      schema: {
        operationId: 'previewMetric',
        summary:
          'Score a record, or what the body holds of one, with a metric that is not saved: prompt, verdict, time and cost. Nothing is written.',
        tags,
        params: projectParams,
        body: MetricPreview,
        response: { 200: MetricPreviewed },
      },
      validatorCompiler: previewValidator,
    },
    async (request, reply) => {
      const { scope, body } = request;
      if (idempotencyKey(request)) throw invalid('/Idempotency-Key', 'is not taken here: nothing is written');
      const projectId = numericId('project', request.params.projectId);
      const { recordId } = body;
      if ((recordId === undefined) === (body.record === undefined))
        throw invalid('/recordId', 'must be given, or else record');
      const key = recordId === undefined ? undefined : recordKey(recordId);
      const inline = key ? undefined : inlineRecord(request.rawBody);
      await requireSoundLogic(scoring.sandbox, body);
      await requireReadableProject(db, scope, projectId);
      const record =
        inline ??
        one(
          await db.read(scope, (sql) => findProjectRecord(sql, scope, projectId, key!)),
          'record',
          recordId!,
        );
      return reply.json(await previewMetric(scoring, scope, body, record, config.DOKIMA_JUDGE_MODEL));
    },
  );
};
