/**
 * Tests whether a ranking describes the comparisons that it was made from. A circle of preferences, in which each beats the next, has no
 * ranking.
 */

import type { Preference, Strengths } from './preference.ts';
import type { RankingFit } from './ranking-schema.ts';
import { regularizedBeta } from './special.ts';

const logistic = (x: number): number => 1 / (1 + Math.exp(-x));

/** A circle of pairs: each pair with its direction, 1 from the lower index to the higher. */
type Circle = Map<string, 1 | -1>;

const nameOf = (a: number, b: number): string => (a < b ? `${a} ${b}` : `${b} ${a}`);

/** The pairs that met, each with the sum of p(1 − p) over its comparisons: what its results say of a difference in strength. */
const informationOf = (
  preferences: readonly Preference[],
  strengths: readonly number[],
): Map<string, number> => {
  const information = new Map<string, number>();
  for (const { a, b } of preferences) {
    const p = logistic(strengths[a]! - strengths[b]!);
    const name = nameOf(a, b);
    information.set(name, (information.get(name) ?? 0) + p * (1 - p));
  }
  return information;
};

/** One circle for each pair beyond those that connect all systems: the pair, and the way back over the others. */
const findCircles = (pairs: readonly [number, number][], systems: number): Circle[] => {
  const parent = new Array<number>(systems).fill(-1);
  const depth = new Array<number>(systems).fill(-1);
  depth[0] = 0;
  const tree = new Set<string>();
  const queue = [0];
  for (const system of queue) {
    for (const [a, b] of pairs) {
      const other = a === system ? b : b === system ? a : -1;
      if (other < 0 || depth[other]! >= 0) continue;
      depth[other] = depth[system]! + 1;
      parent[other] = system;
      tree.add(nameOf(system, other));
      queue.push(other);
    }
  }
  return pairs
    .filter(([a, b]) => !tree.has(nameOf(a, b)))
    .map(([a, b]) => {
      const circle: Circle = new Map();
      const step = (from: number, to: number) => circle.set(nameOf(from, to), from < to ? 1 : -1);
      step(a, b);
      let [end, start] = [b, a];
      while (end !== start) {
        if (depth[end]! >= depth[start]!) {
          step(end, parent[end]!);
          end = parent[end]!;
        } else {
          step(parent[start]!, start);
          start = parent[start]!;
        }
      }
      return circle;
    });
};

/** Solves a symmetric positive definite system by Cholesky; null if it is singular. */
const solve = (matrix: readonly (readonly number[])[], values: readonly number[]): number[] | null => {
  const n = values.length;
  const lower = matrix.map(() => new Array<number>(n).fill(0));
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let rest = matrix[i]![j]!;
      for (let k = 0; k < j; k++) rest -= lower[i]![k]! * lower[j]![k]!;
      if (i !== j) lower[i]![j] = rest / lower[j]![j]!;
      else if (rest <= 1e-10 * matrix[i]![i]!) return null;
      else lower[i]![i] = Math.sqrt(rest);
    }
  }
  const forward = new Array<number>(n).fill(0);
  for (let i = 0; i < n; i++) {
    let rest = values[i]!;
    for (let k = 0; k < i; k++) rest -= lower[i]![k]! * forward[k]!;
    forward[i] = rest / lower[i]![i]!;
  }
  const found = new Array<number>(n).fill(0);
  for (let i = n - 1; i >= 0; i--) {
    let rest = forward[i]!;
    for (let k = i + 1; k < n; k++) rest -= lower[k]![i]! * found[k]!;
    found[i] = rest / lower[i]![i]!;
  }
  return found;
};

/** Sums of values over units, and of their products: a score test's vector with its cluster-robust covariance. */
const addUp = (byUnit: Iterable<readonly number[]>, size: number, units: number) => {
  const sums = new Array<number>(size).fill(0);
  const products = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  for (const own of byUnit) {
    for (let i = 0; i < size; i++) {
      sums[i]! += own[i]!;
      for (let j = 0; j < size; j++) products[i]![j]! += (own[i]! * own[j]! * units) / (units - 1);
    }
  }
  return { sums, products };
};

/** Values of each unit: differences between its comparisons of a pair and the results that the ranking expects. */
const residualsBy = (
  preferences: readonly Preference[],
  strengths: readonly number[],
  size: number,
  add: (own: number[], pair: string, residual: number) => void,
): Iterable<number[]> => {
  const units = new Map<number, number[]>();
  for (const { unit, a, b, score } of preferences) {
    const residual = (a < b ? 1 : -1) * (score - logistic(strengths[a]! - strengths[b]!));
    const own = units.get(unit) ?? new Array<number>(size).fill(0);
    add(own, nameOf(a, b), residual);
    units.set(unit, own);
  }
  return units.values();
};

/**
 * Tests Bradley and Terry's model against one with a separate probability for each pair: on the scale of log-odds, the residuals around
 * each circle of pairs must sum to 0, whatever the strengths are. A score test with the covariance over units, by F with as many degrees of
 * freedom as there are circles. Null without a circle, as for two systems, and with too few units.
 *
 * Rao (1948), Proc. Camb. Philos. Soc. 44:50–57; Liang & Zeger (1986), Biometrika 73:13–22; intransitivity: Kendall & Babington Smith (1940), Biometrika
 * 31:324–345.
 */
export const testFit = (
  preferences: readonly Preference[],
  { strengths, n }: Strengths,
  level: number,
): RankingFit | null => {
  const information = informationOf(preferences, strengths);
  const pairs = [...information.keys()].map((name) => name.split(' ').map(Number) as [number, number]);
  const circles = findCircles(pairs, strengths.length);
  const df = circles.length;
  if (df === 0 || n <= 2 * df + 10) return null;
  const byUnit = residualsBy(preferences, strengths, df, (own, pair, residual) => {
    for (const [i, circle] of circles.entries()) {
      own[i]! += ((circle.get(pair) ?? 0) * residual) / information.get(pair)!;
    }
  });
  const { sums, products } = addUp(byUnit, df, n);
  const solved = solve(products, sums);
  if (!solved) return null;
  const f = sums.reduce((total, value, i) => total + value * solved[i]!, 0) / df;
  const rest = n - df;
  const [p] = regularizedBeta(rest / (rest + df * f), (df * f) / (rest + df * f), rest / 2, df / 2);
  const fits = p > 1 - level - 1e-12;
  const sentence = fits
    ? `the ranking describes its pairs as far as these comparisons show (p ${p.toPrecision(2)})`
    : `the ranking does not describe its pairs (p ${p.toPrecision(2)}): who is preferred depends on who is compared; read the pairs, not the places`;
  return { p, df, fits, sentence };
};
