import type { Span } from './span.ts';

const msToNs = 1_000_000n;
const dayMs = 86_400_000;

/** Starts before this are no times of a clock: senders leave the start out, or count from the start of a process. */
export const earliestStartMs = Date.UTC(2000, 0, 1);

/** How far a clock may be ahead of ours. */
const maxAheadMs = dayMs;

/** Only times of the last years are taken for another unit. */
const maxAgeMs = 10 * 366 * dayMs;

/** Units that senders take for nanoseconds, with their length. */
const units = [
  ['seconds', 1_000_000_000n],
  ['milliseconds', msToNs],
  ['microseconds', 1_000n],
] as const;

/** Returns the wrong unit that a time is in; undefined for nanoseconds, which no time of these years can be taken for. */
const wrongUnitOf = (time: bigint, now: Date) =>
  units.find(([, length]) => {
    const ms = Number((time * length) / msToNs);
    return ms >= now.getTime() - maxAgeMs && ms <= now.getTime() + maxAheadMs;
  });

/** Tells whether a span may have begun at this time. */
export const isPlausibleStart = (start: bigint, now: Date): boolean => {
  const ms = Number(start / msToNs);
  return ms >= earliestStartMs && ms <= now.getTime() + maxAheadMs;
};

/** Returns the earlier of two starts. One before 2000 is taken only if there is no other. */
export const earlierStart = (a: bigint | null, b: bigint | null): bigint | null => {
  if (a === null || b === null) return a ?? b;
  const [first, second] = a < b ? [a, b] : [b, a];
  const earliest = BigInt(earliestStartMs) * msToNs;
  return first < earliest && second >= earliest ? second : first;
};

/** Returns a start in ISO 8601 with microseconds, as PostgreSQL has them; null for one that is no time of a clock. */
export const happenedAt = (start: bigint | null): string | null => {
  if (start === null || start < BigInt(earliestStartMs) * msToNs) return null;
  const microseconds = String((start / 1_000n) % 1_000n).padStart(3, '0');
  return new Date(Number(start / msToNs)).toISOString().replace('Z', `${microseconds}Z`);
};

/** Returns the span with its times in nanoseconds, and what was wrong with them. Each time is corrected by itself. */
export const correctTimes = (span: Span, now: Date): { span: Span; warnings: string[] } => {
  const found = [span.start, span.end]
    .map((time) => wrongUnitOf(time, now))
    .filter((unit) => unit !== undefined);
  const inNanoseconds = (time: bigint) => time * (wrongUnitOf(time, now)?.[1] ?? 1n);
  const corrected =
    found.length === 0
      ? span
      : {
          ...span,
          start: inNanoseconds(span.start),
          end: inNanoseconds(span.end),
          events: span.events.map((event) => ({ ...event, time: inNanoseconds(event.time) })),
        };
  // A span that only tells when it ended began then, and not in 1970.
  const hasNoStart = span.start === 0n && isPlausibleStart(corrected.end, now);
  const timed = hasNoStart ? { ...corrected, start: corrected.end } : corrected;
  const unitsFound = [...new Set(found.map(([unit]) => unit))];
  const warnings = unitsFound.map(
    (unit) => `its times are in ${unit} and were read so; OTLP requires nanoseconds`,
  );
  if (hasNoStart) warnings.push('it has no start, so its end was taken');
  else if (!isPlausibleStart(timed.start, now))
    warnings.push('its start is before 2000 or in the future, so it counts on the day on which it arrived');
  return { span: timed, warnings };
};
