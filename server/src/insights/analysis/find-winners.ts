import type { Static } from 'typebox';
import type { Interval } from '../../engine/statistics/estimate-schema.ts';
import { clustersOf, meansOf, type TestcaseColumns } from '../../engine/statistics/testcases.ts';
import { intervalInWords, levelInWords } from '../../engine/statistics/verdict.ts';
import { winnerOf } from '../../engine/statistics/winner.ts';
import type { Winner } from './winners-schema.ts';

type Try = { runId: string; columns: TestcaseColumns };

/** A metric with the testcases of each run that has it. */
export type Tries = {
  metricId: string;
  metricName: string;
  isRate: boolean;
  bounds: Interval;
  runs: Try[];
  /** Runs that are not compared, and may have been tried too. */
  others: Try[];
};

const hasScored = ({ trials, revisions }: TestcaseColumns, first: TestcaseColumns, i: number): boolean =>
  trials[i]! > 0 && revisions[i] === first.revisions[i];

/** The testcases that every run has scored, at the same revision. */
const sharedOf = (runs: readonly TestcaseColumns[]): Int32Array => {
  const [first] = runs as [TestcaseColumns];
  return Int32Array.from(first.trials.keys()).filter((i) => runs.every((run) => hasScored(run, first, i)));
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

type Chosen = { run: Try; tries: readonly Try[]; n: number; found: NonNullable<ReturnType<typeof winnerOf>> };

/**
 * Returns the best of the compared runs with its mean corrected for the choice. It was chosen among all tries on these testcases, unless one
 * that is not compared is better.
 */
const chooseWinner = ({ runs, others, bounds }: Tries, level: number): Chosen | null => {
  const { columns: first } = runs[0]!;
  const shared = sharedOf(runs.map(({ columns }) => columns));
  const same = others.filter(({ columns }) => shared.every((i) => hasScored(columns, first, i)));
  for (const tries of [[...runs, ...same], runs]) {
    const units = tries.map(({ columns }) => unitsOf(columns, shared, first.groups));
    const found = winnerOf(units, bounds, level);
    if (!found) return null;
    const run = runs[found.winner];
    if (run) return { run, tries, n: shared.length, found };
  }
  return null;
};

/** Returns, for each metric of three runs or more, the best run with its mean corrected for the choice. */
export const findWinners = (metrics: readonly Tries[], level: number): Static<typeof Winner.schema>[] =>
  metrics.flatMap((metric) => {
    const { metricId, metricName, isRate, runs } = metric;
    const chosen = runs.length < 3 ? null : chooseWinner(metric, level);
    if (!chosen) return [];
    const { run, tries, n, found } = chosen;
    const { mean, estimate, interval } = found;
    const range = `${levelInWords(level)} interval ${intervalInWords(interval, isRate)}`;
    const tried = tries.length > runs.length ? `${tries.length} tries on these testcases` : `${tries.length}`;
    return {
      metricId,
      metricName,
      runId: run.runId,
      numTries: tries.length,
      n,
      mean,
      estimate,
      interval,
      sentence: `best of ${tried} is run ${run.runId}: it shows ${valueText(mean, isRate)}, but was chosen for it; corrected ${valueText(estimate, isRate)}, ${range}`,
    };
  });
