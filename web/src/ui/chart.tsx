import type { ReactNode } from 'react';

/** A label of an axis and its place, in percent from the left or from the top. */
export type Tick = { at: number; text: string };

type ChartProps = {
  /** What is read out in place of the drawing; without it the caller labels what it lays over the drawing. */
  label?: string;
  /** Classes of the drawn area: its height and its margins, in which the labels of the axes stand. */
  area: string;
  x: readonly Tick[];
  y: readonly Tick[];
  /** Marks in an SVG of 100 × 100, stretched over the area. */
  marks: ReactNode;
  /** What keeps its shape: dots, labels, and what takes the pointer. Placed in percent of the area. */
  children?: ReactNode;
};

/** A drawing on labelled axes. All charts with axes are drawn by this one. */
export const Chart = ({ label, area, x, y, marks, children }: ChartProps) => (
  <div
    {...(label !== undefined && { role: 'img', 'aria-label': label })}
    className={`relative border-l border-edge ${area}`}
  >
    {y.map(({ at, text }) => (
      <div key={at} aria-hidden className="absolute inset-x-0 border-t" style={{ top: `${at}%` }}>
        <span className="absolute right-full -translate-y-1/2 pr-1.5 whitespace-nowrap">{text}</span>
      </div>
    ))}
    <svg
      aria-hidden="true"
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      className="absolute inset-0 size-full"
    >
      {marks}
    </svg>
    {children}
    <div aria-hidden className="absolute inset-x-0 top-full mt-1">
      {x.map(({ at, text }) => (
        <span key={at} className="absolute -translate-x-1/2 whitespace-nowrap" style={{ left: `${at}%` }}>
          {text}
        </span>
      ))}
    </div>
  </div>
);

/**
 * Returns at most `most` round values within an axis: multiples of 1, 2 or 5 times a power of ten (Heckbert, Nice Numbers for Graph
 * Labels, 1990). At least the two ends, where no two round values are within.
 */
export const roundTicks = (low: number, high: number, most: number): number[] => {
  const power = 10 ** Math.floor(Math.log10((high - low) / most));
  for (const factor of [1, 2, 5, 10, 20]) {
    const step = factor * power;
    const first = Math.ceil(low / step - 1e-9);
    const last = Math.floor(high / step + 1e-9);
    if (last - first + 1 > most) continue;
    // A product such as 3 × 0.1 has a tail of digits.
    const ticks = Array.from({ length: last - first + 1 }, (_, i) =>
      Number(((first + i) * step).toPrecision(12)),
    );
    if (ticks.length > 1) return ticks;
  }
  return [low, high];
};

/** Returns at most `most` of the ticks, evenly spaced, the first one among them. */
export const thinned = (ticks: readonly Tick[], most: number): Tick[] =>
  ticks.filter((_, i) => i % Math.ceil(ticks.length / most) === 0);

type LineProps = {
  points: readonly { x: number; y: number }[];
  color?: string;
  dash?: string | undefined;
  opacity?: number;
};

export const Line = ({ points, color = 'var(--accent)', dash, opacity = 1 }: LineProps) => (
  <polyline
    points={points.map(({ x, y }) => `${x},${y}`).join(' ')}
    fill="none"
    stroke={color}
    strokeWidth={1.5}
    strokeDasharray={dash}
    opacity={opacity}
    vectorEffect="non-scaling-stroke"
  />
);

type WhiskerProps = { x: number; from: number; to: number; color?: string; opacity?: number };

/** The interval of a point: an upright bar through it. */
export const Whisker = ({ x, from, to, color = 'var(--solid)', opacity = 0.35 }: WhiskerProps) => (
  <line
    x1={x}
    x2={x}
    y1={from}
    y2={to}
    stroke={color}
    strokeWidth={6}
    opacity={opacity}
    vectorEffect="non-scaling-stroke"
  />
);

type DotProps = { x: number; y: number; color?: string; size?: string; title?: string };

export const Dot = ({ x, y, color = 'var(--accent)', size = 'size-2', title }: DotProps) => (
  <span
    title={title}
    data-mark="dot"
    className={`absolute -translate-1/2 rounded-full ${size}`}
    style={{ left: `${x}%`, top: `${y}%`, background: color }}
  />
);
