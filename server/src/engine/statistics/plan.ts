/** Before a run: how many testcases, or how small a difference. Formulas of Miller (2024), arXiv 2411.00640. */
import { countInWords } from './count-in-words.ts';
import { normalQuantile, tQuantile } from './distributions.ts';
import { inflationOf } from './group-sequential.ts';
import { defaultLevel, zOf } from './intervals.ts';
import { bisect, defaultPower, detectableErrors } from './paired-proportions.ts';
import type { Forecast, RunVariances as Varied } from './plan-schema.ts';
import { averageTrials, type Observation, type TestcaseColumns } from './testcases.ts';

export interface Variances {
  /** ω²: variance over testcases of the difference of both systems' expected scores. */
  betweenDifference: number;
  /** σ²_A and σ²_B: mean variance of one system's score over repeated trials of one testcase. */
  withinBefore: number;
  withinAfter: number;
}

/** Testcases that come in groups. */
export interface Groups {
  /** How many times more the mean difference of earlier runs varies than that of independent testcases. */
  designEffect: number;
  /** Trials of a testcase in these runs. */
  trials: number;
  /** Testcases of a group: Σm²/Σm of groups of m testcases, so that n/size groups of equal size carry as much (Kish 1965). */
  size: number;
}

export interface PlanOptions {
  level?: number;
  power?: number;
  /** Tries of each testcase, per system. */
  trials?: number;
  /** Runs of the baseline, whose scores count as trials of one. */
  baselineRuns?: number;
  /** Looks at equal shares of the testcases. */
  looks?: number;
  /**
   * Of passes and failures: pass rate, and variance of the expected scores between testcases. A change of the rate is a change of some
   * testcases, which makes the differences vary more.
   */
  rate?: { mean: number; between: number };
  groups?: Groups;
  /** Degrees of freedom of the variances. Without them they are taken as known, and the quantiles are normal. */
  df?: number;
}

const trialsBefore = ({ trials = 1, baselineRuns = 1 }: PlanOptions): number => trials * baselineRuns;

const pairVariance = (
  { betweenDifference, withinBefore, withinAfter }: Variances,
  before: number,
  after: number,
): number => betweenDifference + withinBefore / before + withinAfter / after;

/** Variance of the difference of a testcase, and what its group adds: noise of trials is a testcase's own. */
const noiseOf = (variances: Variances, options: PlanOptions): number => {
  const { trials = 1, groups } = options;
  const own = pairVariance(variances, trialsBefore(options), trials);
  return groups
    ? own + (groups.designEffect - 1) * pairVariance(variances, groups.trials, groups.trials)
    : own;
};

/**
 * Mean square of the differences of pairs if the mean changes by `difference`. Of passes and failures, a share of the testcases then all
 * pass, or all fail, and their differences no longer vary by noise. Counts the outcome that most testcases have: a rate that moves
 * towards 50 % varies more, and the plan must hold for it.
 */
const meanSquareOf = (difference: number, variances: Variances, options: PlanOptions): number => {
  const { rate, trials = 1 } = options;
  const noise = noiseOf(variances, options);
  if (!rate) return noise;
  const common = Math.max(rate.mean, 1 - rate.mean);
  const square = common ** 2 + rate.between + variances.withinBefore / trialsBefore(options);
  const own = pairVariance(variances, trialsBefore(options), trials);
  return noise + Math.min(1, difference / common) * Math.max(0, square - own);
};

/**
 * The quantile of the noncentral t distribution with its noncentrality at a critical value: so many standard errors must a difference have,
 * for the power to be right on average over variances that an earlier run estimated with `df` degrees of freedom. Julious & Owen (2006),
 * Pharm. Stat. 5:29–37; the quantile by Abramowitz & Stegun 26.7.10.
 */
const errorsByEstimate = (critical: number, power: number, df: number): number => {
  const z = normalQuantile(power);
  const shrunk = 1 - 1 / (4 * df);
  const lack = shrunk ** 2 - z ** 2 / (2 * df);
  if (lack <= 0) return Number.POSITIVE_INFINITY;
  const spread = Math.sqrt(Math.max(0, shrunk ** 2 + (critical ** 2 - z ** 2) / (2 * df)));
  return (critical * shrunk + z * spread) / lack;
};

