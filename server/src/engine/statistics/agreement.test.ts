import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cohenKappa, gwetAc1 } from './agreement.ts';
import { calibrate, sweepThresholds } from './calibration.ts';
import { judgeDrift } from './drift.ts';
import { krippendorffAlpha } from './krippendorff.ts';

const three = [
  [88, 10, 2],
  [14, 40, 6],
  [18, 10, 12],
];

describe('two raters', () => {
  // statsmodels 0.15: r = cohens_kappa(table[, weights=arange(3), wt=…]); r.kappa, r.std_kappa
  // Web pages give other errors for the first: .1386 is std_kappa0, which holds under κ = 0 only.
  it.each([
    [
      [
        [20, 5],
        [10, 15],
      ],
      'none',
      0.4,
      0.12699606293110033,
    ],
    [
      [
        [45, 15],
        [25, 15],
      ],
      'none',
      0.13043478260869554,
      0.0986615376234396,
    ],
    [three, 'none', 0.49152542372881347, 0.05100181557607786],
    [three, 'linear', 0.4736842105263158, 0.05443230917764151],
    [three, 'quadratic', 0.4545454545454546, 0.06645368159107816],
  ] as const)("κ of %j with %s weights is statsmodels' to 1e-9", (table, weights, kappa, error) => {
    const result = cohenKappa(table, weights);
    expect(result.estimate).toBeCloseTo(kappa, 9);
    expect(result.standardError).toBeCloseTo(error, 9);
  });
  // irrCAC 0.4.4: CAC(pairs, digits=15).gwet()['est']; coefficient_value, se
  it.each([
    [
      [
        [20, 5],
        [10, 15],
      ],
      0.405940594059406,
      0.131473088759853,
    ],
    [
      [
        [118, 5],
        [2, 0],
      ],
      0.940776337608718,
      0.02305696430239,
    ],
    [three, 0.575971731448763, 0.048120576902142],
  ])("AC1 of %j is irrCAC's to 1e-9", (table, ac1, error) => {
    const result = gwetAc1(table);
    expect(result.estimate).toBeCloseTo(ac1, 9);
    expect(result.standardError).toBeCloseTo(error, 9);
  });
  it('one category only: κ is refused with the reason', () => {
    expect(
      cohenKappa([
        [30, 0],
        [0, 0],
      ]),
    ).toMatchObject({ estimate: null, reason: expect.stringContaining('one category') });
  });
  it('for any table κ and AC1 are symmetric in the raters and at most the raw agreement', () => {
    const count = fc.integer({ min: 1, max: 60 });
    fc.assert(
      fc.property(count, count, count, count, (a, b, c, d) => {
        const [table, mirrored] = [
          [
            [a, b],
            [c, d],
          ],
          [
            [a, c],
            [b, d],
          ],
        ];
        for (const coefficient of [cohenKappa, gwetAc1]) {
          const result = coefficient(table);
          expect(result.estimate).toBeCloseTo(coefficient(mirrored).estimate!, 10);
          expect(result.standardError).toBeCloseTo(coefficient(mirrored).standardError!, 10);
          expect(result.estimate).toBeLessThanOrEqual((a + d) / (a + b + c + d) + 1e-12);
          expect(result.interval!.low).toBeLessThanOrEqual(result.estimate!);
          expect(result.interval!.high).toBeGreaterThanOrEqual(result.estimate!);
        }
      }),
    );
  });
});

describe("Krippendorff's α", () => {
  const _ = null;
  // Krippendorff (2011), example C: four raters, twelve units, missing values; here one row a rater.
  const raters = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
  ];
  const records = raters[0]!.map((_, i) => raters.map((row) => row[i]!));
  // krippendorff 0.9.0: alpha(reliability_data=raters, level_of_measurement=scale); published .743, .815, .849
  it.each([
    ['nominal', 0.743421052631579],
    ['ordinal', 0.8153875037548814],
    ['interval', 0.8491071428571428],
  ] as const)("%s, several raters and missing values: the package's to 1e-9", (scale, alpha) => {
    const result = krippendorffAlpha(records, scale);
    expect(result.n).toBe(11);
    expect(result.estimate).toBeCloseTo(alpha, 9);
  });
  // The same package on the 11 units with one left out at a time: sqrt(10/11 * sum((a_i - mean)**2)).
  it.each([
    ['nominal', 0.1463266522007062],
    ['interval', 0.1408398313812763],
  ] as const)('%s: the jackknife error is that of leaving out one record at a time', (scale, error) => {
    expect(krippendorffAlpha(records, scale).standardError).toBeCloseTo(error, 9);
  });
  it('says why when it cannot be known', () => {
    expect(krippendorffAlpha([[1, null]], 'nominal').reason).toMatch(/rated by two raters/);
    expect(
      krippendorffAlpha(
        [
          [2, 2],
          [2, 2],
        ],
        'interval',
      ).reason,
    ).toMatch(/same value/);
  });
});

