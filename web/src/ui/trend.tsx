import { useState } from 'react';
import { type Estimate, intervalText } from './interval.tsx';

export type TrendPoint = Estimate & {
  id: string;
  label: string;
  /** Points are joined with their neighbours of the same series only. */
  series?: string;
};

const width = 240;
const height = 84;
const pad = 6;
/** Width of the labels at the left, and height of those below. */
const axis = 28;
const foot = 14;

/** The shape of a Trend, for its placeholder. */
export const trendShape = 'aspect-[240/84]';

type Placed = TrendPoint & { x: number; y: number; top: number; bottom: number };

/** Returns the points in pieces, each of neighbours of one series. */
const piecesOf = (points: readonly Placed[]): Placed[][] => {
  const pieces: Placed[][] = [];
  for (const point of points) {
    const last = pieces.at(-1);
    if (last && last[0]!.series === point.series) last.push(point);
    else pieces.push([point]);
  }
  return pieces;
};

type TrendProps = {
  label: string;
  points: readonly TrendPoint[];
  /** Opens what a point stands for. */
  onOpen?: (id: string) => void;
};

/** A share over time, oldest first, each point with its interval. A click opens a point; below stands the one under the mouse. */
export const Trend = ({ label, points, onOpen }: TrendProps) => {
  const [hovered, hover] = useState<string>();
  const [from, to] = [axis + pad, width - pad];
  // A point without an estimate keeps its place, so that an older one does not look like the latest.
  const x = (i: number) =>
    points.length === 1 ? (from + to) / 2 : from + (i * (to - from)) / (points.length - 1);
  const y = (share: number) => pad + (1 - share) * (height - foot - 2 * pad);
  const shown = points.flatMap((point, i): Placed[] => {
    const { estimate, interval } = point;
    if (estimate === null) return [];
    const [top, bottom] = [y(interval?.high ?? estimate), y(interval?.low ?? estimate)];
    return [{ ...point, x: x(i), y: y(estimate), top, bottom }];
  });
  const words = points.map((point) => `${point.label}: ${intervalText(point)}`).join('; ');
  const step = (to - from) / Math.max(1, points.length - 1);
  const told = shown.find(({ id }) => id === hovered) ?? shown.at(-1);
  const ends = points.length > 1 ? [points[0]!, points.at(-1)!] : points;
  return (
    <>
      <svg
        role="img"
        aria-label={`${label}: ${words}`}
        viewBox={`0 0 ${width} ${height}`}
        className="block w-full"
      >
        {[0, 0.5, 1].map((share) => (
          <g key={share}>
            <line x1={axis} x2={width} y1={y(share)} y2={y(share)} stroke="var(--line)" strokeWidth={1} />
            <text x={axis - 3} y={y(share) + 2.5} textAnchor="end" fontSize={8} fill="var(--soft)">
              {share * 100} %
            </text>
          </g>
        ))}
        {ends.map((point, i) => (
          <text
            key={point.id}
            x={points.length === 1 ? x(0) : i === 0 ? axis : width}
            y={height - 3}
            textAnchor={points.length === 1 ? 'middle' : i === 0 ? 'start' : 'end'}
            fontSize={8}
            fill="var(--soft)"
          >
            {point.label}
          </text>
        ))}
        {shown.map((point) => (
          <line
            key={point.id}
            x1={point.x}
            x2={point.x}
            y1={point.top}
            y2={point.bottom}
            stroke="var(--solid)"
            strokeWidth={5}
            opacity={point.id === told?.id ? 0.5 : 0.25}
          />
        ))}
        {piecesOf(shown).map((piece) => (
          <polyline
            key={piece[0]!.id}
            points={piece.map((point) => `${point.x},${point.y}`).join(' ')}
            fill="none"
            stroke="var(--accent)"
            strokeWidth={1.25}
          />
        ))}
        {shown.map((point) => (
          <circle key={point.id} cx={point.x} cy={point.y} r={2.5} fill="var(--accent)" />
        ))}
        {/* The keyboard opens the same runs in the table of runs. */}
        {shown.map((point) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: a second way to what a link opens
          <rect
            key={point.id}
            x={point.x - step / 2}
            width={step}
            height={height}
            fill="transparent"
            className={onOpen && 'cursor-pointer'}
            onMouseEnter={() => hover(point.id)}
            onMouseLeave={() => hover(undefined)}
            onClick={() => onOpen?.(point.id)}
          >
            <title>{`${point.label}: ${intervalText(point)}`}</title>
          </rect>
        ))}
      </svg>
      <p aria-hidden className="h-4 truncate text-xs text-soft">
        {told && `${told.label}: ${intervalText(told)}`}
      </p>
    </>
  );
};
