import { Type } from 'typebox';
import { type App, bodyOf } from '../../platform/http/http.ts';
import { numericId, uuidId } from '../../platform/http/ids.ts';
import { pathParam, ref } from '../../platform/http/openapi.ts';
import { oldestFirst, pageOf } from '../../platform/http/pagination.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { fillQueue } from './fill-queue.ts';
import { findSample, listSampledRecords, listSamples } from './sample-queries.ts';
import { ReviewSample, ReviewSampleCreate, SampledRecord, SampledRecordQuery } from './sample-schema.ts';

const tags = ['Reviews'];
const runParams = Type.Object({ runId: pathParam('run') });
const params = Type.Object({ reviewSampleId: pathParam('review sample') });

export const reviewSampleRoutes = (app: App, { db, page, write }: RouteDeps): void => {
  for (const { name, schema } of [ReviewSample, SampledRecord]) app.addSchema({ $id: name, ...schema });

  app.get(
    '/runs/:runId/review-samples',
    {
      schema: {
        operationId: 'listReviewSamples',
        summary: 'List the review samples of a run, oldest first.',
        tags,
        params: runParams,
        response: {
          200: Type.Object({
            data: Type.Array(ref(ReviewSample), {
              description: 'Samples, at most one for each configuration.',
            }),
          }),
        },
      },
    },
    async ({ scope, params: { runId } }, reply) => {
      const id = numericId('run', runId);
      return reply.json(bodyOf(await db.read(scope, (sql) => listSamples(sql, scope, id)), 'run', runId));
    },
  );

  app.post(
    '/runs/:runId/review-samples',
    {
      schema: {
        operationId: 'createReviewSample',
        summary: 'Fill the queue of a human metric with a random sample of a run, or extend that sample.',
        tags,
        params: runParams,
        body: ReviewSampleCreate,
        response: { 201: ref(ReviewSample) },
      },
    },
    (request, reply) => {
      const runId = numericId('run', request.params.runId);
      return write(request, reply, 201, (tx, scope) => fillQueue(tx, scope, runId, request.body));
    },
  );

  app.get(
    '/review-samples/:reviewSampleId',
    {
      schema: {
        operationId: 'getReviewSample',
        summary: 'Get a review sample with its strata.',
        tags,
        params,
        response: { 200: ref(ReviewSample) },
      },
    },
    async ({ scope, params: { reviewSampleId } }, reply) => {
      const id = uuidId('review sample', reviewSampleId);
      return reply.json(
        bodyOf(await db.read(scope, (sql) => findSample(sql, scope, id)), 'review sample', reviewSampleId),
      );
    },
  );

  app.get(
    '/review-samples/:reviewSampleId/records',
    {
      schema: {
        operationId: 'listSampledRecords',
        summary: 'List the records of a review sample with their inclusion probabilities, oldest first.',
        tags,
        params,
        querystring: SampledRecordQuery,
        response: { 200: pageOf(ref(SampledRecord)) },
      },
    },
    (request, reply) => {
      const { scope } = request;
      const { reviewSampleId } = request.params;
      const id = uuidId('review sample', reviewSampleId);
      return page(
        request,
        reply,
        oldestFirst,
        (after, count) => db.read(scope, (sql) => listSampledRecords(sql, scope, id, after, count)),
        async () =>
          bodyOf(await db.read(scope, (sql) => findSample(sql, scope, id)), 'review sample', reviewSampleId),
      );
    },
  );
};
