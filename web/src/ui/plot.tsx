import { Chart, Dot, Line, thinned, Whisker } from './chart.tsx';
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
  const placed = points.map((point, i) => ({ point, x: (i + 0.5) * step }));
  const shown = placed.flatMap(({ point, x }) =>
    point.estimate === null ? [] : [{ point, x, y: y(point.estimate) }],
  );
  return (
    <figure className="text-sm text-soft">
      <Chart
        label={`${label}: ${points.map((point) => `${point.label}: ${words(point)}`).join('; ')}`}
        area="mt-4 mr-4 mb-5 ml-12 h-40"
        x={thinned(
          placed.map(({ point, x }) => ({ at: x, text: point.label })),
          8,
        )}
        y={ticks.map((tick) => ({ at: y(tick), text: format(tick) }))}
        marks={
          <>
            {shown.map(
              ({ point: { id, interval }, x }) =>
                interval && <Whisker key={id} x={x} from={y(interval.high)} to={y(interval.low)} />,
            )}
            <Line points={shown} />
          </>
        }
      >
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
        {shown.map(({ point, x, y }) => (
          <Dot key={point.id} x={x} y={y} title={`${point.label}: ${words(point)}`} />
        ))}
      </Chart>
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
