import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../src/engine/statistics/random.ts';
import { coverageOf, rateOf } from './coverage.ts';
import { provenanceRates, provenanceWorlds, wrongProvenance } from './provenance-worlds.ts';

const draws = 200;
// The standard error of a share of .95 in 200 draws is .015.
describe('where data are not what they seem', () => {
  it.each(provenanceWorlds)('the interval holds the truth, or the answer warns: $name', (world) => {
    const { held, warned } = coverageOf(world, draws, seededRandom(20));
    expect(held).toBeGreaterThanOrEqual(warned > 0.85 ? 0.8 : 0.9);
  });

  it.each(wrongProvenance)('the same, read wrongly, does not hold it: $name', (world) => {
    expect(coverageOf(world, draws, seededRandom(20)).held).toBeLessThan(0.9);
  });

  it.each(provenanceRates.filter(({ nominal }) => nominal.includes('at most')))(
    'a verdict errs as seldom as it promises: $method: $name',
    (rate) => {
      const most = rate.nominal.includes('twelve') ? 1 / 12 : rate.nominal.includes('2.5') ? 0.025 : 0.05;
      expect(rateOf(rate, draws, seededRandom(20))).toBeLessThanOrEqual(
        most + 3 * Math.sqrt((most * (1 - most)) / draws),
      );
    },
  );

  it.each(provenanceRates.filter(({ nominal }) => /^(nothing|refused)/.test(nominal)))(
    'and errs without it: $method: $name',
    (rate) => {
      expect(rateOf(rate, draws, seededRandom(20))).toBeGreaterThan(0.1);
    },
  );
});

it('the tables of docs/statistics.md are those that bench/coverage.ts wrote', () => {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  for (const table of read('bench/coverage-table.md').trim().split('\n\n'))
    expect(read('docs/statistics.md')).toContain(table);
});
