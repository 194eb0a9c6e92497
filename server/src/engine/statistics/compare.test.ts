import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareRuns } from './compare.ts';
import { compareMetrics } from './compare-metrics.ts';
import { tTwoSided } from './distributions.ts';
import { meanEstimate, rateEstimate } from './intervals.ts';
import { averageTrials, type Observation } from './testcases.ts';

const run = (scores: readonly (number | boolean)[], group?: (i: number) => string): Observation[] =>
  scores.map((score, i) => ({ testcase: `t${i}`, group: group?.(i) ?? null, score }));

/** A run whose testcases no other run has. */
const others = (...args: Parameters<typeof run>): Observation[] =>
  run(...args).map((one) => ({ ...one, testcase: `other ${one.testcase}` }));

/** Twenty documents of ten questions each, which stand or fall together. */
const documents = (passing: number) => Array.from({ length: 200 }, (_, i) => i % 20 < passing);
const document = (i: number) => `d${i % 20}`;

// R's sleep data (Student 1908), first and second drug.
const sleep1 = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2];
const sleep2 = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
const numbers = (text: string): number[] => text.trim().split(/\s+/).map(Number);
// numpy: rng = default_rng(3); x = round(rng.uniform(0, 1, 60), 3); y = round(clip(x + rng.normal(.04, .15, 60), 0, 1), 3)
const x = numbers(`
  0.086 0.237 0.801 0.582 0.094 0.433 0.479 0.16 0.735 0.114 0.391 0.517 0.431 0.587 0.738
  0.956 0.284 0.649 0.696 0.293 0.001 0.973 0.298 0.314 0.892 0.585 0.471 0.773 0.03 0.707
  0.374 0.091 0.661 0.931 0.207 0.63 0.298 0.742 0.722 0.219 0.83 0.658 0.683 0.82 0.429
  0.759 0.878 0.102 0.85 0.394 0.48 0.146 0.698 0.292 0.871 0.275 0.562 0.4 0.613 0.197`);
const y = numbers(`
  0.2 0.031 0.85 0.477 0.248 0.168 0.382 0.306 0.948 0 0.356 0.606 0.38 0.866 0.599
  1 0.167 0.9 0.733 0.277 0 1 0.451 0.467 1 0.677 0.415 0.693 0 0.953
  0.195 0.042 0.653 1 0.333 0.483 0.078 0.781 0.944 0.373 0.902 0.65 0.767 0.823 0.592
  0.68 0.938 0.125 0.972 0.468 0.903 0.411 0.963 0.026 0.86 0.224 0.682 0.098 0.829 0.397`);

// Miller (2024): .655 of 5,000 against .630 at ρ = .5. Whole testcases come closest with 638 won and 513 lost: ρ = .49998.
// numpy: sqrt(.655 * .345 / 5000); (b - a).std() / sqrt(5000), corrcoef(a, b)[0, 1]; Tango's score inverted by optimize.brentq
it("Miller's example: .672 % alone, .678 % paired, a difference of 2.5 % from 1.17 to 3.83 %", () => {
  expect(rateEstimate(3275, 5000).standardError).toBeCloseTo(0.006722722662731224, 12);
  const outcome = (rightAlone: boolean) =>
    run(
      Array.from({ length: 5000 }, (_, i) =>
        i < 2637 ? true : i < 2637 + 638 ? rightAlone : i < 3788 && !rightAlone,
      ),
    );
  const result = compareRuns(outcome(false), outcome(true), { boolean: true });
  expect(result).toMatchObject({ before: 0.63, after: 0.655, wins: 638, losses: 513, verdict: 'better' });
  expect(result.correlation).toBeCloseTo(0.49997853527949776, 12);
  expect(result.standardError).toBeCloseTo(0.0067760608025607318, 12);
  expect(result.interval!.low).toBeCloseTo(0.011720168202623796, 9);
  expect(result.interval!.high).toBeCloseTo(0.038305589084446895, 9);
});

