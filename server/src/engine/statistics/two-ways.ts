/** Testcases that are cells of a table: each shares its row with some testcases and its column with others. */

import { boundedInterval, intervalWithoutSpread } from './bounded.ts';
import { caveatsOf } from './caveats.ts';
import { caveatOfGroups, clusterError } from './clusters.ts';
import type { Estimate, Interval } from './estimate-schema.ts';
import { defaultLevel } from './intervals.ts';

const method = 'two-way cluster-robust wilson (CR2)';

/**
 * A mean over the cells of a table whose rows, and whose columns, are samples of others like them. Its variance is that of clusters by
 * row plus that by column minus that of single cells, and at least the larger of the first two; its degrees of freedom are one less than
 * the fewer of rows and columns. Cameron, Gelbach & Miller (2011), J. Bus. Econ. Stat. 29:238–249; the floor: MacKinnon, Nielsen & Webb
 * (2021), J. Bus. Econ. Stat. 39:505–519.
 */
export const twoWayMeanEstimate = (
  values: ArrayLike<number>,
  rows: ArrayLike<string | number>,
  columns: ArrayLike<string | number>,
  bounds: Interval,
  level = defaultLevel,
): Estimate => {
  const [byRow, byColumn, byCell] = [
    clusterError(values, rows),
    clusterError(values, columns),
    clusterError(
      values,
      Array.from(values, (_, i) => i),
    ),
  ];
  const fewest = byRow.groups <= byColumn.groups ? byRow : byColumn;
  const [r, c, cell] = [byRow, byColumn, byCell].map((error) => (error.standardError ?? 0) ** 2);
  const standardError = fewest.groups < 2 ? null : Math.sqrt(Math.max(r! + c! - cell!, r!, c!));
  const df = Math.min(byRow.groups, byColumn.groups) - 1;
  const found =
    standardError === null
      ? { method, interval: null }
      : standardError > 0
        ? { method, interval: boundedInterval(byCell.mean, standardError, df, bounds, level) }
        : intervalWithoutSpread(byCell.mean, fewest.equalGroups, bounds, level);
  return {
    ...found,
    n: byCell.groups,
    effectiveN: Math.max(df + 1, 0),
    level,
    estimate: byCell.groups === 0 ? null : byCell.mean,
    standardError,
    reason:
      byCell.groups === 0
        ? 'no testcase has a score'
        : standardError === null
          ? 'an interval needs two rows and two columns'
          : null,
    assumption:
      'rows are a sample of rows and columns of columns; testcases without a common row or column are independent',
    ...caveatsOf(standardError === null ? null : caveatOfGroups({ ...fewest, df })),
  };
};
