import type { SpanRow } from './read-queries.ts';

const kinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];

/** Returns nanoseconds since 1970 in ISO 8601, with all nine digits. */
export const isoTime = (nanoseconds: bigint): string => {
  const fraction = ((nanoseconds % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  const ms = Number((nanoseconds - fraction) / 1_000_000n);
  return `${new Date(ms).toISOString().slice(0, -5)}.${String(fraction).padStart(9, '0')}Z`;
};

/** Returns the milliseconds of a span; null if it has not ended, or ends before it starts. */
export const durationOf = ({ start, end }: Pick<SpanRow, 'start' | 'end'>): number | null => {
  const nanoseconds = BigInt(end) - BigInt(start);
  return nanoseconds < 0n ? null : Number(nanoseconds) / 1e6;
};

/** Returns a span as the API lists it. OTLP writes 0 for the end of a span that is still open. */
export const spanSummary = (row: SpanRow) => ({
  traceId: row.traceId,
  spanId: row.spanId,
  parentSpanId: row.parentSpanId,
  name: row.name,
  service: row.service,
  kind: kinds[row.kind] ?? 'unspecified',
  operation: row.operation,
  modelName: row.model,
  failed: row.failed,
  startTime: isoTime(BigInt(row.start)),
  endTime: row.end === '0' ? null : isoTime(BigInt(row.end)),
  durationMs: durationOf(row),
});
