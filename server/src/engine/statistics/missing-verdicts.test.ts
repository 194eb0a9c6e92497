import { describe, expect, it } from 'vitest';
import { type CompareOptions, compareRuns } from './compare.ts';
import { compareMetrics } from './compare-metrics.ts';
import { averageTrials, type Observation } from './testcases.ts';

const boolean: CompareOptions = { boolean: true };
const run = (scores: Observation['score'][]): Observation[] =>
  scores.map((score, testcase) => ({ testcase, score }));
const all = (n: number, score: Observation['score']) => Array<Observation['score']>(n).fill(score);

// 300 testcases: 40 become better, 10 worse, 26 that passed lack a verdict in the second run.
const before = run([...all(40, false), ...all(10, true), ...all(224, true), ...all(26, true)]);
const after = run([...all(40, true), ...all(10, false), ...all(224, true), ...all(26, 'failed')]);

describe('missing verdicts of a comparison', () => {
  it('span a range, and have a tipping point', () => {
    const { verdict, missing, n } = compareRuns(before, after, boolean);
    expect({ verdict, n }).toEqual({ verdict: 'better', n: 274 });
    expect(missing).toMatchObject({ numMissing: 26, numTestcases: 300, holds: false });
    expect(missing!.range.low).toBeCloseTo(4 / 300, 12);
    expect(missing!.range.high).toBeCloseTo(30 / 300, 12);
    // 40 wins against 24 losses: mid-p .0464; against 25: .0640. scipy: 2 * binom.cdf(25, 65, .5) - binom.pmf(25, 65, .5)
    expect(missing!.tippingPoint).toBe(15);
    expect(missing!.sentence).toBe(
      '26 of 300 testcases lack a score in at least one run: "better" holds unless 15 of the 26 missing are failures',
    );
  });
  it('are worth a word only where some are missing', () => {
    expect(compareRuns(before, before, boolean).missing).toBeNull();
  });
  it('cannot undo a large difference: it holds whatever they are', () => {
    const scores = [...all(100, true), ...all(4, 'failed')];
    const { missing, warnings } = compareRuns(run(all(104, false)), run(scores), boolean);
    expect(missing).toMatchObject({ holds: true, tippingPoint: null });
    expect(warnings.join()).toContain('"better" holds whatever they are');
  });
  it('without a verdict the range alone is said', () => {
    const { missing } = compareRuns(
      run(all(50, true)),
      run([...all(45, true), ...all(5, 'pending')]),
      boolean,
    );
    expect(missing).toMatchObject({ holds: null, tippingPoint: null });
    expect(missing!.sentence).toContain('the difference lies between −10.0 points and 0.0 points');
  });
  it('count trials in part, and scores to the ends of their scale', () => {
    const [a, b] = [run(all(40, 4)), run([...all(30, 5), ...all(10, 'unscored')])];
    const { missing } = compareRuns(a, b, { boolean: false, bounds: { low: 1, high: 5 } });
    expect(missing!.range.low).toBeCloseTo((30 - 30) / 40, 12);
    expect(missing!.range.high).toBeCloseTo(40 / 40, 12);
    const trials = run([true, true]).concat(run(['failed', true]));
    const flaky = compareRuns(run([true, true]), trials, boolean).missing!;
    expect(flaky).toMatchObject({ numMissing: 1, numTestcases: 2, range: { low: -0.25, high: 0 } });
  });
  it('among several metrics the tipping point is that of the adjusted verdict', () => {
    const [first, second] = averageTrials(before, after).columns;
    const metric = { before: first!, after: second!, boolean: true };
    const { one } = compareMetrics({ one: metric, two: metric, three: metric });
    expect(one!.missing!.tippingPoint).toBeLessThan(15);
  });
});
