import { countAbove, errorOfWindow, pOfQuantileAbove } from '../../engine/statistics/beyond-limit.ts';
import { binnedPercentiles } from '../../engine/statistics/percentile.ts';
import { rateOfUserSums } from '../../engine/statistics/user-sums.ts';
import type { TrafficWindow } from '../../insights/series/read-windows.ts';
import type { TrafficLimits } from './queries.ts';

export type Measure = 'errors' | 'latency' | 'cost';

/** A figure of one window, held against its limit. */
export type Held = { start: Date; n: number; value: number; isBeyond: boolean };

/** A figure of the traffic over time, held against its limit. */
export type HeldFigure = { measure: Measure; limit: number; windows: Held[] };

type OfWindow = (window: TrafficWindow) => Omit<Held, 'start'> | null;

const percentile = 0.95;

/** The 95th percentile of binned latencies, as far as a bin tells. */
const latencyOf = ({ counted }: TrafficWindow, limit: number, error: number): Omit<Held, 'start'> | null => {
  const held = countAbove(counted.bins, limit);
  if (held.n === 0) return null;
  const [value] = binnedPercentiles(counted.bins, [percentile]);
  return { n: held.n, value: value!.estimate!, isBeyond: pOfQuantileAbove(held, percentile) <= error };
};

/**
 * Holds the traffic of each window against the limits. Errors and latency are beyond only if the records of the window show it, at an
 * error that keeps the false alarms of a year; a cost is known, so it is beyond as soon as it is higher.
 */
export const holdTraffic = (
  windows: readonly TrafficWindow[],
  { trafficWindow, maxErrorRate, maxLatencyMs, maxCostUsd, falseAlarmsPerYear }: TrafficLimits,
): HeldFigure[] => {
  const tests = [maxErrorRate, maxLatencyMs].filter((limit) => limit !== null).length;
  const error = errorOfWindow(trafficWindow, falseAlarmsPerYear, tests);
  const ofErrors =
    (limit: number): OfWindow =>
    ({ counted: { failed, measured, userFailed, userMeasured } }) => {
      if (measured === 0) return null;
      const users = { passes: userFailed, sizes: userMeasured };
      const { estimate, interval } = rateOfUserSums(failed, measured, users, 1 - 2 * error);
      return { n: measured, value: estimate!, isBeyond: interval !== null && interval.low > limit };
    };
  const ofCost =
    (limit: number): OfWindow =>
    ({ counted: { costN, costSum } }) =>
      costN === 0 ? null : { n: costN, value: costSum, isBeyond: costSum > limit };
  const figures = [
    { measure: 'errors' as const, limit: maxErrorRate, of: ofErrors },
    {
      measure: 'latency' as const,
      limit: maxLatencyMs,
      of: (limit: number) => (window: TrafficWindow) => latencyOf(window, limit, error),
    },
    { measure: 'cost' as const, limit: maxCostUsd, of: ofCost },
  ];
  return figures.flatMap(({ measure, limit, of }) => {
    if (limit === null) return [];
    const held = windows.flatMap((window): Held[] => {
      const found = of(limit)(window);
      return found ? [{ start: window.start, ...found }] : [];
    });
    return [{ measure, limit, windows: held }];
  });
};

const dayMs = 24 * 3_600_000;

/** The windows that raise an alarm: those beyond the limit, but none within a day after the last alarm. */
export const alarmsOf = (windows: readonly Held[]): Held[] => {
  const alarms: Held[] = [];
  for (const window of windows) {
    const last = alarms.at(-1);
    if (window.isBeyond && (!last || window.start.getTime() >= last.start.getTime() + dayMs))
      alarms.push(window);
  }
  return alarms;
};
