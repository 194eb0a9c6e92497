/** Are two runs really different? */
import { tTwoSided } from './distributions.ts';
import {
  clusteredMeanEstimate,
  defaultLevel,
  type Interval,
  meanEstimate,
  momentsOf,
  smallSampleWarning,
} from './intervals.ts';
import {
  adjustedPairedError,
  defaultPower,
  detectableErrors,
  type McNemar,
  mcnemar,
  tango,
} from './paired-proportions.ts';
import { detectableByT } from './plan.ts';
import { signFlip } from './sign-flip.ts';
import {
  averageTrials,
  clustersOf,
  isBinary,
  isPresent,
  meansOf,
  type Observation,
  scoredIndexes,
  type TestcaseColumns,
  type TestcaseId,
} from './testcases.ts';
import { compareUnpaired, type Sample } from './unpaired.ts';
import { levelInWords, type Verdict, verdictOf } from './verdict.ts';

export interface CompareOptions {
  /** Whether the metric's output is a boolean: rates, points and McNemar instead of means. */
  boolean: boolean;
  level?: number;
  power?: number;
  /** Of the random signs, where they are drawn. */
  seed?: number;
}

/** What cannot be compared: testcases by index, or by name. */
export interface Dropped<Testcase> {
  onlyBefore: Testcase[];
  onlyAfter: Testcase[];
  /** In both runs, but the testcase was changed between them. */
  revised: Testcase[];
  /** In both runs, but without any score in at least one. */
  unscored: Testcase[];
}

export interface Comparison<Testcase> {
  method: string;
  /** Testcases compared; when nothing pairs, the testcases of both runs together. */
  n: number;
  level: number;
  power: number;
  seed: number | null;
  before: number | null;
  after: number | null;
  difference: number | null;
  standardError: number | null;
  interval: Interval | null;
  reason: string | null;
  /** Raw two-sided p of the test that belongs to the interval; for booleans McNemar's mid-p. */
  p: number | null;
  mcnemar: McNemar | null;
  wins: number;
  losses: number;
  ties: number;
  /** Between both runs over testcases: what pairing gained. */
  correlation: number | null;
  /** What would have been said without pairing. */
  unpairedInterval: Interval | null;
  /** The smallest true difference that a comparison like this sees with the given power. */
  minimumDetectable: number | null;
  dropped: Dropped<Testcase>;
  verdict: Verdict;
  sentence: string;
  assumption: string;
  warnings: string[];
}

type Tested = Pick<
  Comparison<unknown>,
  | 'method'
  | 'seed'
  | 'standardError'
  | 'interval'
  | 'reason'
  | 'p'
  | 'mcnemar'
  | 'minimumDetectable'
  | 'assumption'
  | 'warnings'
>;

const skewFactor = 25;

interface Pairs {
  before: Float64Array;
  after: Float64Array;
  differences: Float64Array;
  groups: Int32Array | null;
}

const correlationOf = (x: Float64Array, y: Float64Array): number | null => {
  const [a, b] = [momentsOf(x), momentsOf(y)];
  if (!(a.variance > 0 && b.variance > 0)) return null;
  let products = 0;
  for (let i = 0; i < x.length; i++) products += (x[i]! - a.mean) * (y[i]! - b.mean);
  const covariance = products / (a.n - 1);
  return covariance / (Math.sqrt(a.variance) * Math.sqrt(b.variance));
};

const comparePairedBooleans = (
  wins: number,
  losses: number,
  n: number,
  level: number,
  power: number,
): Tested => {
  const tests = mcnemar(wins, losses);
  const difference = (wins - losses) / n;
  return {
    method: 'tango score interval, mcnemar mid-p',
    seed: null,
    standardError: Math.sqrt((wins + losses) / n - difference ** 2) / Math.sqrt(n),
    interval: n < 2 ? null : tango(wins, losses, n, level),
    reason: n < 2 ? 'one testcase says nothing about the spread: an interval needs two' : null,
    p: tests.midP,
    mcnemar: tests,
    minimumDetectable: n < 2 ? null : detectableErrors(level, power) * adjustedPairedError(wins, losses, n),
    assumption: 'testcases are independent draws from the inputs that the systems will meet',
    warnings: [],
  };
};

const compareClusters = (
  differences: Float64Array,
  groups: Int32Array,
  level: number,
  power: number,
): Tested => {
  const result = clusteredMeanEstimate(differences, groups, level);
  return {
    method: `paired ${result.method}`,
    seed: null,
    standardError: result.standardError,
    interval: result.interval,
    reason: result.reason,
    p: result.interval && tTwoSided(result.estimate! / result.standardError!, result.n - 1),
    mcnemar: null,
    minimumDetectable: result.interval && detectableByT(result.standardError, result.n - 1, level, power),
    assumption: result.assumption,
    warnings: result.warnings.filter((warning) => warning.includes('groups')),
  };
};

