import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { Chart, Dot, Line, thinned, Whisker } from './chart.tsx';
import { colorOf, dashOf } from './chart-legend.tsx';
import type { Estimate } from './interval.tsx';
import { partAt, Stack } from './stack.tsx';

/** A line or the bars of one group; a bucket without a value is undefined. */
export type ChartSeries = { id: string; label: string; values: readonly (Estimate | undefined)[] };
export type ChartBucket = { label: string; words: string };

type TimeChartProps = {
  label: string;
  /** stack: shares of one whole, one upon the other. */
  look: 'bars' | 'lines' | 'stack';
  buckets: readonly ChartBucket[];
  series: readonly ChartSeries[];
  format: (value: number) => string;
  /** The upper end of the axis, for shares; else the largest value decides. */
  high?: number;
  /** Opens the item of a point. */
  onOpen: (bucket: number, seriesId: string) => void;
  /** Gets the id of the series that is looked at, or undefined. */
  onLook?: (seriesId: string | undefined) => void;
  /** A second line with its band beside the series that is looked at, such as its corrected values. */
  beside?: {
    values: readonly (Estimate | undefined)[];
    /** Says which line is which. */
    legend: string;
    /** Words for a value, after the words for the value of the series. */
    textOf: (value: Estimate) => string;
  };
};

/** Rounds up to 1, 2, 2.5 or 5 times a power of ten. */
const roundUp = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 2.5, 5, 10].find((step) => value <= step * power * 1.000001) ?? 10);
};

/** Text of a value with its interval and what must be known beside it. */
export const valueText = (
  { estimate, interval, n, caveats = [] }: Estimate,
  format: (value: number) => string,
): string => {
  if (estimate === null) return 'no value';
  const band = interval ? `, ${format(interval.low)} to ${format(interval.high)}` : '';
  const beside = caveats.map(({ sentence }) => `; ${sentence}`).join('');
  return `${format(estimate)}${band}, n = ${n.toLocaleString('en')}${beside}`;
};

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value));

/** Percent from the left for a bucket, and from the top for a value. */
type Scales = { x: (i: number) => number; y: (value: number) => number };
/** The point that is looked at. */
type At = { bucket: number; group: number };

/** Returns the upper end of the axis. The wide interval of a few records would flatten the line. */
const topOf = (series: readonly ChartSeries[]): number => {
  const all = series.flatMap(({ values }) => values);
  const most = Math.max(...all.map((value) => value?.estimate ?? 0), 0);
  const highest = Math.max(...all.map((value) => value?.interval?.high ?? 0), most);
  return most > 0 ? roundUp(Math.min(highest, 2 * most)) : 1;
};

/** Returns the group whose value in a bucket is nearest to a share of the height, from the top. */
const nearest = (series: readonly ChartSeries[], y: Scales['y'], bucket: number, share: number): number => {
  let best = 0;
  let distance = Number.POSITIVE_INFINITY;
  series.forEach(({ values }, i) => {
    const estimate = values[bucket]?.estimate;
    if (estimate === null || estimate === undefined) return;
    const far = Math.abs(y(estimate) / 100 - share);
    if (far < distance) [best, distance] = [i, far];
  });
  return best;
};

