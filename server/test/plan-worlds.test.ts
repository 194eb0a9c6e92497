import { expect, it } from 'vitest';
import { seededRandom } from '../src/engine/statistics/random.ts';
import { rateOf } from './coverage.ts';
import { planRates } from './plan-worlds.ts';

// bench/coverage-table.md has all worlds, by 10,000 draws. These take a few seconds together.
const slow = /trials|pooled|metrics|scores.*looks|documents.*looks|earlier run/;

it.each(planRates.filter(({ name }) => !slow.test(name)))(
  'a comparison of the planned size finds the loss in four of five: $name',
  (rate) => {
    const found = rateOf(rate, 200, seededRandom(20));
    // The standard error of .8 in 200 draws is .028.
    expect(found).toBeGreaterThan(0.73);
    expect(found).toBeLessThan(0.89);
  },
);