/** Number of standard errors that a difference must have at n testcases, for a test by t. */
const errorsNeeded = (n: number, { level = defaultLevel, power = defaultPower, df, groups }: PlanOptions) => {
  if (df === undefined) return detectableErrors(level, power);
  const dfOfTest = n / (groups?.size ?? 1) - 1;
  if (dfOfTest < 1 || df < 1) return Number.POSITIVE_INFINITY;
  return errorsByEstimate(tQuantile((1 + level) / 2, dfOfTest), power, df);
};

/**
 * The value that √n times a detectable difference reaches: (z(1−α/2) + z(power))·√v, with t quantiles if degrees of freedom are given. For
 * single passes and failures, which are compared by their mean square ψ, it is z(1−α/2)·√ψ + z(power)·√(ψ − δ²) (Connor 1987, Biometrics
 * 43:207–211).
 */
const threshold = (n: number, difference: number, variances: Variances, options: PlanOptions): number => {
  const { level = defaultLevel, power = defaultPower, trials = 1, rate, groups } = options;
  const meanSquare = meanSquareOf(difference, variances, options);
  const spread = Math.sqrt(rate ? Math.max(0, meanSquare - difference ** 2) : meanSquare);
  // Averages of trials, and groups, are compared by their variance, single passes and failures by their mean square.
  const isByVariance = !rate || trialsBefore(options) > 1 || trials > 1 || groups;
  if (isByVariance) return errorsNeeded(n, options) * spread;
  return zOf(level) * Math.sqrt(meanSquare) + normalQuantile(power) * spread;
};

/** Factor by which looks raise the threshold. */
const ofLooks = ({ level = defaultLevel, power = defaultPower, looks = 1 }: PlanOptions): number =>
  Math.sqrt(inflationOf(looks, { level, power }));

/** Beyond this number of testcases a plan is of no use. */
const most = 2 ** 40;

/**
 * n = (z(1−α/2) + z(power))²·(ω² + σ²_A/K_A + σ²_B/K_B)/δ², rounded up. Miller (2024); for passes, failures, groups and looks see
 * `threshold`. Null if no number of testcases suffices.
 */
export const testcasesNeeded = (
  difference: number,
  variances: Variances,
  options: PlanOptions = {},
): number | null => {
  const size = Math.abs(difference);
  const factor = ofLooks(options);
  const suffices = (n: number) => size * Math.sqrt(n) >= factor * threshold(n, size, variances, options);
  let enough = 1;
  while (!suffices(enough)) {
    enough *= 2;
    if (enough > most) return null;
  }
  let tooFew = Math.floor(enough / 2);
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (suffices(middle)) enough = middle;
    else tooFew = middle;
  }
  return enough;
};

/**
 * δ = (z(1−α/2) + z(power))·√((ω² + σ²_A/K_A + σ²_B/K_B)/n). Miller (2024); for passes and failures the δ that reaches its `threshold`. Null
 * if no difference of pass rates does, or if the groups are too few.
 */
export const detectableDifference = (
  n: number,
  variances: Variances,
  options: PlanOptions = {},
): number | null => {
  if (n < 1) return null;
  const factor = ofLooks(options);
  if (!options.rate) {
    const detectable = (factor * threshold(n, 0, variances, options)) / Math.sqrt(n);
    return Number.isFinite(detectable) ? detectable : null;
  }
  const excess = (difference: number) =>
    difference * Math.sqrt(n) - factor * threshold(n, difference, variances, options);
  return excess(1) > 0 ? bisect(excess, 0, 1) : null;
};

/** The same for a t test with a known standard error: the difference that it detects with this power. */
export const detectableByT = (
  standardError: number | null,
  df: number,
  level: number,
  power: number,
): number | null =>
  standardError === null || standardError === 0
    ? null
    : (tQuantile((1 + level) / 2, df) + tQuantile(power, df)) * standardError;

/**
 * Number of testcases with which a single test at the end detects a difference δ of paired scores with mean square ψ of their differences
 * (for passes and failures the discordant share): n = (z(1−α/2)·√ψ + z(power)·√(ψ − δ²))²/δ². Connor (1987), Biometrics 43:207–211.
 */
