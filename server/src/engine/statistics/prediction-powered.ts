/**
 * Estimates the scores that people would give to all records, from the judge's scores of all records and people's labels of a random
 * sample.
 */

import { boundedInterval, wilsonOf } from './bounded.ts';
import type { PredictionPowered as Answered } from './calibration-schema.ts';
import { caveatOfWeights, caveatsOf } from './caveats.ts';
import { countInWords } from './count-in-words.ts';
import { tQuantile } from './distributions.ts';
import type { Caveat, Interval } from './estimate-schema.ts';
import { defaultLevel, momentsOf, tInterval, zOf } from './intervals.ts';
import { type JudgedScore, type LabelledScore, type Stratum, strataOf } from './strata.ts';
import { isBinary } from './testcases.ts';

/** The estimate of people's scores of all records, by their labels of some. */
export type PredictionPowered = Omit<Answered, 'moreLabels' | 'sampled' | 'people'>;

/** Minimum number of labels, and of labels on which judge and people differ. Below it the intervals of PPI++ are too narrow. */
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

const sumOf = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

const meanOf = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

const varianceOf = (values: readonly number[]): number => {
  const { n, variance } = momentsOf(values);
  return n < 2 ? 0 : (variance * (n - 1)) / n;
};

/** Estimates from the labels of a stratum, for the judge weighted by λ. */
interface Part {
  /** The stratum's share of all records. */
  share: number;
  labels: number;
  mean: number;
  /** Variance of the mean: what further labels do not change, and what they do. */
  ofUnlabelled: number;
  ofLabels: number;
}

/**
 * Variance of people's scores beyond the judge's. A stratum with few labels that all agree would seem to be known exactly, so among several
 * strata of pass or fail each counts half a pass and half a failure more (Jeffreys' prior; Brown, Cai & DasGupta 2001).
 */
const varianceOfResiduals = ({ labelled }: Stratum, lambda: number, isSmoothed: boolean): number => {
  const residuals = labelled.map(({ human, judge }) => human - lambda * judge);
  const plain = varianceOf(residuals);
  if (!isSmoothed) return plain;
  const ofJudge = lambda * meanOf(labelled.map(({ judge }) => judge));
  const [n, failure, pass] = [residuals.length + 1, 0 - ofJudge, 1 - ofJudge];
  const mean = (sumOf(residuals) + (failure + pass) / 2) / n;
  const squares = sumOf(residuals.map((x) => (x - mean) ** 2));
  // Where the judge errs often, residuals of ±1 spread further than a pass and a failure.
  return Math.max(plain, (squares + ((failure - mean) ** 2 + (pass - mean) ** 2) / 2) / n);
};

const partOf = (stratum: Stratum, lambda: number, records: number, isSmoothed: boolean): Part => {
  const { labelled, unlabelled } = stratum;
  const [n, N] = [labelled.length, unlabelled.length];
  const own = N === 0 ? 0 : lambda;
  const share = (n + N) / records;
  return {
    share,
    labels: n,
    mean:
      meanOf(labelled.map(({ human, judge }) => human - own * judge)) +
      (own === 0 ? 0 : own * meanOf(unlabelled)),
    ofUnlabelled: own === 0 ? 0 : (share * own) ** 2 * (varianceOf(unlabelled) / N),
    ofLabels: share ** 2 * (varianceOfResiduals(stratum, own, isSmoothed) / n),
  };
};

/** The mean over strata with the parts of its variance; `df` by Satterthwaite (Cochran 1977, §5.4). */
const combine = (parts: readonly Part[], records: number) => {
  const estimate = sumOf(parts.map(({ share, mean }) => share * mean));
  // The shares of the strata are themselves a sample of what the system will meet.
  const between = sumOf(parts.map(({ share, mean }) => share * (mean - estimate) ** 2)) / records;
  const ofLabels = sumOf(parts.map((part) => part.ofLabels));
  const ofUnlabelled = sumOf(parts.map((part) => part.ofUnlabelled)) + between;
  const n = sumOf(parts.map(({ labels }) => labels));
  const squares = sumOf(parts.map((part) => part.ofLabels ** 2 / Math.max(1, part.labels - 1)));
  return {
    estimate,
    /** The two parts of the variance: what further labels do not change, and what each label contributes over n. */
    ofUnlabelled,
    perLabel: n * ofLabels,
    standardError: Math.sqrt(ofUnlabelled + ofLabels),
    df: squares === 0 ? n - 1 : Math.min(n - 1, ofLabels ** 2 / squares),
  };
};

const recordsOf = (strata: readonly Stratum[]): number =>
  sumOf(strata.map(({ labelled, unlabelled }) => labelled.length + unlabelled.length));

/** Kish's effective number of labels (1965, Survey Sampling, §11.7). */
const effectiveOf = (strata: readonly Stratum[]): number => {
  const records = recordsOf(strata);
  return (
    1 /
    sumOf(
      strata.map(
        ({ labelled, unlabelled }) =>
          ((labelled.length + unlabelled.length) / records) ** 2 / labelled.length,
      ),
    )
  );
};

const isOfPasses = (strata: readonly Stratum[]): boolean =>
  isBinary(strata.flatMap(({ labelled }) => labelled.map(({ human }) => human)));

/**
 * Excess of the variance with half a pass and half a failure more in each stratum over the plain one, and the degrees of freedom: for a
 * comparison, which adds up its variance by records.
 */
export const smoothingOf = (strata: readonly Stratum[], lambda: number): { variance: number; df: number } => {
  const records = recordsOf(strata);
  const isSmoothed = strata.length > 1 && isOfPasses(strata);
  const [plain, smoothed] = [false, isSmoothed].map((smooth) =>
    combine(
      strata.map((stratum) => partOf(stratum, lambda, records, smooth)),
      records,
    ),
  );
  return { variance: smoothed!.standardError ** 2 - plain!.standardError ** 2, df: smoothed!.df };
};

