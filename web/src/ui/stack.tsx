import { colorOf } from './chart-legend.tsx';
import type { Estimate } from './interval.tsx';

type Part = { values: readonly (Estimate | undefined)[] };

/** Where each part of a bucket begins and ends, from 0 at the bottom; empty without values. */
const placesOf = (series: readonly Part[], bucket: number): { from: number; to: number }[] => {
  let to = 0;
  return series.map(({ values }) => {
    const from = to;
    to += values[bucket]?.estimate ?? 0;
    return { from, to };
  });
};

/** Returns the part that a height, from 0 at the bottom, is in; above all parts the last one that has a value. */
export const partAt = (series: readonly Part[], bucket: number, height: number): number => {
  const places = placesOf(series, bucket);
  const found = places.findIndex(({ from, to }) => to > from && height <= to);
  return found >= 0
    ? found
    : Math.max(
        0,
        places.findLastIndex(({ from, to }) => to > from),
      );
};

type StackProps = {
  series: readonly (Part & { id: string })[];
  count: number;
  /** The part that is looked at. */
  at: { bucket: number; group: number } | undefined;
};

/** The shares of a whole, one upon the other, the first at the bottom. A line of the background parts neighbours of like colours. */
export const Stack = ({ series, count, at }: StackProps) =>
  Array.from({ length: count }, (_, bucket) =>
    placesOf(series, bucket).map(({ from, to }, group) => {
      if (to <= from) return null;
      const isDim = at !== undefined && (at.bucket !== bucket || at.group !== group);
      return (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
          key={`${series[group]!.id} ${bucket}`}
          x={(bucket / count) * 100 + (100 / count) * 0.08}
          y={100 * (1 - to)}
          width={(100 / count) * 0.84}
          height={100 * (to - from)}
          fill={colorOf(group)}
          stroke="var(--surface)"
          strokeWidth={1}
          vectorEffect="non-scaling-stroke"
          opacity={isDim ? 0.55 : 1}
        />
      );
    }),
  );
