import { describe, expect, it } from 'vitest';
import { compareRuns } from './compare.ts';
import { meanEstimate } from './intervals.ts';
import { summarizeRun } from './summary.ts';
import type { Observation } from './testcases.ts';

const unit = { low: 0, high: 1 };
const stars = { low: 1, high: 5 };
const run = (scores: readonly (number | boolean)[], group?: (i: number) => string): Observation[] =>
  scores.map((score, i) => ({ testcase: `t${i}`, group: group?.(i) ?? null, score }));
const others = (scores: readonly number[]): Observation[] =>
  scores.map((score, i) => ({ testcase: `other ${i}`, score }));
const times = (n: number, score: number) => Array<number>(n).fill(score);

// scipy, as statsmodels 0.15: proportion_confint(0, n, .05, 'beta')[1]
describe('equal values have an interval', () => {
  it('300 times 5 of 5 lies well above 3', () => {
    const { interval } = summarizeRun(run(times(300, 5)), { boolean: false, bounds: stars });
    // Wilson's bound of a share of 0 of 300, at worst 4 stars away.
    expect(interval).toEqual({ low: expect.closeTo(5 - 4 * 0.012642, 4), high: 5 });
  });
  it('60 times 3 of 5: a share of .0596 unseen, at worst 1 or 5', () => {
    const { interval, method } = meanEstimate(times(60, 3), 0.95, stars);
    expect(method).toBe('clopper–pearson bound, no spread');
    expect(interval!.low).toBeCloseTo(3 - 2 * 0.05962949228616692, 9);
    expect(interval!.high).toBeCloseTo(3 + 2 * 0.05962949228616692, 9);
  });
});

describe('two runs without spread', () => {
  it('identical runs of 300: difference 0, and at most 1.2 points either way', () => {
    const scores = Array.from({ length: 300 }, (_, i) => (i % 7) / 7);
    const result = compareRuns(run(scores), run(scores), { boolean: false, bounds: unit });
    expect(result).toMatchObject({ difference: 0, p: 1, verdict: 'cannot tell', reason: null });
    expect(result.interval!.low).toBeCloseTo(-0.012220974694293554, 9);
    expect(result.interval!.high).toBeCloseTo(0.012220974694293554, 9);
    expect(result.sentence).toMatch(/only changes above/);
    expect(result.caveats.map(({ code }) => code)).toContain('noSpread');
  });
  it('everyone lost one star: worse', () => {
    const before = Array.from({ length: 60 }, (_, i) => 2 + (i % 4));
    const result = compareRuns(run(before), run(before.map((score) => score - 1)), {
      boolean: false,
      bounds: stars,
    });
    expect(result).toMatchObject({ difference: -1, verdict: 'worse' });
    expect(result.interval!.low).toBeCloseTo(-1 - 3 * 0.05962949228616692, 9);
    expect(result.interval!.high).toBeCloseTo(-1 + 5 * 0.05962949228616692, 9);
    expect(result.p).toBeCloseTo(2 ** -59, 20);
  });
  it('a grouped testset that collapses from 60 passes to 60 failures: worse', () => {
    const group = (i: number) => `g${i % 20}`;
    const result = compareRuns(run(times(60, 1), group), run(times(60, 0), group), { boolean: true });
    expect(result).toMatchObject({ losses: 60, verdict: 'worse', effectiveN: 20 });
    expect(result.p).toBeCloseTo(2 ** -19, 12);
    expect(result.interval!.high).toBeCloseTo(-1 + 2 * 0.16843347098308534, 9);
    const same = compareRuns(run(times(60, 1), group), run(times(60, 1), group), { boolean: true });
    expect(same.interval!.low).toBeCloseTo(-0.16843347098308534, 9);
  });
  it('unpaired floats, all .9 against all .1: worse', () => {
    const result = compareRuns(run(times(60, 0.9)), others(times(60, 0.1)), { boolean: false, bounds: unit });
    expect(result).toMatchObject({ difference: expect.closeTo(-0.8, 12), verdict: 'worse', paired: false });
    expect(result.interval!.high).toBeLessThan(-0.7);
  });
  it('unpaired, three perfect scores do not prove what a run without spread seems to', () => {
    const result = compareRuns(run([0.9, 0.8, 0.7, 0.95, 0.6, 0.85]), others([1, 1, 1]), {
      boolean: false,
      bounds: unit,
    });
    expect(result.verdict).toBe('cannot tell');
  });
  it('two testcases, or five groups, are too few whatever they say', () => {
    const two = compareRuns(run([1, 1]), run([0, 0]), { boolean: false, bounds: unit });
    expect(two).toMatchObject({ p: 0.5, verdict: 'cannot tell' });
    const group = (i: number) => `g${i % 5}`;
    expect(compareRuns(run(times(50, 1), group), run(times(50, 0), group), { boolean: true })).toMatchObject({
      p: 0.0625,
      verdict: 'cannot tell',
    });
  });
});
