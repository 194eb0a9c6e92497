import { describe, expect, it } from 'vitest';
import { normalQuantile } from './distributions.ts';
import { type Random, seededRandom, uniform } from './random.ts';
import { averageTrials } from './testcases.ts';
import { riseOfSum, riseOfTypical } from './usage-rise.ts';

const normal = (random: Random): number => normalQuantile(Math.max(1e-12, uniform(random)));

/** Two runs: each testcase costs about the same in both, and testcases differ by the lognormal `spread`. */
const twoRuns = (random: Random, n: number, { spread = 1, noise = 0.3, factor = 1 }) => {
  const base = Array.from({ length: n }, () => Math.exp(spread * normal(random)));
  const draw = (times: number) =>
    base.map((value, testcase) => ({ testcase, score: times * value * Math.exp(noise * normal(random)) }));
  const { columns } = averageTrials(draw(1), draw(factor));
  return [columns[0]!, columns[1]!] as const;
};

/** Shares of draws whose interval lies above 0, and whose interval holds the truth. */
const rates = (
  draws: number,
  rise: (random: Random) => ReturnType<typeof riseOfSum>,
  truth: number,
): { shown: number; held: number } => {
  const random = seededRandom(11);
  let [shown, held] = [0, 0];
  for (let i = 0; i < draws; i++) {
    const { low, high } = rise(random).interval!;
    if (low > 0) shown++;
    if (low <= truth && truth <= high) held++;
  }
  return { shown: shown / draws, held: held / draws };
};

// The standard error of .025 in 150 draws is .013, that of .95 is .018.
describe('a rise of cost', () => {
  it.each([50, 200])(
    'is shown by chance in about 2.5 % of comparisons of %d testcases whose costs are lognormal',
    (n) => {
      const { shown, held } = rates(
        150,
        (random) => riseOfSum(...twoRuns(random, n, {}), { level: 0.95, seed: 1 }),
        0,
      );
      expect(shown).toBeLessThanOrEqual(0.05);
      expect(held).toBeGreaterThan(0.91);
    },
  );

  it('of 10 % is found, and its interval holds it', () => {
    const { shown, held } = rates(
      100,
      (random) => riseOfSum(...twoRuns(random, 300, { factor: 1.1 }), { level: 0.95, seed: 1 }),
      0.1,
    );
    expect(shown).toBeGreaterThan(0.6);
    expect(held).toBeGreaterThan(0.92);
  });

  it('is read from the group if testcases share one, and unknown without a cost before', () => {
    const of = (scores: number[]) =>
      scores.map((score, testcase) => ({ testcase, score, group: `g${testcase % 2}` }));
    const { columns } = averageTrials(of([1, 1, 3, 3]), of([2, 2, 6, 6]));
    expect(riseOfSum(columns[0]!, columns[1]!, { level: 0.95, seed: 1 })).toMatchObject({
      n: 4,
      before: 2,
      after: 4,
      rise: 1,
    });
    const free = averageTrials(of([0, 0]), of([1, 1])).columns;
    expect(riseOfSum(free[0]!, free[1]!, { level: 0.95, seed: 1 })).toMatchObject({
      rise: null,
      interval: null,
    });
  });
});

describe('a rise of latency', () => {
  it('is that of a typical testcase, shown by chance in about 2.5 %', () => {
    const { shown, held } = rates(
      200,
      (random) => riseOfTypical(...twoRuns(random, 60, { spread: 1.5 }), { level: 0.95, seed: 1 }),
      0,
    );
    expect(shown).toBeLessThanOrEqual(0.05);
    expect(held).toBeGreaterThan(0.92);
    const [before, after] = twoRuns(seededRandom(2), 60, { noise: 0, factor: 1.25 });
    expect(riseOfTypical(before, after, { level: 0.95, seed: 1 }).rise).toBeCloseTo(0.25, 10);
  });
});
