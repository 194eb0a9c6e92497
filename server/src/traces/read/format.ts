import type { SpanRow } from './read-queries.ts';

const kinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];

/** Nanoseconds since 1970 in ISO 8601, with all nine digits. */
export const isoTime = (nanoseconds: bigint): string => {
  const fraction = ((nanoseconds % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  const ms = Number((nanoseconds - fraction) / 1_000_000n);
  return `${new Date(ms).toISOString().slice(0, -5)}.${String(fraction).padStart(9, '0')}Z`;
};

/**
 * isoTime of nanoseconds as text, for many: those of a trace lie within few seconds, and the date of a second is what takes
 * the time.
 */
export const isoTimes = () => {
  const seconds = new Map<string, string>();
  return (nanoseconds: string): string => {
    if (!/^\d{10,}$/.test(nanoseconds)) return isoTime(BigInt(nanoseconds));
    const second = nanoseconds.slice(0, -9);
    const known = seconds.get(second);
    const text = known ?? new Date(Number(second) * 1_000).toISOString().slice(0, -5);
    if (known === undefined) seconds.set(second, text);
    return `${text}.${nanoseconds.slice(-9)}Z`;
  };
};

/** A span as the API lists it. `time` puts its times as text. */
export const spanSummary = (row: SpanRow, time = isoTimes()) => ({
  traceId: row.traceId,
  spanId: row.spanId,
  parentSpanId: row.parentSpanId,
  name: row.name,
  service: row.service,
  kind: kinds[row.kind] ?? 'unspecified',
  operation: row.operation,
  model: row.model,
  failed: row.failed,
  startTime: time(row.start),
  endTime: time(row.end),
  durationMs: Number(BigInt(row.end) - BigInt(row.start)) / 1e6,
});
