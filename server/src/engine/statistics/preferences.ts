/** Which of several systems is preferred, from comparisons of two outputs at a time. */
import { caveatOfFew, caveatsOf } from './caveats.ts';
import { clusteredMeanEstimate } from './clusters.ts';
import { tQuantile, tTwoSided } from './distributions.ts';
import { holm } from './holm.ts';
import { defaultLevel } from './intervals.ts';
import type { Preference, Strengths } from './preference.ts';
import { testFit } from './ranking-fit.ts';
import type { HeadToHead, Ranked, RankingFit } from './ranking-schema.ts';

const logistic = (x: number): number => 1 / (1 + Math.exp(-x));

type Matrix = number[][];
const zeros = (rows: number, columns = rows): Matrix =>
  Array.from({ length: rows }, () => new Array<number>(columns).fill(0));

/** The inverse of a small positive definite matrix, by Gauss–Jordan. */
const inverse = (matrix: Matrix): Matrix => {
  const n = matrix.length;
  const rows = matrix.map((row, i) => [...row, ...zeros(1, n)[0]!.map((_, j) => Number(i === j))]);
  for (let i = 0; i < n; i++) {
    const pivot = rows[i]![i]!;
    rows[i] = rows[i]!.map((value) => value / pivot);
    for (let j = 0; j < n; j++) {
      const factor = rows[j]![i]!;
      if (j !== i) rows[j] = rows[j]!.map((value, k) => value - factor * rows[i]![k]!);
    }
  }
  return rows.map((row) => row.slice(n));
};

const product = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) => b[0]!.map((_, j) => row.reduce((sum, value, k) => sum + value * b[k]![j]!, 0)));

const quadratic = (weights: readonly number[], covariance: Matrix): number =>
  weights.reduce(
    (sum, w, i) => sum + w * covariance[i]!.reduce((row, value, j) => row + value * weights[j]!, 0),
    0,
  );

/** Whether comparisons lead from each system to each other one. */
const isConnected = (pairs: readonly Preference[], systems: number): boolean => {
  const reached = new Set([0]);
  for (let before = 0; before < reached.size; ) {
    before = reached.size;
    for (const { a, b } of pairs) if (reached.has(a) !== reached.has(b)) reached.add(a).add(b);
  }
  return reached.size === systems;
};

type Weighted = Preference & { weight: number };

/**
 * Adds half a win and half a loss for each pair of compared systems. Without them a system that never wins has no strength, and comparisons
 * that all went one way, or all tied, have no spread. Each is a separate unit, so that intervals become as wide as Wilson's if nothing
 * varies.
 */
const steadied = (pairs: readonly Preference[]): Weighted[] => {
  const met = new Map(pairs.map(({ a, b }) => [`${Math.min(a, b)} ${Math.max(a, b)}`, { a, b }]));
  const halves = [...met.values()].flatMap(({ a, b }, i) =>
    [0, 1].map((score) => ({ unit: -1 - 2 * i - score, a, b, score, weight: 0.5 })),
  );
  return [...pairs.map((pair) => ({ ...pair, weight: 1 })), ...halves];
};

/**
 * Fits strengths such that the expected score of a against b is 1/(1 + exp(θ_b − θ_a)), a tie being half a win, by Newton's method, with
 * the cluster-robust covariance H⁻¹(Σ_g u_g u_gᵀ)H⁻¹·G/(G − 1) over units g. Null if the comparisons do not connect all systems, or come
 * from less than two units.
 *
 * Bradley & Terry (1952), Biometrika 39:324–345; the covariance holds for any distribution of ties and of pairs of one testcase, provided
 * that the expected scores hold: Liang & Zeger (1986), Biometrika 73:13–22.
 */
