/** A pass rate freed from the errors of the judge that gave it, with an interval that knows both samples. */
import { countInWords } from './count-in-words.ts';
import { defaultLevel, type Estimate, type Interval, momentsOf, zOf } from './intervals.ts';

export interface JudgeErrors {
  /** Of `humanPasses` labelled records that people pass, the judge passes `judgePassed`. */
  humanPasses: number;
  judgePassed: number;
  /** Of `humanFails` labelled records that people fail, the judge fails `judgeFailed`. */
  humanFails: number;
  judgeFailed: number;
}

export interface CorrectedRate extends Estimate {
  /** What the judge said, uncorrected. */
  uncorrected: number | null;
}

const unit = (x: number): number => Math.min(1, Math.max(0, x));

/**
 * The Rogan–Gladen estimate (p̂ + specificity − 1)/(sensitivity + specificity − 1) of the true pass rate, with the
 * interval of Lee et al.: the judged rate smoothed as in Agresti & Coull (z²/2), each error rate by one pass and one
 * failure, and the centre shifted by the second-order bias.
 *
 * Rogan & Gladen (1978), Am. J. Epidemiol. 107:71–76; Lee et al. (2025), arXiv 2511.21140. Refused when
 * sensitivity + specificity ≤ 1: such a judge does no better than a coin, and its answers say nothing of the truth.
 */
export const roganGladen = (
  judged: { passes: number; n: number },
  { humanPasses, judgePassed, humanFails, judgeFailed }: JudgeErrors,
  level = defaultLevel,
): CorrectedRate => {
  const z2 = zOf(level) ** 2;
  const frame = {
    method: 'rogan–gladen, interval of lee et al. 2025',
    n: judged.n,
    level,
    uncorrected: judged.n === 0 ? null : judged.passes / judged.n,
    assumption:
      'the judge errs on this run as often as on the labelled records of the same true class; the share of passes may differ',
    warnings: [humanPasses, humanFails].some((m) => m > 0 && m < 30)
      ? [
          `the judge's errors rest on ${humanPasses} passed and ${humanFails} failed labels: below 30 they are rough`,
        ]
      : [],
  };
  const refuse = (reason: string): CorrectedRate => ({
    ...frame,
    estimate: null,
    standardError: null,
    interval: null,
    reason,
  });
  if (judged.n === 0) return refuse('no record was judged');
  if (humanPasses === 0 || humanFails === 0) {
    return refuse(
      'correcting needs labels of both kinds: records that people passed and records that they failed',
    );
  }
  const [sensitivity, specificity] = [judgePassed / humanPasses, judgeFailed / humanFails];
  const [m1, m0, n] = [humanPasses + 2, humanFails + 2, judged.n + z2];
  const [q1, q0, p] = [(judgePassed + 1) / m1, (judgeFailed + 1) / m0, (judged.passes + z2 / 2) / n];
  if (sensitivity + specificity <= 1 || q0 + q1 <= 1) {
    return refuse(
      `sensitivity ${sensitivity.toFixed(2)} and specificity ${specificity.toFixed(2)} do not sum to more than 1: the judge tells no more than a coin`,
    );
  }
  const estimate = unit((judged.passes / judged.n + specificity - 1) / (sensitivity + specificity - 1));
  const smoothed = (p + q0 - 1) / (q0 + q1 - 1);
  const [v1, v0] = [(q1 * (1 - q1)) / m1, (q0 * (1 - q0)) / m0];
  const shift = 2 * z2 * (smoothed * v1 - (1 - smoothed) * v0);
  const standardError =
    Math.sqrt((p * (1 - p)) / n + (1 - smoothed) ** 2 * v0 + smoothed ** 2 * v1) / (q0 + q1 - 1);
  const half = Math.sqrt(z2) * standardError;
  // Near 0 and 1 the shifted interval can miss its own estimate; reaching out to it only makes it wider.
  const interval: Interval = {
    low: Math.min(estimate, unit(smoothed + shift - half)),
    high: Math.max(estimate, unit(smoothed + shift + half)),
  };
  return { ...frame, estimate, standardError, interval, reason: null };
};

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

