import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareRuns } from './compare.ts';
import { seededRandom, uniform } from './random.ts';
import { sequentialTest } from './sequential.ts';

const signs = (wins: number, losses: number, ties = 0): Float64Array =>
  Float64Array.from([...Array(wins).fill(1), ...Array(losses).fill(-1), ...Array(ties).fill(0)]);

// numpy: s = (2 * arange(64) + 1) / 64 - 1; mean((1 + s)**w * (1 - s)**l). With ever more bets it becomes Robbins' mixture
// 2**(w + l) * scipy.special.beta(w + 1, l + 1), which for (10, 2) is 4.77389.
it.each([
  [10, 2, 4.773910548332313],
  [3, 0, 1.999755859375],
  [30, 12, 9.249328114085133],
  [5, 5, 0.3694083695226361],
])('the evidence of %i wins and %i losses is %f', (wins, losses, expected) => {
  expect(sequentialTest(signs(wins, losses), 1).eValue).toBeCloseTo(expected, 10);
  expect(sequentialTest(signs(wins, losses, 70), 1).eValue).toBeCloseTo(expected, 10);
});

// The capital at m from numpy by the definition, its crossing of 20 by scipy.optimize.brentq.
it.each([
  [30, 12, 58, -0.018093765589169197, 0.3763599676444236],
  [10, 2, 20, -0.06958210467704273, 0.5526988917656612],
])('the confidence sequence of %i wins, %i losses and %i ties', (wins, losses, ties, low, high) => {
  const { interval } = sequentialTest(signs(wins, losses, ties), 1);
  expect(interval.low).toBeCloseTo(low, 9);
  expect(interval.high).toBeCloseTo(high, 9);
});

it('test and confidence sequence agree: the interval excludes 0 exactly where p is at most α', () => {
  const counts = fc.tuple(fc.nat(60), fc.nat(60), fc.nat(60)).filter(([w, l, t]) => w + l + t > 0);
  fc.assert(
    fc.property(counts, ([wins, losses, ties]) => {
      const { p, interval } = sequentialTest(signs(wins, losses, ties), 1);
      if (Math.abs(p - 0.05) < 1e-6) return;
      expect(interval.low > 0 || interval.high < 0).toBe(p < 0.05);
    }),
  );
});

describe('looking after every testcase', () => {
  const watch = (random: () => number, loss: number, win: number, n: number): boolean => {
    const differences = Float64Array.from({ length: n }, () => {
      const u = uniform(random);
      return u < win ? 1 : u < win + loss ? -1 : 0;
    });
    return sequentialTest(differences, 1).decidedAfter !== null;
  };
  it('equal systems are called different in at most 5 % of 2,000 watched runs of 500 testcases', () => {
    const random = seededRandom(8);
    const alarms = Array.from({ length: 2_000 }, () => watch(random, 0.1, 0.1, 500)).filter(Boolean).length;
    expect(alarms / 2_000).toBeLessThanOrEqual(0.05);
  });
  it('ten points lost are found in four of five watched runs', () => {
    const random = seededRandom(9);
    const found = Array.from({ length: 300 }, () => watch(random, 0.18, 0.08, 500)).filter(Boolean).length;
    expect(found / 300).toBeGreaterThan(0.8);
  });
});

describe('a comparison by the sequential test', () => {
  const run = (scores: boolean[]) => scores.map((score, i) => ({ testcase: i, score }));
  const before = Array.from({ length: 200 }, (_, i) => i % 3 > 0);
  it('says after how many testcases the verdict was in, and what one look would have needed', () => {
    const after = before.map((score, i) => score && i % 4 > 0);
    const result = compareRuns(run(before), run(after), { boolean: true, test: 'sequential' });
    expect(result).toMatchObject({ verdict: 'worse', mcnemar: null });
    expect(result.watched!.eValue).toBeGreaterThan(20);
    expect(result.watched!.neededEvidence).toBeCloseTo(20, 9);
    expect(result.watched!.numUntilDecided).toBeLessThan(100);
    expect(result.watched!.numForFixedTest).toBeGreaterThan(10);
    expect(result.interval!.high).toBeLessThan(0);
  });
  it('counts a testcase of a growing run once it has all its trials', () => {
    const passes = Array.from({ length: 120 }, () => true);
    const observed = (count: number, trials: number) =>
      Array.from({ length: count * trials }, (_, i) => ({ testcase: Math.floor(i / trials), score: false }));
    const compareAt = (after: { testcase: number; score: boolean }[], growth: object) =>
      compareRuns(run(passes), after, {
        boolean: true,
        test: 'sequential',
        growth: { numTrials: 3, isOver: false, ...growth },
      });
    // 40 testcases with all trials, and one trial each of the others.
    const rest = Array.from({ length: 80 }, (_, i) => ({ testcase: 40 + i, score: true }));
    const after = [...observed(40, 3), ...rest];
    expect(compareAt(after, {})).toMatchObject({ n: 40, difference: -1, verdict: 'worse' });
    expect(compareAt(after, { isOver: true })).toMatchObject({ n: 120, wins: 0, losses: 40 });
    expect(compareAt(after, { isOver: true, isCancelled: true })).toMatchObject({ n: 40 });
    // Testcases that both runs have are never compared without pairs.
    expect(compareAt(observed(120, 2), {})).toMatchObject({ n: 0, difference: null, verdict: 'cannot tell' });
  });
  it('says how much evidence is still missing', () => {
    const { sentence } = compareRuns(run(before), run(before), { boolean: true, test: 'sequential' });
    expect(sentence).toBe('cannot tell: the evidence is 1, and the verdict needs 20');
  });
});

it('many different scores are rounded against each bet: the evidence is never more than it is exactly', () => {
  const random = seededRandom(3);
  const differences = Float64Array.from({ length: 6_000 }, () => 0.02 + 0.4 * (uniform(random) - 0.5));
  const { eValue, interval } = sequentialTest(differences, 1);
  const exact = Array.from({ length: 64 }, (_, j) => (2 * j + 1) / 64 - 1).map((s) =>
    differences.reduce((sum, difference) => sum + Math.log(1 + s * difference), 0),
  );
  const most = Math.max(...exact);
  const log = most + Math.log(exact.reduce((sum, one) => sum + Math.exp(one - most), 0) / 64);
  expect(Math.log(eValue)).toBeLessThanOrEqual(log);
  expect(Math.log(eValue)).toBeGreaterThan(0.95 * log);
  expect(interval.low).toBeLessThan(0.02);
  expect(interval.high).toBeGreaterThan(0.02);
});
