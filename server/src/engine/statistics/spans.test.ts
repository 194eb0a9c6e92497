import { describe, expect, it } from 'vitest';
import { coverageOf, rateOf } from '../../../test/coverage.ts';
import { spanRates, spanWorlds, wrongSpans } from '../../../test/span-worlds.ts';
import { clusteredMeanEstimate, spanEstimate } from './clusters.ts';
import { seededRandom } from './random.ts';

describe('a rate over spans', () => {
  it('has the error of its values in groups, from their sums alone', () => {
    const values = [1, 0, 1, 1, 0, 0, 1, 1, 1];
    const labels = [0, 0, 0, 1, 1, 2, 2, 2, 3];
    const units = [0, 1, 2, 3].map((label) => {
      const own = values.filter((_, i) => labels[i] === label);
      const sum = own.reduce((a, b) => a + b, 0);
      return { size: own.length, sum, squares: sum };
    });
    const bounds = { low: 0, high: 1 };
    const [a, b] = [
      spanEstimate(units, [0, 1, 2, 3], 0.95, bounds),
      clusteredMeanEstimate(values, labels, 0.95, bounds),
    ];
    expect(a.standardError).toBeCloseTo(b.standardError!, 12);
    expect(a.interval!.low).toBeCloseTo(b.interval!.low, 12);
    expect(a).toMatchObject({ n: 4, estimate: 6 / 9 });
  });

  // 10,000 draws are in docs/statistics.md; the standard error of a share of .95 in 1,000 is .007.
  it.each(spanWorlds)('is held by its interval in 19 of 20 draws: $name', (world) => {
    const { held, warned } = coverageOf(world, 1_000, seededRandom(20));
    // Each interval over 20 records says that it may be too narrow.
    expect(held).toBeGreaterThanOrEqual(warned === 1 ? 0.89 : 0.92);
    expect(held).toBeLessThanOrEqual(0.975);
  });

  it.each(wrongSpans)('is not held where spans are read as independent: $name', (world) => {
    expect(coverageOf(world, 1_000, seededRandom(20)).held).toBeLessThan(0.7);
  });
});

describe('a comparison of spans, paired by record', () => {
  it.each(spanRates.filter(({ name }) => name.startsWith('no difference')))(
    'errs as often as it says: $name',
    (rate) => {
      expect(rateOf(rate, 400, seededRandom(20))).toBeLessThanOrEqual(0.075);
    },
  );
});
