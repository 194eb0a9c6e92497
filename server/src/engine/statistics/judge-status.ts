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
  const common = { numLabels: n, abstained, sensitivity, specificity, youden };
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
  return { ...common, state: 'calibrated', sentence: rates! };
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
