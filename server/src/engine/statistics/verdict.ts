import type { Verdict } from './comparison-schema.ts';
import type { Interval } from './estimate-schema.ts';

const plainNumber = (x: number): string => Number(x.toPrecision(2)).toString();

/** A confidence level in per cent; .55 · 100 is a little above 55 in binary. */
export const levelInWords = (level: number): string => {
  // Two digits of what is missing to 100 %, and one decimal at least.
  const decimals = Math.max(1, 1 - Math.floor(Math.log10(100 * (1 - level))));
  return `${Number((100 * level).toFixed(Math.min(decimals, 10)))} %`;
};

/** A difference in words: points for rates, the score's own unit otherwise. */
export const sizeInWords = (difference: number, boolean: boolean): string =>
  boolean ? `${(100 * Math.abs(difference)).toFixed(1)} points` : plainNumber(Math.abs(difference));

/** `18.7 to 24.4`, in points for rates. */
export const intervalInWords = ({ low, high }: Interval, boolean: boolean): string =>
  [low, high].map((x) => (boolean ? (100 * x).toFixed(1) : plainNumber(x)).replace('-', '−')).join(' to ');

/**
 * The verdict in words. A difference is claimed only if the interval and the test agree, or the only one of them does; otherwise the
 * sentence gives the smallest difference that the comparison could detect, or the reason in `open`. `p` is that of all tests together, and
 * the interval is at the level that belongs to it, `intervalLevel`.
 */
export const verdictOf = ({
  difference,
  interval,
  p,
  level,
  intervalLevel = level,
  minimumDetectable,
  reason,
  boolean,
  open = null,
}: {
  difference: number | null;
  interval: Interval | null;
  p: number | null;
  level: number;
  intervalLevel?: number;
  minimumDetectable: number | null;
  reason: string | null;
  boolean: boolean;
  open?: string | null;
}): { verdict: Verdict; sentence: string } => {
  const decided =
    difference !== null &&
    (p !== null || interval !== null) &&
    // 1 − .95 is a little above .05 in binary.
    (p === null || p <= 1 - level + 1e-12) &&
    (interval === null || interval.low > 0 || interval.high < 0);
  if (decided) {
    const verdict = difference > 0 ? 'better' : 'worse';
    const range = interval
      ? `, ${levelInWords(intervalLevel)} interval ${intervalInWords(interval, boolean)}`
      : '';
    return { verdict, sentence: `${verdict} by ${sizeInWords(difference, boolean)}${range}` };
  }
  const why =
    minimumDetectable !== null
      ? `not enough data: only changes above ${sizeInWords(minimumDetectable, boolean)} would show`
      : (reason ?? open ?? 'there is nothing to compare');
  return { verdict: 'cannot tell', sentence: `cannot tell: ${why}` };
};
