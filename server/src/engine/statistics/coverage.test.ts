import { describe, expect, it } from 'vitest';
import { coverageOf, rateOf, rates, worlds, wrongReadings } from '../../../test/coverage.ts';
import { leeway } from '../../../test/depth.ts';
import { seededRandom } from './random.ts';

// The standard error of a share of .95 in 1,000 draws is .0069. `node bench/coverage.ts` draws ten times as often, for the tables in
// docs/statistics.md.
const draws = 1_000;
/** In these worlds the interval holds the truth less often, and every answer says so. */
const least = (name: string): number =>
  name.includes('exponential') || name.includes('0.95 of 20 documents') || name.includes('lognormal')
    ? 0.79
    : 0.89;

describe('an interval at level .95 holds the truth in 19 of 20 draws, or warns, seeded', () => {
  it.each(worlds)('$method: $name', (world) => {
    // Each interval of sign flips looks at 4,096 assignments.
    const isFlipped = world.method.startsWith('sign flips');
    const { held, warned } = coverageOf(world, isFlipped ? 300 : draws, seededRandom(20));
    expect(held).toBeGreaterThanOrEqual((warned > 0.9 ? least(world.name) : 0.92) - leeway(draws));
  });

  it.each(wrongReadings)('and does not where data are read as they should not: $name', (world) => {
    expect(coverageOf(world, draws, seededRandom(20)).held).toBeLessThan(0.9);
  });
});

describe('tests err as often as they say, and find what they say', () => {
  const named = (part: string) => rates.filter(({ name }) => name.includes(part));
  it.each([...named('gate on'), ...named('steady judge')])('$method: $name', (rate) => {
    expect(rateOf(rate, 400, seededRandom(20))).toBeLessThanOrEqual(0.075);
  });
  it.each(named('after each of 500 testcases, no difference'))('$method: $name', (rate) => {
    expect(rateOf(rate, 400, seededRandom(20))).toBeLessThanOrEqual(0.05);
  });
  it.each(named('minimum detectable'))('$method: $name: at least three of four', (rate) => {
    expect(rateOf(rate, 400, seededRandom(20))).toBeGreaterThanOrEqual(0.75);
  });
});