export const testcasesForRates = (
  difference: number,
  meanSquare: number,
  level = defaultLevel,
  power = defaultPower,
): number => {
  const spread = Math.sqrt(Math.max(0, meanSquare - difference ** 2));
  const errors = zOf(level) * Math.sqrt(meanSquare) + normalQuantile(power) * spread;
  return Math.ceil((errors / difference) ** 2);
};

/** How the scores of a run vary; never below 0, freed from the noise of its trials. */
export type RunVariances = Varied & {
  /** Trials of a testcase, in the harmonic mean: the variance of averages is between + within/trials. */
  trials: number;
  /** Mean over testcases; null without any. */
  mean: number | null;
};

/**
 * Between- and within-testcase variance of an earlier run, by the analysis of variance of one-way random effects:
 * σ² = SSW/(N − m), ω² = (MSB − σ²)/n₀. Searle, Casella & McCulloch (1992), Variance Components.
 */
export const testcaseVariances = ({ sums, sumsOfSquares, trials }: TestcaseColumns): RunVariances => {
  const method = 'one-way random effects (ANOVA)';
  let [n, total, sum, means, squaredTrials, withinSquares, inverse] = [0, 0, 0, 0, 0, 0, 0];
  for (let i = 0; i < trials.length; i++) {
    if (trials[i] === 0) continue;
    n++;
    total += trials[i]!;
    inverse += 1 / trials[i]!;
    squaredTrials += trials[i]! ** 2;
    sum += sums[i]!;
    means += sums[i]! / trials[i]!;
    withinSquares += Math.max(0, sumsOfSquares[i]! - sums[i]! ** 2 / trials[i]!);
  }
  const tried = n === 0 ? 0 : n / inverse;
  const mean = n === 0 ? null : means / n;
  if (n < 2)
    return {
      method,
      n,
      trials: tried,
      mean,
      between: null,
      within: null,
      reason: 'a variance needs two testcases',
    };
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
      trials: tried,
      mean,
      between: meanSquare,
      within: null,
      reason: 'no testcase has two trials; `between` includes the variance within a testcase',
    };
  }
  const within = withinSquares / (total - n);
  const averageTrialCount = (total - squaredTrials / total) / (n - 1);
  const between = Math.max(0, (meanSquare - within) / averageTrialCount);
  return { method, n, trials: tried, mean, between, within, reason: null };
};

/** The same from single observations. */
export const runVariances = (observations: Iterable<Observation>): RunVariances =>
  testcaseVariances(averageTrials(observations).columns[0]!);

/**
 * The correlation of two systems' expected scores, from that of their averaged trials: noise of trials lowers the correlation of averages,
 * and must not count twice, here and as noise. r/√(reliability_A·reliability_B), from −1 to 1, with the reliability between/(between +
 * within/trials). Spearman (1904), Am. J. Psychol. 15:72–101.
 */
export const expectedCorrelation = (
  ofAverages: number,
  before: RunVariances,
  after: RunVariances,
): number => {
  const reliability = ({ between, within, trials }: RunVariances): number =>
    within === null || !between ? 1 : between / (between + within / trials);
  const disattenuated = ofAverages / Math.sqrt(reliability(before) * reliability(after));
  return Math.min(1, Math.max(-1, disattenuated));
};

export interface ForecastOptions extends Omit<PlanOptions, 'rate' | 'df' | 'groups'> {
  /** Whether the scores are passes and failures. */
  boolean?: boolean;
  /** Whether the scores are shares of criteria: these vary as m(1 − m), so a system that meets fewer than most varies more. */
  shares?: boolean;
  /** Correlation of both systems' expected scores over testcases; 0.5 is what paired runs of related systems often show. */
  correlation?: number;
  /** Number of tests that are read together; each needs a stricter level (Bonferroni, the first step of Holm). */
  tests?: number;
  /** Groups of the coming run; `earlierSize` is the size of those of the earlier run. */
  groups?: PlannedGroups | null;
}

export interface PlannedGroups extends Pick<Groups, 'designEffect' | 'size'> {
  earlierSize: number;
}

/** Returns the numbers of testcases of equal looks at n. */
const looksAt = (n: number, numLooks: number): number[] =>
  Array.from({ length: numLooks }, (_, i) => Math.ceil((n * (i + 1)) / numLooks));

const twoDigits = (value: number): number => Number(value.toPrecision(2));