describe('a judge against people', () => {
  const records = [
    ...Array.from({ length: 90 }, (_, i) => ({ id: `p${i}`, human: true, judge: i < 81 })),
    ...Array.from({ length: 40 }, (_, i) => ({ id: `f${i}`, human: false, judge: i >= 32 })),
  ];
  it('gives the matrix, both error rates with Wilson intervals, and lists every disagreement', () => {
    const result = calibrate(records);
    expect(result.matrix).toEqual({
      truePositives: 81,
      falsePositives: 8,
      falseNegatives: 9,
      trueNegatives: 32,
    });
    expect([result.sensitivity.estimate, result.specificity.estimate]).toEqual([0.9, 0.8]);
    expect(result.sensitivity).toMatchObject({ n: 90, method: 'wilson' });
    expect(result.baseRate.estimate).toBeCloseTo(90 / 130, 12);
    expect(result.disagreements).toHaveLength(17);
    expect(result.disagreements.every(({ judge, human }) => judge !== human)).toBe(true);
  });
  it('no label of one kind: that rate is null with the reason', () => {
    const result = calibrate(records.filter(({ human }) => human));
    expect(result.specificity).toMatchObject({ estimate: null, interval: null });
    expect(result.specificity.reason).toMatch(/people failed no record/);
  });
  it('sweeps every threshold as counting at each one would, and chooses the largest Youden index', () => {
    const scored = fc.array(fc.record({ judgeScore: fc.integer({ min: 1, max: 5 }), human: fc.boolean() }), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(scored, (labels) => {
        const { points, best } = sweepThresholds(labels);
        expect(points).toHaveLength(new Set(labels.map(({ judgeScore }) => judgeScore)).size);
        for (const { threshold, matrix, sensitivity, specificity } of points) {
          const passed = labels.filter(({ judgeScore }) => judgeScore >= threshold);
          expect(matrix.truePositives).toBe(passed.filter(({ human }) => human).length);
          expect(matrix.falsePositives).toBe(passed.filter(({ human }) => !human).length);
          if (best) {
            expect(sensitivity! + specificity!).toBeLessThanOrEqual(
              best.sensitivity! + best.specificity! + 1e-12,
            );
          }
        }
      }),
    );
  });
});

describe('drift', () => {
  const pinned = (change: (i: number) => boolean | null) =>
    Array.from({ length: 120 }, (_, i) => ({
      id: `r${i}`,
      human: i % 2 === 0,
      before: i % 2 === 0,
      after: change(i),
    }));
  it('sees nothing where nothing changed', () => {
    expect(judgeDrift(pinned((i) => i % 2 === 0))).toMatchObject({
      verdict: 'no drift seen',
      broken: [],
      difference: 0,
    });
  });
  it('sees a judge that became stricter, and names the records', () => {
    const result = judgeDrift(pinned((i) => i % 2 === 0 && i >= 20));
    expect(result).toMatchObject({ verdict: 'drifted', leniency: { nowFail: 10, nowPass: 0 } });
    expect(result.broken).toEqual(Array.from({ length: 10 }, (_, i) => `r${2 * i}`));
    // 2·½^10 − ½^10
    expect(result.mcnemar!.midP).toBeCloseTo(1 / 1024, 12);
    expect(result.sentence).toBe(
      'drifted: the judge agrees with people 8.3 points less and has become stricter than at the reference',
    );
  });
  it('tells what broke from what was mended, for records of both kinds', () => {
    const result = judgeDrift([
      { id: 'fail, now passed', human: false, before: false, after: true },
      { id: 'pass, now failed', human: true, before: true, after: false },
      { id: 'pass, now passed', human: true, before: false, after: true },
      { id: 'fail, now failed', human: false, before: true, after: false },
    ]);
    expect(result.broken).toEqual(['fail, now passed', 'pass, now failed']);
    expect(result.mended).toEqual(['pass, now passed', 'fail, now failed']);
    expect(result.leniency).toMatchObject({ nowPass: 2, nowFail: 2 });
  });
  it('a judge that gave no verdict is not a judge that changed it', () => {
    const result = judgeDrift(pinned((i) => (i < 30 ? null : i % 2 === 0)));
    expect(result).toMatchObject({ n: 90, verdict: 'no drift seen' });
    expect(result.unscored).toHaveLength(30);
  });
});
