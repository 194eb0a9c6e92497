import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusteredMeanEstimate } from './clusters.ts';
import { meanEstimate, momentsOf, rateEstimate, ruleOfThree, wilson } from './intervals.ts';

const values = [0.9, 0.8, 0.4, 0.5, 0.45, 0.1, 0.2, 1, 0.7, 0.65, 0.3, 0.35];

// statsmodels 0.15: proportion_confint(k, n, 1 - level, 'wilson')
it.each([
  [81, 263, 0.95, 0.2552885198782742, 0.36620957698280004],
  [0, 20, 0.95, 0, 0.1611251580528194],
  [742, 1319, 0.95, 0.5356326528399583, 0.5890988475978164],
  [20, 20, 0.95, 0.8388748419471804, 1],
  [5, 7, 0.9, 0.40866754551119744, 0.900434156437713],
])("Wilson's interval of %i in %i at %f is statsmodels' to 1e-9", (k, n, level, low, high) => {
  expect(wilson(k, n, level)!.low).toBeCloseTo(low, 9);
  expect(wilson(k, n, level)!.high).toBeCloseTo(high, 9);
});

it('says the rule of three in words at 0 and at n of n, nothing between, and nothing where it contradicts the interval', () => {
  for (const n of [1, 2, 5, 6]) expect([n, ruleOfThree(0, n), ruleOfThree(n, n)]).toEqual([n, null, null]);
  for (const n of [7, 20, 300]) expect(1 - 0.05 ** (1 / n)).toBeLessThan(wilson(0, n)!.high);
  expect(ruleOfThree(0, 300)).toMatch(/none of 300 passed: .*1\.0 %/);
  expect(ruleOfThree(20, 20)).toMatch(/all 20 passed: .*13\.9 %/);
  expect(ruleOfThree(1, 20)).toBeNull();
  expect(ruleOfThree(0, 0)).toBeNull();
});

it('warns below 100 testcases and not from 100 on', () => {
  expect(rateEstimate(50, 99).warnings).toEqual([expect.stringContaining('only 99 testcases')]);
  expect(rateEstimate(50, 100).warnings).toEqual([]);
});

// scipy 1.12: stats.t.interval(.95, 11, x.mean(), stats.sem(x)); stats.skew(x)
it("the t interval of a mean is SciPy's to 1e-9", () => {
  const result = meanEstimate(values);
  expect(result.estimate).toBeCloseTo(0.5291666666666667, 12);
  expect(result.standardError).toBeCloseTo(0.08152391667418213, 12);
  expect(result.interval!.low).toBeCloseTo(0.34973373587495293, 9);
  expect(result.interval!.high).toBeCloseTo(0.7085995974583804, 9);
  expect(momentsOf(values).skewness).toBeCloseTo(0.19735701058100152, 12);
});

// Wilson's equation (p − p̂)² = t²·p(1 − p)/n_eff with n_eff = p̂(1 − p̂)/sem², by scipy.optimize.brentq and stats.t.ppf(.975, n − 1)
it('on a scale with ends the interval is Wilson’s on the effective n', () => {
  const unit = meanEstimate(values, 0.95, { low: 0, high: 1 });
  expect(unit.interval!.low).toBeCloseTo(0.35694169326079467, 9);
  expect(unit.interval!.high).toBeCloseTo(0.6947161808115521, 9);
  const scores = [5, 4, 3, 2, 1].flatMap((score, i) => Array<number>([40, 10, 6, 3, 1][i]!).fill(score));
  const stars = meanEstimate(scores, 0.95, { low: 1, high: 5 });
  expect(stars.interval!.low).toBeCloseTo(4.119705384047321, 8);
  expect(stars.interval!.high).toBeCloseTo(4.625476559010076, 8);
});

describe('too little data is said, not guessed', () => {
  it.each([
    ['no testcase', rateEstimate(0, 0), /no testcase/],
    ['no value', meanEstimate([]), /no testcase/],
    ['one value', meanEstimate([0.4]), /needs two/],
    ['equal values', meanEstimate([0.1, 0.1, 0.1]), /all 3 values are equal/],
    ['one group', clusteredMeanEstimate([0, 1], ['a', 'a']), /one group/],
  ])('%s: no interval, and why', (_, result, reason) => {
    expect(result.interval).toBeNull();
    expect(result.reason).toMatch(reason);
  });
});

describe('for any data', () => {
  const counts = fc
    .integer({ min: 1, max: 5000 })
    .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));
  const data = fc.array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: 3, maxLength: 40 });

  it("Wilson's interval holds the rate, stays in [0, 1], mirrors for failures and shrinks with n", () => {
    fc.assert(
      fc.property(counts, ([k, n]) => {
        const { low, high } = wilson(k, n)!;
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(k / n);
        expect(high).toBeGreaterThanOrEqual(k / n);
        const mirrored = wilson(n - k, n)!;
        expect(mirrored.low).toBeCloseTo(1 - high, 12);
        const larger = wilson(4 * k, 4 * n)!;
        expect(larger.high - larger.low).toBeLessThan(high - low);
      }),
    );
  });
  it('the mean interval moves with a shift and scales with a factor', () => {
    fc.assert(
      fc.property(data, fc.integer({ min: -50, max: 50 }), (xs, shift) => {
        const [plain, moved] = [meanEstimate(xs), meanEstimate(xs.map((x) => 2 * x + shift))];
        fc.pre(plain.interval !== null && plain.standardError! > 1e-6);
        expect(moved.interval!.low).toBeCloseTo(2 * plain.interval!.low + shift, 6);
        expect(moved.interval!.high).toBeCloseTo(2 * plain.interval!.high + shift, 6);
      }),
    );
  });
  it('groups of one testcase each give the plain t interval', () => {
    fc.assert(
      fc.property(data, (xs) => {
        const plain = meanEstimate(xs);
        fc.pre(plain.interval !== null && plain.standardError! > 1e-6);
        const clustered = clusteredMeanEstimate(
          xs,
          xs.map((_, i) => String(i)),
        );
        expect(clustered.interval!.low).toBeCloseTo(plain.interval!.low, 8);
      }),
    );
  });
});