export const fitBradleyTerry = (preferences: readonly Preference[], systems: number): Strengths | null => {
  const n = new Set(preferences.map(({ unit }) => unit)).size;
  if (n < 2 || systems < 2 || !isConnected(preferences, systems)) return null;
  const pairs = steadied(preferences);
  // The first system stays at 0 until the end.
  const free = systems - 1;
  const theta = new Array<number>(systems).fill(0);
  let bread: Matrix = [];
  for (let round = 0; round < 100; round++) {
    const gradient = new Array<number>(free).fill(0);
    const information = zeros(free);
    for (const { a, b, score, weight: times } of pairs) {
      const p = logistic(theta[a]! - theta[b]!);
      const weight = times * p * (1 - p);
      for (const [i, sign] of [
        [a - 1, 1],
        [b - 1, -1],
      ] as const) {
        if (i < 0) continue;
        gradient[i]! += times * sign * (score - p);
        information[i]![i]! += weight;
      }
      if (a > 0 && b > 0) {
        information[a - 1]![b - 1]! -= weight;
        information[b - 1]![a - 1]! -= weight;
      }
    }
    bread = inverse(information);
    const steps = bread.map((row) => row.reduce((sum, value, j) => sum + value * gradient[j]!, 0));
    // A step of more than 2 in the logarithm leaves the region where the quadratic is good.
    const longest = Math.max(...steps.map(Math.abs));
    const scale = Math.min(1, 2 / longest);
    for (const [i, step] of steps.entries()) theta[i + 1]! += scale * step;
    if (longest < 1e-10) break;
  }
  const scores = new Map<number, number[]>();
  for (const { unit, a, b, score, weight } of pairs) {
    const residual = weight * (score - logistic(theta[a]! - theta[b]!));
    const own = scores.get(unit) ?? new Array<number>(free).fill(0);
    if (a > 0) own[a - 1]! += residual;
    if (b > 0) own[b - 1]! -= residual;
    scores.set(unit, own);
  }
  const meat = zeros(free);
  for (const own of scores.values())
    for (const [i, x] of own.entries()) for (const [j, y] of own.entries()) meat[i]![j]! += x * y;
  const inner = product(product(bread, meat), bread).map((row) => row.map((value) => (value * n) / (n - 1)));
  // From differences to the first system to differences to the mean.
  const centre = Array.from({ length: systems }, (_, i) =>
    Array.from({ length: free }, (_, j) => Number(i === j + 1) - 1 / systems),
  );
  const transposed = Array.from({ length: free }, (_, j) => centre.map((row) => row[j]!));
  const mean = theta.reduce((sum, value) => sum + value, 0) / systems;
  return {
    strengths: theta.map((value) => value - mean),
    covariance: product(product(centre, inner), transposed),
    n,
  };
};

/** Two systems by their indexes. */
type Pair = HeadToHead & { a: number; b: number };

export interface Ranking {
  method: string;
  level: number;
  numUnits: number;
  numComparisons: number;
  /** In the order given; null if the comparisons do not rank the systems. */
  systems: Ranked[] | null;
  /** Why there is no ranking. */
  reason: string | null;
  pairs: Pair[];
  /** Null if the comparisons cannot contradict a ranking, as those of two systems. */
  fit: RankingFit | null;
  warnings: string[];
}

const bounds = { low: 0, high: 1 };

const headToHead = (preferences: readonly Preference[], a: number, b: number, level: number) => {
  const met = preferences.flatMap((pair) => {
    if (pair.a === a && pair.b === b) return [pair];
    return pair.a === b && pair.b === a ? [{ ...pair, score: 1 - pair.score }] : [];
  });
  const scores = met.map(({ score }) => score);
  const units = met.map(({ unit }) => unit);
  return {
    a,
    b,
    wins: scores.filter((score) => score > 0.5).length,
    ties: scores.filter((score) => score === 0.5).length,
    losses: scores.filter((score) => score < 0.5).length,
    winRate: clusteredMeanEstimate(scores, units, level, bounds),
  };
};

/** The mean chance of a system against the others, with an interval on the scale of log-odds, so that it stays between 0 and 1. */
const winRateOf = ({ strengths, covariance, n }: Strengths, i: number, level: number) => {
  const others = strengths.length - 1;
  const chances = strengths.map((other, j) => (j === i ? 0 : logistic(strengths[i]! - other)));
  const winRate = chances.reduce((sum, p) => sum + p, 0) / others;
  const slopes = chances.map((p, j) => (j === i ? 0 : (-p * (1 - p)) / others));
  slopes[i] = -slopes.reduce((sum, slope) => sum + slope, 0);
  const error = Math.sqrt(quadratic(slopes, covariance)) / (winRate * (1 - winRate));
  const half = tQuantile((1 + level) / 2, n - 1) * error;
  const odds = Math.log(winRate / (1 - winRate));
  return { winRate, interval: { low: logistic(odds - half), high: logistic(odds + half) } };
};

type Tested = Pick<HeadToHead, 'expected' | 'adjustedP' | 'apart'>;

/** Tests each pair of systems for equal strengths, and returns the interval that belongs to the test. */
const testAll = (fit: Strengths | null, two: readonly [number, number][], level: number): Tested[] => {
  const tests = two.map(([a, b]) => {
    if (!fit) return { p: null, expected: null };
    const { strengths, covariance, n } = fit;
    const difference = strengths[a]! - strengths[b]!;
    const error = Math.sqrt(covariance[a]![a]! + covariance[b]![b]! - 2 * covariance[a]![b]!);
    const half = tQuantile((1 + level) / 2, n - 1) * error;
    const interval = { low: logistic(difference - half), high: logistic(difference + half) };
    return {
      p: tTwoSided(difference / error, n - 1),
      expected: { winRate: logistic(difference), interval },
    };
  });
  return holm(tests.map(({ p }) => p)).map((adjustedP, i) => ({
    expected: tests[i]!.expected,
    adjustedP,
    apart: adjustedP !== null && adjustedP < 1 - level,
  }));
};

