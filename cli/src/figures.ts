type Interval = { low: number; high: number };

/** `3 records`, `1 record`. */
export const countOf = (n: number, noun: string, plural = `${noun}s`): string =>
  `${n.toLocaleString('en')} ${n === 1 ? noun : plural}`;

/** The same of counts by their nouns: `{ runs: 1, replies: 2 }`. */
export const countsOf = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([nouns, n]) => countOf(n, nouns.replace(/ies$/, 'ys').replace(/s$/, ''), nouns))
    .join(', ');

/** A number with three decimals; none is a dash. */
export const rounded = (value: number | null): string => (value === null ? '–' : signed(value.toFixed(3)));

/** A share in per cent. */
export const percent = (value: number | null): string =>
  value === null ? '–' : `${signed((100 * value).toFixed(2))} %`;

/** A p-value. */
export const pValue = (p: number | null): string =>
  p === null ? '–' : p < 0.0001 ? '< 0.0001' : p.toFixed(4);

/** A confidence level; .55 · 100 is a little above 55 in binary. */
export const levelText = (level: number): string => `${Number((100 * level).toPrecision(6))} %`;

/** An interval, each end written by `write`. */
export const intervalText = (interval: Interval | null, write: (value: number) => string): string =>
  interval === null ? '–' : `${write(interval.low)} … ${write(interval.high)}`;

/** With a minus sign that is as wide as a plus sign. */
const signed = (text: string): string => text.replace('-', '−');
