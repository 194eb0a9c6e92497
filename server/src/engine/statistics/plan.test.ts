import fc from 'fast-check';
import { expect, it } from 'vitest';

import {
  detectableDifference,
  expectedCorrelation,
  forecast,
  runVariances,
  testcasesNeeded,
} from './plan.ts';
import { seededRandom, uniform } from './random.ts';

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
        const n = testcasesNeeded(difference, variances, { trials })!;
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
  // (z.975 + z.8)² · 2 · .045/3 / .03² = 261.6 testcases, where counting the noise twice asks for 470.9. By t, with the
  // variance of 400 testcases, scipy asks for 265 and 475: the first n with n >= nct.ppf(.8, 399, t.ppf(.975, n - 1))**2 * v/.03**2.
  expect(forecast(400, earlier, 0.03, { trials: 3, correlation }).numNeeded).toBe(265);
  expect(forecast(400, earlier, 0.03, { trials: 3, correlation: ofAverages }).numNeeded).toBe(475);
});

it('without trials the correlation stays as it was measured', () => {
  const single = { method: 'm', n: 400, trials: 1, mean: 0.7, between: 0.2, within: null, reason: null };
  expect(expectedCorrelation(0.6, single, single)).toBe(0.6);
});

const earlierRun = { method: 'm', n: 400, trials: 1, mean: 0.7, between: 0.2, within: null, reason: null };

it('several tests that are read together need more testcases', () => {
  const needed = (tests: number) => forecast(400, earlierRun, 0.05, { tests }).numNeeded!;
  // scipy: ((norm.ppf(1 - .025/10) + norm.ppf(.8)) / (norm.ppf(.975) + norm.ppf(.8)))**2 = 1.69639
  expect(needed(10) / needed(1)).toBeCloseTo(1.69639, 2);
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
  const { looks, neededLooks, numNeeded } = forecast(500, earlierRun, 0.05, { looks: 4 });
  expect(looks).toEqual([125, 250, 375, 500]);
  expect(neededLooks).toHaveLength(4);
  expect(neededLooks!.at(-1)).toBe(numNeeded);
});

it('groups that share their fate need as many testcases more as they make the difference vary', () => {
  const plain = forecast(400, earlierRun, 0.05);
  const groups = { designEffect: 3, size: 4, earlierSize: 4 };
  const grouped = forecast(400, earlierRun, 0.05, { groups });
  expect(grouped.numNeeded! / plain.numNeeded!).toBeCloseTo(3, 1);
  expect(grouped.minimumDetectable! / plain.minimumDetectable!).toBeCloseTo(Math.sqrt(3), 1);
  expect(grouped.groups).toEqual({ size: 4, designEffect: 3, numNeeded: Math.ceil(grouped.numNeeded! / 4) });
  expect(grouped.assumption).toContain('groups of 4 testcases make the difference vary 3 times as much');
  expect(plain.groups).toBeNull();
});

it('trials do not lower what groups have in common', () => {
  const varied = { ...earlierRun, between: 0.05, within: 0.15 };
  const groups = { designEffect: 2, size: 4, earlierSize: 4 };
  // Two systems that differ by 2·(1 − .5)·.05 + 2·.15 = .35 a testcase; groups add as much, and 1,000 trials leave .05 + .35.
  const detectable = (trials: number) => forecast(400, varied, null, { groups, trials }).minimumDetectable!;
  expect(detectable(1000) / detectable(1)).toBeCloseTo(Math.sqrt(0.4 / 0.7), 2);
});

it('few groups need more: their spread was estimated from few, and is estimated from few again', () => {
  const groups = { designEffect: 3, size: 40, earlierSize: 40 };
  const few = forecast(400, earlierRun, 0.05, { groups });
  const many = forecast(400, earlierRun, 0.05, { groups: { ...groups, size: 4, earlierSize: 4 } });
  expect(few.numNeeded!).toBeGreaterThan(1.1 * many.numNeeded!);
  expect(forecast(60, earlierRun, null, { groups })).toMatchObject({
    minimumDetectable: null,
    reason: '60 testcases are fewer than two groups',
  });
});

// scipy: nct.ppf(power, n - 1, t.ppf(.975, n - 1))
it.each([
  [6, 4.1528883829497065],
  [10, 3.4369971776079176],
  [20, 3.0731251713931096],
  [100, 2.850101429971862],
])(
  'a plan from %i testcases for as many allows for their estimated variance: %f standard errors',
  (n, errors) => {
    const { minimumDetectable } = forecast(n, { ...earlierRun, n }, null);
    expect(minimumDetectable! / Math.sqrt(0.2 / n) / errors).toBeCloseTo(1, 2);
  },
);

it('says that it does not count groups if the earlier run had none', () => {
  const groups = { designEffect: 1, size: 10, earlierSize: 1 };
  expect(forecast(400, earlierRun, 0.05, { groups }).assumption).toContain(
    'the testset has groups of 10 testcases, but the earlier run had none, so what they have in common is not counted',
  );
});

it('counts that a system which meets fewer criteria varies more: as m(1 − m) of its mean share', () => {
  const earlier = { ...earlierRun, mean: 0.8, within: null };
  const plain = forecast(400, earlier, 0.06, { correlation: 0.3 });
  const shares = forecast(400, earlier, 0.06, { correlation: 0.3, shares: true });
  const r = (0.74 * 0.26) / (0.8 * 0.2);
  const more = (1 + r - 2 * 0.3 * Math.sqrt(r)) / (2 - 2 * 0.3);
  expect(shares.numNeeded! / plain.numNeeded!).toBeCloseTo(more, 1);
  expect(shares.minimumDetectable!).toBeGreaterThan(plain.minimumDetectable!);
});
