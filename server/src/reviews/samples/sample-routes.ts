import { run } from '../../evaluation/resources.ts';
import { findRunId } from '../../evaluation/runs/queries.ts';
import type { App } from '../../platform/http/http.ts';
import { uuidId } from '../../platform/http/ids.ts';
import { firstUuid, oldestFirst } from '../../platform/http/pagination.ts';
import { listRoute, resource, writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import { fillQueue } from './fill-queue.ts';
import { findSample, listSampledRecords, listSamples } from './sample-queries.ts';
import { ReviewSample, ReviewSampleCreate, SampledRecord, SampledRecordQuery } from './sample-schema.ts';

const tags = ['Reviews'];
const reviewSample = resource('reviewSampleId', 'review sample', uuidId);

export const reviewSampleRoutes = (app: App, deps: RouteDeps): void => {
  listRoute(app, deps, '/runs/:runId/review-samples', {
    operationId: 'listReviewSamples',
    summary: 'List the review samples of a run with their strata, oldest first.',
    tags,
    of: run,
    parent: findRunId,
    item: ref(ReviewSample),
    first: firstUuid,
    rows: listSamples,
  });

  writeRoute(app, deps, 'POST', '/runs/:runId/review-samples', {
    operationId: 'createReviewSample',
    summary: 'Fill the queue of a human metric with a random sample of a run, or extend that sample.',
    tags,
    of: run,
    body: ReviewSampleCreate,
    status: 201,
    response: ref(ReviewSample),
    work: fillQueue,
  });

  listRoute(app, deps, '/review-samples/:reviewSampleId/records', {
    operationId: 'listSampledRecords',
    summary: 'List the records of a review sample with their inclusion probabilities, oldest first.',
    tags,
    of: reviewSample,
    parent: findSample,
    query: SampledRecordQuery,
    item: ref(SampledRecord),
    first: oldestFirst,
    rows: listSampledRecords,
  });
};
