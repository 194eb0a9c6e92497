export type ScatterPoint = {
  id: string;
  label: string;
  x: number;
  y: number;
  low: number | null;
  high: number | null;
  /** Whether no other point is better in both. */
  isBest: boolean;
};

type ScatterProps = {
  label: string;
  points: readonly ScatterPoint[];
  xName: string;
  yName: string;
  xText: (value: number) => string;
  yText: (value: number) => string;
};

const width = 560;
const height = 260;
const left = 56;
const right = 90;
const top = 14;
const bottom = 36;
const steps = [0, 0.25, 0.5, 0.75, 1];

const rangeOf = (values: readonly number[]): [low: number, high: number] => {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const margin = (high - low || Math.abs(high) || 1) * 0.1;
  return [low - margin, high + margin];
};

/** Points with intervals of their height. Those that no other beats are joined by a line. */
export const Scatter = ({ label, points, xName, yName, xText, yText }: ScatterProps) => {
  const [xLow, xHigh] = rangeOf(points.map(({ x }) => x));
  const [yLow, yHigh] = rangeOf(points.flatMap(({ y, low, high }) => [y, low ?? y, high ?? y]));
  const from = Math.max(0, xLow);
  const x = (value: number) => left + ((value - from) / (xHigh - from)) * (width - left - right);
  const y = (value: number) => height - bottom - ((value - yLow) / (yHigh - yLow)) * (height - top - bottom);
  const best = points.filter(({ isBest }) => isBest).toSorted((a, b) => a.x - b.x);
  const words = points.map((point) => `${point.label}: ${yText(point.y)}, ${xText(point.x)}`).join('; ');
  return (
    <svg
      role="img"
      aria-label={`${label}: ${words}`}
      viewBox={`0 0 ${width} ${height}`}
      className="block w-full max-w-2xl"
    >
      {steps.map((step) => {
        const [atX, atY] = [from + step * (xHigh - from), yLow + step * (yHigh - yLow)];
        return (
          <g key={step} fontSize={10} fill="var(--soft)">
            <line x1={left} x2={width - right} y1={y(atY)} y2={y(atY)} stroke="var(--line)" />
            <text x={left - 6} y={y(atY) + 3} textAnchor="end">
              {yText(atY)}
            </text>
            <text x={x(atX)} y={height - bottom + 14} textAnchor="middle">
              {xText(atX)}
            </text>
          </g>
        );
      })}
      <g fontSize={10} fill="var(--soft)">
        <text x={(left + width - right) / 2} y={height - 6} textAnchor="middle">
          {xName}
        </text>
        <text x={4} y={9}>
          {yName}
        </text>
      </g>
      <polyline
        points={best.map((point) => `${x(point.x)},${y(point.y)}`).join(' ')}
        fill="none"
        stroke="var(--solid)"
        strokeWidth={1.5}
        opacity={0.5}
      />
      {points.map((point) => (
        <g key={point.id}>
          <title>{`${point.label}: ${yText(point.y)}, ${xText(point.x)}`}</title>
          {point.low !== null && point.high !== null && (
            <line
              x1={x(point.x)}
              x2={x(point.x)}
              y1={y(point.high)}
              y2={y(point.low)}
              stroke="var(--solid)"
              strokeWidth={5}
              opacity={0.3}
            />
          )}
          <circle
            cx={x(point.x)}
            cy={y(point.y)}
            r={4}
            fill={point.isBest ? 'var(--accent)' : 'var(--surface)'}
            stroke="var(--accent)"
            strokeWidth={1.5}
          />
          <text x={x(point.x) + 8} y={y(point.y) + 3} fontSize={11} fill="var(--ink)">
            {point.label}
          </text>
        </g>
      ))}
    </svg>
  );
};
