/** Calibration of a judge against people: the result of the engine and of the API. */
import { type Static, Type } from 'typebox';
import { ref } from '../../platform/named-schema.ts';
import { oneOf } from '../../platform/one-of.ts';
import {
  caveats,
  count,
  Estimate,
  estimate,
  Interval,
  nullable,
  nullableInterval,
  nullableNumber,
  nullableText,
  number,
  text,
  texts,
  warnings,
} from './estimate-schema.ts';

const judgeStates = ['notCalibrated', 'tooFewLabels', 'noBetterThanChance', 'calibrated'] as const;

export const judgeGrades = ['unusable', 'useWithCorrection', 'mayGateAlone'] as const;

/** How well a judge is calibrated whose verdicts a comparison rests on. */
export const judgeStatus = {
  grade: oneOf(
    judgeGrades,
    '`unusable`: not shown to be better than chance, or too few labels to tell. `useWithCorrection`: better than chance, but its own rate may be more than 20 points away from that of people. `mayGateAlone`: the upper end of `loss` is at most 20 points.',
  ),
  loss: nullable(
    Type.Object({
      estimate: number('The larger of 1 − sensitivity and 1 − specificity; 0.1 is ten points.'),
      interval: ref(Interval, 'Its interval.'),
      largest: oneOf(
        ['falseFails', 'falsePasses'],
        'Kind of error that is the larger one: it fails good records, or it passes bad ones.',
      ),
    }),
    "How far the judge's rate of any set of records can be from that of people by its errors. Null without labels of both kinds.",
  ),
  state: oneOf(
    judgeStates,
    '`notCalibrated`: no labels. `tooFewLabels`: fewer than 20, or fewer than 5 of a kind. `noBetterThanChance`: the interval of `youden` is not above 0. `calibrated`: that interval is above 0.',
  ),
  numLabels: count('Number of labelled records that the judge decided.'),
  abstained: count('Number of labelled records without a verdict of the judge.'),
  sensitivity: ref(Estimate, 'Share of the records passed by people that the judge passes.'),
  specificity: ref(Estimate, 'Share of the records failed by people that the judge fails.'),
  youden: nullable(
    Type.Object({
      estimate: number('Sensitivity + specificity − 1.'),
      interval: ref(Interval, 'Its interval.'),
    }),
    "Youden's index: 0 is no better than chance, 1 is always right. Null without labels of both kinds.",
  ),
  sentence: text('The same in words.'),
};
const JudgeStatus = Type.Object(judgeStatus);
export type JudgeStatus = Static<typeof JudgeStatus>;

const rateOfRuns = (description: string) =>
  Type.Object(
    {
      before: nullableNumber('The rate on the first run; null without labels of this kind.'),
      after: nullableNumber('The rate on the second run.'),
      numBefore: count('Number of labels of this kind in the first run.'),
      numAfter: count('Number of labels of this kind in the second run.'),
      difference: nullableNumber('Second run minus first run.'),
      interval: nullableInterval(
        'Its interval, at half of α; null below five labels of this kind in either run.',
      ),
      p: nullableNumber('Two-sided p of equal rates.'),
    },
    { description },
  );

/** Whether a judge errs alike on two runs. */
export const JudgeErrors = Type.Object(
  {
    sensitivity: rateOfRuns('Share that the judge passes, among the records that people pass.'),
    specificity: rateOfRuns('Share that the judge fails, among the records that people fail.'),
    level: number('Confidence level of both tests together.'),
    p: nullableNumber('Two-sided p of both tests together (Bonferroni); null if neither could be made.'),
    verdict: oneOf(
      ['differs', 'cannot tell', 'unknown'],
      '`differs`: the judge has different error rates on the two runs, so its errors do not cancel in a difference. `unknown`: too few labels.',
    ),
    sentence: text('The verdict in words.'),
  },
  { description: 'Whether the judge has the same error rates on both runs, by the labels of each.' },
);
export type JudgeErrors = Static<typeof JudgeErrors>;

const ConfusionMatrix = Type.Object(
  {
    truePositives: count('Judge and people pass the record.'),
    falsePositives: count('Only the judge passes the record.'),
    falseNegatives: count('Only people pass the record.'),
    trueNegatives: count('Neither passes the record.'),
  },
  { description: 'Number of labelled records by the verdicts of judge and people.' },
);

