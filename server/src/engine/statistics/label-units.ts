/** Labels of records with the same inputs are one unit: a judge that errs on a question errs each time that it is asked. */
import { clusterError } from './clusters.ts';
import { normalQuantile, tQuantile } from './distributions.ts';
import { type Cells, cellOf, type LabelledRecord, weightsOf } from './label-strata.ts';

/** How much more an estimate varies than independent labels would make it, and the degrees of freedom of this figure. */
export interface Dependence {
  factor: number;
  df: number;
}

const independent: Dependence = { factor: 1, df: Number.POSITIVE_INFINITY };

const unitOf = ({ unit, id }: LabelledRecord): string => (unit ? `unit ${unit}` : `record ${id}`);

/** Number of units of the labels. */
export const countUnits = (records: readonly LabelledRecord[]): number => new Set(records.map(unitOf)).size;

/**
 * Compares the CR2 variance by units of an estimate with that of independent labels, by the influence of each label. Only labels of the
 * cells in `of` count. Labels that all have the same influence do not say how much units differ: then each unit counts as one label.
 */
export const dependenceOf = (
  records: readonly LabelledRecord[],
  influence: Cells,
  of: Cells = [1, 1, 1, 1],
): Dependence => {
  if (records.every(({ unit }) => !unit)) return independent;
  const weights = weightsOf(records);
  const counted = records.flatMap((record, i) =>
    of[cellOf(record)] === 0
      ? []
      : [{ unit: unitOf(record), value: weights[i]! * influence[cellOf(record)]! }],
  );
  const n = counted.length;
  const values = counted.map(({ value }) => value);
  const { groups, mean, standardError, df, equalGroups } = clusterError(
    values,
    counted.map(({ unit }) => unit),
  );
  if (groups === n) return independent;
  if (groups < 2) return { factor: n, df: 1 };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  if (!standardError || squares === 0) return { factor: n / equalGroups, df: equalGroups - 1 };
  return { factor: Math.max(1, standardError ** 2 / (squares / n ** 2)), df };
};

/** The factor by which the number of labels shrinks for an interval that uses the normal quantile, so that it is as wide as one with t. */
export const shrinkageOf = ({ factor, df }: Dependence, level: number): number =>
  df === Number.POSITIVE_INFINITY
    ? factor
    : factor * (tQuantile((1 + level) / 2, df) / normalQuantile((1 + level) / 2)) ** 2;
