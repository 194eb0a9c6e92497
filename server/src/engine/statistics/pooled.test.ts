import { describe, expect, it } from 'vitest';
import { compareTestcases } from './compare.ts';
import { type Random, seededRandom, uniform } from './random.ts';
import { averageTrials, poolTrials } from './testcases.ts';

const n = 300;

/** Runs of one system. The last one loses `loss`; half of the testcases are decided by chance. */
const runsOf = (random: Random, count: number, loss: number) => {
  const chances = Array.from({ length: n }, () =>
    uniform(random) < 0.5 ? 0.3 + 0.6 * uniform(random) : Number(uniform(random) < 0.9),
  );
  const run = (lost: number) =>
    chances.map((chance, testcase) => ({ testcase, score: uniform(random) < chance * (1 - lost) }));
  return averageTrials(...Array.from({ length: count }, () => run(0)), run(loss / 0.75)).columns;
};

/** Shares of draws in which the last run is worse than the first alone, and than all others pooled. */
const found = (draws: number, loss: number): { one: number; pooled: number; either: number } => {
  const random = seededRandom(4);
  let [one, pooled, either] = [0, 0, 0];
  for (let i = 0; i < draws; i++) {
    const columns = runsOf(random, 3, loss);
    const last = columns.at(-1)!;
    const all = poolTrials(columns[0]!, columns.slice(1, -1));
    if (compareTestcases(columns[0]!, last, { boolean: true }).verdict === 'worse') one++;
    const { verdict } = compareTestcases(all, last, { boolean: true });
    if (verdict === 'worse') pooled++;
    if (verdict !== 'cannot tell') either++;
  }
  return { one: one / draws, pooled: pooled / draws, either: either / draws };
};

describe('several runs of the baseline, pooled as its trials', () => {
  // The standard error of .05 in 200 draws is .015.
  it('report no difference where there is none', () => {
    expect(found(200, 0).either).toBeLessThanOrEqual(0.085);
  });

  it('find a loss of five points more often than one run does', () => {
    const { one, pooled } = found(200, 0.05);
    expect(pooled).toBeGreaterThan(one + 0.05);
  });

  it('leave out trials of another revision', () => {
    const of = (revision: number, score: number) => [{ testcase: 'a', revision, score }];
    const { columns } = averageTrials(of(1, 1), of(1, 0), of(2, 0));
    expect(poolTrials(columns[0]!, columns.slice(1))).toMatchObject({
      sums: Float64Array.of(1),
      trials: Int32Array.of(2),
    });
  });
});
