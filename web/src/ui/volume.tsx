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

/** Counts over time, as small bars. The user selects a range by drawing over it, or with its two edges and the arrow keys. */
export const Volume = ({
  label,
  start,
  seconds,
  counts,
  estimated = false,
  from,
  to,
  onSelect,
}: VolumeProps) => {
  const count = counts.length;
  const chart = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState<Stretch>();
  const [hovered, setHovered] = useState<number>();
  const pressedAt = useRef<number>(undefined);
  const most = Math.max(1, ...counts);
  const timeAt = (edge: number) => new Date(start.getTime() + edge * seconds * 1_000);
  const edgeOf = (time: Date) => clamp((time.getTime() - start.getTime()) / 1_000 / seconds, 0, count);
  const exactness = exactnessFor(seconds);
  const chosen: Stretch = drawn ?? [from ? edgeOf(from) : 0, to ? edgeOf(to) : count];
  const isChosen = drawn !== undefined || from !== undefined || to !== undefined;

  // An edge at the end of the chart is open: what comes later belongs to the stretch too.
  const select = ([a, b]: Stretch) => {
    setDrawn(undefined);
    onSelect(a <= 0 ? undefined : timeAt(a), b >= count ? undefined : timeAt(b));
  };
  const barAt = (event: PointerEvent) => {
    const { left, width } = chart.current!.getBoundingClientRect();
    return clamp(Math.floor(((event.clientX - left) / width) * count), 0, count - 1);
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    pressedAt.current = barAt(event);
    setDrawn([pressedAt.current, pressedAt.current + 1]);
  };
  const onPointerMove = (event: PointerEvent) => {
    const bar = barAt(event);
    setHovered(bar);
    const pressed = pressedAt.current;
    if (pressed !== undefined) setDrawn([Math.min(pressed, bar), Math.max(pressed, bar) + 1]);
  };
  const onPointerUp = () => {
    pressedAt.current = undefined;
    if (drawn) select(drawn);
  };
  const cancel = () => {
    pressedAt.current = undefined;
    setDrawn(undefined);
  };
  const move = (edge: 0 | 1) => (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: 10, PageDown: -10 }[event.key];
    const place = { Home: edge === 0 ? 0 : chosen[0] + 1, End: edge === 0 ? chosen[1] - 1 : count }[
      event.key
    ];
    if (step === undefined && place === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const moved = place ?? Math.round(chosen[edge]) + (step ?? 0);
    const next: Stretch =
      edge === 0
        ? [clamp(moved, 0, chosen[1] - 1), chosen[1]]
        : [chosen[0], clamp(moved, chosen[0] + 1, count)];
    setDrawn(next);
  };
  const commit = () => {
    if (drawn && pressedAt.current === undefined) select(drawn);
  };

  const at = hovered !== undefined && hovered < count ? hovered : undefined;
  const total = counts.reduce((sum, n) => sum + n, 0);
  const sign = estimated ? '≈' : '=';
  const words =
    at === undefined
      ? `${timesText(timeAt(0), timeAt(count), exactness)}, n ${sign} ${total.toLocaleString('en')}`
      : `${timesText(timeAt(at), timeAt(at + 1), exactness)}, n ${sign} ${counts[at]!.toLocaleString('en')}`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a border of its own
    <div role="group" aria-label={label} className="min-w-0 flex-1">
      <div
        ref={chart}
        className="relative cursor-crosshair touch-none select-none"
        style={{ height }}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={cancel}
        onPointerLeave={() => setHovered(undefined)}
      >
        <svg
          role="img"
          aria-label={`${label}: ${words}`}
          viewBox={`0 0 ${count} ${height}`}
          preserveAspectRatio="none"
          className="absolute inset-0 size-full"
        >
          {isChosen && (
            <rect x={chosen[0]} y={0} width={chosen[1] - chosen[0]} height={height} fill="var(--selected)" />
          )}
          {counts.map((n, i) => {
            const size = n === 0 ? 0 : Math.max(2, (n / most) * (height - 2));
            const inside = i + 0.5 > chosen[0] && i + 0.5 < chosen[1];
            return (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
                key={i}
                x={i + 0.1}
                y={height - size}
                width={0.8}
                height={size}
                fill={inside ? 'var(--solid)' : 'var(--edge)'}
                opacity={at === i ? 1 : 0.7}
              />
            );
          })}
          <rect x={0} y={height - 1} width={count} height={1} fill="var(--line)" />
        </svg>
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
      <p className="truncate text-xs text-soft" aria-hidden>
        {words}
      </p>
    </div>
  );
};
