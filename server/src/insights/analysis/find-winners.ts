import type { Static } from 'typebox';
import type { Interval } from '../../engine/statistics/estimate-schema.ts';
import { clustersOf, meansOf, type TestcaseColumns } from '../../engine/statistics/testcases.ts';
import { intervalInWords, levelInWords } from '../../engine/statistics/verdict.ts';
import { winnerOf } from '../../engine/statistics/winner.ts';
import type { Winner } from './winners-schema.ts';

/** A metric with the testcases of each run that has it. */
export type Tries = {
  metricId: string;
  metricName: string;
  isRate: boolean;
  bounds: Interval;
  runs: { runId: string; columns: TestcaseColumns }[];
};

/** The testcases that every run has scored, at the same revision. */
const sharedOf = (runs: readonly TestcaseColumns[]): Int32Array => {
  const [first] = runs as [TestcaseColumns];
  return Int32Array.from(first.trials.keys()).filter((i) =>
    runs.every(({ trials, revisions }) => trials[i]! > 0 && revisions[i] === first.revisions[i]),
  );
};

/** The scores of the shared testcases; with groups, a value for each group, whose mean is that of the testcases. */
const unitsOf = (columns: TestcaseColumns, shared: Int32Array, groups: Int32Array | null): Float64Array => {
  const values = meansOf(columns, shared);
  if (!groups) return values;
  const sums = new Map<number, number>();
  for (const [i, group] of clustersOf(groups, shared).entries())
    sums.set(group, (sums.get(group) ?? 0) + values[i]!);
  return Float64Array.from(sums.values(), (sum) => (sum * sums.size) / values.length);
};

const valueText = (value: number, isRate: boolean): string =>
  isRate ? `${(100 * value).toFixed(1)} %` : value.toFixed(2);

/** Returns, for each metric of three runs or more, the best run with its mean corrected for the choice. */
export const findWinners = (metrics: readonly Tries[], level: number): Static<typeof Winner.schema>[] =>
  metrics.flatMap(({ metricId, metricName, isRate, bounds, runs }) => {
    if (runs.length < 3) return [];
    const shared = sharedOf(runs.map(({ columns }) => columns));
    const found = winnerOf(
      runs.map(({ columns }) => unitsOf(columns, shared, runs[0]!.columns.groups)),
      bounds,
      level,
    );
    if (!found) return [];
    const { estimate, interval } = found;
    const { runId } = runs[found.winner]!;
    const range = `${levelInWords(level)} interval ${intervalInWords(interval, isRate)}`;
    return {
      metricId,
      metricName,
      runId,
      numTries: runs.length,
      n: shared.length,
      mean: found.mean,
      estimate,
      interval,
      sentence: `best of ${runs.length} is run ${runId}: it shows ${valueText(found.mean, isRate)}, but was chosen for it; corrected ${valueText(estimate, isRate)}, ${range}`,
    };
  });
