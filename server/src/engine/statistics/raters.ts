/** Agreement of any number of people who scored the same records. Gaps are allowed: not every person scored every record. */

import { caveatOfRecords, caveatsOf } from './caveats.ts';
import { clusterError, clusteredMeanEstimate } from './clusters.ts';
import { tQuantile } from './distributions.ts';
import type { Estimate } from './estimate-schema.ts';
import { defaultLevel, meanEstimate } from './intervals.ts';

/** Each row is a record, each column a rater, null a rating that was not given. */
export type Ratings = readonly (readonly (number | null)[])[];

const given = (row: readonly (number | null)[]): number[] => row.filter((value) => value !== null);

/** The unit of each record, such as its testcase, where records of one unit depend on each other. */
export type Units = readonly string[];

const assumption =
  'records are independent draws, raters are interchangeable, and ratings are missing by chance';

const clusteredAssumption =
  'units are independent draws, raters are interchangeable, and ratings are missing by chance';

/**
 * Returns the share of equal pairs of ratings of one record, averaged over the records that have a pair: a record with five ratings has the
 * same weight as a record with two. With units, the error is clustered by them.
 */
export const pairAgreement = (ratings: Ratings, level = defaultLevel, units?: Units): Estimate => {
  const found = ratings.flatMap((row, i) => {
    const values = given(row);
    const r = values.length;
    if (r < 2) return [];
    const same = values.reduce((sum, value) => sum + values.filter((other) => other === value).length - 1, 0);
    return [{ share: same / (r * (r - 1)), unit: units?.[i] ?? String(i) }];
  });
  const shares = found.map(({ share }) => share);
  const bounds = { low: 0, high: 1 };
  const ofUnits =
    units &&
    clusteredMeanEstimate(
      shares,
      found.map(({ unit }) => unit),
      level,
      bounds,
    );
  const reason = shares.length === 0 ? { reason: 'no record was rated by two raters' } : {};
  if (ofUnits)
    return {
      ...ofUnits,
      method: 'mean agreement of pairs, wilson on the effective n of units',
      n: shares.length,
      ...reason,
      assumption: clusteredAssumption,
    };
  return {
    ...meanEstimate(shares, level, bounds),
    method: 'mean agreement of pairs, wilson on the effective n of records',
    ...reason,
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
  units?: Units,
): Estimate => {
  const q = categories.length;
  const places = ratings.flatMap((row, i) => (row.some((value) => value !== null) ? [i] : []));
  const rows = places.map((i) => given(ratings[i]!));
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
  // Without units each record is one: the usual error of a mean, with n − 1 degrees of freedom.
  const { standardError, df, groups } = clusterError(
    own,
    places.map((i) => units?.[i] ?? String(i)),
  );
  const known = standardError !== null && standardError > 1e-12;
  const half = known ? tQuantile((1 + level) / 2, df) * standardError : 0;
  return {
    ...nothing,
    ...(units && { effectiveN: Math.min(paired, df + 1), assumption: clusteredAssumption }),
    estimate: ac,
    standardError: known ? standardError : null,
    interval: known ? { low: Math.max(-1, ac - half), high: Math.min(1, ac + half) } : null,
    reason: known
      ? null
      : groups < 2
        ? 'one record says nothing about the spread: an interval needs two'
        : 'raters agree to the same degree on every record: the spread cannot be estimated',
    ...caveatsOf(caveatOfRecords(paired)),
  };
};
