import { describe, expect, it } from 'vitest';
import { gwetAc1 } from './agreement.ts';
import { gwetAc, pairAgreement } from './raters.ts';

const transpose = (raters: (number | null)[][]) => raters[0]!.map((_, i) => raters.map((rater) => rater[i]!));
const no = null;
// Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, example C: four raters, twelve units, gaps.
const worked = transpose([
  [1, 2, 3, 3, 2, 1, 4, 1, 2, no, no, no],
  [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, no, 3],
  [no, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, no],
  [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, no],
]);
const one = [1, 2, 3, 4, 5];

// from irrCAC.raw import CAC; import pandas as pd   (irrCAC 0.4.4)
// r = CAC(pd.DataFrame(raters).T, weights='identity', categories=[1,2,3,4,5], digits=15).gwet()['est']; r['se'], …
describe('gwetAc', () => {
  it('AC1 of several raters with gaps, to 1e-10 of irrCAC', () => {
    const result = gwetAc(worked, one);
    expect(result.estimate).toBeCloseTo(0.775444068126995, 12);
    expect(result.standardError).toBeCloseTo(0.142949950640765, 12);
    expect(result.interval!.low).toBeCloseTo(0.46081334813208, 10);
    expect(result.interval!.high).toBe(1);
    expect(result).toMatchObject({ method: 'gwet ac1', n: 11, reason: null });
    expect(result.warnings.join()).toMatch(/only 11 records/);
  });
  it('AC2 forgives near misses: quadratic weights, to 1e-10 of irrCAC', () => {
    const result = gwetAc(worked, one, 'quadratic');
    expect(result.estimate).toBeCloseTo(0.914000723551605, 12);
    expect(result.standardError).toBeCloseTo(0.10396224464506, 12);
    expect(result.interval!.low).toBeCloseTo(0.685181365878915, 10);
  });
  it('is AC1 of the table where two raters scored everything', () => {
    const table = [
      [20, 5],
      [10, 15],
    ];
    const ratings = table.flatMap((row, i) =>
      row.flatMap((count, j) => Array.from({ length: count }, () => [i, j])),
    );
    const [several, two] = [gwetAc(ratings, [0, 1]), gwetAc1(table)];
    expect(several.estimate).toBeCloseTo(two.estimate!, 12);
    expect(several.standardError).toBeCloseTo(two.standardError!, 12);
  });
  it.each([
    ['no rater', []],
    ['one rater', [[1], [0]]],
    ['gaps alone', [[null, null]]],
    ['one record', [[1, 1]]],
    [
      'all equal',
      [
        [1, 1],
        [1, 1],
        [1, 1],
      ],
    ],
  ])('too little is said, not guessed: %s', (_, ratings) => {
    const result = gwetAc(ratings, [0, 1]);
    expect(result).toMatchObject({
      standardError: null,
      interval: null,
      reason: expect.stringMatching(/\w/),
    });
    expect(Object.values(result).filter(Number.isNaN)).toEqual([]);
  });
});

describe('pairAgreement', () => {
  it('is a share: few records that nearly all agree do not reach beyond 1', () => {
    const ratings = [...Array.from({ length: 5 }, () => [1, 1, 1]), [1, 1, 0]];
    const { estimate, interval } = pairAgreement(ratings);
    expect(estimate).toBeCloseTo((5 + 1 / 3) / 6, 12);
    expect(interval!.high).toBeLessThanOrEqual(1);
    expect(interval!.high).toBeGreaterThan(estimate!);
  });
  it('counts a record once, however many scored it', () => {
    // Of 1, 1, 0 one pair in three agrees; of 1, 1 the only one; alone there is no pair.
    expect(
      pairAgreement([
        [1, 1, 0],
        [1, 1, null],
        [1, null, null],
      ]),
    ).toMatchObject({
      n: 2,
      estimate: expect.closeTo(2 / 3, 12),
    });
  });
  it('is p_a of irrCAC', () => {
    expect(pairAgreement(worked).estimate).toBeCloseTo(0.818181818181818, 12);
  });
  it('without a pair there is no number', () => {
    expect(pairAgreement([[1], [null]])).toMatchObject({
      n: 0,
      estimate: null,
      reason: 'no record was rated by two raters',
    });
  });
});
