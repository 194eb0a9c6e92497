import type { TraceRow } from './queries.ts';
import type { RowOfSpan } from './span-row.ts';
import type { Added } from './span-sums.ts';

const isCall = ({ row }: RowOfSpan): boolean =>
  row.operation === 'chat' && (row.inputTokens ?? row.outputTokens ?? row.costUsd) !== null;

/**
 * Returns the traces of a batch in which a call of a model may lie in another: both are in the batch, or the trace had spans before it. For
 * all other traces the sums need no look at stored spans.
 */
export const mayHaveNested = (items: RowOfSpan[], traces: Map<bigint, TraceRow>): bigint[] => {
  const calls = items.filter(isCall);
  const names = new Set(calls.map(({ row }) => `${row.traceId} ${row.spanId}`));
  const found = calls.filter(
    ({ row }) => traces.get(row.traceId)!.numSpans > 0 || names.has(`${row.traceId} ${row.parentSpanId}`),
  );
  return [...new Set(found.map(({ row }) => row.traceId))];
};

const minus = (a: number | null, b: number | null) => (a === null ? null : a - (b ?? 0));

/** Returns what a batch adds to a trace, from its sums over all spans, the new ones included. */
export const differenceOf = (all: Added, before: TraceRow): Added => ({
  traceId: all.traceId,
  spans: all.spans - before.numSpans,
  errors: all.errors - before.numErrors,
  inputTokens: minus(all.inputTokens, before.inputTokens),
  outputTokens: minus(all.outputTokens, before.outputTokens),
  costUsd: minus(all.costUsd, before.costUsd),
});
