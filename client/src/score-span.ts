import type { Operations } from './generated.ts';
import { writtenScore } from './written-score.ts';

/** A score of a span by a person or a client, as words. `value`: true, false, or a number. */
export type GivenSpanScore = {
  recordId: string;
  spanId: string;
  traceId?: string;
  metricId: string;
  value: string;
  reasoning?: string;
  /** Who made it; default: a client. */
  madeBy?: 'person' | 'client' | 'model';
};

/** Stores a score of a span by the present configuration of a metric. Throws `RangeError` for a value that the metric cannot have. */
export const scoreSpan = async (
  client: Operations,
  { recordId, spanId, traceId, metricId, value, reasoning, madeBy }: GivenSpanScore,
) => {
  const score = writtenScore(await client.getMetric(metricId), value, reasoning);
  const { data } = await client.listMetricVersions(metricId, { limit: 1 });
  return client.upsertSpanScore(recordId, data[0]!.id, spanId, {
    score,
    ...(traceId !== undefined && { traceId }),
    ...(madeBy !== undefined && { madeBy }),
  });
};
