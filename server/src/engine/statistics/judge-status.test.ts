import { expect, it } from 'vitest';
import { judgeStatus } from './judge-status.ts';
import type { LabelledRecord } from './label-strata.ts';

/** Labels of both kinds. The judge gets some of them wrong. */
const labelsOf = (passes: [right: number, wrong: number], fails: [right: number, wrong: number]) =>
  ([true, false] as const).flatMap((human) =>
    (human ? passes : fails).flatMap((count, wrong) =>
      Array.from(
        { length: count },
        (_, i): LabelledRecord => ({ id: `${human}-${wrong}-${i}`, human, judge: (wrong === 0) === human }),
      ),
    ),
  );

it('a judge that read none of the labelled records is not said to lack labels', () => {
  expect(judgeStatus([], 0, 0.95).sentence).toMatch(/^no person has scored/);
  expect(judgeStatus([], 60, 0.95)).toMatchObject({
    state: 'notCalibrated',
    sentence: 'the judge gave no verdict on the 60 records that people scored',
  });
});

it('the grade says how far a rate can be off: the larger error rate, whose upper end must be at most 20 points to gate alone', () => {
  const good = judgeStatus(labelsOf([95, 5], [90, 10]), 0, 0.95);
  expect(good).toMatchObject({
    grade: 'mayGateAlone',
    state: 'calibrated',
    loss: { largest: 'falsePasses' },
  });
  expect(good.loss!.estimate).toBeCloseTo(0.1, 12);
  // Wilson's interval of 90 of 100, as statsmodels has it: 0.8256 to 0.9448.
  expect(good.loss!.interval.high).toBeCloseTo(1 - 0.8256, 4);
  expect(good.loss!.interval.low).toBeCloseTo(1 - 0.9448, 4);
  expect(good.sentence).toMatch(/may gate alone: its rate can be off by 10 points \(at most 18\)$/);
  // Better than chance, and no more: 0.55 and 0.52 on enough labels.
  const poor = judgeStatus(labelsOf([1100, 900], [1040, 960]), 0, 0.95);
  expect(poor).toMatchObject({ grade: 'useWithCorrection', state: 'calibrated' });
  expect(poor.sentence).toMatch(/use with correction: its rate can be off by 48 points/);
  // The same rates as the good judge, with too few labels to show them.
  expect(judgeStatus(labelsOf([19, 1], [18, 2]), 0, 0.95)).toMatchObject({ grade: 'useWithCorrection' });
  expect(judgeStatus(labelsOf([50, 50], [50, 50]), 0, 0.95)).toMatchObject({ grade: 'unusable' });
  expect(judgeStatus(labelsOf([100, 0], [3, 0]), 0, 0.95)).toMatchObject({ grade: 'unusable' });
});
