import { describe, expect, it } from 'vitest';
import { drawWeeks, type Weeks } from '../../../test/provenance-worlds.ts';
import { compareUserRates } from './compare-user-rates.ts';
import { newcombe } from './paired-proportions.ts';
import { seededRandom } from './random.ts';

const found = (draws: number, world: Weeks) => {
  const random = seededRandom(5);
  const truth = world.rates[1] - world.rates[0];
  const counts = { held: 0, different: 0, asIndependent: 0 };
  for (let i = 0; i < draws; i++) {
    const [before, after] = drawWeeks(random, world);
    const { interval, p } = compareUserRates(before, after);
    if (interval!.low <= truth && truth <= interval!.high) counts.held++;
    if (p! <= 0.05) counts.different++;
    const plain = newcombe(before.passes, before.n, after.passes, after.n)!;
    if (plain.low > 0 || plain.high < 0) counts.asIndependent++;
  }
  return {
    held: counts.held / draws,
    different: counts.different / draws,
    asIndependent: counts.asIndependent / draws,
  };
};

describe('two weeks of traffic by users', () => {
  // The standard error of .95 in 400 draws is .011.
  it.each([0, 0.7, 1])('without a difference differ in at most 5 %; %f of the users stay', (staying) => {
    const { held, different } = found(400, { users: 150, each: 5, rates: [0.9, 0.9], staying });
    expect(held).toBeGreaterThan(0.92);
    expect(different).toBeLessThan(0.08);
  });

  it('counted as independent differ by chance much more often', () => {
    expect(found(400, { users: 150, each: 5, rates: [0.9, 0.9], staying: 0 }).asIndependent).toBeGreaterThan(
      0.12,
    );
  });

  it('show a fall, more surely if the same users stay', () => {
    const world = { users: 150, each: 5, rates: [0.9, 0.8] as [number, number] };
    const [leaving, staying] = [found(200, { ...world, staying: 0 }), found(200, { ...world, staying: 1 })];
    expect(leaving.held).toBeGreaterThan(0.91);
    expect(leaving.different).toBeGreaterThan(0.6);
    expect(staying.different).toBeGreaterThan(leaving.different);
  });

  it('is Newcombe’s without users, and unknown without records', () => {
    const none = { sizes: [], passes: [] };
    const { interval, difference } = compareUserRates(
      { passes: 80, n: 100, users: none },
      { passes: 45, n: 60, users: none },
    );
    const plain = newcombe(80, 100, 45, 60)!;
    expect(difference).toBeCloseTo(-0.05, 12);
    expect(interval!.low).toBeCloseTo(plain.low, 12);
    expect(interval!.high).toBeCloseTo(plain.high, 12);
    expect(
      compareUserRates({ passes: 0, n: 0, users: none }, { passes: 4, n: 6, users: none }),
    ).toMatchObject({ difference: null, interval: null, p: null });
  });
});