const assumptionOf = (correlation: number, groups: PlannedGroups | null, uncounted: boolean): string => {
  const ofGroups = groups
    ? groups.earlierSize > 1
      ? `; groups of ${twoDigits(groups.size)} testcases make the difference vary ${twoDigits(groups.designEffect)} times as much as independent testcases, as in the earlier run`
      : `; the testset has groups of ${twoDigits(groups.size)} testcases, but the earlier run had none, so what they have in common is not counted`
    : '';
  const ofRuns = uncounted
    ? '; no earlier run shows how one testcase varies, so more runs of the baseline are not counted'
    : '';
  return `both systems vary as the earlier run did, with a correlation of ${Number(correlation.toPrecision(3))} over testcases${ofGroups}${ofRuns}`;
};

/** Why a run of n testcases detects nothing. */
const tooFewOf = (n: number, groups: PlannedGroups | null): string =>
  groups && n / groups.size < 2
    ? `${countInWords(n, 'testcase')} are fewer than two groups`
    : `${countInWords(n, 'testcase')} cannot detect any difference`;

/** How much more than the earlier system one varies that loses `loss`: m(1 − m) of its mean share over that of the earlier one, at least 1. */
const variesMore = (mean: number, loss: number): number => {
  const of = (m: number) => m * (1 - m);
  return of(mean) > 0 && mean > loss ? Math.max(1, of(mean - loss) / of(mean)) : 1;
};

/** The variances of a comparison with a system that varies r times as much: ω² = (1 + r − 2ρ√r)·between. */
const variancesOf = ({ between, within }: RunVariances, correlation: number, r: number): Variances => ({
  betweenDifference: (1 + r - 2 * correlation * Math.sqrt(r)) * (between ?? 0),
  withinBefore: within ?? 0,
  withinAfter: r * (within ?? 0),
});

/** Enough for a difference that depends on the variance, which depends on the difference. */
const rounds = 6;

/**
 * Forecasts a comparison of a coming run of n testcases with an earlier run. Both systems are assumed to have the variances of the earlier, or
 * those of shares whose means differ.
 */
export const forecast = (
  n: number,
  earlier: RunVariances,
  difference: number | null,
  options: ForecastOptions = {},
): Forecast => {
  const { level = defaultLevel, power = defaultPower, trials = 1, correlation = 0.5, tests = 1 } = options;
  const { boolean = false, shares = false, groups = null, baselineRuns = 1, looks = 1 } = options;
  const known = earlier.between !== null && earlier.mean !== null;
  const at = {
    // The level of one of several tests at the first step.
    level: 1 - (1 - level) / tests,
    power,
    trials,
    baselineRuns,
    looks,
    df: earlier.n / (groups?.earlierSize ?? 1) - 1,
    ...(groups && { groups: { ...groups, trials: earlier.trials } }),
    ...(boolean && { rate: { mean: earlier.mean ?? 0, between: earlier.between ?? 0 } }),
  };
  const variancesAt = (loss: number) =>
    variancesOf(earlier, correlation, shares && earlier.mean !== null ? variesMore(earlier.mean, loss) : 1);
  let minimumDetectable = known ? detectableDifference(n, variancesAt(0), at) : null;
  for (let i = 0; shares && minimumDetectable !== null && i < rounds; i++)
    minimumDetectable = detectableDifference(n, variancesAt(minimumDetectable), at);
  const tooFew = known && n > 0 && minimumDetectable === null ? tooFewOf(n, groups) : null;
  const numNeeded =
    known && difference !== null && difference !== 0
      ? testcasesNeeded(difference, variancesAt(Math.abs(difference)), at)
      : null;
  return {
    method: boolean
      ? 'paired difference of pass rates (Miller 2024, Connor 1987)'
      : 'paired difference of means (Miller 2024)',
    n,
    level,
    power,
    trials,
    tests,
    baselineRuns,
    looks: looksAt(n, looks),
    minimumDetectable,
    numNeeded,
    neededLooks: numNeeded === null ? null : looksAt(numNeeded, looks),
    groups: groups && {
      size: groups.size,
      designEffect: groups.designEffect,
      numNeeded: numNeeded === null ? null : Math.ceil(numNeeded / groups.size),
    },
    assumption: assumptionOf(correlation, groups, baselineRuns > 1 && earlier.within === null),
    reason: known ? tooFew : earlier.reason,
  };
};
