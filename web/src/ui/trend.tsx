import { useState } from 'react';
import { Chart, Dot, Line, Whisker } from './chart.tsx';
import { type Estimate, intervalText } from './interval.tsx';

export type TrendPoint = Estimate & {
  id: string;
  label: string;
  /** Points are joined with their neighbours of the same series only. */
  series?: string;
};

/** The drawn area; the placeholder of a Trend has the same. */
export const trendShape = 'mt-2 mr-2 mb-5 ml-10 h-16';

type Placed = { point: TrendPoint; x: number; y: number };

/** Returns the points in pieces, each of neighbours of one series. */
const piecesOf = (points: readonly Placed[]): Placed[][] => {
  const pieces: Placed[][] = [];
  for (const placed of points) {
    const last = pieces.at(-1);
    if (last && last[0]!.point.series === placed.point.series) last.push(placed);
    else pieces.push([placed]);
  }
  return pieces;
};

const y = (share: number) => 100 * (1 - share);

type TrendProps = {
  label: string;
  points: readonly TrendPoint[];
  /** Opens the item of a point. */
  onOpen?: (id: string) => void;
};

/** A share over time, oldest first, each point with its interval. A click opens a point; below stands the one under the mouse. */
export const Trend = ({ label, points, onOpen }: TrendProps) => {
  const [hovered, hover] = useState<string>();
  const step = 100 / Math.max(1, points.length);
  // A point without an estimate keeps its place, so that an older one does not look like the latest.
  const placed = points.map((point, i) => ({ point, x: (i + 0.5) * step }));
  const shown = placed.flatMap(({ point, x }): Placed[] =>
    point.estimate === null ? [] : [{ point, x, y: y(point.estimate) }],
  );
  const told = (shown.find(({ point }) => point.id === hovered) ?? shown.at(-1))?.point;
  const ends = placed.length > 1 ? [placed[0]!, placed.at(-1)!] : placed;
  return (
    <figure className="text-sm text-soft">
      <Chart
        label={`${label}: ${points.map((point) => `${point.label}: ${intervalText(point)}`).join('; ')}`}
        area={trendShape}
        x={ends.map(({ point, x }) => ({ at: x, text: point.label }))}
        y={[0, 0.5, 1].map((share) => ({ at: y(share), text: `${share * 100} %` }))}
        marks={
          <>
            {shown.map(
              ({ point: { id, interval }, x }) =>
                interval && (
                  <Whisker
                    key={id}
                    x={x}
                    from={y(interval.high)}
                    to={y(interval.low)}
                    opacity={id === told?.id ? 0.5 : 0.25}
                  />
                ),
            )}
            {piecesOf(shown).map((piece) => (
              <Line key={piece[0]!.point.id} points={piece} />
            ))}
          </>
        }
      >
        {shown.map(({ point, x, y }) => (
          <Dot key={point.id} x={x} y={y} size="size-1.5" />
        ))}
        {/* The keyboard opens the same runs in the table of runs. */}
        {shown.map(({ point, x }) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: a second way to what a link opens
          // biome-ignore lint/a11y/useKeyWithClickEvents: as above
          <div
            key={point.id}
            title={`${point.label}: ${intervalText(point)}`}
            className={`absolute inset-y-0 -translate-x-1/2 ${onOpen ? 'cursor-pointer' : ''}`}
            style={{ left: `${x}%`, width: `${step}%` }}
            onMouseEnter={() => hover(point.id)}
            onMouseLeave={() => hover(undefined)}
            onClick={() => onOpen?.(point.id)}
          />
        ))}
      </Chart>
      <p aria-hidden className="h-4 truncate">
        {told && `${told.label}: ${intervalText(told)}`}
      </p>
    </figure>
  );
};
