import type { Scale } from '../../evaluation/metrics/scale.ts';
import { outputs } from '../../evaluation/metrics/schema.ts';
import { noSpan } from '../../evaluation/scores/requeue.ts';
import { asJson } from '../../platform/db/text.ts';
import { spanName } from '../../traces/store/record-content.ts';

/** What a span's score may be: a category scores records only. */
export type SpanScale = Extract<Scale, string>;

/** The stored score of a span. */
export type SpanOutcome = {
  traceId: string;
  spanId: string;
  state: 'scored' | 'unscored' | 'failed';
  /** Null without a score, and for a score that does not fit the metric. */
  value: number | null;
  reasoning: string | null;
  reason: string | null;
};

/** The score of a record that follows from those of its spans. */
export type RolledUp = {
  state: 'scored' | 'unscored' | 'failed';
  score: string | null;
  value: number | null;
  reason: string | null;
};

const without = (state: 'unscored' | 'failed', reason: string): RolledUp => ({
  state,
  reason,
  score: null,
  value: null,
});

/** Words of the reason why a record has no score while some of its spans wait for people. */
export const lackingSpans = 'spans have no score yet, such as';

/** Longest part of a span's reasoning that the record's score repeats. */
const quoted = 2_000;

/**
 * Returns the score of a record: the lowest of its spans, so that the record passes if each of them does. A span without a value leaves the
 * record without one: missing is not a verdict.
 */
export const rollUp = (
  outputType: SpanScale,
  chosen: { traceId: string; spanId: string; name: string }[],
  given: SpanOutcome[],
): RolledUp => {
  if (chosen.length === 0) return without('unscored', noSpan);
  const byName = new Map(given.map((one) => [spanName(one), one]));
  const isOfOne = chosen.every(({ traceId }) => traceId === chosen[0]!.traceId);
  const nameOf = ({ traceId, spanId, name }: (typeof chosen)[number]) =>
    `span ${spanId} (${name})${isOfOne ? '' : ` of trace ${traceId}`}`;
  const lacking = chosen.filter((span) => !byName.has(spanName(span)));
  if (lacking.length > 0)
    return without(
      'unscored',
      `${lacking.length} of ${chosen.length} ${lackingSpans} ${nameOf(lacking[0]!)}`,
    );
  const scored = chosen.map((span) => ({ span, one: byName.get(spanName(span))! }));
  for (const state of ['failed', 'unscored'] as const) {
    const [first] = scored.filter(({ one }) => one.state === state);
    if (first) return without(state, `${nameOf(first.span)}: ${first.one.reason ?? state}`);
  }
  const misfit = scored.find(({ one }) => one.value === null);
  if (misfit) return without('unscored', `${nameOf(misfit.span)}: its score does not fit the metric`);
  const lowest = scored.reduce((low, each) => (each.one.value! < low.one.value! ? each : low));
  const { value, reasoning } = lowest.one;
  const score = {
    [outputs[outputType].valueField]: outputType === 'boolean' ? value === 1 : value,
    reasoning: `Lowest of ${chosen.length === 1 ? '1 span' : `${chosen.length} spans`}: ${nameOf(lowest.span)}.${
      reasoning ? ` ${reasoning.slice(0, quoted).toWellFormed()}` : ''
    }`,
  };
  return { state: 'scored', score: asJson(score), value, reason: null };
};
