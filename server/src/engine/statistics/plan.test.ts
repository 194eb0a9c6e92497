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
import { averageTrials } from './testcases.ts';

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
  const earlier = { method: 'm', n: 400, trials: 3, between: 0.06, within: 0.045, reason: null };
  const ofAverages = 0.06 / (0.06 + 0.045 / 3);
  expect(ofAverages).toBeCloseTo(0.8, 12);
  const correlation = expectedCorrelation(ofAverages, earlier, earlier);
  expect(correlation).toBeCloseTo(1, 12);
  // (z.975 + z.8)² · 2 · .045/3 / .03² = 261.6 testcases, where counting the noise twice asks for 471.
  expect(forecast(400, earlier, 0.03, { trials: 3, correlation }).numNeeded).toBe(262);
  expect(forecast(400, earlier, 0.03, { trials: 3, correlation: ofAverages }).numNeeded).toBe(471);
});

it('without trials the correlation stays as it was measured', () => {
  const single = { method: 'm', n: 400, trials: 1, between: 0.2, within: null, reason: null };
  expect(expectedCorrelation(0.6, single, single)).toBe(0.6);
});

it('several tests that are read together need more testcases', () => {
  const earlier = { method: 'm', n: 400, trials: 1, between: 0.2, within: null, reason: null };
  const needed = (tests: number) => forecast(400, earlier, 0.05, { tests }).numNeeded!;
  // scipy: ((norm.ppf(1 - .025/10) + norm.ppf(.8)) / (norm.ppf(.975) + norm.ppf(.8)))**2 = 1.69639
  expect(needed(10) / needed(1)).toBeCloseTo(1.69639, 2);
});

it.each([
  [200, 1],
  [100, 3],
])(
  'a pass rate that falls as far as the plan says is found in at least 78 % of comparisons: %i testcases, %i tries',
  (n, tries) => {
    const random = seededRandom(n);
    const flip = (p: number) => uniform(random) < p;
    // Three testcases in ten are decided by chance; `loss` of the others become failures.
    const world = (loss: number) => {
      const abilities = Array.from({ length: n }, () => (flip(0.3) ? 2 / 3 : Number(flip(6 / 7))));
      const lost = abilities.map(() => flip(loss / 0.8));
      const runOf = (isLost: boolean) =>
        abilities.flatMap((own, testcase) =>
          Array.from({ length: tries }, () => ({
            testcase,
            score: flip(own) && !(isLost && lost[testcase]),
          })),
        );
      return averageTrials(runOf(false), runOf(false), runOf(true)).columns;
    };
    const draws = Array.from({ length: 300 }, () => world(0));
    const seen = draws.map(([before, again]) => {
      const [first, second] = [testcaseVariances(before!), testcaseVariances(again!)];
      const { correlation } = compareTestcases(before!, again!, { boolean: true });
      const options = {
        trials: tries,
        boolean: true,
        correlation: expectedCorrelation(correlation!, first, second),
      };
      return forecast(n, second, null, options).minimumDetectable!;
    });
    const loss = seen.reduce((a, b) => a + b, 0) / seen.length;
    const found = draws.filter(() => {
      const [before, , after] = world(loss);
      return compareTestcases(before!, after!, { boolean: true }).p! <= 0.05;
    });
    expect(found.length / draws.length).toBeGreaterThanOrEqual(0.78);
    expect(found.length / draws.length).toBeLessThanOrEqual(0.92);
  },
);

it('groups that share their fate need as many testcases more as they make the mean vary', () => {
  const earlier = { method: 'm', n: 400, trials: 1, between: 0.2, within: null, reason: null };
  const plain = forecast(400, earlier, 0.05).numNeeded!;
  expect(forecast(400, earlier, 0.05, { designEffect: 3 }).numNeeded! / plain).toBeCloseTo(3, 2);
});
