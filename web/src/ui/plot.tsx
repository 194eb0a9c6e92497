import type { ReactNode } from 'react';
import { type Estimate, intervalText } from './interval.tsx';

export type PlotPoint = Estimate & { id: string; label: string };
/** A line between two points that says what changed there; `after`: the index of the first point after it. */
export type PlotMark = { after: number; label: string };

type PlotProps = {
  label: string;
  points: readonly PlotPoint[];
  /** The ends of the vertical axis. */
  low: number;
  high: number;
  ticks: readonly number[];
  format: (value: number) => string;
  /** Words for a point; default its share with its interval. */
  words?: (point: PlotPoint) => string;
  marks?: readonly PlotMark[];
};

const clamp = (value: number): number => Math.min(100, Math.max(0, value));

/** Estimates in order, oldest first, each with its interval, on a labelled axis. Numbered marks show where something changed. */
export const Plot = ({
  label,
  points,
  low,
  high,
  ticks,
  format,
  words = intervalText,
  marks = [],
}: PlotProps) => {
  const y = (value: number) => clamp(100 * (1 - (value - low) / (high - low)));
  const step = 100 / Math.max(1, points.length);
  const x = (i: number) => (i + 0.5) * step;
  const shown = points.flatMap((point, i) => (point.estimate === null ? [] : [{ ...point, x: x(i) }]));
  const line = shown.map(({ estimate, x }) => `${x},${y(estimate!)}`).join(' ');
  // All labels of few points, else the first, the last and some between.
  const every = Math.ceil(points.length / 8);
  const labelAt = (point: PlotPoint, i: number): ReactNode =>
    i % every === 0 ? (
      <span
        key={point.id}
        className="absolute -translate-x-1/2 whitespace-nowrap"
        style={{ left: `${x(i)}%` }}
      >
        {point.label}
      </span>
    ) : null;
  return (
    <figure className="text-xs text-soft">
      <div
        role="img"
        aria-label={`${label}: ${points.map((point) => `${point.label}: ${words(point)}`).join('; ')}`}
        className="relative mt-4 mr-4 ml-12 h-40 border-l border-edge"
      >
        {ticks.map((tick) => (
          <div key={tick} className="absolute inset-x-0 border-t" style={{ top: `${y(tick)}%` }}>
            <span className="absolute right-full -translate-y-1/2 pr-1.5 whitespace-nowrap">
              {format(tick)}
            </span>
          </div>
        ))}
        <svg
          aria-hidden="true"
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          className="absolute inset-0 size-full"
        >
          {shown.map(({ id, interval, x }) =>
            interval ? (
              <line
                key={id}
                x1={x}
                x2={x}
                y1={y(interval.high)}
                y2={y(interval.low)}
                stroke="var(--solid)"
                strokeWidth={6}
                opacity={0.35}
                vectorEffect="non-scaling-stroke"
              />
            ) : null,
          )}
          <polyline
            points={line}
            fill="none"
            stroke="var(--accent)"
            strokeWidth={1.5}
            vectorEffect="non-scaling-stroke"
          />
        </svg>
        {marks.map(({ after, label: text }, i) => (
          <div
            key={`${after} ${text}`}
            title={text}
            className="absolute inset-y-0 border-l border-dashed border-warn"
            style={{ left: `${after * step}%` }}
          >
            <span className="absolute bottom-full -translate-x-1/2 font-medium text-warn">{i + 1}</span>
          </div>
        ))}
        {shown.map((point) => (
          <span
            key={point.id}
            title={`${point.label}: ${words(point)}`}
            className="absolute size-2 -translate-1/2 rounded-full"
            style={{ left: `${point.x}%`, top: `${y(point.estimate!)}%`, background: 'var(--accent)' }}
          />
        ))}
      </div>
      <div aria-hidden className="relative mt-1 mr-4 ml-12 h-4">
        {points.map(labelAt)}
      </div>
      {marks.length > 0 && (
        <figcaption className="mt-1">
          <ol className="list-inside list-decimal">
            {marks.map(({ after, label: text }) => (
              <li key={`${after} ${text}`}>{text}</li>
            ))}
          </ol>
        </figcaption>
      )}
    </figure>
  );
};

/** The ticks of a share. */
export const shareTicks = [0, 0.25, 0.5, 0.75, 1];
