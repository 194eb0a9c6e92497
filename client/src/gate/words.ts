/**
 * Writes a number with its thousands apart. A count below 1,000 has none: the first look at the tables of a language takes 10 to 50 ms of a short
 * command.
 */
export const inThousands = (n: number): string =>
  Number.isInteger(n) && Math.abs(n) < 1_000 ? String(n) : n.toLocaleString('en');

/** Writes a count with its word: `3 records`, `1 record`. */
export const countOf = (n: number, singular: string, plural = `${singular}s`): string =>
  `${inThousands(n)} ${n === 1 ? singular : plural}`;

/** Writes a confidence level. The rounding is for binary fractions: .55 · 100 is a little above 55. */
export const levelText = (level: number): string => {
  // Two digits of what is missing to 100 %, and two decimals at least.
  const decimals = Math.max(2, 1 - Math.floor(Math.log10(100 * (1 - level))));
  return `${Number((100 * level).toFixed(Math.min(decimals, 10)))} %`;
};
