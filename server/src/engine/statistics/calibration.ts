/** Compares a judge with people who scored the same records. */

import { cohenKappa, gwetAc1 } from './agreement.ts';
import type {
  Calibration as Answered,
  ConfusionMatrix,
  ThresholdSweep as Swept,
  ThresholdPoint,
} from './calibration-schema.ts';
import { caveatOfFew, caveatsOf } from './caveats.ts';
import { countInWords } from './count-in-words.ts';
import type { Estimate } from './estimate-schema.ts';
import { defaultLevel, rateEstimate } from './intervals.ts';

/** One record that both the judge and a person decided. */
export interface LabelledRecord {
  id: string;
  judge: boolean;
  human: boolean;
}

/** Calibration of a judge, with the records on which it and people disagree. */
export type Calibration = Omit<Answered, 'numDisagreements'> & { disagreements: LabelledRecord[] };
/** Thresholds before the best one is tried on other labels. */
export type ThresholdSweep = Omit<Swept, 'onTest'>;

const confusionMatrix = (records: Iterable<LabelledRecord>): ConfusionMatrix => {
  const matrix = { truePositives: 0, falsePositives: 0, falseNegatives: 0, trueNegatives: 0 };
  for (const { judge, human } of records) {
    if (human) matrix[judge ? 'truePositives' : 'falseNegatives']++;
    else matrix[judge ? 'falsePositives' : 'trueNegatives']++;
  }
  return matrix;
};

/** A rate among labelled records: the words speak of records, not of testcases. */
const labelledRate = (hits: number, n: number, level: number, ofWhat: string): Estimate => ({
  ...rateEstimate(hits, n, level),
  reason: n === 0 ? `people ${ofWhat} no record: this cannot be estimated` : null,
  assumption: 'the labelled records are a random sample of those that the judge decides',
  ...caveatsOf(
    n > 0 && n < 30
      ? { code: 'fewLabels', sentence: `rests on ${countInWords(n, 'record')} that people ${ofWhat}` }
      : null,
  ),
});

/**
 * Confusion matrix, sensitivity and specificity with Wilson's intervals, raw agreement and base rate, κ and AC1.
 *
 * No single one suffices: a rare class makes raw agreement flatter and κ too strict (Feinstein & Cicchetti 1990,
 * J. Clin. Epidemiol. 43:543–549).
 */
export const calibrate = (records: readonly LabelledRecord[], level = defaultLevel): Calibration => {
  const matrix = confusionMatrix(records);
  const { truePositives: tp, falsePositives: fp, falseNegatives: fn, trueNegatives: tn } = matrix;
  const n = records.length;
  const table = [
    [tp, fp],
    [fn, tn],
  ];
  return {
    method: 'confusion matrix with wilson intervals',
    n,
    level,
    matrix,
    sensitivity: labelledRate(tp, tp + fn, level, 'passed'),
    specificity: labelledRate(tn, tn + fp, level, 'failed'),
    agreement: labelledRate(tp + tn, n, level, 'labelled'),
    baseRate: labelledRate(tp + fn, n, level, 'labelled'),
    kappa: cohenKappa(table, 'none', level),
    ac1: gwetAc1(table, level),
    disagreements: records.filter(({ judge, human }) => judge !== human),
    ...caveatsOf(caveatOfFew(n, 'labelled record')),
  };
};

/** Every passing threshold that separates scores, from the strictest to the most lenient, in one sorted pass. */
export const sweepThresholds = (
  records: Iterable<{ judgeScore: number; human: boolean }>,
): ThresholdSweep => {
  const sorted = [...records].sort((a, b) => b.judgeScore - a.judgeScore);
  const n = sorted.length;
  const positives = sorted.filter(({ human }) => human).length;
  const points: ThresholdPoint[] = [];
  let [tp, fp] = [0, 0];
  for (const [i, { judgeScore, human }] of sorted.entries()) {
    if (human) tp++;
    else fp++;
    if (sorted[i + 1]?.judgeScore === judgeScore) continue;
    const [fn, tn] = [positives - tp, n - positives - fp];
    points.push({
      threshold: judgeScore,
      matrix: { truePositives: tp, falsePositives: fp, falseNegatives: fn, trueNegatives: tn },
      sensitivity: positives === 0 ? null : tp / positives,
      specificity: positives === n ? null : tn / (n - positives),
      agreement: (tp + tn) / n,
    });
  }
  const youden = ({ sensitivity, specificity }: ThresholdPoint) => sensitivity! + specificity! - 1;
  const bothClasses = positives > 0 && positives < n;
  const most = bothClasses ? points.reduce((max, point) => Math.max(max, youden(point)), -1) : 0;
  const winners = bothClasses ? points.filter((point) => youden(point) >= most - 1e-12) : [];
  return {
    method: 'youden index over all thresholds',
    n,
    points,
    best: winners[winners.length >> 1] ?? null,
    reason: bothClasses ? null : 'people passed all records or none: no threshold is better than another',
    warnings: [
      'a threshold chosen on these labels looks better on them than it is: confirm it on the test split',
    ],
  };
};
