/** Compares a judge with people who scored the same records. */

import { cohenKappa, gwetAc1 } from './agreement.ts';
import { wilsonOf } from './bounded.ts';
import type {
  Calibration as Answered,
  ConfusionMatrix,
  ThresholdSweep as Swept,
  ThresholdPoint,
} from './calibration-schema.ts';
import { caveatOfFew, caveatOfWeights, caveatsOf } from './caveats.ts';
import { countInWords } from './count-in-words.ts';
import { tQuantile } from './distributions.ts';
import type { Caveat, Estimate, Interval } from './estimate-schema.ts';
import { defaultLevel, rateEstimate, zOf } from './intervals.ts';
import {
  agreementOf,
  baseRateOf,
  type Cells,
  cellOf,
  countCells,
  effectiveLabels,
  effectiveTable,
  estimateShare,
  influenceOf,
  type LabelledRecord,
  type LabelStratum,
  type ShareOf,
  sensitivityOf,
  specificityOf,
  strataOfLabels,
} from './label-strata.ts';
import { countUnits, dependenceOf, shrinkageOf } from './label-units.ts';

/** Calibration of a judge, with the records on which it and people disagree. */
export type Calibration = Omit<Answered, 'numDisagreements'> & { disagreements: LabelledRecord[] };
/** Thresholds before the best one is tried on other labels. */
export type ThresholdSweep = Omit<Swept, 'onTest'>;

const matrixOf = ([
  truePositives,
  falsePositives,
  falseNegatives,
  trueNegatives,
]: Cells): ConfusionMatrix => ({
  truePositives,
  falsePositives,
  falseNegatives,
  trueNegatives,
});

const sum = (cells: Cells, values: Cells): number =>
  cells.reduce((total, cell, i) => total + cell * values[i]!, 0);

/** A rate of the judge on some labels, with its interval at any level. */
export interface MeasuredRate {
  /** Number of labels of the kind. */
  n: number;
  effective: number;
  estimate: number;
  standardError: number;
  intervalAt: (level: number) => Interval;
}

/** Labels with what is counted of them once. */
export interface CountedLabels {
  records: readonly LabelledRecord[];
  strata: readonly LabelStratum[];
  counts: Cells;
}

export const countLabels = (records: readonly LabelledRecord[]): CountedLabels => ({
  records,
  strata: strataOfLabels(records),
  counts: countCells(records),
});

/**
 * Wilson's interval; for labels in several strata, or of units that repeat, with their effective number and Student's t. Null without a label
 * of the kind.
 */
export const measureRate = (
  { records, strata, counts }: CountedLabels,
  share: ShareOf,
): MeasuredRate | null => {
  const n = sum(counts, share.of);
  if (n === 0) return null;
  const dependence = dependenceOf(records, influenceOf(strata, share), share.of);
  if (strata.length === 1) {
    const estimate = sum(counts, share.hits) / n;
    const effective = n / dependence.factor;
    const quantile = (level: number) =>
      effective === n ? zOf(level) : tQuantile((1 + level) / 2, dependence.df);
    return {
      n,
      effective,
      estimate,
      standardError: Math.sqrt((estimate * (1 - estimate)) / effective),
      intervalAt: (level) => wilsonOf(estimate, effective, quantile(level)),
    };
  }
  const found = estimateShare(strata, share)!;
  const effective = found.effective / dependence.factor;
  const df = Math.min(found.df, dependence.df);
  return {
    n,
    effective,
    estimate: found.estimate,
    standardError: Math.sqrt(found.variance * dependence.factor),
    intervalAt: (level) => wilsonOf(found.estimate, effective, tQuantile((1 + level) / 2, df)),
  };
};

type Kind = { n: number; units: number; rate: Estimate; isWeighted: boolean; ofWhat: string };

/** Below this number of different inputs, how much they differ is itself rough. */
const fewInputs = 50;

const caveatOfKind = ({ n, units, rate, isWeighted, ofWhat }: Kind): Caveat | null => {
  const fewLabels = (sentence: string): Caveat => ({ code: 'fewLabels', sentence });
  const records = `${countInWords(n, 'record')} that people ${ofWhat}`;
  if (n === 0) return null;
  if (n < 30) return fewLabels(`rests on ${records}`);
  if (units < n && units < fewInputs)
    return fewLabels(
      `${records} are of ${countInWords(units, 'distinct input')}: below ${fewInputs} they are rough`,
    );
  if (rate.effectiveN >= 30) return null;
  const why = isWeighted ? 'they were drawn with unequal chances' : 'their inputs repeat';
  return fewLabels(`${records} count as ${Math.round(rate.effectiveN)}, because ${why}`);
};

/** A rate among labelled records: the words speak of records, not of testcases. */
const labelledRate = (labels: CountedLabels, share: ShareOf, level: number, ofWhat: string): Estimate => {
  const { records, strata, counts } = labels;
  const n = sum(counts, share.of);
  const units = countUnits(records.filter((record) => share.of[cellOf(record)] === 1));
  const isWeighted = n > 0 && strata.length > 1;
  const plain = rateEstimate(sum(counts, share.hits), n, level);
  const measured = measureRate(labels, share);
  const rate: Estimate =
    measured && (isWeighted || measured.effective < n)
      ? {
          ...plain,
          method: isWeighted
            ? 'weighted by strata, wilson on the effective n'
            : 'same inputs as one unit, wilson on the effective n',
          effectiveN: measured.effective,
          estimate: measured.estimate,
          standardError: measured.standardError,
          interval: measured.intervalAt(level),
        }
      : plain;
  return {
    ...rate,
    reason: n === 0 ? `people ${ofWhat} no record: this cannot be estimated` : null,
    assumption: isWeighted
      ? 'the labelled records of each stratum are a random sample of its records'
      : 'the labelled records are a random sample of those that the judge decides',
    ...caveatsOf(caveatOfKind({ n, units, rate, isWeighted, ofWhat })),
  };
};

