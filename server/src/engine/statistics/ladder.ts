/**
 * Answers of a sealed split. Who climbs a hill by the exact figures of a holdout fits its noise; an answer of a few bits, and a figure that
 * moves only by more than the noise, give little to fit (Blum & Hardt 2015, "The Ladder").
 */

export const sealedAnswers = ['pass', 'worse', 'not enough'] as const;
export type SealedAnswer = (typeof sealedAnswers)[number];

/** A paired difference: the interval is at the level of the look. */
export type SealedDifference = {
  interval: { low: number; high: number } | null;
  verdict: 'better' | 'worse' | 'cannot tell';
};

/**
 * Answers for one metric. With a margin, it passes if the interval excludes a loss of more than the margin, and is worse if the
 * interval lies below it; without one, it must be shown to be better, and may not be shown to be worse.
 */
export const answerOf = ({ interval, verdict }: SealedDifference, margin: number): SealedAnswer => {
  if (margin === 0) return verdict === 'better' ? 'pass' : verdict === 'worse' ? 'worse' : 'not enough';
  if (interval === null) return 'not enough';
  if (interval.low > -margin) return 'pass';
  return interval.high < -margin ? 'worse' : 'not enough';
};

/** Answers for all metrics: each must pass, and one that is worse suffices. */
export const answerOfAll = (answers: readonly SealedAnswer[]): SealedAnswer => {
  if (answers.includes('worse')) return 'worse';
  return answers.length > 0 && answers.every((answer) => answer === 'pass') ? 'pass' : 'not enough';
};

/** The step to which a figure is rounded: the noise, rounded up to one digit. */
export const stepOf = (noise: number): number => {
  const unit = 10 ** Math.floor(Math.log10(noise));
  // 0.03 / 0.01 is more than 3.
  return Math.ceil(noise / unit - 1e-9) * unit;
};

/**
 * Returns the figure after a look: the difference of the version from the baseline, rounded to its standard error, if the version is
 * shown to be better than the best one until now at the level of the look. Else null, and the former figure stays. So nothing that moves it
 * escapes the level: until the first true improvement, all answers together err with the probability of the ledger.
 */
export const climbed = (
  fromBaseline: { difference: number | null; standardError: number | null },
  fromBest: Pick<SealedDifference, 'verdict'>,
): number | null => {
  if (fromBest.verdict !== 'better' || fromBaseline.difference === null || !fromBaseline.standardError)
    return null;
  const step = stepOf(fromBaseline.standardError);
  return Number((Math.round(fromBaseline.difference / step) * step).toPrecision(6));
};
