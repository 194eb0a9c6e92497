import { describe, expect, it } from 'vitest';
import { correctDifferenceForReviewers, type ReviewedLabel } from './reviewer-errors.ts';

const labels = (count: number, isMajority: boolean): ReviewedLabel[] =>
  Array.from({ length: count }, () => ({ reviews: isMajority ? 3 : 1, passes: 1, isMajority }));
const people = {
  numRecords: 60,
  disagreement: 0.18,
  error: 0.1,
  standardError: 0.02,
  interval: { low: 0.06, high: 0.14 },
};
const normal = (difference: number, standardError: number) => (level: number) => {
  const half = (level === 0.95 ? 1.96 : 2.58) * standardError;
  return { low: difference - half, high: difference + half };
};

describe('a difference corrected for people who err', () => {
  it('is larger by 1/(1 − 2ε), and its interval also has the uncertainty of ε', () => {
    const single = labels(100, false);
    const found = correctDifferenceForReviewers(0.16, normal(0.16, 0.02), [single, single], people)!;
    expect(found.times).toBeCloseTo(1 / 0.8, 12);
    expect(found.difference).toBeCloseTo(0.2, 12);
    // The interval by the labels alone would be .2 ± 1.96·.02/.8 = .151 to .249.
    const { low, high } = found.intervalAt(0.95)!;
    const moved = [0.16 / (1 - 2 * (0.1 - 1.959964 * 0.02)), 0.16 / (1 - 2 * (0.1 + 1.959964 * 0.02))];
    expect(low).toBeCloseTo(0.2 - Math.hypot((1.96 * 0.02) / 0.8, 0.2 - moved[0]!), 6);
    expect(high).toBeCloseTo(0.2 + Math.hypot((1.96 * 0.02) / 0.8, moved[1]! - 0.2), 6);
  });

  it('stays 0 with the same verdict, and stays inside the scale', () => {
    const single = labels(100, false);
    const none = correctDifferenceForReviewers(0, normal(0, 0.02), [single, single], people)!;
    expect(none.difference).toBe(0);
    expect(none.intervalAt(0.95)!.high).toBeCloseTo((1.96 * 0.02) / 0.8, 12);
    const large = correctDifferenceForReviewers(0.9, normal(0.9, 0.02), [single, single], people)!;
    expect([large.difference, large.intervalAt(0.95)!.high]).toEqual([1, 1]);
  });

  it('is not corrected if one run has single reviews and the other majorities, whose errors do not cancel', () => {
    const found = correctDifferenceForReviewers(
      0.1,
      normal(0.1, 0.02),
      [labels(100, false), labels(100, true)],
      people,
    );
    expect(found).toBeNull();
  });
});