/** Two-sided p of a win rate of one half, by the comparisons of a pair alone: Student's t over units; of equal scores the sign test. */
const directP = ({ winRate: { n, effectiveN, estimate, standardError } }: ReturnType<typeof headToHead>) => {
  if (estimate === null || n < 2) return null;
  if (!standardError) return estimate === 0.5 ? 1 : Math.min(1, 2 * 0.5 ** n);
  return tTwoSided((estimate - 0.5) / standardError, Math.max(1, effectiveN - 1));
};

/** The contradiction between the ranking and the comparisons of a pair. */
const sentenceOf = (
  { winRate: { estimate } }: ReturnType<typeof headToHead>,
  { expected, apart }: Tested,
  isApart: boolean,
): string | null => {
  if (!isApart || !expected || estimate === null) return null;
  const isOpposite = estimate > 0.5 !== expected.winRate > 0.5;
  if (apart && !isOpposite) return null;
  const [own, ranked] = [estimate, expected.winRate].map((share) => `${(100 * share).toFixed(1)} %`);
  return `their own comparisons tell them apart (the first is preferred in ${own}), though the ranking ${apart ? 'says the opposite' : 'does not'} (${ranked})`;
};

/** Tests each pair by its own comparisons, beside the ranking's tests. */
const testDirectly = (
  met: readonly ReturnType<typeof headToHead>[],
  tests: readonly Tested[],
  level: number,
): Pick<HeadToHead, 'directP' | 'sentence'>[] => {
  const adjusted = holm(met.map(directP));
  return met.map((pair, i) => {
    const p = adjusted[i]!;
    return { directP: p, sentence: sentenceOf(pair, tests[i]!, p !== null && p < 1 - level) };
  });
};

/**
 * Ranks systems by comparisons of their outputs, by Bradley and Terry's strengths, whose differences are tested together.
 */
export const rankPreferences = (
  preferences: readonly Preference[],
  systems: number,
  level = defaultLevel,
): Ranking => {
  const two = Array.from({ length: systems }, (_, a) => a).flatMap((a) =>
    Array.from({ length: systems - a - 1 }, (_, i): [number, number] => [a, a + 1 + i]),
  );
  const fit = fitBradleyTerry(preferences, systems);
  const tests = testAll(fit, two, level);
  const met = two.map(([a, b]) => headToHead(preferences, a, b, level));
  const direct = testDirectly(met, tests, level);
  const pairs = met.map((pair, i) => ({ ...pair, ...direct[i]!, ...tests[i]! }));
  const ofFit = fit && testFit(preferences, fit, level);
  const isBetter = (i: number, j: number): boolean =>
    pairs.some((pair) => pair.apart && [pair.a, pair.b].includes(i) && [pair.a, pair.b].includes(j)) &&
    fit!.strengths[i]! > fit!.strengths[j]!;
  const all = Array.from({ length: systems }, (_, i) => i);
  const ranked = fit?.strengths.map((strength, i): Ranked => {
    const half = tQuantile((1 + level) / 2, fit.n - 1) * Math.sqrt(fit.covariance[i]![i]!);
    return {
      strength,
      strengthInterval: { low: strength - half, high: strength + half },
      ...winRateOf(fit, i, level),
      rank: {
        best: 1 + all.filter((j) => isBetter(j, i)).length,
        worst: systems - all.filter((j) => isBetter(i, j)).length,
      },
    };
  });
  const units = new Set(preferences.map(({ unit }) => unit)).size;
  return {
    method: 'bradley–terry, ties as half wins, cluster-robust over testcases',
    level,
    numUnits: units,
    numComparisons: preferences.length,
    systems: ranked ?? null,
    reason: fit
      ? null
      : units === 0
        ? 'no pair has been compared'
        : units < 2
          ? 'one testcase says nothing about the spread: an interval needs two'
          : 'some runs were never compared with the others, directly or through a third',
    pairs,
    fit: ofFit,
    warnings: [
      ...caveatsOf(units === 0 ? null : caveatOfFew(units)).warnings,
      ...(ofFit && !ofFit.fits ? [ofFit.sentence] : []),
    ],
  };
};