/** The share of labelled records on which a judge and people agree. Records of one unit depend on each other. */
export const agreementWithPeople = (records: readonly LabelledRecord[], level = defaultLevel): Estimate =>
  labelledRate(countLabels(records), agreementOf, level, 'labelled');

/**
 * Confusion matrix, sensitivity and specificity with Wilson's intervals, raw agreement and base rate, κ and AC1. Labels of several strata
 * are weighted by the inverse of their probability of being drawn: labels drawn by the judge's verdict hold too many of the records that it
 * failed (Begg & Greenes 1983, Biometrics 39:207–215).
 *
 * No single number suffices: a rare class makes raw agreement flatter and κ too strict (Feinstein & Cicchetti 1990,
 * J. Clin. Epidemiol. 43:543–549).
 */
export const calibrate = (records: readonly LabelledRecord[], level = defaultLevel): Calibration => {
  const n = records.length;
  const labels = countLabels(records);
  const { strata, counts } = labels;
  const isWeighted = strata.length > 1;
  const rate = (share: ShareOf, ofWhat: string) => labelledRate(labels, share, level, ofWhat);
  const units = countUnits(records);
  const tableFor = (of: (table: number[][]) => Estimate) =>
    n === 0
      ? [
          [0, 0],
          [0, 0],
        ]
      : effectiveTable(
          strata,
          (table) => of(table.map((row) => row.map((x) => x * n))).estimate,
          (influence) => (units === n ? 1 : shrinkageOf(dependenceOf(records, influence), level)),
        );
  const kappa = (table: number[][]) => cohenKappa(table, 'none', level);
  const ac1 = (table: number[][]) => gwetAc1(table, level);
  const [sensitivity, specificity] = [rate(sensitivityOf, 'passed'), rate(specificityOf, 'failed')];
  // A coefficient rests on the kind with the fewer labels.
  const ofKinds = [sensitivity, specificity].flatMap(({ caveats }) =>
    caveats.filter(({ code }) => code === 'fewLabels'),
  );
  const coefficient = (of: (table: number[][]) => Estimate): Estimate => {
    const estimate = of(tableFor(of));
    return { ...estimate, n, ...caveatsOf(...estimate.caveats, ...ofKinds) };
  };
  return {
    method: isWeighted
      ? 'confusion matrix weighted by strata, wilson intervals on the effective n'
      : 'confusion matrix with wilson intervals',
    n,
    effectiveN: isWeighted ? effectiveLabels(strata) : n,
    level,
    matrix: matrixOf(counts),
    sensitivity,
    specificity,
    agreement: rate(agreementOf, 'labelled'),
    baseRate: rate(baseRateOf, 'labelled'),
    kappa: coefficient(kappa),
    ac1: coefficient(ac1),
    disagreements: records.filter(({ judge, human }) => judge !== human),
    ...caveatsOf(
      caveatOfFew(n, 'labelled record'),
      units === n
        ? null
        : {
            code: 'repeatedInputs',
            sentence: `${countInWords(n, 'label')} are of ${countInWords(units, 'distinct input')}: each input is one unit`,
          },
      isWeighted ? caveatOfWeights(effectiveLabels(strata), n) : null,
    ),
  };
};

/**
 * Every passing threshold that separates scores, from the strictest to the most lenient, in one sorted pass. A label's weight, on average
 * 1, says how many it stands for.
 */
export const sweepThresholds = (
  records: Iterable<{ judgeScore: number; human: boolean; weight?: number }>,
): ThresholdSweep => {
  const sorted = [...records].sort((a, b) => b.judgeScore - a.judgeScore);
  const n = sorted.length;
  const positives = sorted.filter(({ human }) => human).length;
  const weightOf = (of: typeof sorted) => of.reduce((total, { weight = 1 }) => total + weight, 0);
  const all = weightOf(sorted);
  const passed = weightOf(sorted.filter(({ human }) => human));
  const points: ThresholdPoint[] = [];
  let [tp, fp, right, wrong] = [0, 0, 0, 0];
  for (const [i, { judgeScore, human, weight = 1 }] of sorted.entries()) {
    if (human) [tp, right] = [tp + 1, right + weight];
    else [fp, wrong] = [fp + 1, wrong + weight];
    if (sorted[i + 1]?.judgeScore === judgeScore) continue;
    const [fn, tn] = [positives - tp, n - positives - fp];
    points.push({
      threshold: judgeScore,
      matrix: { truePositives: tp, falsePositives: fp, falseNegatives: fn, trueNegatives: tn },
      sensitivity: positives === 0 ? null : right / passed,
      specificity: positives === n ? null : (all - passed - wrong) / (all - passed),
      agreement: (right + all - passed - wrong) / all,
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
