import { Chart, Dot, Line, roundTicks, Whisker } from './chart.tsx';

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

/** Labels on an axis. */
const mostTicks = 5;

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
  const x = (value: number) => (100 * (value - from)) / (xHigh - from);
  const y = (value: number) => 100 * (1 - (value - yLow) / (yHigh - yLow));
  const best = points.filter(({ isBest }) => isBest).toSorted((a, b) => a.x - b.x);
  const words = points.map((point) => `${point.label}: ${yText(point.y)}, ${xText(point.x)}`).join('; ');
  return (
    <figure className="max-w-2xl text-sm text-soft">
      <p aria-hidden className="pb-1">
        {yName}
      </p>
      <Chart
        label={`${label}: ${words}`}
        area="mt-3 mr-24 mb-5 ml-14 h-56"
        x={roundTicks(from, xHigh, mostTicks).map((tick) => ({ at: x(tick), text: xText(tick) }))}
        y={roundTicks(yLow, yHigh, mostTicks).map((tick) => ({ at: y(tick), text: yText(tick) }))}
        marks={
          <>
            <Line points={best.map((point) => ({ x: x(point.x), y: y(point.y) }))} opacity={0.5} />
            {points.map(({ id, x: at, low, high }) =>
              low === null || high === null ? null : (
                <Whisker key={id} x={x(at)} from={y(high)} to={y(low)} opacity={0.3} />
              ),
            )}
          </>
        }
      >
        {points.map((point) => (
          <div key={point.id} title={`${point.label}: ${yText(point.y)}, ${xText(point.x)}`}>
            <Dot
              x={x(point.x)}
              y={y(point.y)}
              color={point.isBest ? 'var(--accent)' : 'var(--surface)'}
              size="size-2.5 border-[1.5px] border-accent"
            />
            <span
              className="absolute -translate-y-1/2 pl-2 whitespace-nowrap text-ink"
              style={{ left: `${x(point.x)}%`, top: `${y(point.y)}%` }}
            >
              {point.label}
            </span>
          </div>
        ))}
      </Chart>
      <p aria-hidden className="mr-24 ml-14 text-center">
        {xName}
      </p>
    </figure>
  );
};
