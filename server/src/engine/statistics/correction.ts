/** A pass rate corrected for the errors of the judge that gave it. Its interval includes the errors of both samples. */

import type { CorrectedRate } from './calibration-schema.ts';
import { caveatsOf } from './caveats.ts';
import type { Interval } from './estimate-schema.ts';
import { defaultLevel, zOf } from './intervals.ts';

/** The judge's verdicts on labelled records; fractions if labels were drawn with unequal probabilities. */
export interface JudgeErrors {
  /** Of `humanPasses` labelled records that people pass, the judge passes `judgePassed`. */
  humanPasses: number;
  judgePassed: number;
  /** Of `humanFails` labelled records that people fail, the judge fails `judgeFailed`. */
  humanFails: number;
  judgeFailed: number;
  /** Correlation of both rates: 0 unless labels were drawn by strata. */
  correlation?: number;
}

const unit = (x: number): number => Math.min(1, Math.max(0, x));

/**
 * The Rogan–Gladen estimate (p̂ + specificity − 1)/(sensitivity + specificity − 1) of the true pass rate, with the
 * interval of Lee et al.: the judged rate smoothed as in Agresti & Coull (z²/2), each error rate by one pass and one
 * failure, and the centre shifted by the second-order bias.
 *
 * Rogan & Gladen (1978), Am. J. Epidemiol. 107:71–76; Lee et al. (2025), arXiv 2511.21140. Refused when
 * sensitivity + specificity ≤ 1: such a judge is no better than chance.
 */
export const roganGladen = (
  judged: { passes: number; n: number },
  { humanPasses, judgePassed, humanFails, judgeFailed, correlation = 0 }: JudgeErrors,
  level = defaultLevel,
): CorrectedRate => {
  const z2 = zOf(level) ** 2;
  const frame = {
    method: 'rogan–gladen, interval of lee et al. 2025',
    n: judged.n,
    effectiveN: judged.n,
    level,
    uncorrected: judged.n === 0 ? null : judged.passes / judged.n,
    people: null,
    assumption:
      'the judge errs on this run as often as on the labelled records of the same true class, and people are right; the share of passes may differ',
    ...caveatsOf(
      [humanPasses, humanFails].some((m) => m > 0 && m < 30)
        ? {
            code: 'fewLabels',
            sentence: `the judge's errors rest on ${Math.round(humanPasses)} passed and ${Math.round(humanFails)} failed labels: below 30 they are rough`,
          }
        : null,
    ),
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
      `sensitivity ${sensitivity.toFixed(2)} and specificity ${specificity.toFixed(2)} do not sum to more than 1: the judge is no better than chance`,
    );
  }
  const estimate = unit((judged.passes / judged.n + specificity - 1) / (sensitivity + specificity - 1));
  const smoothed = (p + q0 - 1) / (q0 + q1 - 1);
  const [v1, v0] = [(q1 * (1 - q1)) / m1, (q0 * (1 - q0)) / m0];
  const shift = 2 * z2 * (smoothed * v1 - (1 - smoothed) * v0);
  // An error in both rates cancels in part.
  const ofBoth = 2 * smoothed * (1 - smoothed) * correlation * Math.sqrt(v0 * v1);
  const ofErrors = (1 - smoothed) ** 2 * v0 + smoothed ** 2 * v1 - ofBoth;
  const standardError = Math.sqrt((p * (1 - p)) / n + ofErrors) / (q0 + q1 - 1);
  const half = Math.sqrt(z2) * standardError;
  // Near 0 and 1 the shifted interval can miss its own estimate; it is then extended to the estimate, which only widens it.
  const interval: Interval = {
    low: Math.min(estimate, unit(smoothed + shift - half)),
    high: Math.max(estimate, unit(smoothed + shift + half)),
  };
  return { ...frame, estimate, standardError, interval, reason: null };
};
