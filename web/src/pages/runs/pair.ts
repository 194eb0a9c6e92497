import type { RunComparison } from '../../types.ts';

/** Two runs compared, metric by metric. */
export type Pair = RunComparison['pairs'][number];

/**
 * A pair with its metrics by which both runs have a score; the others stand in `notCompared`, with why. They say nothing about the runs:
 * "no difference can be shown" of them would sound like a finding.
 */
export const withScoresOnly = (pair: Pair): Pair => ({
  ...pair,
  metrics: pair.metrics.filter(({ n }) => n > 0),
  notCompared: [
    ...pair.metrics
      .filter(({ n }) => n === 0)
      .map(({ metricId, metricName, reason }) => ({
        metricId,
        metricName,
        reason: reason ?? 'no score in common',
      })),
    ...pair.notCompared,
  ],
});
