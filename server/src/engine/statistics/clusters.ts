/** Testcases that share a document, a conversation or an author depend on each other: the group is the unit. */

import { boundedInterval, caveatNearBound, intervalWithoutSpread } from './bounded.ts';
import { caveatOfFew, caveatsOf } from './caveats.ts';
import { countInWords } from './count-in-words.ts';
import type { Caveat, Estimate, Interval } from './estimate-schema.ts';
import { defaultLevel, momentsOf, tInterval } from './intervals.ts';

export interface ClusterError {
  /** Groups. */
  groups: number;
  mean: number;
  /** 0 if all groups have the same mean; null below two groups. */
  standardError: number | null;
  /** Satterthwaite's degrees of freedom; 0 below two groups. */
  df: number;
  /** (Σn_g)²/Σn_g²: the number of groups of equal size with the same information (Kish 1965). */
  equalGroups: number;
}

interface Group {
  size: number;
  /** Sum, and sum of squares, of the deviations from the mean. */
  sum: number;
  squares: number;
}

const groupsOf = (values: ArrayLike<number>, labels: ArrayLike<string | number>, mean: number): Group[] => {
  const groups = new Map<string | number, Group>();
  for (let i = 0; i < values.length; i++) {
    const deviation = values[i]! - mean;
    const group = groups.get(labels[i]!);
    if (group) {
      group.size++;
      group.sum += deviation;
      group.squares += deviation * deviation;
    } else groups.set(labels[i]!, { size: 1, sum: deviation, squares: deviation * deviation });
  }
  return [...groups.values()];
};

/**
 * The correlation within groups by moments: the mean product of two residuals of one group over the mean square, from 0 to 1.
 * Imbens & Kolesár (2016), §III.
 */
const correlationWithin = (groups: Group[], n: number): number => {
  let [products, pairs, squares] = [0, 0, 0];
  for (const { size, sum, squares: own } of groups) {
    products += sum * sum - own;
    pairs += size * (size - 1);
    squares += own;
  }
  if (pairs === 0 || squares === 0) return 0;
  return Math.min(1, Math.max(0, products / pairs / (squares / n)));
};

/**
 * Satterthwaite's degrees of freedom (ΣM_gg)²/ΣM²_gh of the CR2 variance of a mean, for values with variance 1 and correlation ρ
 * within groups. With w_g = n_g/n, u_g = w_g/√(1 − w_g) and Q = Σn_g²:
 *
 *   M_gg ∝ [(1 − ρ)·n·w_g(1 − w_g) + ρ(n_g² − 2·w_g·n_g² + w_g²·Q)]/(1 − w_g)
 *   M_gh ∝ u_g·u_h·[ρ·Q − (1 − ρ)·n − ρ·n²·(w_g + w_h)]
 *
 * For ρ = 0 these are the degrees of freedom of Bell & McCaffrey (2002); for groups of equal size they are G − 1.
 */
const satterthwaite = (sizes: number[], n: number, rho: number): number => {
  const Q = sizes.reduce((sum, size) => sum + size * size, 0);
  const [alpha, beta] = [rho * Q - (1 - rho) * n, rho * n * n];
  let [trace, diagonal, squares, u0, u1, u2] = [0, 0, 0, 0, 0, 0];
  for (const size of sizes) {
    const w = size / n;
    const own = ((1 - rho) * n * w * (1 - w) + rho * (size * size * (1 - 2 * w) + w * w * Q)) / (1 - w);
    const u = (w * w) / (1 - w);
    trace += own;
    diagonal += own * own;
    squares += (u * (alpha - 2 * beta * w)) ** 2;
    u0 += u;
    u1 += u * w;
    u2 += u * w * w;
  }
  // ΣΣ over all pairs of groups in one pass; the terms of a group with itself are subtracted again.
  const all = alpha * alpha * u0 * u0 - 4 * alpha * beta * u0 * u1 + 2 * beta * beta * (u0 * u2 + u1 * u1);
  return trace ** 2 / (diagonal + Math.max(0, all - squares));
};

/**
 * The CR2 standard error of a mean, √(Σ_g S_g²/(1 − n_g/n))/n with S_g = Σ_{i∈g}(xᵢ − x̄), and its degrees of freedom. A large group pulls
 * the mean towards itself and so hides its own deviation; 1 − n_g/n corrects this.
 *
 * Bell & McCaffrey (2002), Survey Methodology 28:169–181; Pustejovsky & Tipton (2018), J. Bus. Econ. Stat. 36:672–683;
 * degrees of freedom for dependent groups: Imbens & Kolesár (2016), Rev. Econ. Stat. 98:701–712.
 */
export const clusterError = (values: ArrayLike<number>, labels: ArrayLike<string | number>): ClusterError => {
  const { n, mean } = momentsOf(values);
  return errorOfGroups(groupsOf(values, labels, mean), n, mean);
};

const errorOfGroups = (groups: Group[], n: number, mean: number): ClusterError => {
  const sizes = groups.map(({ size }) => size);
  const equalGroups = n ** 2 / sizes.reduce((sum, size) => sum + size * size, 0);
  if (groups.length < 2) return { groups: groups.length, mean, standardError: null, df: 0, equalGroups };
  const variance = groups.reduce((sum, { size, sum: S }) => sum + (S * S) / (1 - size / n), 0);
  const standardError = Math.sqrt(variance) / n;
  return {
    groups: groups.length,
    mean,
    standardError: standardError <= 2 ** -50 * Math.abs(mean) ? 0 : standardError,
    df: satterthwaite(sizes, n, correlationWithin(groups, n)),
    equalGroups,
  };
};

