import { Type } from 'typebox';
import { maskScore } from '../../evaluation/masking/mask-data.ts';
import type { Masking } from '../../evaluation/masking/masking.ts';
import { record, score } from '../../evaluation/resources.ts';
import { invalid, notFound } from '../../platform/errors.ts';
import { type App, bodyOf } from '../../platform/http/http.ts';
import { pathParam } from '../../platform/http/openapi.ts';
import { answerRoute, type Resource, writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { freeForm } from '../../platform/json/json.ts';
import { ref } from '../../platform/named-schema.ts';
import { findSpanScores, listSpanScores, type SpanScoreKey } from './queries.ts';
import { OfTrace, SpanScoreDetail, SpanScores, SpanScoreUpsert } from './schema.ts';
import { findSpansToScore } from './to-score.ts';
import { scoreSpan } from './upsert.ts';

const tags = ['Scores'];

const params = Type.Object({ ...score.params.properties, spanId: pathParam('span') });

const spanScore: Resource<typeof params, SpanScoreKey> = {
  name: 'score',
  params,
  keyOf: ({ spanId, ...rest }) => {
    if (!/^[0-9a-f]{16}$/i.test(spanId)) throw notFound('span', spanId);
    return { ...score.keyOf(rest), spanId: spanId.toLowerCase() };
  },
  idOf: ({ recordId, metricConfigId, spanId }) => `${recordId} ${metricConfigId} ${spanId}`,
};

export const spanScoreRoutes = (app: App, deps: RouteDeps & { masking: Masking }): void => {
  answerRoute(app, 'GET', '/records/:recordId/span-scores', {
    operationId: 'listSpanScores',
    summary: 'List the scores of the spans of a record, and the spans that people can score.',
    description:
      'Metrics with a search of spans give them. The score of the record is the lowest of its spans.',
    tags,
    of: record,
    response: SpanScores,
    answer: async ({ scope, key, params, readTexts }) => {
      const scores = bodyOf(
        await readTexts(deps.db, (sql) => listSpanScores(sql, scope, key)),
        'record',
        params.recordId,
      );
      const toScore = await findSpansToScore(deps.db, scope, key);
      return `{"data":${scores},"toScore":${JSON.stringify(toScore)}}`;
    },
  });

  const path = '/records/:recordId/scores/:metricConfigId/spans/:spanId';
  answerRoute(app, 'GET', path, {
    operationId: 'getSpanScore',
    summary: 'Get the score of a span, with its evidence and the verdicts that it replaced.',
    tags,
    of: spanScore,
    query: OfTrace,
    response: ref(SpanScoreDetail),
    answer: async ({ scope, key, params: { spanId }, query: { traceId }, readTexts }) => {
      if (traceId !== undefined && !/^[0-9a-f]{32}$/i.test(traceId)) throw notFound('trace', traceId);
      const found = await readTexts(deps.db, (sql) => findSpanScores(sql, scope, { ...key, traceId }));
      if (found.length > 1)
        throw invalid('/traceId', 'is required: several traces of the record have a span of this id');
      return bodyOf(found, 'score', spanId);
    },
  });

  writeRoute(app, deps, 'PUT', path, {
    operationId: 'upsertSpanScore',
    summary: 'Store a score of a span.',
    description:
      'The metric must score spans, and its search must choose this one. The score of the record is computed again.',
    tags,
    of: spanScore,
    body: SpanScoreUpsert,
    response: ref(SpanScoreDetail),
    read: ({ score: given, traceId, madeBy }, rawBody) => ({
      madeBy,
      score: given as Record<string, unknown>,
      raw: freeForm(rawBody, ['score']).score!,
      traceId,
    }),
    work: async (tx, scope, key, given) => {
      const masker = await deps.masking.of(scope, key, tx);
      return scoreSpan(tx, scope, key, maskScore(masker, given));
    },
  });
};
