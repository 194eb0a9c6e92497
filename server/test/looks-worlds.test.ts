import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../src/engine/statistics/random.ts';
import { coverageOf, rateOf } from './coverage.ts';
import { leeway, repeats } from './depth.ts';
import { gateAtLooks, gateLooksWorlds } from './gate-looks-world.ts';
import { looksRates, sizeWorlds } from './looks-worlds.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const most = (share: number, draws: number) => share + 3 * Math.sqrt((share * (1 - share)) / draws);

describe('planned looks', () => {
  const draws = 150;
  // planned-looks.test.ts draws five metrics.
  it.each(
    looksRates.filter(({ nominal, name }) => nominal.includes('at most') && !/five metrics/.test(name)),
  )('report a difference that is not there in at most 5 %: $name', (rate) => {
    expect(rateOf(rate, draws, seededRandom(20))).toBeLessThanOrEqual(most(0.05, draws));
  });
});

describe('the interval of the size of a difference', () => {
  it.each(sizeWorlds)('holds the truth: $name', (world) => {
    const { held, warned } = coverageOf(world, 200, seededRandom(20));
    expect(held).toBeGreaterThanOrEqual((warned > 0.9 ? 0.87 : 0.9) - leeway(200));
  });
});

describe('a gate with planned looks', () => {
  it('has its table in docs/statistics.md as bench/gate.ts wrote it', () => {
    expect(read('docs/statistics.md')).toContain(read('bench/gate-looks-table.md'));
  });

  const named = (part: string) => gateLooksWorlds.filter(({ name }) => name.includes(part));
  const proofs = named('a proof of 0.05, four').filter(({ change }) => change < 0);
  it.each([...named('50, 400'), ...named('two alarms'), ...proofs])(
    'errs in at most 2.5 %: $name, a change of $change',
    async (world) => {
      const draws = repeats(world.rules.length === 1 ? 400 : 120);
      const { pass, worse } = await gateAtLooks(world, draws);
      // An alarm must not fail without a change, and a proof must not pass with a loss of its margin.
      expect(world.change === 0 ? worse : pass).toBeLessThanOrEqual(most(0.025, draws));
    },
  );
});
