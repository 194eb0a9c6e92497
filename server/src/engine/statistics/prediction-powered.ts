/** What people would say of all records, from the judge's scores of all and people's labels of some drawn at random. */

import { boundedInterval, wilsonOf } from './bounded.ts';
import type { PredictionPowered as Answered } from './calibration-schema.ts';
import { said } from './caveats.ts';
import { countInWords } from './count-in-words.ts';
import { tQuantile } from './distributions.ts';
import type { Caveat, Interval } from './estimate-schema.ts';
import { defaultLevel, momentsOf, tInterval, zOf } from './intervals.ts';
import { isBinary } from './testcases.ts';

/** A record that the judge scored. */
export interface JudgedScore {
  judge: number;
  /** The chance that this record had of being chosen for labelling; equal chances when left out. */
  inclusionProbability?: number;
}

/** A record that a person and the judge scored. */
export interface LabelledScore extends JudgedScore {
  human: number;
}

/** What people would say of all records, by their labels of some. */
export type PredictionPowered = Omit<Answered, 'moreLabels' | 'sampled'>;

/** PPI++ below this many labels, and below this many on which judge and people differ, is too sure of itself. */
export const floor = { labels: 20, disagreements: 5 } as const;

/**
 * Why labels are too few for PPI++; null if they suffice. If the labels show few errors of the judge, their variance is underestimated: in
 * simulations with 5 to 30 labels the interval held the truth in 49 to 90 % (docs/statistics.md).
 */
export const belowFloor = (labelled: readonly LabelledScore[]): string | null => {
  const n = labelled.length;
  if (n < floor.labels) return `${countInWords(n, 'label')} of at least ${floor.labels}`;
  const passes = labelled.filter(({ human }) => human > 0).length;
  if (!isBinary(labelled.map(({ human }) => human))) return null;
  if (passes === 0 || passes === n) return `all ${n} labels are ${passes === 0 ? 'failures' : 'passes'}`;
  const differing = disagreementsOf(labelled);
  return differing < floor.disagreements
    ? `judge and people differ on ${differing} of ${n} labels, of at least ${floor.disagreements}`
    : null;
};

export const disagreementsOf = (labelled: readonly LabelledScore[]): number =>
  labelled.filter(({ judge, human }) => judge !== human).length;

const meanOf = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

const varianceOf = (values: readonly number[]): number => {
  const { n, variance } = momentsOf(values);
  return n < 2 ? 0 : (variance * (n - 1)) / n;
};

/** One over each chance, scaled to a mean of 1 (Hájek 1971). */
export const weightsOf = (chances: readonly (number | undefined)[]): number[] => {
  const given = chances.filter((chance) => chance !== undefined).length;
  if (given !== 0 && given !== chances.length) {
    throw new RangeError('inclusion probabilities must be given for all records or for none');
  }
  const raw = chances.map((chance) => 1 / (chance ?? 1));
  if (!raw.every((weight) => weight >= 1 && Number.isFinite(weight))) {
    throw new RangeError(
      'an inclusion probability must lie above 0, and below 1 for a record without a label',
    );
  }
  const mean = meanOf(raw);
  return raw.map((weight) => weight / mean);
};

export const complement = (chance: number | undefined): number | undefined =>
  chance === undefined ? undefined : 1 - chance;

/** A weighted mean and the variance of w·(x − x̄), by linearization (Särndal, Swensson & Wretman 1992, §5.7). */
const weightedMean = (
  values: readonly number[],
  weights: readonly number[],
): [mean: number, variance: number] => {
  const mean = values.reduce((sum, x, i) => sum + weights[i]! * x, 0) / values.length;
  return [mean, varianceOf(values.map((x, i) => weights[i]! * (x - mean)))];
};

/**
 * What labels alone say of pass or fail: Wilson's interval on the effective number of labels, (Σw)²/Σw² (Kish 1965). For other scores
 * Student's t of the weighted mean.
 */
export const ofLabels = (labelled: readonly LabelledScore[], level: number) => {
  const weights = weightsOf(labelled.map(({ inclusionProbability }) => inclusionProbability));
  const values = labelled.map(({ human }) => human);
  const n = labelled.length;
  const [estimate, variance] = weightedMean(values, weights);
  const effective = n ** 2 / weights.reduce((sum, weight) => sum + weight * weight, 0);
  const standardError = Math.sqrt(variance / n);
  const interval: Interval | null = isBinary(values)
    ? wilsonOf(Math.min(1, Math.max(0, estimate)), effective, zOf(level))
    : n > 1 && standardError > 0
      ? tInterval(estimate, standardError, n - 1, level)
      : null;
  return { estimate, effective, standardError, interval };
};

/**
 * Further labels at which the standard error is half of √(judge + labels/n), `judge` the part of the variance that labels do not
 * change. Null if there are not as many records.
 */
const labelsToHalve = (judge: number, perLabel: number, n: number, records: number): number | null => {
  const left = (judge + perLabel / n) / 4 - judge;
  const more = left > 0 ? Math.ceil(perLabel / left - 1e-9) - n : Number.POSITIVE_INFINITY;
  return more <= records - n ? more : null;
};

