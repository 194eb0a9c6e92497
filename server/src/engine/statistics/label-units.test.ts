import { describe, expect, it } from 'vitest';
import { calibrate } from './calibration.ts';
import { judgeStatus } from './judge-status.ts';
import type { LabelledRecord } from './label-strata.ts';

/** 12 questions that were labelled ten times each; the judge errs on one of the passed and one of the failed ones. */
const labels = Array.from({ length: 120 }, (_, i): LabelledRecord => {
  const question = i % 12;
  const human = question < 6;
  return { id: `${i}`, unit: `${question}`, human, judge: question % 6 === 0 ? !human : human };
});
const alone = labels.map(({ unit: _, ...label }) => label);

describe('labels of records with the same inputs are one unit', () => {
  it('they are worth as many labels as there are questions, with the same estimates, and the answer says so', () => {
    const [units, facts] = [calibrate(labels), calibrate(alone)];
    for (const rate of ['sensitivity', 'specificity', 'agreement', 'kappa', 'ac1'] as const) {
      expect(units[rate].estimate).toBeCloseTo(facts[rate].estimate!, 9);
      const [wide, narrow] = [units[rate].interval!, facts[rate].interval!];
      expect(wide.high - wide.low).toBeGreaterThan(1.5 * (narrow.high - narrow.low));
    }
    expect(units.sensitivity.effectiveN).toBeLessThan(7);
    expect(units.caveats).toContainEqual({
      code: 'repeatedInputs',
      sentence: '120 labels are of 12 distinct inputs: each input is one unit',
    });
    expect(facts.caveats.map(({ code }) => code)).not.toContain('repeatedInputs');
  });

  it('12 questions do not let a judge gate, however often they are labelled', () => {
    expect(judgeStatus(labels, 0, 0.95)).toMatchObject({
      state: 'tooFewLabels',
      sentence:
        'people passed 60 and failed 60 of its records, of 12 distinct inputs: below 20 labels, or 5 of a kind, its errors are unknown',
    });
    expect(judgeStatus(alone, 0, 0.95).state).toBe('calibrated');
  });
});