export interface PredictionPowered extends Estimate {
  /** The judge's mean over all records. */
  uncorrected: number | null;
  /** Labelled records; `n` counts all. */
  labelled: number;
  /** How much the judge is used: 0 not at all, 1 fully. */
  lambda: number | null;
}

const meanOf = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

const varianceOf = (values: readonly number[]): number => {
  const { n, variance } = momentsOf(values);
  return n < 2 ? 0 : (variance * (n - 1)) / n;
};

/** One over each chance, scaled to a mean of 1 (Hájek 1971). */
const weightsOf = (chances: readonly (number | undefined)[]): number[] => {
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

/** A weighted mean and the variance of w·(x − x̄), by linearization (Särndal, Swensson & Wretman 1992, §5.7). */
const weightedMean = (
  values: readonly number[],
  weights: readonly number[],
): [mean: number, variance: number] => {
  const mean = values.reduce((sum, x, i) => sum + weights[i]! * x, 0) / values.length;
  return [mean, varianceOf(values.map((x, i) => weights[i]! * (x - mean)))];
};

/**
 * PPI++: the judge's mean over unlabelled records, plus what labels show it to be off, with the judge weighted by the
 * λ that makes the interval narrowest: λ·mean(f, unlabelled) + mean(Y − λ·f, labelled).
 *
 * Angelopoulos, Duchi & Zrnic (2023), arXiv 2311.01453. Where labels were chosen with unequal chances π, a labelled
 * record weighs 1/π and an unlabelled one 1/(1 − π). With equal chances it is ppi_py's ppi_mean_ci.
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
    labelled: n,
    level,
    uncorrected: n + N === 0 ? null : meanOf(all),
    assumption:
      'records were chosen for labelling at random, each with the chance that is given, or all with the same',
    warnings: n < 100 ? [`only ${countInWords(n, 'label')}: the normal interval is rough below 100`] : [],
  };
  if (n < 2 || N < 2) {
    const reason = 'needs two labelled and two unlabelled records';
    return { ...frame, estimate: null, standardError: null, interval: null, lambda: null, reason };
  }
  const weights = weightsOf(labelled.map(({ inclusionProbability }) => inclusionProbability));
  const others = weightsOf(
    unlabelled.map(({ inclusionProbability: chance }) => (chance === undefined ? undefined : 1 - chance)),
  );
  const judged = unlabelled.map(({ judge }) => judge);
  const residuals = (lambda: number) => labelled.map(({ human, judge }) => human - lambda * judge);

  // λ = Cov(Y, f)/((1 + n/N)·Var f) minimizes the variance; both are taken around the estimate for λ = 1.
  const start = weightedMean(judged, others)[0] + weightedMean(residuals(1), weights)[0];
  const ofHuman = labelled.map(({ human }, i) => weights[i]! * (human - start));
  const ofJudge = labelled.map(({ judge }, i) => weights[i]! * (judge - start));
  const [a, b] = [meanOf(ofHuman), meanOf(ofJudge)];
  const covariance = meanOf(ofHuman.map((x, i) => (x - a) * (ofJudge[i]! - b)));
  const pooled = momentsOf([...ofJudge, ...judged.map((f, i) => others[i]! * (f - start))]).variance;
  const lambda = pooled === 0 ? 0 : unit(covariance / ((1 + n / N) * pooled));

  const [judgeMean, judgeVariance] = weightedMean(judged, others);
  const [offset, offsetVariance] = weightedMean(residuals(lambda), weights);
  const estimate = lambda * judgeMean + offset;
  const standardError = Math.sqrt((lambda ** 2 * judgeVariance) / N + offsetVariance / n);
  const half = zOf(level) * standardError;
  const flat = standardError === 0;
  return {
    ...frame,
    estimate,
    standardError,
    interval: flat ? null : { low: estimate - half, high: estimate + half },
    lambda,
    reason: flat ? 'all labels are equal: the spread cannot be estimated from them' : null,
  };
};
