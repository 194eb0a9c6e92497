import { describe, expect, it } from 'vitest';
import { coverageOf, rateOf } from '../../../test/coverage.ts';
import { leeway } from '../../../test/depth.ts';
import { labelRates, labelWorlds, wrongLabels } from '../../../test/label-worlds.ts';
import { calibrate } from './calibration.ts';
import { errorsOf, judgeStatus } from './judge-status.ts';
import type { DrawnFrom, LabelledRecord } from './label-strata.ts';
import { seededRandom } from './random.ts';

const labels = (
  count: number,
  judge: boolean,
  human: boolean,
  drawnFrom: DrawnFrom | null = null,
): LabelledRecord[] => Array.from({ length: count }, (_, i) => ({ id: `${i}`, judge, human, drawnFrom }));

const passed: DrawnFrom = { sample: '7', stratum: '2', records: 900 };
const failed: DrawnFrom = { sample: '7', stratum: '1', records: 100 };
/** 50 of 900 records that the judge passed, 50 of 100 that it failed. */
const byVerdict = [
  ...labels(48, true, true, passed),
  ...labels(2, true, false, passed),
  ...labels(20, false, true, failed),
  ...labels(30, false, false, failed),
];

describe('labels that were drawn by strata', () => {
  it('count by their chance: the rates are those of all 1,000 records', () => {
    const { sensitivity, specificity, agreement, baseRate, kappa, matrix, n } = calibrate(byVerdict);
    // Of 900, 864 are right passes and 36 wrong ones; of 100, 40 are wrong failures and 60 right ones.
    expect(sensitivity.estimate).toBeCloseTo(864 / 904, 12);
    expect(specificity.estimate).toBeCloseTo(60 / 96, 12);
    expect(agreement.estimate).toBeCloseTo(0.924, 12);
    expect(baseRate.estimate).toBeCloseTo(0.904, 12);
    const expected = 0.9 * 0.904 + 0.1 * 0.096;
    expect(kappa.estimate).toBeCloseTo((0.924 - expected) / (1 - expected), 9);
    expect(matrix).toEqual({ truePositives: 48, falsePositives: 2, falseNegatives: 20, trueNegatives: 30 });
    expect(n).toBe(100);
  });

  it('say how few labels of equal weight they are worth', () => {
    const { effectiveN, caveats } = calibrate(byVerdict);
    expect(effectiveN).toBeCloseTo(1 / (0.81 / 50 + 0.01 / 50), 9);
    expect(caveats).toContainEqual({
      code: 'fewLabels',
      sentence: expect.stringContaining(
        '100 labels count as 61, because they were drawn with unequal chances',
      ),
    });
  });

  it('of equal chances count as labels without strata do', () => {
    const equal = byVerdict.map(({ drawnFrom: _, ...label }) => ({ ...label, drawnFrom: { ...passed } }));
    const plain = byVerdict.map(({ drawnFrom: _, ...label }) => label);
    expect(calibrate(equal)).toEqual({ ...calibrate(plain), disagreements: expect.anything() });
    expect(judgeStatus(equal, 0, 0.95)).toEqual(judgeStatus(plain, 0, 0.95));
  });

  it('of several samples count by the number of labels of each', () => {
    const other = labels(300, true, true);
    expect(calibrate([...byVerdict, ...other]).baseRate.estimate).toBeCloseTo(0.904 / 4 + 3 / 4, 12);
  });

  it('give Rogan and Gladen rates whose errors are correlated', () => {
    const { correlation, humanFails, judgeFailed } = errorsOf(byVerdict, 0.95);
    expect(correlation).toBeGreaterThan(0.2);
    expect(judgeFailed / humanFails).toBeCloseTo(60 / 96, 12);
    expect(humanFails).toBeLessThan(32);
  });
});

describe('intervals of a judge hold the truth in 93 % or more, or warn, seeded', () => {
  it.each(labelWorlds)('$method: $name', (world) => {
    const { held, warned } = coverageOf(world, 300, seededRandom(20));
    expect(held).toBeGreaterThanOrEqual((warned > 0.9 ? 0.89 : 0.92) - leeway(300));
  });
});

describe('a judge may gate', () => {
  const [atRandom, byFailed] = labelRates;
  const coins = labelRates.filter(
    ({ name, nominal }) => name.includes('may gate') && nominal.includes('5 %'),
  );
  it('with 40 labels, if half of them are of what it failed: else often not', () => {
    expect(rateOf(byFailed!, 300, seededRandom(20))).toBeGreaterThan(0.97);
    expect(rateOf(atRandom!, 300, seededRandom(20))).toBeLessThan(0.5);
  });
  it.each(coins)('not if it is a coin: $name', (coin) => {
    expect(rateOf(coin, 400, seededRandom(20))).toBeLessThanOrEqual(0.05);
  });
});

it('a steady judge drifts from verdicts that people put right, and not from a first trial', () => {
  const [fromThese, fromFirst] = labelRates.filter(({ name }) => name.includes('steady judge'));
  expect(rateOf(fromThese!, 100, seededRandom(20))).toBeGreaterThan(0.9);
  expect(rateOf(fromFirst!, 400, seededRandom(20))).toBeLessThanOrEqual(0.075);
});

describe('a judge that errs otherwise on two runs', () => {
  const worlds = labelRates.filter(({ method }) => method === 'errors of a judge on two runs');
  it.each(worlds.filter(({ nominal }) => nominal.includes('5 %')))(
    'is not found where it does not: $name',
    (world) => {
      expect(rateOf(world, 200, seededRandom(20))).toBeLessThanOrEqual(0.075);
    },
  );
  it('is found', () => {
    expect(
      rateOf(worlds.find(({ nominal }) => !nominal.includes('5 %'))!, 100, seededRandom(20)),
    ).toBeGreaterThan(0.6);
  });
});

it('people who err in 5 or 10 % make a rate wrong that takes them to be right', () => {
  const worst = wrongLabels.filter(({ name, truth }) => truth === 0.9 && /err in (5|10) %, 2 /.test(name));
  expect(worst).toHaveLength(2);
  for (const world of worst) expect(coverageOf(world, 200, seededRandom(20)).held).toBeLessThan(0.6);
});