const compareMeans = (differences: Float64Array, level: number, power: number, seed: number): Tested => {
  const { n, mean, variance, skewness } = momentsOf(differences);
  const plain = meanEstimate(differences, level);
  const common = {
    standardError: plain.standardError,
    mcnemar: null,
    minimumDetectable: n < 2 ? null : detectableByT(plain.standardError, n - 1, level, power),
    warnings: [],
  };
  if (n < 2 || (variance === 0 && mean === 0)) {
    return {
      ...common,
      method: 'paired t',
      seed: null,
      interval: null,
      reason: n < 2 ? plain.reason : `both runs scored the same on each of the ${n} testcases`,
      p: n < 2 ? null : 1,
      assumption: plain.assumption,
    };
  }
  // Cochran (1977), Sampling Techniques, §2.15: the normal approximation holds for n > 25·g₁².
  if (n >= 30 && variance > 0 && n > skewFactor * skewness ** 2) {
    return {
      ...common,
      method: 'paired t',
      seed: null,
      interval: plain.interval,
      reason: plain.reason,
      p: tTwoSided(mean / plain.standardError!, n - 1),
      assumption: plain.assumption,
    };
  }
  const flipped = signFlip(differences, seed, level);
  const isSkewed = variance > 0 && n <= skewFactor * skewness ** 2;
  return {
    ...common,
    warnings: isSkewed
      ? ['the differences are skewed: the interval takes them to be symmetric and tends to be too narrow']
      : [],
    method: `sign-flip test and its inversion (${flipped.seed === null ? 'all' : 'drawn'} ${flipped.assignments} assignments)`,
    seed: flipped.seed,
    interval: variance === 0 ? null : flipped.interval,
    reason:
      variance === 0
        ? `all ${n} differences are equal: the spread cannot be estimated from them`
        : flipped.interval === null
          ? `${n} testcases allow ${flipped.assignments} assignments of signs: too few for a ${levelInWords(level)} interval`
          : null,
    p: flipped.p,
    assumption:
      'testcases are independent; differences are as likely to fall above the true one as below, by as much',
  };
};

/** The testcases that two runs can be compared on, and what is dropped. */
export const pairUp = (
  before: TestcaseColumns,
  after: TestcaseColumns,
): { pairs: Int32Array; dropped: Dropped<number> } => {
  const dropped: Dropped<number> = { onlyBefore: [], onlyAfter: [], revised: [], unscored: [] };
  const pairs = new Int32Array(before.trials.length);
  let count = 0;
  for (let i = 0; i < pairs.length; i++) {
    const [first, second] = [isPresent(before, i), isPresent(after, i)];
    if (!first && !second) continue;
    if (!second) dropped.onlyBefore.push(i);
    else if (!first) dropped.onlyAfter.push(i);
    else if (before.revisions[i] !== after.revisions[i]) dropped.revised.push(i);
    else if (before.trials[i] === 0 || after.trials[i] === 0) dropped.unscored.push(i);
    else pairs[count++] = i;
  }
  return { pairs: pairs.subarray(0, count), dropped };
};

const testPairs = (pairs: Pairs, options: Required<CompareOptions>, wins: number, losses: number): Tested => {
  const { boolean, level, power, seed } = options;
  if (pairs.groups) return compareClusters(pairs.differences, pairs.groups, level, power);
  if (boolean && isBinary(pairs.before) && isBinary(pairs.after)) {
    return comparePairedBooleans(wins, losses, pairs.differences.length, level, power);
  }
  return compareMeans(pairs.differences, level, power, seed);
};

const meanOf = (values: Float64Array): number | null =>
  values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length;

/**
 * Compares two runs on the testcases that both have at the same revision, `after` minus `before`.
 *
 * Booleans: Tango's interval with McNemar's test. Other scores and averaged trials: paired t, or sign flips when
 * n < 30 or the differences are skewed. With groups: cluster-robust t on the differences (Miller 2024).
 * When nothing pairs: Newcombe's interval, or Welch's, or with groups cluster-robust errors of each run.
 */
export const compareTestcases = (
  before: TestcaseColumns,
  after: TestcaseColumns,
  options: CompareOptions,
): Comparison<number> => {
  const settings = { level: defaultLevel, power: defaultPower, seed: 1, ...options };
  const { level, power, boolean } = settings;
  const { pairs, dropped } = pairUp(before, after);
  const paired = pairs.length > 0;
  const grouped = before.groups !== null || after.groups !== null;
  const sampleOf = (run: TestcaseColumns): Sample => {
    const indexes = paired ? pairs : scoredIndexes(run);
    return { values: meansOf(run, indexes), groups: grouped ? clustersOf(run.groups, indexes) : null };
  };
  const samples = [sampleOf(before), sampleOf(after)] as const;
  const [{ values: x, groups }, { values: y }] = samples;
  const differences = paired ? y.map((value, i) => value - x[i]!) : new Float64Array();
  let [wins, losses] = [0, 0];
  for (const difference of differences) {
    if (difference > 0) wins++;
    else if (difference < 0) losses++;
  }
  const tested = paired
    ? testPairs({ before: x, after: y, differences, groups }, settings, wins, losses)
    : compareUnpaired(...samples, settings);
  const [meanBefore, meanAfter] = [meanOf(x), meanOf(y)];
  const n = paired ? pairs.length : x.length + y.length;
  const result = {
    ...tested,
    n,
    level,
    power,
    before: meanBefore,
    after: meanAfter,
    difference: meanBefore === null || meanAfter === null ? null : meanAfter - meanBefore,
    wins,
    losses,
    ties: pairs.length - wins - losses,
    correlation: paired ? correlationOf(x, y) : null,
    unpairedInterval: paired ? compareUnpaired(...samples, settings).interval : null,
    dropped,
    warnings: [...tested.warnings, ...smallSampleWarning(n)],
  };
  return { ...result, ...verdictOf({ ...result, boolean }) };
};

/** The same from single observations. */
export const compareRuns = (
  before: Iterable<Observation>,
  after: Iterable<Observation>,
  options: CompareOptions,
): Comparison<TestcaseId> => {
  const { columns, testcases } = averageTrials(before, after);
  const { dropped, ...comparison } = compareTestcases(columns[0]!, columns[1]!, options);
  const named = (indexes: number[]) => indexes.map((index) => testcases[index]!);
  const { onlyBefore, onlyAfter, revised, unscored } = dropped;
  return {
    ...comparison,
    dropped: {
      onlyBefore: named(onlyBefore),
      onlyAfter: named(onlyAfter),
      revised: named(revised),
      unscored: named(unscored),
    },
  };
};
