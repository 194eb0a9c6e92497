import { type Estimate, intervalText } from './interval.tsx';

export type TrendPoint = Estimate & { id: string; label: string };

const width = 240;
const height = 64;
const pad = 6;
/** Width of the labels at the left. */
const axis = 18;

/** The shape of a Trend, for its placeholder. */
export const trendShape = 'aspect-[240/64]';

/** A share over time, oldest first, each point with its interval as a band. */
export const Trend = ({ label, points }: { label: string; points: readonly TrendPoint[] }) => {
  // A point without an estimate keeps its place, so that an older one does not look like the latest.
  const x = (i: number) =>
    points.length === 1
      ? (axis + width) / 2
      : axis + pad + (i * (width - axis - 2 * pad)) / (points.length - 1);
  const shown = points.flatMap((point, i) => (point.estimate === null ? [] : [{ ...point, x: x(i) }]));
  const y = (share: number) => pad + (1 - share) * (height - 2 * pad);
  const upper = shown.map(({ interval, estimate, x }) => `${x},${y(interval?.high ?? estimate!)}`);
  const lower = shown.map(({ interval, estimate, x }) => `${x},${y(interval?.low ?? estimate!)}`).reverse();
  const words = points.map((point) => `${point.label}: ${intervalText(point)}`).join('; ');
  return (
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
            {share * 100}
          </text>
        </g>
      ))}
      {shown.length > 1 ? (
        <polygon points={[...upper, ...lower].join(' ')} fill="var(--solid)" opacity={0.2} />
      ) : (
        shown.map(({ interval, estimate, id, x }) => (
          <line
            key={id}
            x1={x}
            x2={x}
            y1={y(interval?.high ?? estimate!)}
            y2={y(interval?.low ?? estimate!)}
            stroke="var(--solid)"
            strokeWidth={6}
            opacity={0.3}
          />
        ))
      )}
      <polyline
        points={shown.map(({ estimate, x }) => `${x},${y(estimate!)}`).join(' ')}
        fill="none"
        stroke="var(--accent)"
        strokeWidth={1.5}
      />
      {shown.map((point) => (
        <circle key={point.id} cx={point.x} cy={y(point.estimate!)} r={2.5} fill="var(--accent)">
          <title>{`${point.label}: ${intervalText(point)}`}</title>
        </circle>
      ))}
    </svg>
  );
};
