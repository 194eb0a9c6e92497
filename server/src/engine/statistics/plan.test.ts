import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareTestcases } from './compare.ts';
import {
  detectableDifference,
  expectedCorrelation,
  forecast,
  runVariances,
  testcasesNeeded,
  testcaseVariances,
} from './plan.ts';
import { seededRandom, uniform } from './random.ts';
import { averageTrials, poolTrials } from './testcases.ts';

// Miller (2024); recomputed with scipy: (norm.ppf(.975) + norm.ppf(.8))**2 * (1/9) / .03**2 = 968.9974980677886
it("Miller's example: ω² = 1/9 and 3 points at power .8 need 969 testcases", () => {
  const variances = { betweenDifference: 1 / 9, withinBefore: 0, withinAfter: 0 };
  expect(testcasesNeeded(0.03, variances)).toBe(969);
  expect(detectableDifference(969, variances)).toBeCloseTo(0.029999961270374204, 9);
});

// scipy: (norm.ppf(.975) + norm.ppf(.8)) * sqrt((1/9 + 2/6/K) / 198)
it.each([
  [1, 0.1327333278739942],
  [10, 0.0756696392667773],
])("Miller's example: 198 testcases tried %i times see %f", (trials, expected) => {
  const variances = { betweenDifference: 1 / 9, withinBefore: 1 / 6, withinAfter: 1 / 6 };
  expect(detectableDifference(198, variances, { trials })).toBeCloseTo(expected, 9);
});

// numpy, from the definition; MSB/σ² = 2.25 is scipy's f_oneway statistic
it('separates the variance between testcases from that of their trials', () => {
  const trials = [[1, 0, 1], [0, 0], [1, 1, 1, 1], [0, 1], [1]];
  const result = runVariances(
    trials.flatMap((scores, i) => scores.map((score) => ({ testcase: `t${i}`, score }))),
  );
  expect(result.between).toBeCloseTo(0.09090909090909093, 12);
  expect(result.within).toBeCloseTo(0.16666666666666669, 12);
});

it('recovers the variances it was given, from 20,000 testcases of 3 trials', () => {
  const random = seededRandom(2);
  const observations = Array.from({ length: 20_000 }, (_, i) => {
    const ability = uniform(random);
    return [1, 2, 3].map(() => ({ testcase: `t${i}`, score: uniform(random) < ability }));
  }).flat();
  // Uniform abilities: between 1/12, within E[p(1 − p)] = 1/6.
  const result = runVariances(observations);
  expect(result.between).toBeCloseTo(1 / 12, 2);
  expect(result.within).toBeCloseTo(1 / 6, 2);
});

it('one testcase is too few: said, not guessed', () => {
  const result = runVariances([{ testcase: 'a', score: 1 }]);
  expect(result).toMatchObject({ between: null, within: null, reason: 'a variance needs two testcases' });
  expect(forecast(100, result, 0.05)).toMatchObject({
    minimumDetectable: null,
    numNeeded: null,
    reason: result.reason,
  });
});

it('what is needed is just enough: n testcases see the difference, n − 1 do not', () => {
  const variance = fc.double({ min: 0.01, max: 0.25, noNaN: true });
  fc.assert(
    fc.property(
      variance,
      variance,
      fc.double({ min: 0.01, max: 0.3, noNaN: true }),
      fc.integer({ min: 1, max: 10 }),
      (between, within, difference, trials) => {
        const variances = { betweenDifference: between, withinBefore: within, withinAfter: within };
        const n = testcasesNeeded(difference, variances, { trials });
        expect(detectableDifference(n, variances, { trials })).toBeLessThanOrEqual(difference * (1 + 1e-12));
        if (n > 1) expect(detectableDifference(n - 1, variances, { trials })).toBeGreaterThan(difference);
      },
    ),
  );
});

it('takes the noise of trials out of the correlation once', () => {
  // Two runs of one system, 3 trials each: expected scores correlate fully, averages only by their reliability.
  const earlier = { method: 'm', n: 400, trials: 3, mean: 0.7, between: 0.06, within: 0.045, reason: null };
  const ofAverages = 0.06 / (0.06 + 0.045 / 3);
  expect(ofAverages).toBeCloseTo(0.8, 12);
  const correlation = expectedCorrelation(ofAverages, earlier, earlier);
  expect(correlation).toBeCloseTo(1, 12);
  // (z.975 + z.8)² · 2 · .045/3 / .03² = 261.6 testcases, where counting the noise twice asks for 471.
  expect(forecast(400, earlier, 0.03, { trials: 3, correlation }).numNeeded).toBe(262);
  expect(forecast(400, earlier, 0.03, { trials: 3, correlation: ofAverages }).numNeeded).toBe(471);
});

it('without trials the correlation stays as it was measured', () => {
  const single = { method: 'm', n: 400, trials: 1, mean: 0.7, between: 0.2, within: null, reason: null };
  expect(expectedCorrelation(0.6, single, single)).toBe(0.6);
});