/** Sums of many values of one unit. */
export interface Sums {
  size: number;
  sum: number;
  squares: number;
}

/** Returns the error of the mean over all values of some units, with units of one label as one group. */
export const clusterErrorOfSums = (units: readonly Sums[], labels: ArrayLike<number>): ClusterError => {
  const n = units.reduce((total, { size }) => total + size, 0);
  const mean = n === 0 ? 0 : units.reduce((total, { sum }) => total + sum, 0) / n;
  const groups = new Map<number, Group>();
  for (const [i, { size, sum, squares }] of units.entries()) {
    const group = groups.get(labels[i]!) ?? { size: 0, sum: 0, squares: 0 };
    groups.set(labels[i]!, group);
    group.size += size;
    group.sum += sum - size * mean;
    group.squares += Math.max(0, squares - 2 * mean * sum + size * mean * mean);
  }
  return errorOfGroups([...groups.values()], n, mean);
};

/** Below this many effective groups a cluster-robust interval tends to be too narrow. */
const fewGroups = 20;

export const caveatOfGroups = ({ groups, df }: ClusterError): Caveat | null => {
  if (groups === 0 || df + 1 >= fewGroups - 1e-9) return null;
  const effective = Number((df + 1).toFixed(1));
  const sentence =
    groups - effective < 0.5 || groups < 2
      ? `only ${countInWords(groups, 'group')}: below ${fewGroups} a cluster-robust interval tends to be too narrow`
      : `the ${groups} groups are of unequal size and carry as much information as about ${effective} equal ones: below ${fewGroups} a cluster-robust interval tends to be too narrow`;
  return { code: 'fewGroups', sentence };
};

const intervalOf = (
  { mean, standardError, df, equalGroups }: ClusterError,
  bounds: Interval | null,
  level: number,
): { method: string; interval: Interval | null } => {
  const method = 'cluster-robust t (CR2, Satterthwaite)';
  if (standardError! > 0) {
    return bounds
      ? {
          method: 'cluster-robust wilson (CR2, Satterthwaite)',
          interval: boundedInterval(mean, standardError!, df, bounds, level),
        }
      : { method, interval: tInterval(mean, standardError!, df, level) };
  }
  return bounds ? intervalWithoutSpread(mean, equalGroups, bounds, level) : { method, interval: null };
};

/**
 * A mean whose testcases come in groups, with the CR2 error of `clusterError`. Within `bounds` the interval is Wilson's on the
 * effective n, else t. For evaluations: Miller (2024), arXiv 2411.00640.
 */
export const clusteredMeanEstimate = (
  values: ArrayLike<number>,
  labels: ArrayLike<string | number>,
  level = defaultLevel,
  bounds: Interval | null = null,
): Estimate =>
  estimateOfError(clusterError(values, labels), {
    numValues: values.length,
    level,
    bounds,
    words: ofTestcases,
  });

/** A mean over the spans of records, with the error of `clusterErrorOfSums`: spans of a record may depend on each other in any way. */
export const spanEstimate = (
  units: readonly Sums[],
  labels: ArrayLike<number>,
  level = defaultLevel,
  bounds: Interval | null = null,
): Estimate => {
  const error = clusterErrorOfSums(units, labels);
  return estimateOfError(error, { numValues: error.groups, level, bounds, words: ofSpans });
};

const ofTestcases = {
  value: 'testcase',
  group: 'group',
  groups: 'groups',
  dependent: 'testcases within a group',
};
const ofSpans = { value: 'record', group: 'record', groups: 'records', dependent: 'spans of a record' };

const estimateOfError = (
  error: ClusterError,
  {
    numValues,
    level,
    bounds,
    words,
  }: { numValues: number; level: number; bounds: Interval | null; words: typeof ofTestcases },
): Estimate => {
  const { groups, mean, standardError, df, equalGroups } = error;
  const found =
    groups < 2
      ? { method: 'cluster-robust t (CR2, Satterthwaite)', interval: null }
      : intervalOf(error, bounds, level);
  const reason =
    groups === 0
      ? `no ${words.value} has a score`
      : groups < 2
        ? `one ${words.group} says nothing about the spread between ${words.groups}: an interval needs two`
        : found.interval === null
          ? `all ${groups} ${words.groups} have the same mean: the spread cannot be estimated from them`
          : null;
  return {
    ...found,
    n: groups,
    effectiveN: groups < 2 ? groups : standardError === 0 ? equalGroups : df + 1,
    level,
    estimate: groups === 0 ? null : mean,
    standardError,
    reason,
    assumption: `${words.groups} are independent of one another; ${words.dependent} may depend on each other in any way`,
    ...caveatsOf(
      caveatOfGroups(error),
      groups > 1 && bounds && standardError! > 0
        ? caveatNearBound(mean, Math.min(equalGroups, df + 1), bounds)
        : null,
      caveatOfFew(numValues, words.value),
    ),
  };
};
