import { describe, expect, it } from 'vitest';
import { compareRuns } from './compare.ts';
import { cohensD, cohensDInterval, cohensH, pairedOddsRatio, unpairedOddsRatio } from './effect-sizes.ts';
import type { Interval } from './estimate-schema.ts';
import { benjaminiHochberg } from './holm.ts';
import { seededRandom, uniform } from './random.ts';

describe('effect sizes', () => {
  // statsmodels 0.15: proportion_effectsize(.8, .7)
  it("Cohen's h is statsmodels'", () => {
    expect(cohensH(0.7, 0.8)).toBeCloseTo(0.2319842627257962, 12);
  });
  it("Cohen's d is the difference in standard deviations; without spread there is none", () => {
    expect(cohensD([1, 2, 3], [2, 3, 4])).toBeCloseTo(1, 12);
    expect(cohensD([1, 1], [2, 2])).toBeNull();
    expect(cohensD([1], [2])).toBeNull();
  });
  // statsmodels: lo, hi = proportion_confint(7, 8, .05, 'wilson'); lo / (1 - lo), hi / (1 - hi)
  it('the odds ratio of pairs is that of wins to losses', () => {
    const { estimate, low, high } = pairedOddsRatio(7, 1, 0.95)!;
    expect(estimate).toBe(7);
    expect(low).toBeCloseTo(1.12364641495287, 9);
    expect(high).toBeCloseTo(43.60802415060036, 9);
    expect(pairedOddsRatio(4, 0, 0.95)).toMatchObject({ estimate: null, high: null });
    expect(pairedOddsRatio(0, 0, 0.95)).toBeNull();
  });
  // numpy, by the formula: 48 of 80 against 56 of 70, half a testcase added to each cell.
  it("the odds ratio of independent runs has Gart's interval", () => {
    const { estimate, low, high } = unpairedOddsRatio(48, 80, 56, 70, 0.95)!;
    expect(estimate).toBeCloseTo(2.6666666666666665, 12);
    expect(low).toBeCloseTo(1.2605343313122692, 9);
    expect(high).toBeCloseTo(5.408657209033635, 9);
  });
  it('stand beside each comparison, those that fit its scores', () => {
    const run = (scores: (number | boolean)[]) => scores.map((score, testcase) => ({ testcase, score }));
    const { effectSizes } = compareRuns(run([true, false, true]), run([true, true, true]), { boolean: true });
    expect(effectSizes).toMatchObject({ riskDifference: expect.closeTo(1 / 3, 12), cohensD: null });
    const { effectSizes: means } = compareRuns(run([1, 2, 3]), run([2, 3, 4]), { boolean: false });
    expect(means).toEqual({
      riskDifference: null,
      oddsRatio: null,
      cohensH: null,
      cohensHInterval: null,
      cohensD: expect.closeTo(1, 12),
      cohensDInterval: { low: expect.any(Number), high: expect.any(Number) },
    });
  });
});

describe('intervals of effect sizes', () => {
  const random = seededRandom(3);
  const chance = () => uniform(random);
  const normal = () => Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance());
  const draws = 600;
  const share = (draw: () => boolean) => Array.from({ length: draws }, draw).filter(Boolean).length / draws;
  const held = (interval: Interval | null, truth: number) =>
    interval !== null && interval.low <= truth && truth <= interval.high;

  // The standard error of .95 in 600 draws is .009.
  it('hold the true d of paired normal scores in about 95 % of draws, seeded', () => {
    const paired = share(() => {
      const common = Array.from({ length: 40 }, normal);
      const x = Float64Array.from(common, (both) => Math.sqrt(0.7) * both + Math.sqrt(0.3) * normal());
      const y = Float64Array.from(common, (both) => 0.8 + Math.sqrt(0.7) * both + Math.sqrt(0.3) * normal());
      const options = { isPaired: true, groups: [null, null], level: 0.95 };
      return held(cohensDInterval([x, y], options), 0.8);
    });
    expect(paired).toBeGreaterThan(0.93);
    expect(paired).toBeLessThan(0.975);
  });

  it('hold the true d of scores in groups, where groups count', () => {
    const [groups, n] = [12, 120];
    const labels = Int32Array.from({ length: n }, (_, i) => i % groups);
    const drawn = (isGrouped: boolean) =>
      share(() => {
        const gains = Array.from({ length: groups }, () => 0.7 * normal());
        const x = Float64Array.from({ length: n }, normal);
        const y = Float64Array.from(labels, (group) => gains[group]! + normal());
        const options = { isPaired: true, groups: [isGrouped ? labels : null], level: 0.95 };
        return held(cohensDInterval([x, y], options), 0);
      });
    expect(drawn(true)).toBeGreaterThan(0.925);
    expect(drawn(false)).toBeLessThan(0.85);
  });

  it('hold the true h, and leave out 0 exactly if the interval of the difference does', () => {
    const run = (scores: boolean[]) => scores.map((score, testcase) => ({ testcase, score }));
    const truth = cohensH(0.95, 0.85);
    const found = share(() => {
      const before = Array.from({ length: 60 }, () => chance() < 0.95);
      const after = Array.from({ length: 60 }, () => chance() < 0.85);
      const { effectSizes, interval } = compareRuns(run(before), run(after), { boolean: true });
      const of = effectSizes.cohensHInterval!;
      expect([of.low > 0, of.high < 0]).toEqual([interval!.low > 0, interval!.high < 0]);
      return held(of, truth);
    });
    expect(found).toBeGreaterThan(0.93);
  });

  it('there is none without spread', () => {
    const same = Float64Array.of(2, 2, 2);
    const options = { isPaired: true, groups: [null, null], level: 0.95 };
    expect(cohensDInterval([same, same], options)).toBeNull();
  });
});

// statsmodels 0.15: multipletests(p, method='fdr_bh')[1]
it("Benjamini and Hochberg's adjustment is statsmodels', and tests without a p do not count", () => {
  const adjusted = benjaminiHochberg([
    0.001,
    0.008,
    null,
    0.039,
    0.041,
    0.042,
    0.06,
    0.074,
    0.205,
    0.212,
    0.216,
  ]);
  const expected = [0.01, 0.04, null, 0.084, 0.084, 0.084, 0.1, 0.74 / 7, 0.216, 0.216, 0.216];
  for (const [i, value] of expected.entries()) {
    if (value === null) expect(adjusted[i]).toBeNull();
    else expect(adjusted[i]).toBeCloseTo(value, 12);
  }
});
