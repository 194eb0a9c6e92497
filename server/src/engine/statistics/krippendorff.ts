import { caveatOfRecords, caveatsOf } from './caveats.ts';
import type { Estimate } from './estimate-schema.ts';
import { defaultLevel, tInterval } from './intervals.ts';

export type Scale = 'nominal' | 'ordinal' | 'interval';

/** The ratings of one record with two or more raters; a single rating has nothing to disagree with. */
type Unit = readonly number[];

/** Mid-ranks of the values: Krippendorff's ordinal distance Σ_{g=c…k} n_g − (n_c + n_k)/2 is their difference. */
const midRanks = (units: readonly Unit[]): Map<number, number> => {
  const counts = new Map<number, number>();
  for (const unit of units) for (const value of unit) counts.set(value, (counts.get(value) ?? 0) + 1);
  let below = 0;
  return new Map(
    [...counts.entries()]
      .sort(([a], [b]) => a - b)
      .map(([value, count]) => {
        const rank = below + count / 2;
        below += count;
        return [value, rank];
      }),
  );
};

/**
 * Sums from which α follows, with one unit put in or (sign −1) taken out: α = 1 − (n − 1)·within/total, the
 * coincidence matrix multiplied out.
 */
class DistanceSums {
  n = 0;
  private within = 0;
  private sum = 0;
  private squares = 0;
  private sameValue = 0;
  private readonly counts = new Map<number, number>();
  private readonly nominal: boolean;

  constructor(nominal: boolean) {
    this.nominal = nominal;
  }

  add(unit: Unit, sign: 1 | -1): void {
    const m = unit.length;
    this.n += sign * m;
    let [sum, squares, same] = [0, 0, 0];
    for (const value of unit) {
      sum += value;
      squares += value * value;
      for (const other of unit) if (other === value) same++;
      if (this.nominal) {
        const before = this.counts.get(value) ?? 0;
        this.counts.set(value, before + sign);
        this.sameValue += (before + sign) ** 2 - before ** 2;
      }
    }
    this.sum += sign * sum;
    this.squares += sign * squares;
    this.within += (sign * (this.nominal ? m * m - same : 2 * (m * squares - sum * sum))) / (m - 1);
  }

  /** NaN if all values are equal: no disagreement was possible. */
  alpha(): number {
    const { n } = this;
    const total = this.nominal ? n * n - this.sameValue : 2 * (n * this.squares - this.sum * this.sum);
    return total <= 1e-12 * n * n ? Number.NaN : 1 - ((n - 1) * this.within) / total;
  }
}

/**
 * Krippendorff's α of any number of raters; each row is a record, each column a rater, null a rating that was not given.
 *
 * α = 1 − observed/expected disagreement. Krippendorff (2011), Computing Krippendorff's Alpha-Reliability; Hayes &
 * Krippendorff (2007), Commun. Methods Meas. 1:77–89. Standard error by leaving out one record at a time (Efron &
 * Stein 1981), with t(N − 1); ordinal ranks stay those of all records. With `unitOf`, which names what each row belongs to, the records of
 * one of these are left out together.
 */
export const krippendorffAlpha = (
  ratings: readonly (readonly (number | null)[])[],
  scale: Scale,
  level = defaultLevel,
  unitOf?: readonly string[],
): Estimate => {
  const rated = ratings
    .map((row, i) => ({ unit: row.filter((value) => value !== null), of: unitOf?.[i] ?? String(i) }))
    .filter(({ unit }) => unit.length >= 2);
  let units: Unit[] = rated.map(({ unit }) => unit);
  if (scale === 'ordinal') {
    const ranks = midRanks(units);
    units = units.map((unit) => unit.map((value) => ranks.get(value)!));
  }
  // Centred, so that the squares do not cancel.
  const values = units.flat();
  const centre = scale === 'nominal' ? 0 : values.reduce((a, b) => a + b, 0) / Math.max(values.length, 1);
  units = units.map((unit) => unit.map((value) => value - centre));
  const sums = new DistanceSums(scale === 'nominal');
  for (const unit of units) sums.add(unit, 1);
  const n = units.length;
  const alpha = n === 0 ? Number.NaN : sums.alpha();
  const groups = [...Map.groupBy(units, (_, i) => rated[i]!.of).values()];
  const others = groups.map((group) => {
    for (const unit of group) sums.add(unit, -1);
    const without = groups.length > 1 ? sums.alpha() : Number.NaN;
    for (const unit of group) sums.add(unit, 1);
    return without;
  });
  const numGroups = groups.length;
  const mean = others.reduce((a, b) => a + b, 0) / numGroups;
  const squares = others.reduce((total, value) => total + (value - mean) ** 2, 0);
  const standardError = Math.sqrt(((numGroups - 1) / numGroups) * squares);
  const known = Number.isFinite(alpha);
  const spread = known && Number.isFinite(standardError) && standardError > 0;
  // Groups of unequal size count as the number of equal ones with the same information (Kish 1965).
  const equalGroups = n ** 2 / groups.reduce((sum, { length }) => sum + length ** 2, 0);
  const raw = spread ? tInterval(alpha, standardError, Math.max(1, equalGroups - 1), level) : null;
  return {
    method: `krippendorff alpha, ${scale}, jackknife`,
    n,
    effectiveN: n === 0 ? 0 : equalGroups,
    level,
    estimate: known ? alpha : null,
    standardError: spread ? standardError : null,
    interval: raw && { low: Math.max(-1, raw.low), high: Math.min(1, raw.high) },
    reason:
      n === 0
        ? 'no record was rated by two raters'
        : !known
          ? 'every rating is the same value: nothing could have disagreed'
          : spread
            ? null
            : 'leaving out any one record changes nothing: the spread cannot be estimated',
    assumption: `${unitOf ? 'units' : 'records'} are independent draws, raters are interchangeable, and ratings are missing by chance`,
    ...caveatsOf(caveatOfRecords(n)),
  };
};