export type ConfusionMatrix = Static<typeof ConfusionMatrix>;

export const calibration = {
  method: text('Method.'),
  n: count('Number of labelled records.'),
  effectiveN: number(
    'Effective number of labels (Kish); below `n` if the labels were drawn by strata with unequal probabilities.',
  ),
  level: number('Confidence level.'),
  matrix: ConfusionMatrix,
  sensitivity: ref(
    Estimate,
    'Share that the judge passes, among the records that people pass. All rates weight each label by its chance of being drawn.',
  ),
  specificity: ref(Estimate, 'Share that the judge fails, among the records that people fail.'),
  agreement: ref(Estimate, 'Share of records on which judge and people agree.'),
  baseRate: ref(Estimate, 'Share of records that people pass.'),
  kappa: ref(Estimate, 'Cohen’s κ.'),
  ac1: ref(Estimate, 'Gwet’s AC1.'),
  numDisagreements: count('Number of records on which they disagree; `listJudgeDisagreements` lists them.'),
  caveats,
  warnings,
};

const Calibration = Type.Object(calibration);
export type Calibration = Static<typeof Calibration>;

const ThresholdPoint = Type.Object({
  threshold: number('Lowest score that passes.'),
  matrix: ConfusionMatrix,
  sensitivity: nullableNumber(
    'Share of the records passed by people that the judge passes; null without any.',
  ),
  specificity: nullableNumber(
    'Share of the records failed by people that the judge fails; null without any.',
  ),
  agreement: number('Share of records on which judge and people agree.'),
});
export type ThresholdPoint = Static<typeof ThresholdPoint>;

export const ThresholdSweep = Type.Object({
  method: text('How the best threshold was chosen.'),
  n: count('Number of labels of the dev split.'),
  points: Type.Array(ThresholdPoint, {
    description: 'Thresholds from the strictest to the most lenient, at most 100.',
  }),
  best: nullable(ThresholdPoint, 'The best threshold on the dev labels; null without labels of both kinds.'),
  onTest: nullable(Calibration, 'The same threshold on the test labels.'),
  reason: nullableText('Why there is no best threshold.'),
  warnings: texts('Warnings for the reader.'),
});
export type ThresholdSweep = Static<typeof ThresholdSweep>;

/** How often people err, and the rate without a correction for it. */
const PeopleErrors = Type.Object({
  numRecords: count('Number of records with two or more blind reviews.'),
  disagreement: number('Share of pairs of reviews of one record that differ.'),
  error: number(
    'Estimated share of wrong reviews. It assumes that people err independently and equally often.',
  ),
  interval: ref(Interval, 'Interval of `error`.'),
  uncorrected: nullable(
    Type.Object({ estimate: number('The rate.'), interval: ref(Interval, 'Its interval.') }),
    'The rate on the assumption that people are right; null if the rate is not corrected for their errors.',
  ),
});

/** A pass rate corrected for the errors of the judge that gave it. */
export const correctedRate = {
  ...estimate,
  people: nullable(
    PeopleErrors,
    'How often people err, by their blind reviews of the same records. Null with fewer than 30 such records; the correction then assumes that people are right.',
  ),
  uncorrected: nullableNumber('Pass rate according to the judge.'),
};
const CorrectedRate = Type.Object(correctedRate);
export type CorrectedRate = Static<typeof CorrectedRate>;

/** Estimate of people's verdicts on all records. */
export const predictionPowered = {
  ...correctedRate,
  numLabels: count('Number of labels in this run.'),
  numDisagreements: count('Number of these labels on which judge and people differ.'),
  numLabelsToHalve: nullableNumber(
    'Number of further labels that halve the interval; null if labels for the whole run do not.',
  ),
  moreLabels: nullableText('Effect of further labels, in words.'),
  sampled: Type.Boolean({
    description:
      'Whether the service drew the labelled records at random; their inclusion probabilities then weight them.',
  }),
  lambda: nullableNumber("Weight of the judge's verdicts, from 0 (unused) to 1 (fully used)."),
};
const PredictionPowered = Type.Object(predictionPowered);
export type PredictionPowered = Static<typeof PredictionPowered>;
