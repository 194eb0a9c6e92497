import type { RunComparison } from '../../types.ts';
import { toCsv } from '../../ui/csv.ts';

/** Returns a comparison as a table: one line for each pair of runs and metric. */
export const comparisonCsv = ({ pairs, level, slice }: RunComparison): string =>
  toCsv(
    pairs.flatMap(({ before, after, metrics, notCompared }) => [
      ...metrics.map((metric) => ({
        baselineRun: before,
        run: after,
        slice: slice ? `${slice.by}=${slice.value}` : '',
        metric: metric.metricName,
        verdict: metric.conclusion.verdict,
        verdictBy: metric.conclusion.basis,
        baseline: metric.before,
        result: metric.after,
        difference: metric.difference,
        low: metric.interval?.low,
        high: metric.interval?.high,
        level,
        adjustedP: metric.adjustedP,
        n: metric.n,
        better: metric.wins,
        worse: metric.losses,
        same: metric.ties,
        method: metric.method,
        sentence: metric.sentence,
      })),
      ...notCompared.map(({ metricName, reason }) => ({
        baselineRun: before,
        run: after,
        metric: metricName,
        verdict: 'not compared',
        sentence: reason,
      })),
    ]),
  );