/**
 * The estimate from labels alone: for pass or fail by Wilson's interval, on the effective number of labels where there are several strata.
 */
export const ofLabels = (strata: readonly Stratum[], level: number) => {
  const n = sumOf(strata.map(({ labelled }) => labelled.length));
  const isRate = isOfPasses(strata);
  const isSmoothed = isRate && strata.length > 1;
  const records = recordsOf(strata);
  const { estimate, perLabel, standardError, df } = combine(
    strata.map((stratum) => partOf(stratum, 0, records, isSmoothed)),
    records,
  );
  const interval: Interval | null = !isRate
    ? n > 1 && standardError > 0
      ? tInterval(estimate, standardError, df, level)
      : null
    : isSmoothed
      ? boundedInterval(estimate, standardError, df, { low: 0, high: 1 }, level)
      : wilsonOf(estimate, n, zOf(level));
  const effective = isSmoothed && perLabel > 0 ? (estimate * (1 - estimate)) / standardError ** 2 : n;
  return { estimate, effective, standardError, interval };
};

/** λ that makes the variance least: Σ W²·Cov(Y, f)/n over Σ W²·Var f·(1/n + 1/N), W the share of a stratum and N its unlabelled records. */
const bestLambda = (strata: readonly Stratum[]): number => {
  let [above, below] = [0, 0];
  for (const { labelled, unlabelled } of strata) {
    const [n, N] = [labelled.length, unlabelled.length];
    if (N === 0) continue;
    const judged = labelled.map(({ judge }) => judge);
    const [human, judge] = [meanOf(labelled.map((label) => label.human)), meanOf(judged)];
    const covariance = meanOf(labelled.map((label) => (label.human - human) * (label.judge - judge)));
    const spread = n + N < 2 ? 0 : momentsOf([...judged, ...unlabelled]).variance;
    above += (n + N) ** 2 * (covariance / n);
    below += (n + N) ** 2 * spread * (1 / n + 1 / N);
  }
  return below === 0 ? 0 : Math.min(1, Math.max(0, above / below));
};

/**
 * Further labels at which the standard error is half of √(judge + labels/n), where `judge` is the part of the variance that labels do not
 * change. Null if the run has fewer records than that.
 */
const labelsToHalve = (judge: number, perLabel: number, n: number, records: number): number | null => {
  const left = (judge + perLabel / n) / 4 - judge;
  const more = left > 0 ? Math.ceil(perLabel / left - 1e-9) - n : Number.POSITIVE_INFINITY;
  return more <= records - n ? more : null;
};

/**
 * PPI++: the judge's mean over unlabelled records, plus its error as measured on the labels, with the judge weighted by the λ that
 * minimizes the error: λ·mean(f, unlabelled) + mean(Y − λ·f, labelled). Where labels were chosen with several chances, this is done within
 * each stratum; a stratum that is labelled wholly needs no judge.
 *
 * Angelopoulos, Duchi & Zrnic (2023), arXiv 2311.01453, and by strata: Fisch et al. (2024), arXiv 2406.04291. With one stratum it is
 * ppi_py's ppi_mean_ci.
 */
export const ppiPlusPlus = (strata: readonly Stratum[]) => {
  const lambda = bestLambda(strata);
  const records = recordsOf(strata);
  const isSmoothed = strata.length > 1 && isOfPasses(strata);
  return {
    lambda,
    ...combine(
      strata.map((stratum) => partOf(stratum, lambda, records, isSmoothed)),
      records,
    ),
  };
};

const unknown = {
  estimate: null,
  standardError: null,
  interval: null,
  lambda: null,
  numLabelsToHalve: null,
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
    numLabels: n,
    numDisagreements: disagreementsOf(labelled),
    level,
    uncorrected: n + N === 0 ? null : meanOf(all),
    assumption:
      'records were chosen for labelling at random, those with the same chance alike, and people are right',
  };
  const few: Caveat | null =
    n < 100
      ? { code: 'fewLabels', sentence: `only ${countInWords(n, 'label')}: expect a wide interval below 100` }
      : null;
  if (n < 2) return { ...frame, ...unknown, reason: 'needs two labelled records', ...caveatsOf(few) };
  const strata = strataOf(labelled, unlabelled);
  const why = N < 2 ? 'fewer than two records have no label' : belowFloor(labelled);
  if (why !== null) {
    const { effective, ...found } = ofLabels(strata, level);
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
      numLabelsToHalve: labelsToHalve(0, 1, n, n + N),
      reason: found.interval ? null : 'all labels are equal: the spread cannot be estimated from them',
      ...caveatsOf(few, N < 2 ? null : caveat),
    };
  }
  const { lambda, ofUnlabelled, perLabel, standardError, df, ...powered } = ppiPlusPlus(strata);
  const half = tQuantile((1 + level) / 2, df) * standardError;
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
        ? boundedInterval(estimate, standardError, df, { low: 0, high: 1 }, level)
        : { low: estimate - half, high: estimate + half },
    lambda,
    numLabelsToHalve: flat ? null : labelsToHalve(ofUnlabelled, perLabel, n, n + N),
    reason: flat ? 'all labels are equal: the spread cannot be estimated from them' : null,
    ...caveatsOf(few, caveatOfWeights(effectiveOf(strata), n)),
  };
};

/** Effect of further labels, in words; null without an interval to halve. */
export const labelsInWords = (toHalve: number | null, known: boolean): string | null =>
  !known
    ? null
    : toHalve === null
      ? "more labels of these records won't halve the interval: score more records"
      : `${toHalve} more labels halve the interval`;
