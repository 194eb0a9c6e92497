/** How well a judge is calibrated whose verdicts a comparison rests on. */

import { type Calibration, calibrate } from './calibration.ts';
import type { JudgeStatus } from './calibration-schema.ts';
import type { JudgeErrors } from './correction.ts';
import { countInWords } from './count-in-words.ts';
import type { Caveat } from './estimate-schema.ts';
import { correlationOfRates, type LabelledRecord, strataOfLabels } from './label-strata.ts';
import { countUnits } from './label-units.ts';

/** Minimum number of labels, and of each kind, for the status of a judge. */
const fewestLabels = { all: 20, ofKind: 5 } as const;

/**
 * Youden's index with the square-and-add of both Wilson intervals. Labels of several strata inform both rates, so their correlation counts.
 * Youden (1950), Cancer 3:32–35; Newcombe (1998), Stat. Med. 17:873–890; Shan (2015), J. Appl. Stat. 42:2149–2160; the correlation: Zou
 * (2007), Psychol. Methods 12:399–413.
 */
const youdenOf = (
  { sensitivity, specificity }: Pick<Calibration, 'sensitivity' | 'specificity'>,
  correlation: number,
): JudgeStatus['youden'] => {
  if (!sensitivity.interval || !specificity.interval) return null;
  const [p, q] = [sensitivity.estimate!, specificity.estimate!];
  const length = (a: number, b: number) => Math.sqrt(Math.max(0, a * a + b * b + 2 * correlation * a * b));
  return {
    estimate: p + q - 1,
    interval: {
      low: p + q - 1 - length(p - sensitivity.interval.low, q - specificity.interval.low),
      high: p + q - 1 + length(sensitivity.interval.high - p, specificity.interval.high - q),
    },
  };
};

/**
 * Largest loss with which a judge may gate alone: sensitivity and specificity are both shown to be at least 0.8. A rate that is
 * 20 points off hides or invents most differences that a gate looks for (docs/decisions/0237).
 */
export const mostLossAlone = 0.2;

/**
 * How far the judge's pass rate can be from that of people by its errors. With the share g of good records, it is off by
 * (1 − g)(1 − specificity) − g(1 − sensitivity), so by at most the larger of both error rates, whatever g is. Both ends of the interval are
 * the larger of both ends. For the upper end this needs no adjustment: it is below a limit only if both error rates are, so the chance of
 * being wrong is that of one of them (Berger 1982, Technometrics 24:295–300).
 */
const lossOf = ({
  sensitivity,
  specificity,
}: Pick<Calibration, 'sensitivity' | 'specificity'>): JudgeStatus['loss'] => {
  if (!sensitivity.interval || !specificity.interval) return null;
  const [falseFails, falsePasses] = [1 - sensitivity.estimate!, 1 - specificity.estimate!];
  return {
    estimate: Math.max(falseFails, falsePasses),
    interval: {
      low: Math.max(1 - sensitivity.interval.high, 1 - specificity.interval.high),
      high: Math.max(1 - sensitivity.interval.low, 1 - specificity.interval.low),
    },
    largest: falseFails > falsePasses ? 'falseFails' : 'falsePasses',
  };
};

/** Returns the grade of a judge that is shown to be better than chance, and the reason. */
const gradeOf = (loss: NonNullable<JudgeStatus['loss']>) => {
  const upTo = `its rate can be off by ${(100 * loss.estimate).toFixed(0)} points (at most ${Math.ceil(100 * loss.interval.high - 1e-9)})`;
  return loss.interval.high <= mostLossAlone
    ? { grade: 'mayGateAlone' as const, words: `may gate alone: ${upTo}` }
    : { grade: 'useWithCorrection' as const, words: `use with correction: ${upTo}` };
};

/**
 * Returns the status of a judge by its labels. A judge is calibrated only if its labels show that it is better than chance: the interval of
 * Youden's index lies above 0.
 */
export const judgeStatus = (
  records: readonly LabelledRecord[],
  abstained: number,
  level: number,
): JudgeStatus => {
  const { sensitivity, specificity } = calibrate(records, level);
  const youden = youdenOf({ sensitivity, specificity }, correlationOfRates(strataOfLabels(records)));
  const n = records.length;
  const rates =
    youden &&
    `sensitivity ${sensitivity.estimate!.toFixed(2)} and specificity ${specificity.estimate!.toFixed(2)} on ${countInWords(n, 'label')}`;
  const loss = lossOf({ sensitivity, specificity });
  const common = {
    grade: 'unusable' as const,
    loss,
    numLabels: n,
    abstained,
    sensitivity,
    specificity,
    youden,
  };
  if (n === 0) {
    const sentence =
      abstained > 0
        ? `the judge gave no verdict on the ${countInWords(abstained, 'record')} that people scored`
        : 'no person has scored what this judge scored: how often it errs is unknown';
    return { ...common, state: 'notCalibrated', sentence };
  }
  const units = [true, false].map((human) => countUnits(records.filter((record) => record.human === human)));
  if (!youden || countUnits(records) < fewestLabels.all || Math.min(...units) < fewestLabels.ofKind) {
    const repeats =
      units[0]! + units[1]! < n ? `, of ${countInWords(countUnits(records), 'distinct input')}` : '';
    const sentence = `people passed ${sensitivity.n} and failed ${specificity.n} of its records${repeats}: below ${fewestLabels.all} labels, or ${fewestLabels.ofKind} of a kind, its errors are unknown`;
    return { ...common, state: 'tooFewLabels', sentence };
  }
  if (youden.interval.low <= 0) {
    const sentence = `${rates}: the judge is not shown to be better than chance`;
    return { ...common, state: 'noBetterThanChance', sentence };
  }
  const { grade, words } = gradeOf(loss!);
  return { ...common, grade, state: 'calibrated', sentence: `${rates}; ${words}` };
};

/** The caveats about the judge for a reader of a comparison. */
export const caveatOfJudge = ({ state, sentence }: JudgeStatus): Caveat => ({
  code:
    state === 'calibrated'
      ? 'judgeError'
      : state === 'noBetterThanChance'
        ? 'judgeNoBetterThanChance'
        : 'judgeNotCalibrated',
  sentence: `${sentence}; the interval leaves the judge's errors out`,
});

/** The errors of a judge for Rogan and Gladen's correction, by the effective numbers of labels. */
export const errorsOf = (records: readonly LabelledRecord[], level: number): JudgeErrors => {
  const { sensitivity, specificity } = calibrate(records, level);
  return {
    humanPasses: sensitivity.effectiveN,
    judgePassed: (sensitivity.estimate ?? 0) * sensitivity.effectiveN,
    humanFails: specificity.effectiveN,
    judgeFailed: (specificity.estimate ?? 0) * specificity.effectiveN,
    correlation: correlationOfRates(strataOfLabels(records)),
  };
};