/** The point that the pointer or the keyboard looks at, and what listens to both. */
const useLook = (
  { look, buckets, series, onOpen }: Pick<TimeChartProps, 'look' | 'buckets' | 'series' | 'onOpen'>,
  y: Scales['y'],
) => {
  const area = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<At>();
  const count = buckets.length;
  const onPointerMove = (event: PointerEvent) => {
    const { left, top, width, height } = area.current!.getBoundingClientRect();
    const bucket = clamp(Math.floor(((event.clientX - left) / width) * count), 0, count - 1);
    const share = (event.clientY - top) / height;
    const group = look === 'stack' ? partAt(series, bucket, 1 - share) : nearest(series, y, bucket, share);
    setAt({ bucket, group });
  };
  const open = () => {
    const chosen = at && series[at.group];
    if (chosen?.values[at!.bucket]) onOpen(at!.bucket, chosen.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const now = at ?? { bucket: count - 1, group: 0 };
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -count, End: count }[event.key];
    const turn = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (event.key === 'Enter') open();
    else if (step !== undefined) setAt({ ...now, bucket: clamp(now.bucket + step, 0, count - 1) });
    else if (turn !== undefined) setAt({ ...now, group: clamp(now.group + turn, 0, series.length - 1) });
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const leave = () => setAt(undefined);
  const listeners = { onPointerMove, onPointerLeave: leave, onClick: open, onKeyDown, onBlur: leave };
  return { at, area, listeners };
};

/** Returns the text for the point in focus. */
const wordsOf = ({ look, buckets, series, format, beside }: TimeChartProps, at: At): string => {
  const value = series[at.group]?.values[at.bucket];
  const second = beside?.values[at.bucket];
  const text = look === 'bars' ? format(value?.estimate ?? 0) : value ? valueText(value, format) : 'no value';
  return [
    buckets[at.bucket]!.words,
    series.length > 1 ? `, ${series[at.group]!.label}` : '',
    `: ${text}`,
    beside && second ? `; ${beside.textOf(second)}` : '',
  ].join('');
};

/** Values over time on labelled axes, with the interval of the group that is looked at. A click or Enter opens a point. */
export const TimeChart = (props: TimeChartProps) => {
  const { label, look, buckets, series, format, high, onLook, beside } = props;
  const count = buckets.length;
  const top = high ?? topOf(series);
  const x = (i: number) => ((i + 0.5) / count) * 100;
  const y = (value: number) => clamp(100 * (1 - value / top), 0, 100);
  const { at, area, listeners } = useLook(props, y);
  const second: ChartSeries | undefined = beside?.values.some((value) => value?.estimate != null)
    ? { id: 'beside', label: beside.legend, values: beside.values }
    : undefined;
  const lookedId = at && series[at.group]?.id;
  useEffect(() => onLook?.(lookedId), [onLook, lookedId]);
  const words = at ? wordsOf(props, at) : '';
  return (
    <figure className="text-sm text-soft">
      <Chart
        area="mt-2 mr-2 mb-5 ml-12 h-32"
        x={thinned(
          buckets.map((bucket, i) => ({ at: x(i), text: bucket.label })),
          6,
        )}
        y={[0, top / 2, top].map((tick) => ({ at: y(tick), text: format(tick).replace(/\.0 %$/, ' %') }))}
        marks={
          look === 'stack' ? (
            <Stack series={series} count={count} at={at} />
          ) : look === 'bars' ? (
            <Bars series={series} count={count} y={y} at={at?.bucket} />
          ) : (
            <Lines series={series} second={second} at={at} x={x} y={y} />
          )
        }
      >
        {look === 'lines' && <Dots series={series} second={second} at={at} x={x} y={y} />}
        {at && (
          <div className="absolute inset-y-0 border-l border-edge" style={{ left: `${x(at.bucket)}%` }} />
        )}
        <div
          ref={area}
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, count - 1)}
          aria-valuenow={at?.bucket ?? Math.max(0, count - 1)}
          aria-valuetext={words || `${count} points; Enter opens the records of one`}
          className="absolute inset-0 cursor-pointer"
          {...listeners}
        />
      </Chart>
      <p aria-hidden={words !== ''} title={words} className={beside ? 'h-8' : 'h-4 truncate'}>
        {words || (second && beside?.legend)}
      </p>
    </figure>
  );
};

/** The stretches of neighbours that have a value. */
const piecesOf = ({ values }: ChartSeries): number[][] => {
  const pieces: number[][] = [];
  let last = -2;
  values.forEach((value, i) => {
    if (value?.estimate === null || value?.estimate === undefined) return;
    if (last === i - 1) pieces.at(-1)!.push(i);
    else pieces.push([i]);
    last = i;
  });
  return pieces;
};

