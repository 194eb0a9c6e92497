import type { Allocation } from './sample-schema.ts';

export type Stratum = { numRecords: number; numDrawn: number };

/**
 * Divides `total` draws among the strata. Each stratum gets at least one, at least as many as it has already, at most all its
 * records. The remaining draws go one by one to the stratum that is furthest behind its share (Webster's method: unlike with rounded
 * quotas, no stratum loses a draw when the total grows).
 */
export const allocate = (strata: readonly Stratum[], total: number, allocation: Allocation): number[] => {
  const drawn = strata.map(({ numDrawn }) => Math.max(1, numDrawn));
  const weights = strata.map(({ numRecords }) => (allocation === 'equal' ? 1 : numRecords));
  for (let left = total - drawn.reduce((sum, n) => sum + n, 0); left > 0; left--) {
    let behind = -1;
    let most = 0;
    for (const [i, { numRecords }] of strata.entries()) {
      const claim = drawn[i]! < numRecords ? weights[i]! / (drawn[i]! + 0.5) : 0;
      if (claim > most) [behind, most] = [i, claim];
    }
    drawn[behind]!++;
  }
  return drawn;
};
