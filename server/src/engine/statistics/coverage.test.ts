import { describe, expect, it } from 'vitest';
import { coverageOf, falseDrift, worlds, wrongReadings } from '../../../test/coverage.ts';
import { seededRandom } from './random.ts';

// The standard error of a share of .95 in 1,000 draws is .0069. `node bench/coverage.ts` draws ten times as often, for the table in
// docs/statistics.md: .937 at the least, but for skewed differences.
const draws = 1_000;

describe('an interval at level .95 holds the truth in 19 of 20 draws, seeded', () => {
  it.each(worlds)('$method: $name', (world) => {
    // Each interval of sign flips looks at 4,096 assignments; skewed differences are not what it assumes.
    const isFlipped = world.method.startsWith('sign flips');
    const least = world.name.includes('exponential') ? 0.85 : 0.92;
    expect(coverageOf(world, isFlipped ? 300 : draws, seededRandom(20))).toBeGreaterThanOrEqual(least);
  });

  it.each(wrongReadings)('and does not where data are read as they should not: $name', (world) => {
    expect(coverageOf(world, draws, seededRandom(20))).toBeLessThan(0.9);
  });

  it('a steady judge is said to have drifted in at most 1 of 20 checks', () => {
    const random = seededRandom(20);
    const false_ = Array.from({ length: draws }, () => falseDrift(random)).filter(
      (drifted) => drifted,
    ).length;
    expect(false_ / draws).toBeLessThanOrEqual(0.06);
  });
});