it('several tests that are read together need more testcases', () => {
  const earlier = { method: 'm', n: 400, trials: 1, mean: 0.7, between: 0.2, within: null, reason: null };
  const needed = (tests: number) => forecast(400, earlier, 0.05, { tests }).numNeeded!;
  // scipy: ((norm.ppf(1 - .025/10) + norm.ppf(.8)) / (norm.ppf(.975) + norm.ppf(.8)))**2 = 1.69639
  expect(needed(10) / needed(1)).toBeCloseTo(1.69639, 2);
});

/** Returns runs of testcases: chance decides three in ten, and `loss` of those of the last run become failures. */
const drawRuns = (
  random: () => number,
  { n, tries, numRuns, loss }: { n: number; tries: number; numRuns: number; loss: number },
) => {
  const flip = (p: number) => uniform(random) < p;
  const abilities = Array.from({ length: n }, () => (flip(0.3) ? 2 / 3 : Number(flip(6 / 7))));
  const lost = abilities.map(() => flip(loss / 0.8));
  const runOf = (isLast: boolean) =>
    abilities.flatMap((own, testcase) =>
      Array.from({ length: tries }, () => ({ testcase, score: flip(own) && !(isLast && lost[testcase]) })),
    );
  return averageTrials(...Array.from({ length: numRuns }, (_, i) => runOf(i === numRuns - 1))).columns;
};

it.each([
  ['one run with one', { n: 200, tries: 1, baselineRuns: 1, looks: 1 }],
  ['one run with one, three trials each', { n: 100, tries: 3, baselineRuns: 1, looks: 1 }],
  ['three runs of the baseline with one', { n: 200, tries: 1, baselineRuns: 3, looks: 1 }],
  ['four looks', { n: 300, tries: 1, baselineRuns: 1, looks: 4 }],
])('a loss as large as the plan says is found in four of five comparisons: %s', (_, asked) => {
  const { n, tries, baselineRuns, looks } = asked;
  const random = seededRandom(n);
  const seen = Array.from({ length: 150 }, () => {
    const [first, second] = drawRuns(random, { n, tries, numRuns: 2, loss: 0 });
    const pooled = testcaseVariances(poolTrials(second!, [first!]));
    const [before, after] = [first!, second!].map((run) => ({
      ...pooled,
      trials: testcaseVariances(run).trials,
    }));
    const { correlation } = compareTestcases(first!, second!, { boolean: true });
    return forecast(n, after!, null, {
      trials: tries,
      baselineRuns,
      looks,
      boolean: true,
      correlation: expectedCorrelation(correlation!, before!, after!),
    });
  });
  const loss = seen.reduce((sum, { minimumDetectable }) => sum + minimumDetectable!, 0) / seen.length;
  const draws = 400;
  const found = Array.from({ length: draws }, () => {
    const runs = drawRuns(random, { n, tries, numRuns: baselineRuns + 1, loss });
    const before = poolTrials(runs[0]!, runs.slice(1, -1));
    return seen[0]!.looks.some((size) => {
      const last = runs.at(-1)!;
      const after = { ...last, trials: last.trials.map((count, i) => (i < size ? count : 0)) };
      const plan = { looks: seen[0]!.looks, numTrials: tries, isOver: false };
      const test = looks > 1 ? ({ test: 'planned', plan } as const) : {};
      return compareTestcases(before, after, { boolean: true, ...test }).verdict === 'worse';
    });
  }).filter(Boolean).length;
  // The standard error of .8 in 400 draws is .02; with 1,500 draws these are 77 to 83 %.
  expect(found / draws).toBeGreaterThanOrEqual(0.75);
  expect(found / draws).toBeLessThanOrEqual(0.86);
});

it('more runs of the baseline count only if it is known how one testcase varies', () => {
  const earlier = { method: 'm', n: 400, trials: 1, mean: 0.7, between: 0.1, within: 0.1, reason: null };
  const needed = (within: number | null, baselineRuns: number) =>
    forecast(400, { ...earlier, within }, 0.05, { baselineRuns });
  expect(needed(0.1, 3).numNeeded! / needed(0.1, 1).numNeeded!).toBeCloseTo(7 / 9, 2);
  expect(needed(null, 3).numNeeded).toBe(needed(null, 1).numNeeded);
  expect(needed(null, 3).assumption).toContain('more runs of the baseline are not counted');
});

it('says at how many testcases to look', () => {
  const earlier = { method: 'm', n: 400, trials: 1, mean: 0.7, between: 0.2, within: null, reason: null };
  const { looks, neededLooks, numNeeded } = forecast(500, earlier, 0.05, { looks: 4 });
  expect(looks).toEqual([125, 250, 375, 500]);
  expect(neededLooks).toHaveLength(4);
  expect(neededLooks!.at(-1)).toBe(numNeeded);
});

it('groups that share their fate need as many testcases more as they make the mean vary', () => {
  const earlier = { method: 'm', n: 400, trials: 1, mean: 0.7, between: 0.2, within: null, reason: null };
  const plain = forecast(400, earlier, 0.05).numNeeded!;
  expect(forecast(400, earlier, 0.05, { designEffect: 3 }).numNeeded! / plain).toBeCloseTo(3, 2);
});
