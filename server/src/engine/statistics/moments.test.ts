import { describe, expect, it } from 'vitest';
import { meanOfSums, type Sums } from './moments.ts';
import { seededRandom, uniform } from './random.ts';

const sumsOf = (values: readonly number[]): Sums => {
  const powers = (power: number) => values.reduce((sum, value) => sum + value ** power, 0);
  return { n: values.length, sum: powers(1), squares: powers(2), cubes: powers(3) };
};

describe('a mean from sums', () => {
  // scipy 1.12: skew, t.ppf(.975, 9); x̄ − s·g⁻¹(±t/√n)
  it("without ends has Hall's interval, and says that few values decide it", () => {
    const { estimate, interval, caveats } = meanOfSums(sumsOf([1, 1, 2, 2, 3, 3, 4, 5, 8, 40]));
    expect(estimate).toBeCloseTo(6.9, 12);
    expect(interval!.low).toBeCloseTo(1.38414098543283, 9);
    expect(interval!.high).toBeCloseTo(34.61430637217177, 9);
    expect(caveats.map(({ code }) => code)).toEqual(['skewed']);
  });

  it('of symmetric values is that of Student’s t, without a caveat', () => {
    const { interval, caveats } = meanOfSums(sumsOf([1, 2, 3, 4, 5, 6, 7, 8, 9]));
    // scipy: t.interval(.95, 8, 5, numpy.std(x, ddof=1) / 3)
    expect(interval!.low).toBeCloseTo(2.8949, 3);
    expect(interval!.high).toBeCloseTo(7.1051, 3);
    expect(caveats).toEqual([]);
  });

  it('of nearly equal values takes no rounding error for skewness', () => {
    const { interval, caveats } = meanOfSums(sumsOf(Array.from({ length: 50 }, (_, i) => 1e4 + (i % 2))));
    expect(interval!.low).toBeGreaterThan(1e4 + 0.3);
    expect(interval!.high).toBeLessThan(1e4 + 0.7);
    expect(caveats).toEqual([]);
  });

  it('of bills with a long tail holds the truth in 9 of 10 draws, or says that it may not; t alone in 8 of 10', () => {
    const random = seededRandom(12);
    const normal = () =>
      Math.sqrt(-2 * Math.log(1 - uniform(random))) * Math.cos(2 * Math.PI * uniform(random));
    const truth = Math.exp(1.5 ** 2 / 2);
    let [held, warned] = [0, 0];
    for (let i = 0; i < 1_000; i++) {
      const { interval, caveats } = meanOfSums(
        sumsOf(Array.from({ length: 50 }, () => Math.exp(1.5 * normal()))),
      );
      if (interval!.low <= truth && truth <= interval!.high) held++;
      if (caveats.length > 0) warned++;
    }
    expect(held).toBeGreaterThan(880);
    expect(warned).toBeGreaterThan(950);
  });
});
