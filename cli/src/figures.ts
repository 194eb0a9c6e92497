type Interval = { low: number; high: number };

/** Writes a count with its word: `3 records`, `1 record`. */
export const countOf = (n: number, singular: string, plural = `${singular}s`): string =>
  `${n.toLocaleString('en')} ${n === 1 ? singular : plural}`;

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

/** Writes a confidence level. The rounding is for binary fractions: .55 · 100 is a little above 55. */
export const levelText = (level: number): string => `${Number((100 * level).toPrecision(6))} %`;

/** Writes an interval, each end with `write`. */
export const intervalText = (interval: Interval | null, write: (value: number) => string): string =>
  interval === null ? '–' : `${write(interval.low)} … ${write(interval.high)}`;

/** Replaces the hyphen by a real minus sign. */
const signed = (text: string): string => text.replace('-', '−');