describe('means', () => {
  // R: t.test(extra ~ group, data = sleep, paired = TRUE). scipy 1.12, with more digits: r = ttest_rel(sleep1, sleep2); r.statistic,
  // r.pvalue, r.confidence_interval(). compareRuns flips signs at this n, so the two functions of its paired t are held to it.
  it("R's sleep: t = −4.0621, p = .002833", () => {
    const differences = sleep1.map((hours, i) => hours - sleep2[i]!);
    const { estimate, standardError, interval } = meanEstimate(differences);
    expect(estimate! / standardError!).toBeCloseTo(-4.0621276833820366, 9);
    expect(tTwoSided(estimate! / standardError!, 9)).toBeCloseTo(0.00283289019738427, 12);
    expect(interval!.low).toBeCloseTo(-2.459885763254729, 9);
    expect(interval!.high).toBeCloseTo(-0.7001142367452712, 9);
  });
  // scipy 1.12: r = ttest_rel(y, x); r.pvalue, r.confidence_interval(); np.corrcoef(x, y)[0, 1];
  // ttest_ind(y, x, equal_var=False).confidence_interval(); (t.ppf(.975, 59) + t.ppf(.8, 59)) * sem(y - x)
  it("paired t is SciPy's to 1e-9, with correlation, unpaired interval and detectable difference", () => {
    const result = compareRuns(run(x), run(y), { boolean: false });
    expect(result).toMatchObject({ method: 'paired t', n: 60, level: 0.95, seed: null });
    expect(result.p).toBeCloseTo(0.06285550678654013, 10);
    expect(result.interval!.low).toBeCloseTo(-0.0020509507989088724, 10);
    expect(result.interval!.high).toBeCloseTo(0.07615095079890888, 10);
    expect(result.correlation).toBeCloseTo(0.8876451950381608, 12);
    expect(result.unpairedInterval!.low).toBeCloseTo(-0.0713952505622498, 9);
    expect(result.minimumDetectable).toBeCloseTo(0.05566673802876155, 9);
    expect(result.sentence).toBe('cannot tell: not enough data: only changes above 0.056 would show');
  });
  // statsmodels 0.15: OLS(y - x, ones).fit(cov_type='cluster', cov_kwds=dict(groups=np.repeat(arange(20), 3)), use_t=True)
  it("with groups the error is statsmodels' cluster-robust one to 1e-9", () => {
    const group = (i: number) => `g${Math.floor(i / 3)}`;
    const result = compareRuns(run(x, group), run(y, group), { boolean: false });
    expect(result.standardError).toBeCloseTo(0.014334420093439602, 12);
    expect(result.p).toBeCloseTo(0.018168761056651023, 10);
    expect(result.interval!.low).toBeCloseTo(0.0070477139384377795, 10);
    expect(result.verdict).toBe('better');
  });
  // scipy 1.12: r = ttest_ind(y[:45], x, equal_var=False); r.pvalue, r.confidence_interval()
  it("without a common testcase Welch's t is SciPy's to 1e-9", () => {
    const result = compareRuns(run(x), others(y.slice(0, 45)), { boolean: false });
    expect(result).toMatchObject({ method: 'welch t (unpaired)', n: 105, unpairedInterval: null });
    expect(result.p).toBeCloseTo(0.6620692224066644, 10);
    expect(result.interval!.low).toBeCloseTo(-0.09239737878427376, 10);
    expect(result.interval!.high).toBeCloseTo(0.14469737878427377, 10);
  });
  // statsmodels 0.15: each run's error from OLS(v, ones).fit(cov_type='cluster', …, use_t=True).bse, then
  // scipy: ttest_ind_from_stats(m2, s2 * sqrt(15), 15, m1, s1 * sqrt(20), 20, equal_var=False)
  it('without a common testcase groups still count as one each, and booleans with them', () => {
    const group = (i: number) => `g${Math.floor(i / 3)}`;
    const result = compareRuns(run(x, group), others(y.slice(0, 45), group), { boolean: false });
    expect(result.method).toBe('cluster-robust t (CR2, unpaired)');
    expect(result.standardError).toBeCloseTo(0.04793174983267067, 12);
    expect(result.p).toBeCloseTo(0.5904518099277323, 10);
    expect(result.interval!.low).toBeCloseTo(-0.07283207704539613, 10);
    expect(result.warnings).toContainEqual(expect.stringContaining('only 15 groups'));

    // 8 of the 20 documents, then 14.
    const seen = (of?: (i: number) => string) =>
      compareRuns(run(documents(8), of), others(documents(14), of), { boolean: true });
    expect(seen()).toMatchObject({ method: 'newcombe (unpaired)', verdict: 'better' });
    expect(seen(document)).toMatchObject({ verdict: 'cannot tell', difference: expect.closeTo(0.3, 12) });
  });
  it('what an unpaired interval would have been has the groups too', () => {
    const paired = compareRuns(run(documents(8), document), run(documents(14), document), { boolean: true });
    const unpaired = compareRuns(run(documents(8), document), others(documents(14), document), {
      boolean: true,
    });
    expect(paired.unpairedInterval).toEqual(unpaired.interval);
  });
  it('flips signs below 30 testcases and where the differences are skewed', () => {
    expect(compareRuns(run(sleep1), run(sleep2), { boolean: false })).toMatchObject({
      method: 'sign-flip test and its inversion (all 1024 assignments)',
      p: 0.00390625,
      verdict: 'better',
    });
    const skewed = x.map((value, i) => (i === 7 ? value + 50 : value + 0.001 * (i % 5)));
    expect(compareRuns(run(x), run(skewed), { boolean: false, seed: 3 })).toMatchObject({
      method: 'sign-flip test and its inversion (drawn 10000 assignments)',
      seed: 3,
    });
  });
  it('averages trials first: a testcase tried three times is one testcase', () => {
    const tripled = (scores: number[]) => [...run(scores), ...run(scores), ...run(scores)];
    const [once, thrice] = [
      compareRuns(run(x), run(y), { boolean: false }),
      compareRuns(tripled(x), tripled(y), { boolean: false }),
    ];
    expect(thrice.n).toBe(60);
    expect(thrice.p).toBeCloseTo(once.p!, 9);
  });
});

