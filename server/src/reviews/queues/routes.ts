import { maskScore } from '../../evaluation/masking/mask-data.ts';
import type { Masking } from '../../evaluation/masking/masking.ts';
import { metric, project, record, score } from '../../evaluation/resources.ts';
import { type App, bodyOf } from '../../platform/http/http.ts';
import { answerRoute, getRoute, searchRoute, writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { freeForm } from '../../platform/json/json.ts';
import { ref } from '../../platform/named-schema.ts';
import { nextReview } from './next-review.ts';
import { findProgress, firstDisagreement, listDisagreements } from './progress.ts';
import { findReviews } from './queries.ts';
import { findFilter, readFilter, requireFound } from './queue-filter.ts';
import {
  DisagreementQuery,
  NextReview,
  QueueQuery,
  RecordReviews,
  ReviewDisagreement,
  ReviewProgress,
  ReviewSkipped,
  ReviewSubmit,
  ReviewSubmitted,
  ReviewsSubmit,
  ReviewsSubmitted,
} from './schema.ts';
import { skipReview, submitReview } from './submit-review.ts';
import { readBatch, submitReviews } from './submit-reviews.ts';
import { undoLastReview } from './undo-review.ts';

const tags = ['Reviews'];

export const reviewRoutes = (app: App, deps: RouteDeps & { masking: Masking }): void => {
  const { db } = deps;
  writeRoute(app, deps, 'POST', '/projects/:projectId/reviews/next', {
    operationId: 'nextReview',
    summary: 'Claim the next record to score for ten minutes.',
    description:
      'You claim it for every metric by which it waits for your score; with `metricId` for that one. A second call returns the same record and renews the claim.',
    tags,
    of: project,
    query: QueueQuery,
    response: NextReview,
    read: (_body, _raw, { query }) => readFilter(query),
    work: nextReview,
  });

  writeRoute(app, deps, 'POST', '/projects/:projectId/reviews/undo', {
    operationId: 'undoReview',
    summary: 'Undo your last review and claim its record again.',
    description:
      'Reviews that were submitted together are undone together; with `metricId` only the one by that metric. A second call undoes the review before.',
    tags,
    of: project,
    query: QueueQuery,
    response: NextReview,
    read: (_body, _raw, { query }) => readFilter(query),
    work: undoLastReview,
  });

  answerRoute(app, 'GET', '/projects/:projectId/reviews/progress', {
    operationId: 'getReviewProgress',
    summary: 'Get the progress of reviews by queue and by person.',
    tags,
    of: project,
    query: QueueQuery,
    response: ReviewProgress,
    answer: async ({ scope, params, query }) => {
      const projectId = project.keyOf(params);
      const filter = readFilter(query);
      requireFound(filter, await db.read(scope, (sql) => findFilter(sql, scope, projectId, filter)));
      const progress = await db.read(scope, (sql) => findProgress(sql, scope, projectId, filter));
      return bodyOf(progress, 'project', params.projectId);
    },
  });

  searchRoute(app, deps, '/metrics/:metricId/review-disagreements', {
    operationId: 'listReviewDisagreements',
    summary: 'List the records of a metric on which reviewers disagree, oldest first.',
    tags,
    of: metric,
    query: DisagreementQuery,
    item: ref(ReviewDisagreement),
    first: firstDisagreement,
    read: async ({ query }) => readFilter(query).runId,
    find: (runId, after, count, { scope, key, readTexts }) =>
      readTexts(db, (sql) => listDisagreements(sql, scope, key, runId, after, count), { isPage: true }),
    whenEmpty: async ({ scope, key: metricId }, runId) => {
      const filter = { metricId, runId };
      requireFound(filter, await db.read(scope, (sql) => findFilter(sql, scope, null, filter)));
    },
  });

  getRoute(app, deps, '/records/:recordId/reviews/:metricConfigId', {
    operationId: 'listReviews',
    summary: 'List the reviews of a record that you may see.',
    tags,
    of: score,
    response: RecordReviews,
    find: findReviews,
  });

  writeRoute(app, deps, 'POST', '/records/:recordId/reviews', {
    operationId: 'submitReviews',
    summary: 'Submit your scores of a record by several metrics, all or none.',
    description:
      'The record gets each score when all its reviewers have submitted theirs. `skip` names the metrics by which the record comes back to you after all others.',
    tags,
    of: record,
    body: ReviewsSubmit,
    status: 201,
    response: ReviewsSubmitted,
    read: readBatch,
    work: async (tx, scope, key, batch) => {
      const masker = await deps.masking.of(scope, key, tx);
      const reviews = batch.reviews.map(({ configId, ...given }) => ({
        configId,
        ...maskScore(masker, given),
      }));
      return submitReviews(tx, scope, key, { ...batch, reviews });
    },
  });

  writeRoute(app, deps, 'POST', '/records/:recordId/reviews/:metricConfigId', {
    operationId: 'submitReview',
    summary: 'Submit your score of a record.',
    description: 'The record gets its score when all its reviewers have submitted.',
    tags,
    of: score,
    body: ReviewSubmit,
    status: 201,
    response: ReviewSubmitted,
    read: ({ score, madeBy }, raw) => ({ score, madeBy, raw: freeForm(raw, ['score']).score! }),
    work: async (tx, scope, key, given) =>
      submitReview(tx, scope, key, maskScore(await deps.masking.of(scope, key, tx), given)),
  });

  writeRoute(app, deps, 'POST', '/records/:recordId/reviews/:metricConfigId/skip', {
    operationId: 'skipReview',
    summary: 'Skip a record.',
    description: 'It comes back to you after all others.',
    tags,
    of: score,
    response: ReviewSkipped,
    work: skipReview,
  });
};
