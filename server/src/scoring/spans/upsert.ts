import { readSpanSearch } from '../../evaluation/metrics/span-search.ts';
import type { Stated } from '../../evaluation/scores/made-by.ts';
import { findConfigsOfRun } from '../../evaluation/scores/queries.ts';
import { fitOf } from '../../evaluation/scores/validate-score.ts';
import type { Sql } from '../../platform/db/database.ts';
import { invalid, notFound } from '../../platform/errors.ts';
import { bodyOf, requireOne } from '../../platform/http/http.ts';
import { recordIdOf } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { RawJson } from '../../platform/json/json.ts';
import { chooseSpans } from '../../traces/read/scored-spans.ts';
import {
  findSpanScores,
  listSpanOutcomes,
  lockForSpans,
  type SpanScoreKey,
  upsertRolledUp,
  upsertSpanScore,
} from './queries.ts';
import { rollUp, type SpanScale } from './roll-up.ts';

type Given = {
  score: Record<string, unknown>;
  raw: RawJson;
  traceId: string | undefined;
  madeBy: Stated | undefined;
};

/**
 * Stores a member's score of a span, and the score of its record that follows. Throws 404 for an unknown record, configuration or span, 400
 * for a metric that scores records, and for a span that its search does not choose.
 */
export const scoreSpan = async (
  tx: Sql,
  scope: Scope,
  key: SpanScoreKey,
  { score, raw, traceId, madeBy }: Given,
): Promise<string> => {
  requireOne(await lockForSpans(tx, scope, key), 'record', recordIdOf(key));
  const config = requireOne(
    await findConfigsOfRun(tx, scope, key.runId, [key.configId]),
    'metric configuration',
    key.configId,
  );
  const { spans: search } = config;
  const outputType = config.outputType as SpanScale;
  if (search === null) throw invalid('', 'must name a metric that scores spans: this one scores records');
  const { spans, problem } = await chooseSpans(tx, scope, key, readSpanSearch(search));
  const named = spans.filter(
    (span) => span.spanId === key.spanId && (traceId === undefined || span.traceId === traceId.toLowerCase()),
  );
  if (named.length === 0) throw notFound(`span that ${search} chooses in this record`, key.spanId);
  if (named.length > 1)
    throw invalid('/traceId', 'is required: two traces of the record have a span of this id');
  if (problem) throw invalid('', `must name a metric whose search chooses fewer spans: ${problem}`);
  const { traceId: ofTrace, spanId } = named[0]!;
  await upsertSpanScore(tx, scope, key, {
    traceId: ofTrace,
    spanId,
    score: raw,
    madeBy,
    ...fitOf(outputType, score),
  });
  const given = await listSpanOutcomes(tx, scope, key);
  await upsertRolledUp(tx, scope, key, rollUp(outputType, spans, given));
  return bodyOf(await findSpanScores(tx, scope, { ...key, traceId: ofTrace }), 'score', key.spanId);
};