describe('too little data is said, not guessed', () => {
  it.each([
    ['one testcase', [0], [1], /needs two/],
    ['no testcase', [], [], /no scores yet in either run/],
    ['the same scores', [1, 0.5, 0.2], [1, 0.5, 0.2], /scored the same on each of the 3/],
  ])('%s: cannot tell, and why', (_, before, after, why) => {
    for (const boolean of [false, ...(before.includes(0.5) ? [] : [true])]) {
      const result = compareRuns(run(before), run(after), { boolean });
      expect(result).toMatchObject({ verdict: 'cannot tell', interval: null });
      expect(result.reason).toMatch(why);
    }
  });
  it('no discordant pair does not read as no uncertainty', () => {
    const same = run(Array.from({ length: 50 }, (_, i) => i % 2 === 0));
    const result = compareRuns(same, same, { boolean: true });
    expect(result.verdict).toBe('cannot tell');
    expect(result.minimumDetectable).toBeGreaterThan(0.03);
    expect(result.interval!.high).toBeGreaterThan(0.05);
  });
});

it('claims nothing where the interval excludes 0 but the test does not reject', () => {
  const outcome = (wins: boolean) =>
    run(Array.from({ length: 300 }, (_, i) => (i < 15 ? wins : i < 21 ? !wins : true)));
  const result = compareRuns(outcome(false), outcome(true), { boolean: true });
  expect(result).toMatchObject({ wins: 15, losses: 6, verdict: 'cannot tell' });
  expect(result.interval!.low).toBeGreaterThan(0);
  expect(result.p).toBeCloseTo(0.0524788, 6);
});

it('a verdict writes its level and its interval as people do', () => {
  const outcome = (passing: number) => run(Array.from({ length: 100 }, (_, i) => i < passing));
  const { sentence } = compareRuns(outcome(90), outcome(60), { boolean: true, level: 0.55 });
  expect(sentence).toMatch(/^worse by 30\.0 points, 55 % interval −3\d\.\d to −2\d\.\d$/);
});

it('names what cannot be compared', () => {
  const before: Observation[] = [
    { testcase: 'both', score: true },
    { testcase: 'gone', score: true },
    { testcase: 'changed', revision: 1, score: true },
    { testcase: 'broken', score: 'failed' },
  ];
  const after: Observation[] = [
    { testcase: 'both', score: false },
    { testcase: 'new', score: true },
    { testcase: 'changed', revision: 2, score: true },
    { testcase: 'broken', score: true },
  ];
  expect(compareRuns(before, after, { boolean: true })).toMatchObject({
    n: 1,
    numBaselineTestcases: 4,
    losses: 1,
    dropped: { onlyBefore: ['gone'], onlyAfter: ['new'], revised: ['changed'], unscored: ['broken'] },
  });
});

it('says how much of the baseline it is about', () => {
  const all = run(Array.from({ length: 300 }, (_, i) => i % 5 > 0));
  const result = compareRuns(all, all.slice(0, 40), { boolean: true });
  expect(result).toMatchObject({ n: 40, numBaselineTestcases: 300 });
  expect(result.caveats).toContainEqual({
    code: 'partialCoverage',
    sentence:
      'the second run lacks 260 of the 300 testcases of the first, or has them at another revision: the comparison is about the others',
  });
});

