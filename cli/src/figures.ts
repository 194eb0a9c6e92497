import { countOf, inThousands, levelText } from '../../client/src/gate/words.ts';

export { countOf, inThousands, levelText };

type Interval = { low: number; high: number };

/** Writes several counts by their plurals: `{ runs: 1, replies: 2 }` becomes `1 run, 2 replies`. */
export const countsOf = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([plural, n]) => countOf(n, plural.replace(/ies$/, 'ys').replace(/s$/, ''), plural))
    .join(', ');

/** Writes a number with three decimals, or a dash for null. */
export const rounded = (value: number | null): string => (value === null ? '–' : signed(value.toFixed(3)));

/** Writes a share in percent, or a dash for null. */
export const percent = (value: number | null): string =>
  value === null ? '–' : `${signed((100 * value).toFixed(2))} %`;

/** Writes a p-value, or a dash for null. */
export const pValue = (p: number | null): string =>
  p === null ? '–' : p < 0.0001 ? '< 0.0001' : p.toFixed(4);

/** Writes an interval, each end with `write`. */
export const intervalText = (interval: Interval | null, write: (value: number) => string): string =>
  interval === null ? '–' : `${write(interval.low)} … ${write(interval.high)}`;

/** Replaces the hyphen by a real minus sign. */
const signed = (text: string): string => text.replace('-', '−');
