import type { SpanRow } from './read-queries.ts';

const kinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];

/** Returns nanoseconds since 1970 in ISO 8601, with all nine digits. */
export const isoTime = (nanoseconds: bigint): string => {
  const fraction = ((nanoseconds % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  const ms = Number((nanoseconds - fraction) / 1_000_000n);
  return `${new Date(ms).toISOString().slice(0, -5)}.${String(fraction).padStart(9, '0')}Z`;
};

/** Returns a span as the API lists it. */
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
  endTime: isoTime(BigInt(row.end)),
  durationMs: Number(BigInt(row.end) - BigInt(row.start)) / 1e6,
});
