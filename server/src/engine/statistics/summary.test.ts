import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { summarizeRun } from './summary.ts';
import type { Observation } from './testcases.ts';
import { passAtK, passHatK } from './trials.ts';

const rate = { boolean: true, bounds: { low: 0, high: 1 } };
const passes = (k: number, n: number): Observation[] =>
  Array.from({ length: n }, (_, i) => ({ testcase: `t${i}`, score: i < k }));

it('a boolean metric tried once gives a rate with Wilson interval', () => {
  const result = summarizeRun(passes(81, 263), rate);
  expect(result).toMatchObject({
    method: 'wilson',
    n: 263,
    numTestcases: 263,
    range: null,
    passK: [],
    warnings: [],
  });
  expect(result.interval!.low).toBeCloseTo(0.2552885198782742, 9);
});

it('repeating every testcase does not change n, the estimate or the width beyond what trials told', () => {
  const once = passes(30, 100);
  const result = summarizeRun([...once, ...once, ...once], rate);
  expect(result).toMatchObject({ n: 100, estimate: 0.3, records: { scored: 300 } });
  expect(result.interval).toEqual(summarizeRun(once, rate).interval);
});

it('missing scores are counted apart, are not failures, and show as a range', () => {
  const result = summarizeRun(
    [
      ...passes(60, 80),
      ...(['unscored', 'failed', 'pending'] as const).map((score, i) => ({ testcase: `m${i}`, score })),
      { testcase: 't0', score: 'failed' as const },
    ],
    rate,
  );
  expect(result).toMatchObject({ n: 80, estimate: 0.75 });
  expect(result.records).toEqual({ scored: 80, pending: 1, unscored: 1, failed: 2 });
  expect(result.range!.low).toBeCloseTo(59.5 / 83, 12);
  expect(result.range!.high).toBeCloseTo(63 / 83, 12);
  expect(result.warnings).toContainEqual(expect.stringContaining('4 of 84 scores are missing'));
});

it('one of something is not said as several', () => {
  const one = { testcase: 't0', score: 1 };
  expect(summarizeRun([one], rate).warnings.join()).toContain('only one testcase:');
  const { warnings } = summarizeRun([...passes(2, 3), { testcase: 'm', score: 'failed' as const }], rate);
  expect(warnings.join()).toContain(
    '1 of 4 scores is missing: the estimate holds if it is missing by chance',
  );
});

it('with groups n is their number and the error is cluster-robust', () => {
  const observations = passes(50, 120).map((observation, i) => ({ ...observation, group: `g${i % 30}` }));
  expect(summarizeRun(observations, rate)).toMatchObject({
    method: 'cluster-robust wilson (CR2, Satterthwaite)',
    n: 30,
    numTestcases: 120,
  });
});

it('when every grouped testcase passed, a group counts once in the rule of three', () => {
  const observations = passes(120, 120).map((observation, i) => ({ ...observation, group: `g${i % 20}` }));
  const result = summarizeRun(observations, rate);
  expect(result.interval).toEqual({ low: expect.closeTo(0.8388748419471804, 9), high: 1 });
  expect(result.warnings[0]).toMatch(/all 20 passed/);
});

it('an interval never leaves the bounds of the metric', () => {
  const scores = [1, 1, 1, 1, 0.2];
  const observations = scores.map((score, i) => ({ testcase: `t${i}`, score }));
  const result = summarizeRun(observations, { boolean: false, bounds: { low: 0, high: 1 } });
  expect(result.interval!.high).toBeLessThan(1);
  expect(result.interval!.low).toBeGreaterThan(0);
});

it('nothing scored: no estimate, and why', () => {
  const result = summarizeRun([{ testcase: 'a', score: 'failed' }], rate);
  expect(result).toMatchObject({ estimate: null, interval: null, reason: 'no testcase has a score' });
  expect(result.range).toEqual({ low: 0, high: 1 });
});

describe('trials', () => {
  // python: 1 - comb(n-c, k, exact=True)/comb(n, k, exact=True), comb(c, k, exact=True)/comb(n, k, exact=True)
  it.each([
    [10, 3, 1, 0.3, 0.3],
    [10, 3, 5, 0.9166666666666666, 0],
    [200, 13, 100, 0.9999194971988055, 0],
    [8, 6, 4, 1, 0.21428571428571427],
  ])('of %i trials %i passed: pass@%i and pass^k', (n, c, k, at, hat) => {
    expect(passAtK(n, c, k)).toBeCloseTo(at, 12);
    expect(passHatK(n, c, k)).toBeCloseTo(hat, 12);
  });
  it('more tries than trials is said, not guessed', () => {
    expect(passAtK(3, 1, 4)).toBeNull();
    expect(passHatK(3, 1, 4)).toBeNull();
  });
  it('both are the mean over all ways to choose k of n trials', () => {
    const trials = fc.array(fc.boolean(), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(trials, fc.integer({ min: 1, max: 8 }), (results, k) => {
        fc.pre(k <= results.length);
        let [any, all, ways] = [0, 0, 0];
        for (let mask = 0; mask < 2 ** results.length; mask++) {
          const chosen = results.filter((_, i) => mask & (1 << i));
          if (chosen.length !== k) continue;
          ways++;
          if (chosen.some(Boolean)) any++;
          if (chosen.every(Boolean)) all++;
        }
        const passed = results.filter(Boolean).length;
        expect(passAtK(results.length, passed, k)).toBeCloseTo(any / ways, 12);
        expect(passHatK(results.length, passed, k)).toBeCloseTo(all / ways, 12);
      }),
    );
  });
  it('rest on groups like the pass rate, which equals pass@1, and stay within 0 and 1', () => {
    const observations: Observation[] = Array.from({ length: 12 }, (_, i) => ({
      testcase: `t${i >> 1}`,
      group: `g${i >> 2}`,
      score: i !== 5 && i !== 7,
    }));
    const { passK, n, interval, method } = summarizeRun(observations, rate);
    expect(n).toBe(3);
    expect(interval!.high).toBeLessThan(1);
    for (const estimate of [passK[0]!.passAtK, passK[0]!.passHatK])
      expect(estimate).toMatchObject({ n, interval, method });
    expect(passK[1]!.passHatK).toMatchObject({ n });
  });
  it('marks flaky testcases and reports pass@k for the k that were tried', () => {
    const observations: Observation[] = [true, true, false].flatMap((second, i) => [
      { testcase: `t${i}`, score: true },
      { testcase: `t${i}`, score: second },
    ]);
    const result = summarizeRun(observations, rate);
    expect(result.flaky).toEqual([{ testcase: 't2', trials: 2, numPasses: 1 }]);
    expect(result.passK.map(({ k }) => k)).toEqual([1, 2]);
    expect(result.passK[1]!.passAtK.estimate).toBe(1);
    expect(result.passK[1]!.passHatK.estimate).toBeCloseTo(2 / 3, 12);
  });
});

it('says one testcase as one, and of none nothing but that it has no score', () => {
  expect(summarizeRun([{ testcase: 'a', score: true }], rate).warnings).toEqual([
    expect.stringMatching(/^only one testcase: /),
  ]);
  const missing = summarizeRun([{ testcase: 'a', score: 'failed' }], rate);
  expect([missing.reason, missing.warnings]).toEqual([
    'no testcase has a score',
    ['its only score is missing'],
  ]);
  expect(summarizeRun([], rate).warnings).toEqual([]);
});