type LinesProps = Scales & {
  series: readonly ChartSeries[];
  second: ChartSeries | undefined;
  at: At | undefined;
};

/** A line of each group, and the band of the one that is looked at. */
const Lines = ({ series, second, at, x, y }: LinesProps) => {
  const group = at ? series[at.group] : series.length === 1 ? series[0] : undefined;
  const linesOf = (of: ChartSeries, look: { color: string; dash: string | undefined; opacity?: number }) =>
    piecesOf(of).map((piece) => (
      <Line
        key={`${of.id} ${piece[0]}`}
        points={piece.map((i) => ({ x: x(i), y: y(of.values[i]!.estimate!) }))}
        {...look}
      />
    ));
  return (
    <>
      {group && <Band of={group} color={colorOf(series.indexOf(group))} x={x} y={y} />}
      {second && <Band of={second} color="var(--ink)" x={x} y={y} />}
      {series.map((each, i) =>
        linesOf(each, { color: colorOf(i), dash: dashOf(i), opacity: at && at.group !== i ? 0.45 : 1 }),
      )}
      {second && linesOf(second, { color: 'var(--ink)', dash: '3 3' })}
    </>
  );
};

const Band = ({ of, color, x, y }: Scales & { of: ChartSeries; color: string }) =>
  piecesOf(of).map((piece) => {
    const known = piece.flatMap((i) => {
      const interval = of.values[i]!.interval;
      return interval ? [{ x: x(i), upper: y(interval.high), lower: y(interval.low) }] : [];
    });
    if (known.length === 0) return null;
    const [only] = known;
    if (known.length === 1)
      return (
        <Whisker
          key={piece[0]}
          x={only!.x}
          from={only!.upper}
          to={only!.lower}
          color={color}
          opacity={0.25}
        />
      );
    const outline = [
      ...known.map(({ x, upper }) => `${x},${upper}`),
      ...known.toReversed().map(({ x, lower }) => `${x},${lower}`),
    ];
    return <polygon key={piece[0]} points={outline.join(' ')} fill={color} opacity={0.18} />;
  });

/** A dot for each value that has no neighbour to be joined with, and for the one that is looked at. */
const Dots = ({ series, second, at, x, y }: LinesProps) =>
  [...series, ...(second ? [second] : [])].map(({ id, values }, i) =>
    values.map((value, bucket) => {
      const isAlone = !values[bucket - 1] && !values[bucket + 1];
      const isAt = at?.bucket === bucket && (at.group === i || series[i] === undefined);
      if (value?.estimate === null || value?.estimate === undefined || !(isAlone || isAt)) return null;
      return (
        <Dot
          // biome-ignore lint/suspicious/noArrayIndexKey: a point is its place
          key={`${id} ${bucket}`}
          x={x(bucket)}
          y={y(value.estimate)}
          color={series[i] ? colorOf(i) : 'var(--ink)'}
          size={isAt ? 'size-2.5' : 'size-1.5'}
        />
      );
    }),
  );

type BarsProps = Pick<Scales, 'y'> & {
  series: readonly ChartSeries[];
  count: number;
  at: number | undefined;
};

/** The bars of several groups stand side by side: records may be in more than one, so that a stack would count them twice. */
const Bars = ({ series, count, y, at }: BarsProps) => {
  const width = (100 / count) * 0.84;
  return series.map(({ id, values }, group) =>
    values.map((value, i) => {
      if (!value?.estimate) return null;
      const upper = y(value.estimate);
      return (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
          key={`${id} ${i}`}
          x={(i / count) * 100 + (100 / count) * 0.08 + (width / series.length) * group}
          y={Math.min(upper, 99)}
          width={width / series.length}
          height={Math.max(1, 100 - upper)}
          fill={colorOf(group)}
          opacity={at === undefined || at === i ? 1 : 0.55}
        />
      );
    }),
  );
};
