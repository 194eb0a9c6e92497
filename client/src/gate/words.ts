/** Writes a count with its word: `3 records`, `1 record`. */
export const countOf = (n: number, singular: string, plural = `${singular}s`): string =>
  `${n.toLocaleString('en')} ${n === 1 ? singular : plural}`;

/** Writes a confidence level. The rounding is for binary fractions: .55 · 100 is a little above 55. */
export const levelText = (level: number): string => `${Number((100 * level).toPrecision(6))} %`;