it('is unpaired, and says so, when no testcase is in both runs', () => {
  const other = others([...Array(56).fill(true), ...Array(14).fill(false)]);
  const result = compareRuns(run([...Array(48).fill(true), ...Array(32).fill(false)]), other, {
    boolean: true,
  });
  expect(result).toMatchObject({ method: 'newcombe (unpaired)', n: 150, verdict: 'better' });
  expect(result.interval!.low).toBeCloseTo(0.05243147240236498, 9);
  expect(result.warnings[0]).toMatch(/no testcase has scores in both runs/);
  // statsmodels 0.15: proportions_ztest([56, 48], [70, 80])
  expect(result.p).toBeCloseTo(0.00804508136819656, 12);
});

it('unpaired stays inside the scale, and does not say that it could see more than the scale has', () => {
  const result = compareRuns(run([0.9, 0.1]), others([0.2, 0.3]), {
    boolean: false,
    bounds: { low: 0, high: 1 },
  });
  expect(result.interval).toEqual({ low: -1, high: 1 });
  expect(result.minimumDetectable).toBeNull();
  expect(result.sentence).toBe('cannot tell: the testcases are too few to see any difference on this scale');
});

it('says which run has nothing to compare, and warns of nothing else', () => {
  const [some, none] = [run([true, false]), run([])];
  const said = (before: Observation[], after: Observation[]) => {
    const { sentence, warnings } = compareRuns(before, after, { boolean: true });
    return [sentence, warnings.filter((warning) => !warning.startsWith('only'))];
  };
  expect(said(none, some)).toEqual(['cannot tell: the first run has no scored testcase', []]);
  expect(said(some, none)).toEqual(['cannot tell: the second run has no scored testcase', []]);
  expect(said(none, none)).toEqual(['cannot tell: no scores yet in either run', []]);
});

it('three that all pass against 33 of 40 others tell nothing, though they have no spread', () => {
  const thirtyThree = run(Array.from({ length: 40 }, (_, i) => i < 33));
  const result = compareRuns(thirtyThree, others([true, true, true]), { boolean: true });
  // statsmodels 0.15: proportions_ztest([3, 33], [3, 40])
  expect(result.p).toBeCloseTo(0.4284271890223059, 12);
  expect(result.interval!.low).toBeLessThan(0);
  // Not the 17.5 points that were seen.
  expect(result.minimumDetectable).toBeGreaterThan(0.5);
});

it('with several metrics the verdict rests on the adjusted p, and the raw one stays beside it', () => {
  const [before, after] = [Array(100).fill(true), Array(100).fill(true)];
  for (let i = 0; i < 10; i++) (i < 8 ? before : after)[i] = false;
  before[20] = false;
  const metric = (first: boolean[], second: boolean[]) => {
    const [before, after] = averageTrials(run(first), run(second)).columns;
    return { before: before!, after: after!, boolean: true };
  };
  const one = metric(before, after);
  const flat = metric(before, before);
  expect(compareRuns(run(before), run(after), one).verdict).toBe('better');
  const result = compareMetrics({ one, two: flat, three: flat });
  expect(result.one.p).toBeCloseTo(0.0385742, 6);
  expect(result.one.adjustedP).toBeCloseTo(3 * result.one.p!, 12);
  expect(result.one.verdict).toBe('cannot tell');
});

it('for any two runs, swapping them mirrors the result', () => {
  const pairs = fc.array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: 2, maxLength: 80 });
  fc.assert(
    fc.property(pairs, fc.boolean(), (rows, boolean) => {
      const [a, b] = [run(rows.map(([first]) => first)), run(rows.map(([, second]) => second))];
      const [forth, back] = [compareRuns(a, b, { boolean }), compareRuns(b, a, { boolean })];
      expect(back.difference).toBeCloseTo(-forth.difference!, 12);
      expect([back.wins, back.losses, back.ties]).toEqual([forth.losses, forth.wins, forth.ties]);
      if (boolean) expect(back.interval!.low).toBeCloseTo(-forth.interval!.high, 9);
      if (forth.interval) expect(forth.interval.low).toBeLessThanOrEqual(forth.difference! + 1e-12);
      if (forth.verdict === 'better') expect(forth.difference).toBeGreaterThan(0);
    }),
    { numRuns: 60 },
  );
});
