import type { Rate } from '../../engine/statistics/judge-switch.ts';
import { anchorRate, type Switch, splitBetween } from './switches.ts';

/** The fields of a point of a trend that anchoring needs. */
export type AnchoredPoint = {
  metricConfigId: string;
  testsetId: string | null;
  passRate: { estimate: number | null; standardError: number | null };
};

const rateOf = ({ passRate: { estimate, standardError } }: AnchoredPoint): Rate | null =>
  estimate === null || standardError === null ? null : { estimate, standardError };

/** Anchors the points of a trend, oldest first, across the switches of its judge. */
export const anchorTrend = <P extends AnchoredPoint>(
  switches: readonly Switch[],
  points: readonly P[],
  level: number,
): P[] => {
  if (switches.length === 0) return [...points];
  const last = new Map<string | null, P>();
  return points.map((point) => {
    const rate = rateOf(point);
    if (!rate) return point;
    const { metricConfigId: configId, testsetId } = point;
    const before = last.get(testsetId);
    last.set(testsetId, point);
    const earlier = before && { configId: before.metricConfigId, rate: rateOf(before)! };
    return {
      ...point,
      anchored: anchorRate(switches, configId, rate, level),
      change: earlier ? splitBetween(switches, earlier, { configId, rate }, { level }) : null,
    };
  });
};
