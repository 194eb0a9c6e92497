/** Before a run: how many testcases, or how small a difference. Formulas of Miller (2024), arXiv 2411.00640. */
import { tQuantile } from './distributions.ts';
import { defaultLevel } from './intervals.ts';
import { defaultPower, detectableErrors } from './paired-proportions.ts';
import { averageTrials, type Observation, type TestcaseColumns } from './testcases.ts';

export interface Variances {
  /** ω²: variance over testcases of the difference of both systems' expected scores. */
  betweenDifference: number;
  /** σ²_A and σ²_B: mean variance of one system's score on one testcase when tried again. */
  withinBefore: number;
  withinAfter: number;
}

export interface PlanOptions {
  level?: number;
  power?: number;
  /** Tries of each testcase, per system. */
  trials?: number;
}

const pairVariance = ({ betweenDifference, withinBefore, withinAfter }: Variances, trials: number): number =>
  betweenDifference + (withinBefore + withinAfter) / trials;

/** n = (z(1−α/2) + z(power))²·(ω² + σ²_A/K_A + σ²_B/K_B)/δ², rounded up. Miller (2024). */
export const testcasesNeeded = (
  difference: number,
  variances: Variances,
  { level = defaultLevel, power = defaultPower, trials = 1 }: PlanOptions = {},
): number =>
  Math.ceil(detectableErrors(level, power) ** 2 * (pairVariance(variances, trials) / difference ** 2));

/** δ = (z(1−α/2) + z(power))·√((ω² + σ²_A/K_A + σ²_B/K_B)/n). Miller (2024). */
export const detectableDifference = (
  n: number,
  variances: Variances,
  { level = defaultLevel, power = defaultPower, trials = 1 }: PlanOptions = {},
): number | null =>
  n < 1 ? null : detectableErrors(level, power) * Math.sqrt(pairVariance(variances, trials) / n);

/** The same of a t test whose standard error is known: what it sees with this power. */
export const detectableByT = (
  standardError: number | null,
  df: number,
  level: number,
  power: number,
): number | null =>
  standardError === null || standardError === 0
    ? null
    : (tQuantile((1 + level) / 2, df) + tQuantile(power, df)) * standardError;

export interface RunVariances {
  method: string;
  /** Testcases. */
  n: number;
  /** Variance of testcases' expected scores, freed from the noise of their trials; never below 0. */
  between: number | null;
  /** Mean variance of a testcase's score when tried again; null when none was tried twice. */
  within: number | null;
  reason: string | null;
}

/**
 * Between- and within-testcase variance of an earlier run, by the analysis of variance of one-way random effects:
 * σ² = SSW/(N − m), ω² = (MSB − σ²)/n₀. Searle, Casella & McCulloch (1992), Variance Components.
 */
export const testcaseVariances = ({ sums, sumsOfSquares, trials }: TestcaseColumns): RunVariances => {
  const method = 'one-way random effects (ANOVA)';
  let [n, total, sum, squaredTrials, withinSquares] = [0, 0, 0, 0, 0];
  for (let i = 0; i < trials.length; i++) {
    if (trials[i] === 0) continue;
    n++;
    total += trials[i]!;
    squaredTrials += trials[i]! ** 2;
    sum += sums[i]!;
    withinSquares += Math.max(0, sumsOfSquares[i]! - sums[i]! ** 2 / trials[i]!);
  }
  if (n < 2) return { method, n, between: null, within: null, reason: 'a variance needs two testcases' };
  const grand = sum / total;
  let betweenSquares = 0;
  for (let i = 0; i < trials.length; i++) {
    if (trials[i]! > 0) betweenSquares += trials[i]! * (sums[i]! / trials[i]! - grand) ** 2;
  }
  const meanSquare = betweenSquares / (n - 1);
  if (total === n) {
    return {
      method: 'variance over testcases',
      n,
      between: meanSquare,
      within: null,
      reason: 'no testcase has two trials; `between` includes the variance within a testcase',
    };
  }
  const within = withinSquares / (total - n);
  const averageTrialCount = (total - squaredTrials / total) / (n - 1);
  return { method, n, between: Math.max(0, (meanSquare - within) / averageTrialCount), within, reason: null };
};

/** The same from single observations. */
export const runVariances = (observations: Iterable<Observation>): RunVariances =>
  testcaseVariances(averageTrials(observations).columns[0]!);

export interface ForecastOptions extends PlanOptions {
  /** Correlation of both systems' scores over testcases; 0.5 is what paired runs of related systems often show. */
  correlation?: number;
}

export interface Forecast {
  method: string;
  n: number;
  level: number;
  power: number;
  trials: number;
  minimumDetectable: number | null;
  /** Testcases needed to see `difference`; null when none was asked for. */
  needed: number | null;
  assumption: string;
  reason: string | null;
}

/**
 * What a comparison of a coming run of n testcases against an earlier one could see, taking for both systems the
 * variances of the earlier: ω² = 2·(1 − ρ)·between.
 */
export const forecast = (
  n: number,
  earlier: RunVariances,
  difference: number | null,
  options: ForecastOptions = {},
): Forecast => {
  const { level = defaultLevel, power = defaultPower, trials = 1, correlation = 0.5 } = options;
  const within = earlier.within ?? 0;
  const known = earlier.between !== null;
  const variances: Variances = {
    betweenDifference: 2 * (1 - correlation) * (earlier.between ?? 0),
    withinBefore: within,
    withinAfter: within,
  };
  return {
    method: 'paired difference of means (Miller 2024)',
    n,
    level,
    power,
    trials,
    minimumDetectable: known ? detectableDifference(n, variances, { level, power, trials }) : null,
    needed:
      known && difference !== null && difference !== 0
        ? testcasesNeeded(difference, variances, { level, power, trials })
        : null,
    assumption: `both systems vary as the earlier run did, with a correlation of ${correlation} over testcases`,
    reason: known ? null : earlier.reason,
  };
};
