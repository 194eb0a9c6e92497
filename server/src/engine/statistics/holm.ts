/**
 * Holm's step-down adjustment: the chance of one false alarm among all tests stays at α whatever their dependence.
 * Tests without a p-value stay null and do not count.
 *
 * Holm (1979), Scand. J. Stat. 6:65–70.
 */
export const holm = (pValues: readonly (number | null)[]): (number | null)[] => {
  const ranked = pValues
    .map((p, index) => ({ p, index }))
    .filter((test): test is { p: number; index: number } => test.p !== null)
    .sort((a, b) => a.p - b.p);
  const adjusted: (number | null)[] = pValues.map(() => null);
  let largest = 0;
  for (const [rank, { p, index }] of ranked.entries()) {
    largest = Math.max(largest, Math.min(1, (ranked.length - rank) * p));
    adjusted[index] = largest;
  }
  return adjusted;
};

/**
 * Benjamini and Hochberg's step-up adjustment: among the tests that are called different, the expected share of false ones stays at α
 * if the tests are independent or depend positively. For many slices: Holm's adjustment would find no difference there. Tests without a p
 * stay null.
 *
 * Benjamini & Hochberg (1995), J. R. Stat. Soc. B 57:289–300; Benjamini & Yekutieli (2001), Ann. Stat. 29:1165–1188.
 */
export const benjaminiHochberg = (pValues: readonly (number | null)[]): (number | null)[] => {
  const ranked = pValues
    .map((p, index) => ({ p, index }))
    .filter((test): test is { p: number; index: number } => test.p !== null)
    .sort((a, b) => b.p - a.p);
  const adjusted: (number | null)[] = pValues.map(() => null);
  let least = 1;
  for (const [rank, { p, index }] of ranked.entries()) {
    least = Math.min(least, (ranked.length / (ranked.length - rank)) * p);
    adjusted[index] = least;
  }
  return adjusted;
};
