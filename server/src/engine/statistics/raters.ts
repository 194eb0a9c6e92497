/** Agreement of any number of people who scored the same records. Gaps are allowed: not every person scored every record. */

import { caveatOfRecords, caveatsOf } from './caveats.ts';
import { tQuantile } from './distributions.ts';
import type { Estimate } from './estimate-schema.ts';
import { defaultLevel, meanEstimate } from './intervals.ts';

/** Each row is a record, each column a rater, null a rating that was not given. */
export type Ratings = readonly (readonly (number | null)[])[];

const given = (row: readonly (number | null)[]): number[] => row.filter((value) => value !== null);

const assumption =
  'records are independent draws, raters are interchangeable, and ratings are missing by chance';

/**
 * Returns the share of equal pairs of ratings of one record, averaged over the records that have a pair: a record with five ratings has the
 * same weight as a record with two.
 */
export const pairAgreement = (ratings: Ratings, level = defaultLevel): Estimate => {
  const shares = ratings.map(given).flatMap((values) => {
    const r = values.length;
    if (r < 2) return [];
    const same = values.reduce((sum, value) => sum + values.filter((other) => other === value).length - 1, 0);
    return [same / (r * (r - 1))];
  });
  return {
    ...meanEstimate(shares, level, { low: 0, high: 1 }),
    method: 'mean agreement of pairs, wilson on the effective n of records',
    ...(shares.length === 0 && { reason: 'no record was rated by two raters' }),
    assumption,
    ...caveatsOf(caveatOfRecords(shares.length)),
  };
};

/**
 * Gwet's AC1 of any number of raters with gaps, or AC2 if near misses count in part (quadratic weights over the
 * categories in their order).
 *
 * p_e = Σw·Σπ_k(1 − π_k)/(q(q − 1)), π_k the mean share of category k over records; p_a over the records with two ratings.
 * Gwet (2014), Handbook of Inter-Rater Reliability, 4th ed., §§ 4.4, 5.4; variance over records by linearization with
 * t(n − 1), as in his irrCAC.
 */
export const gwetAc = (
  ratings: Ratings,
  categories: readonly number[],
  weights: 'none' | 'quadratic' = 'none',
  level = defaultLevel,
): Estimate => {
  const q = categories.length;
  const rows = ratings.map(given).filter((values) => values.length > 0);
  const n = rows.length;
  const paired = rows.filter((values) => values.length > 1).length;
  const method = weights === 'none' ? 'gwet ac1' : 'gwet ac2, quadratic weights';
  const nothing = {
    method,
    n: paired,
    effectiveN: paired,
    level,
    estimate: null,
    standardError: null,
    interval: null,
    assumption,
  };
  if (paired === 0 || q < 2)
    return { ...nothing, reason: 'no record was rated by two raters', ...caveatsOf() };
  const spread = categories.at(-1)! - categories[0]!;
  const weight = (a: number, b: number): number =>
    weights === 'none' ? Number(a === b) : 1 - ((a - b) / spread) ** 2;
  const counts = rows.map((values) => categories.map((k) => values.filter((value) => value === k).length));
  const sizes = rows.map((values) => values.length);
  const share = categories.map((_, k) => counts.reduce((sum, row, i) => sum + row[k]! / sizes[i]!, 0) / n);
  const allWeights = categories.reduce((sum, a) => sum + categories.reduce((s, b) => s + weight(a, b), 0), 0);
  const scale = allWeights / (q * (q - 1));
  const chance = scale * share.reduce((sum, p) => sum + p * (1 - p), 0);
  const observed = counts.map((row, i) => {
    const r = sizes[i]!;
    if (r < 2) return 0;
    const near = row.map((_, k) =>
      row.reduce((sum, count, l) => sum + weight(categories[k]!, categories[l]!) * count, 0),
    );
    return row.reduce((sum, count, k) => sum + count * (near[k]! - 1), 0) / (r * (r - 1));
  });
  const ac = (observed.reduce((a, b) => a + b, 0) / paired - chance) / (1 - chance);
  const own = counts.map((row, i) => {
    const agreed = sizes[i]! < 2 ? 0 : ((n / paired) * (observed[i]! - chance)) / (1 - chance);
    const guessed = (scale * row.reduce((sum, count, k) => sum + count * (1 - share[k]!), 0)) / sizes[i]!;
    return agreed - (2 * (1 - ac) * (guessed - chance)) / (1 - chance);
  });
  const squares = own.reduce((sum, value) => sum + (value - ac) ** 2, 0);
  const standardError = n > 1 ? Math.sqrt(squares / (n * (n - 1))) : 0;
  const known = standardError > 0;
  const half = known ? tQuantile((1 + level) / 2, n - 1) * standardError : 0;
  return {
    ...nothing,
    estimate: ac,
    standardError: known ? standardError : null,
    interval: known ? { low: Math.max(-1, ac - half), high: Math.min(1, ac + half) } : null,
    reason: known
      ? null
      : n < 2
        ? 'one record says nothing about the spread: an interval needs two'
        : 'raters agree to the same degree on every record: the spread cannot be estimated',
    ...caveatsOf(caveatOfRecords(paired)),
  };
};