/**
 * PPI++: the judge's mean over unlabelled records, plus what labels show it to be off, with the judge weighted by the
 * λ that makes the error least: λ·mean(f, unlabelled) + mean(Y − λ·f, labelled).
 *
 * Angelopoulos, Duchi & Zrnic (2023), arXiv 2311.01453. Where labels were chosen with unequal chances π, a labelled
 * record weighs 1/π and an unlabelled one 1/(1 − π). With equal chances it is ppi_py's ppi_mean_ci.
 */
export const ppiPlusPlus = (labelled: readonly LabelledScore[], unlabelled: readonly JudgedScore[]) => {
  const [n, N] = [labelled.length, unlabelled.length];
  const weights = weightsOf(labelled.map(({ inclusionProbability }) => inclusionProbability));
  const others = weightsOf(unlabelled.map(({ inclusionProbability }) => complement(inclusionProbability)));
  const judged = unlabelled.map(({ judge }) => judge);
  const residuals = (lambda: number) => labelled.map(({ human, judge }) => human - lambda * judge);

  // λ = Cov(Y, f)/((1 + n/N)·Var f) minimizes the variance; both are taken around the estimate for λ = 1.
  const start = weightedMean(judged, others)[0] + weightedMean(residuals(1), weights)[0];
  const ofHuman = labelled.map(({ human }, i) => weights[i]! * (human - start));
  const ofJudge = labelled.map(({ judge }, i) => weights[i]! * (judge - start));
  const [a, b] = [meanOf(ofHuman), meanOf(ofJudge)];
  const covariance = meanOf(ofHuman.map((x, i) => (x - a) * (ofJudge[i]! - b)));
  const pooled = momentsOf([...ofJudge, ...judged.map((f, i) => others[i]! * (f - start))]).variance;
  const lambda = pooled === 0 ? 0 : Math.min(1, Math.max(0, covariance / ((1 + n / N) * pooled)));

  const [judgeMean, judgeVariance] = weightedMean(judged, others);
  const [offset, offsetVariance] = weightedMean(residuals(lambda), weights);
  return {
    estimate: lambda * judgeMean + offset,
    lambda,
    /** The two parts of the variance: what further labels do not change, and what each label contributes over n. */
    ofUnlabelled: (lambda ** 2 * judgeVariance) / N,
    perLabel: offsetVariance,
    standardError: Math.sqrt((lambda ** 2 * judgeVariance) / N + offsetVariance / n),
  };
};

/**
 * A rate or mean by PPI++ with its interval: Wilson's on the effective n for pass or fail, t(n − 1) for scores. Below `floor` it
 * is that of the labels alone.
 */
export const predictionPowered = (
  labelled: readonly LabelledScore[],
  unlabelled: readonly JudgedScore[],
  level = defaultLevel,
): PredictionPowered => {
  const [n, N] = [labelled.length, unlabelled.length];
  const all = [...labelled, ...unlabelled].map(({ judge }) => judge);
  const frame = {
    method: 'ppi++',
    n: n + N,
    effectiveN: n + N,
    labelled: n,
    disagreements: disagreementsOf(labelled),
    level,
    uncorrected: n + N === 0 ? null : meanOf(all),
    assumption:
      'records were chosen for labelling at random, each with the chance that is given, or all with the same',
  };
  const few: Caveat | null =
    n < 100
      ? { code: 'fewLabels', sentence: `only ${countInWords(n, 'label')}: expect a wide interval below 100` }
      : null;
  if (n < 2) {
    const unknown = {
      estimate: null,
      standardError: null,
      interval: null,
      lambda: null,
      labelsToHalve: null,
    };
    return { ...frame, ...unknown, reason: 'needs two labelled records', ...said(few) };
  }
  const why = N < 2 ? 'fewer than two records have no label' : belowFloor(labelled);
  if (why !== null) {
    const { effective, ...found } = ofLabels(labelled, level);
    const caveat: Caveat = {
      code: 'belowFloor',
      sentence: `too few labels to use the judge (${why}): this is what the labels say alone`,
    };
    return {
      ...frame,
      ...found,
      method: 'wilson on the labels alone',
      effectiveN: effective,
      lambda: 0,
      labelsToHalve: labelsToHalve(0, 1, n, n + N),
      reason: found.interval ? null : 'all labels are equal: the spread cannot be estimated from them',
      ...said(few, N < 2 ? null : caveat),
    };
  }
  const { lambda, ofUnlabelled, perLabel, standardError, ...powered } = ppiPlusPlus(labelled, unlabelled);
  const half = tQuantile((1 + level) / 2, n - 1) * standardError;
  const flat = standardError === 0;
  const binary = isBinary(labelled.map(({ human }) => human));
  const estimate = binary ? Math.min(1, Math.max(0, powered.estimate)) : powered.estimate;
  return {
    ...frame,
    estimate,
    standardError,
    interval: flat
      ? null
      : binary
        ? boundedInterval(estimate, standardError, n - 1, { low: 0, high: 1 }, level)
        : { low: estimate - half, high: estimate + half },
    lambda,
    labelsToHalve: flat ? null : labelsToHalve(ofUnlabelled, perLabel, n, n + N),
    reason: flat ? 'all labels are equal: the spread cannot be estimated from them' : null,
    ...said(few),
  };
};

/** What further labels would do, in words; null without an interval to halve. */
export const labelsInWords = (toHalve: number | null, known: boolean): string | null =>
  !known
    ? null
    : toHalve === null
      ? 'no number of labels of these records halves the interval'
      : `${toHalve} more labels halve the interval`;
