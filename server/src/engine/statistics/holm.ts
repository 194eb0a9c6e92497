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
