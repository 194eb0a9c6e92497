/** Agreement beyond chance between a judge and a person, two judges or two people. */

import { caveatsOf } from './caveats.ts';
import type { Estimate, Interval } from './estimate-schema.ts';
import { defaultLevel, tInterval, zOf } from './intervals.ts';

export type Weights = 'none' | 'linear' | 'quadratic';

/** If a rater gives a verdict less often than this, the interval of κ may be too narrow. */
const fewRare = 15;

const coefficient = (
  method: string,
  n: number,
  level: number,
  estimate: number,
  standardError: number,
  { low, high }: Interval,
  rare = n,
): Estimate => ({
  method,
  n,
  effectiveN: n,
  level,
  estimate,
  standardError,
  interval: { low: Math.max(-1, low), high: Math.min(1, high) },
  reason: null,
  assumption: 'records are independent draws from those that the judge will see',
  ...caveatsOf(
    n < 50
      ? {
          code: 'fewLabels',
          sentence: `only ${Math.round(n)} labelled records: the normal interval of a coefficient is rough below 50`,
        }
      : rare < fewRare
        ? {
            code: 'fewLabels',
            sentence: `one verdict was given only ${Math.round(rare)} times: the interval may be too narrow below ${fewRare}`,
          }
        : null,
  ),
});

const refused = (method: string, n: number, level: number, reason: string): Estimate => ({
  method,
  n,
  effectiveN: n,
  level,
  estimate: null,
  standardError: null,
  interval: null,
  reason,
  assumption: 'records are independent draws from those that the judge will see',
  ...caveatsOf(),
});

const totalOf = (table: readonly (readonly number[])[]): number => table.flat().reduce((a, b) => a + b, 0);

const margins = (table: readonly (readonly number[])[], n: number): [rows: number[], columns: number[]] => [
  table.map((row) => row.reduce((a, b) => a + b, 0) / n),
  table.map((_, j) => table.reduce((sum, row) => sum + row[j]!, 0) / n),
];

const weightOf = (weights: Weights, q: number, i: number, j: number): number => {
  if (weights === 'none') return i === j ? 1 : 0;
  const distance = Math.abs(i - j) / (q - 1);
  return 1 - (weights === 'linear' ? distance : distance ** 2);
};

/** κ and its standard error. Null if both raters used one category only. */
const kappaOf = (
  table: readonly (readonly number[])[],
  weights: Weights,
): { kappa: number; standardError: number } | null => {
  const n = totalOf(table);
  const weight = (i: number, j: number) => weightOf(weights, table.length, i, j);
  const [rows, columns] = margins(table, n);
  const rowWeights = rows.map((_, i) => columns.reduce((sum, p, j) => sum + weight(i, j) * p, 0));
  const columnWeights = columns.map((_, j) => rows.reduce((sum, p, i) => sum + weight(i, j) * p, 0));
  const expected = rows.reduce((sum, p, i) => sum + p * rowWeights[i]!, 0);
  if (1 - expected < 1e-12) return null;
  let observed = 0;
  for (const [i, row] of table.entries()) {
    for (const [j, count] of row.entries()) observed += (weight(i, j) * count) / n;
  }
  const kappa = (observed - expected) / (1 - expected);
  let squares = 0;
  for (const [i, row] of table.entries()) {
    for (const [j, count] of row.entries()) {
      squares += (count / n) * (weight(i, j) - (rowWeights[i]! + columnWeights[j]!) * (1 - kappa)) ** 2;
    }
  }
  const variance = (squares - (kappa - expected * (1 - kappa)) ** 2) / (n * (1 - expected) ** 2);
  return { kappa, standardError: Math.sqrt(Math.max(0, variance)) };
};

/** The table with two records more, spread evenly over its cells. */
const withTwoMore = (table: readonly (readonly number[])[]): number[][] =>
  table.map((row) => row.map((count) => count + 2 / table.length ** 2));

/**
 * Cohen's κ of a square table (rows: one rater, columns: the other; categories in the same order), plain or weighted,
 * with the large-sample standard error that holds away from κ = 0.
 *
 * κ = (p_o − p_e)/(1 − p_e). Cohen (1960, 1968); the error: Fleiss, Cohen & Everitt (1969), Psychol. Bull. 72:323–327.
 * κ falls when one category is rare although raters agree: read it beside raw agreement, base rate and AC1.
 *
 * The interval is the normal one of the table with two records more, spread evenly over its cells (half a record in each of four), as
 * Agresti & Coull (1998), Am. Stat. 52:119–126, do for a rate: without them it held κ in 75 to 92 % at 60 records.
 */
export const cohenKappa = (
  table: readonly (readonly number[])[],
  weights: Weights = 'none',
  level = defaultLevel,
): Estimate => {
  const method = weights === 'none' ? 'cohen kappa' : `cohen kappa, ${weights} weights`;
  const n = totalOf(table);
  if (n < 2) return refused(method, n, level, 'agreement needs two labelled records');
  const found = kappaOf(table, weights);
  if (!found) {
    return refused(
      method,
      n,
      level,
      'both raters used one category only: chance alone explains their agreement',
    );
  }
  const padded = kappaOf(withTwoMore(table), weights)!;
  const half = zOf(level) * padded.standardError;
  const { kappa, standardError } = found;
  const interval = {
    low: Math.min(kappa, padded.kappa - half),
    high: Math.max(kappa, padded.kappa + half),
  };
  const rare = table.length === 2 ? n * Math.min(...margins(table, n).flat()) : n;
  return coefficient(method, n, level, kappa, standardError, interval, rare);
};

const ac1Of = (table: readonly (readonly number[])[]): { ac1: number; standardError: number } => {
  const n = totalOf(table);
  const q = table.length;
  const [rows, columns] = margins(table, n);
  const share = rows.map((p, k) => (p + columns[k]!) / 2);
  const chance = share.reduce((sum, p) => sum + p * (1 - p), 0) / (q - 1);
  const observed = table.reduce((sum, row, i) => sum + row[i]!, 0) / n;
  const ac1 = (observed - chance) / (1 - chance);
  let squares = 0;
  for (const [i, row] of table.entries()) {
    for (const [j, count] of row.entries()) {
      const own = ((i === j ? 1 : 0) - chance) / (1 - chance);
      const guess = (1 - share[i]! + 1 - share[j]!) / 2 / (q - 1);
      squares += count * (own - (2 * (1 - ac1) * (guess - chance)) / (1 - chance) - ac1) ** 2;
    }
  }
  return { ac1, standardError: Math.sqrt(squares / (n * (n - 1))) };
};

/**
 * Gwet's AC1 of a square table: chance agreement counts only where raters guess, so a rare category does not sink it.
 *
 * p_e = Σ π_k(1 − π_k)/(q − 1), π_k the mean share of category k. Gwet (2008), Brit. J. Math. Stat. Psychol. 61:29–48;
 * variance over records by linearization, as in his irrCAC. The interval has t(n − 1), and two records more, as that of κ.
 */
export const gwetAc1 = (table: readonly (readonly number[])[], level = defaultLevel): Estimate => {
  const method = 'gwet ac1';
  const n = totalOf(table);
  if (n < 2 || table.length < 2)
    return refused(method, n, level, 'agreement needs two labelled records and two categories');
  const { ac1, standardError } = ac1Of(table);
  const padded = ac1Of(withTwoMore(table));
  const { low, high } = tInterval(padded.ac1, padded.standardError, n - 1, level);
  return coefficient(method, n, level, ac1, standardError, {
    low: Math.min(ac1, low),
    high: Math.max(ac1, high),
  });
};
