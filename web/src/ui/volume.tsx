import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { type Exactness, timesText, timeText } from './time.tsx';

type VolumeProps = {
  label: string;
  /** When the first bar begins, and how long each is. */
  start: Date;
  seconds: number;
  counts: readonly number[];
  /** Whether the counts are estimates. */
  estimated?: boolean;
  /** The selected range; an open end is undefined. */
  from: Date | undefined;
  to: Date | undefined;
  onSelect: (from: Date | undefined, to: Date | undefined) => void;
};

/** Bars from one edge to another; 0 is before the first bar. */
type Stretch = [from: number, to: number];

const height = 32;
/** Returns how exactly the edges of bars of this length are written. Days begin in UTC, so other time zones show the hour. */
const exactnessFor = (seconds: number): Exactness => {
  if (seconds < 1) return 'millisecond';
  if (seconds < 60) return 'second';
  return seconds < 7 * 86_400 ? 'minute' : 'day';
};

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value));

type Edges = Pick<VolumeProps, 'start' | 'seconds' | 'from' | 'to' | 'onSelect'> & { count: number };

/** The stretch between the two edges, and what changes it: drawing over the bars, and the keys of each edge. */
const useStretch = ({ start, seconds, from, to, onSelect, count }: Edges) => {
  const [drawn, setDrawn] = useState<Stretch>();
  const pressedAt = useRef<number>(undefined);
  const timeAt = (edge: number) => new Date(start.getTime() + edge * seconds * 1_000);
  const edgeOf = (time: Date) => clamp((time.getTime() - start.getTime()) / 1_000 / seconds, 0, count);
  const chosen: Stretch = drawn ?? [from ? edgeOf(from) : 0, to ? edgeOf(to) : count];
  // An edge at the end of the chart is open: later records belong to the interval too.
  const select = ([a, b]: Stretch) => {
    setDrawn(undefined);
    onSelect(a <= 0 ? undefined : timeAt(a), b >= count ? undefined : timeAt(b));
  };
  return {
    chosen,
    isChosen: drawn !== undefined || from !== undefined || to !== undefined,
    timeAt,
    press: (bar: number) => {
      pressedAt.current = bar;
      setDrawn([bar, bar + 1]);
    },
    drawTo: (bar: number) => {
      const pressed = pressedAt.current;
      if (pressed !== undefined) setDrawn([Math.min(pressed, bar), Math.max(pressed, bar) + 1]);
    },
    release: () => {
      pressedAt.current = undefined;
      if (drawn) select(drawn);
    },
    cancel: () => {
      pressedAt.current = undefined;
      setDrawn(undefined);
    },
    move: (edge: 0 | 1) => (event: KeyboardEvent) => {
      const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: 10, PageDown: -10 }[event.key];
      const [first, last] = edge === 0 ? [0, chosen[1] - 1] : [chosen[0] + 1, count];
      const place = { Home: first, End: last }[event.key];
      if (step === undefined && place === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      const moved = clamp(place ?? Math.round(chosen[edge]) + (step ?? 0), first, last);
      setDrawn(edge === 0 ? [moved, chosen[1]] : [chosen[0], moved]);
    },
    commit: () => {
      if (drawn && pressedAt.current === undefined) select(drawn);
    },
  };
};

/** Counts over time, as small bars. The user selects a range by drawing over it, or with its two edges and the arrow keys. */
export const Volume = (props: VolumeProps) => {
  const { label, seconds, counts, estimated = false } = props;
  const count = counts.length;
  const chart = useRef<HTMLDivElement>(null);
  const [hovered, setHovered] = useState<number>();
  const { chosen, isChosen, timeAt, press, drawTo, release, cancel, move, commit } = useStretch({
    ...props,
    count,
  });
  const exactness = exactnessFor(seconds);
  const barAt = (event: PointerEvent) => {
    const { left, width } = chart.current!.getBoundingClientRect();
    return clamp(Math.floor(((event.clientX - left) / width) * count), 0, count - 1);
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    press(barAt(event));
  };
  const onPointerMove = (event: PointerEvent) => {
    setHovered(barAt(event));
    drawTo(barAt(event));
  };
  const at = hovered !== undefined && hovered < count ? hovered : undefined;
  const [first, last, n] =
    at === undefined ? [0, count, counts.reduce((sum, n) => sum + n, 0)] : [at, at + 1, counts[at]!];
  const words = `${timesText(timeAt(first), timeAt(last), exactness)}, n ${estimated ? '≈' : '='} ${n.toLocaleString('en')}`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring its own border
    <div role="group" aria-label={label} className="min-w-0 flex-1">
      <div
        ref={chart}
        className="relative cursor-crosshair touch-none select-none"
        style={{ height }}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={release}
        onPointerCancel={cancel}
        onPointerLeave={() => setHovered(undefined)}
      >
        <Bars label={`${label}: ${words}`} counts={counts} chosen={chosen} isChosen={isChosen} at={at} />
        {([0, 1] as const).map((edge) => (
          <div
            key={edge}
            role="slider"
            tabIndex={0}
            aria-label={edge === 0 ? 'From' : 'To'}
            aria-valuemin={0}
            aria-valuemax={count}
            aria-valuenow={Math.round(chosen[edge])}
            aria-valuetext={timeText(timeAt(chosen[edge]), exactness)}
            onKeyDown={move(edge)}
            onKeyUp={commit}
            onBlur={commit}
            className="pointer-events-none absolute inset-y-0 w-1 -translate-x-1/2 rounded-sm focus-visible:bg-accent"
            style={{
              left: `${(chosen[edge] / count) * 100}%`,
              background: isChosen ? 'var(--accent)' : undefined,
            }}
          />
        ))}
      </div>
      <p className="truncate text-sm text-soft" aria-hidden>
        {words}
      </p>
    </div>
  );
};

type BarsProps = {
  label: string;
  counts: readonly number[];
  chosen: Stretch;
  isChosen: boolean;
  at: number | undefined;
};

const Bars = ({ label, counts, chosen: [from, to], isChosen, at }: BarsProps) => {
  const most = Math.max(1, ...counts);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${counts.length} ${height}`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full"
    >
      {isChosen && <rect x={from} y={0} width={to - from} height={height} fill="var(--selected)" />}
      {counts.map((n, i) => {
        const size = n === 0 ? 0 : Math.max(2, (n / most) * (height - 2));
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
            key={i}
            x={i + 0.1}
            y={height - size}
            width={0.8}
            height={size}
            fill={i + 0.5 > from && i + 0.5 < to ? 'var(--solid)' : 'var(--edge)'}
            opacity={at === i ? 1 : 0.7}
          />
        );
      })}
      <rect x={0} y={height - 1} width={counts.length} height={1} fill="var(--line)" />
    </svg>
  );
};
