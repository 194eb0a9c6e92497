import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holm } from './holm.ts';
import { seededRandom, uniform } from './random.ts';
import { signFlip } from './sign-flip.ts';

// R's sleep: extra hours with the second drug minus the first.
const sleep = [1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4];

describe('signFlip', () => {
  // scipy 1.12: permutation_test((d,), mean, permutation_type='samples', n_resamples=inf).pvalue; the bounds are the
  // 25th smallest and largest mean of itertools.combinations over all 1,023 subsets.
  it("enumerates R's sleep as SciPy does, and inverts to the 25th subset means", () => {
    const result = signFlip(sleep, 1);
    expect(result).toMatchObject({ assignments: 1024, seed: null });
    expect(result.p).toBeCloseTo(0.00390625, 12);
    expect(result.interval!.low).toBeCloseTo(0.8333333333333334, 12);
    expect(result.interval!.high).toBeCloseTo(2.466666666666667, 12);
  });
  it('has no interval where no assignment is rare enough: 5 differences at 95 %', () => {
    expect(signFlip([1, 2, 3, 4, 5], 1)).toMatchObject({ p: 2 / 32, interval: null });
    expect(signFlip([1, 2, 3, 4, 5, 6], 1).interval).not.toBeNull();
  });
  it('repeats itself for a seed and says it', () => {
    const data = [...sleep, ...sleep.map((x) => Math.sqrt(x) - 1)];
    expect(signFlip(data, 5)).toEqual(signFlip(data, 5));
    expect(signFlip(data, 5)).toMatchObject({ seed: 5, assignments: 10_000 });
    expect(signFlip(data, 5).interval).not.toEqual(signFlip(data, 6).interval);
  });
  it('counts zeros as members without adding them: drawn and enumerated agree', () => {
    const data = [0.5, 0.4, -0.1, 0.3, 0.6, 0.2, 0, 0, 0, 0, 0, 0, 0];
    const exact = signFlip(data, 1);
    // π shares no step with the others, so that these are drawn.
    const sampled = signFlip([...data.map((x) => x * Math.PI), 0.01, -0.01], 1);
    expect(sampled.seed).toBe(1);
    expect(Math.abs(sampled.p - exact.p)).toBeLessThan(0.02);
    expect(sampled.interval!.low / Math.PI).toBeCloseTo(exact.interval!.low, 1);
  });
  it('counts integers exactly: as enumerating all of 13, and a drawn test of 40 is as near as its draws allow', () => {
    const random = seededRandom(3);
    for (let i = 0; i < 20; i++) {
      const few = Array.from({ length: 12 }, () => Math.floor(uniform(random) * 9) - 3);
      // One zero more doubles the assignments and leaves their means.
      const enumerated = signFlip([...few, 0], 1);
      const counted = signFlip([...few, 0, 0], 1);
      expect(counted).toMatchObject({ assignments: 2 ** 14, seed: null });
      expect(counted.p).toBeCloseTo(enumerated.p, 3);
    }
    const many = Array.from({ length: 40 }, (_, i) => ((i * 7) % 9) - 3);
    const exact = signFlip(many, 1);
    expect(exact).toMatchObject({ assignments: 2 ** 40, seed: null });
    // Differences of 1e-7 take the common step away and change nothing else.
    const drawn = signFlip(
      many.map((x, i) => x + 1e-7 * Math.sqrt(i)),
      1,
    );
    expect(drawn.seed).toBe(1);
    expect(Math.abs(drawn.p - exact.p)).toBeLessThan(8 * Math.sqrt(exact.p / 2 / 10_000));
    expect(drawn.interval!.low).toBeCloseTo(exact.interval!.low, 1);
  });
  it('draws the small ones of many together, within the error of drawing: skewed, heavy tails, mostly zeros', () => {
    const random = seededRandom(5);
    const worlds = [
      () => Math.exp(3 * (uniform(random) + uniform(random) + uniform(random) - 1.5)) - 2.4,
      () => (uniform(random) < 0.995 ? 0 : uniform(random) < 0.65 ? 1 : -1),
      () => (uniform(random) < 0.5 ? 1 : -1) / Math.sqrt(uniform(random)),
    ];
    for (const draw of worlds) {
      const data = Array.from({ length: 1_000 }, draw);
      const singly = signFlip(data, 1);
      // Zeros add a member and no sum: the tails stay, and the test draws them the other way.
      const together = signFlip([...data, 0], 2);
      expect([singly.seed, together.seed]).toEqual([1, 2]);
      expect(Math.abs(together.p - singly.p)).toBeLessThan(4 * Math.sqrt(Math.max(0.002, singly.p) / 5_000));
      const width = singly.interval!.high - singly.interval!.low;
      expect(Math.abs(together.interval!.low - singly.interval!.low)).toBeLessThan(0.05 * width);
      expect(Math.abs(together.interval!.high - singly.interval!.high)).toBeLessThan(0.05 * width);
    }
  });
  it('rejects a true null in 5 % of 2,000 samples of 13 whose sizes are far from normal', () => {
    const random = seededRandom(11);
    let rejected = 0;
    for (let i = 0; i < 2_000; i++) {
      const data = Array.from({ length: 13 }, () => uniform(random) ** 4 * (uniform(random) < 0.5 ? -1 : 1));
      if (signFlip(data, i).p <= 0.05) rejected++;
    }
    expect(rejected / 2_000).toBeGreaterThan(0.04);
    expect(rejected / 2_000).toBeLessThan(0.06);
  });
  it('for any data the interval excludes 0 exactly where the test rejects', () => {
    const data = fc.array(fc.integer({ min: -20, max: 40 }), { minLength: 6, maxLength: 30 });
    fc.assert(
      fc.property(data, fc.nat(1000), (differences, seed) => {
        const { p, interval } = signFlip(differences, seed);
        expect(interval!.low > 0 || interval!.high < 0).toBe(p <= 0.05);
      }),
      { numRuns: 40 },
    );
  });
});

// statsmodels 0.15: multipletests([.01, .04, .03, .005, .5], method='holm')[1]
it("Holm's adjustment is statsmodels', leaves null alone and does not count it", () => {
  const expected = [0.04, 0.09, 0.09, 0.025, 0.5];
  const adjusted = holm([0.01, 0.04, null, 0.03, 0.005, 0.5]);
  expect(adjusted[2]).toBeNull();
  expect(adjusted.filter((p) => p !== null).map((p) => Number(p.toFixed(12)))).toEqual(expected);
});
