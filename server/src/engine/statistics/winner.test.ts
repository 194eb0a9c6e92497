import { describe, expect, it } from 'vitest';
import { wilson } from './intervals.ts';
import { type Random, seededRandom, uniform } from './random.ts';
import { winnerOf } from './winner.ts';

const scale = { low: 0, high: 1 };

/** Tries of several prompts on the same testcases. Some testcases are hard for all of them. */
const triesOf = (random: Random, n: number, rates: readonly number[]): Float64Array[] => {
  const hard = Array.from({ length: n }, () => uniform(random));
  return rates.map((rate) =>
    // A third of the testcases decide alike for every prompt.
    Float64Array.from({ length: n }, (_, i) => Number((i % 3 === 0 ? hard[i]! : uniform(random)) < rate)),
  );
};

const coverage = (draws: number, n: number, rates: readonly number[]) => {
  const random = seededRandom(6);
  let [honest, naive, optimism, bias, high] = [0, 0, 0, 0, 0];
  for (let draw = 0; draw < draws; draw++) {
    const found = winnerOf(triesOf(random, n, rates), scale, 0.95)!;
    const truth = rates[found.winner]!;
    const plain = wilson(found.mean * n, n)!;
    if (found.interval.low <= truth && truth <= found.interval.high) honest++;
    if (plain.low <= truth && truth <= plain.high) naive++;
    if (found.estimate > truth) high++;
    optimism += found.mean - truth;
    bias += found.estimate - truth;
  }
  const share = (sum: number) => sum / draws;
  return {
    honest: share(honest),
    naive: share(naive),
    high: share(high),
    optimism: share(optimism),
    bias: share(bias),
  };
};

describe('the best of several tries', () => {
  // The standard error of .95 in 1,000 draws is .007.
  it('of ten equal prompts on 100 testcases is inside its interval in 93 to 97 %, and its estimate has little optimism', () => {
    const { honest, naive, optimism, bias, high } = coverage(1000, 100, Array(10).fill(0.8));
    expect(naive).toBeLessThan(0.9);
    expect(optimism).toBeGreaterThan(0.04);
    expect(honest).toBeGreaterThan(0.93);
    expect(honest).toBeLessThan(0.985);
    expect(Math.abs(bias)).toBeLessThan(optimism / 2);
    expect(Math.abs(high - 0.5)).toBeLessThan(0.1);
  });

  it('that is clearly the best is not corrected', () => {
    const found = winnerOf(triesOf(seededRandom(1), 300, [0.5, 0.9, 0.5]), scale, 0.95)!;
    expect(found.winner).toBe(1);
    expect(found.estimate).toBeCloseTo(found.mean, 2);
  });

  it('holds for tries that differ', () => {
    const { honest } = coverage(500, 100, [0.7, 0.72, 0.75, 0.78, 0.8]);
    expect(honest).toBeGreaterThan(0.925);
  });

  it('is null without spread or without another try', () => {
    expect(winnerOf([Float64Array.of(1, 1), Float64Array.of(1, 1)], scale, 0.95)).toBeNull();
    expect(winnerOf([Float64Array.of(1, 0)], scale, 0.95)).toBeNull();
  });
});
