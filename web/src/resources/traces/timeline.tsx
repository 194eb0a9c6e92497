import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import { type PointerEvent, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { durationText } from '../../ui/format.ts';
import { useKeys } from '../../ui/keys.ts';
import { type Gap, laterText } from './gaps.ts';
import { type Node, type SpanTree, spanDurationText, ticksOf } from './span-tree.ts';

/** The part of a trace's time that the waterfall shows, in milliseconds without the length of its gaps. */
export type TimeSpan = { from: number; to: number };

// A nanosecond across the whole width is as near as anyone can look.
const narrowest = 0.000_001;

/** The visible part, and the functions that change it. */
export const useZoom = (width: number) => {
  const whole = useMemo(() => ({ from: 0, to: Math.max(width, narrowest) }), [width]);
  const [shown, setShown] = useState<TimeSpan>();
  const zoom = shown ?? whole;
  const show = useCallback(
    (from: number, to: number) => {
      const width = Math.min(Math.max(to - from, narrowest), whole.to);
      const start = Math.max(0, Math.min(from, whole.to - width));
      setShown(width >= whole.to ? undefined : { from: start, to: start + width });
    },
    [whole],
  );
  /** Zooms around a position from 0 (left) to 1 (right). */
  const by = useCallback(
    (factor: number, place = 0.5) => {
      const width = (zoom.to - zoom.from) * factor;
      const center = zoom.from + (zoom.to - zoom.from) * place;
      show(center - width * place, center + width * (1 - place));
    },
    [zoom, show],
  );
  const pan = useCallback(
    (part: number) => {
      const step = (zoom.to - zoom.from) * part;
      show(zoom.from + step, zoom.to + step);
    },
    [zoom, show],
  );
  const onto = useCallback(
    ({ left, right }: Node) => {
      const margin = Math.max((right - left) * 0.05, narrowest);
      show(left - margin, right + margin);
    },
    [show],
  );
  return { zoom, isWhole: shown === undefined, whole, show, by, pan, onto, reset: () => setShown(undefined) };
};
export type Zoom = ReturnType<typeof useZoom>;

/** Zooms with keys. `focused` is the span that has the focus. */
export const useZoomKeys = (zoom: Zoom, focused: Node | undefined, enabled: boolean) =>
  useKeys(
    'The timeline',
    {
      z: ['Zoom to the span', () => focused && zoom.onto(focused)],
      0: ['Show the whole trace', zoom.reset],
      i: ['Zoom in', () => zoom.by(0.5)],
      o: ['Zoom out', () => zoom.by(2)],
      h: ['Earlier', () => zoom.pan(-0.25)],
      l: ['Later', () => zoom.pan(0.25)],
    },
    enabled,
  );

/** `keys`: whether keys do the same. */
export const ZoomButtons = ({ zoom, keys }: { zoom: Zoom; keys: boolean }) => (
  <>
    <IconButton icon={ZoomIn} label={`Zoom in${keys ? ' (i)' : ''}`} onClick={() => zoom.by(0.5)} />
    <IconButton
      icon={ZoomOut}
      label={`Zoom out${keys ? ' (o)' : ''}`}
      disabled={zoom.isWhole}
      onClick={() => zoom.by(2)}
    />
    <IconButton
      icon={Maximize2}
      label={`Show the whole trace${keys ? ' (0)' : ''}`}
      disabled={zoom.isWhole}
      onClick={zoom.reset}
    />
  </>
);

/** Ctrl and wheel zoom about the pointer, Shift and wheel (or a swipe) go along the time. */
export const useWheelZoom = (element: RefObject<HTMLElement | null>, { by, pan }: Zoom) => {
  useEffect(() => {
    const target = element.current;
    if (!target) return;
    const onWheel = (event: WheelEvent) => {
      const axis = target.querySelector('[data-axis]');
      if (!axis) return;
      const { left, width } = axis.getBoundingClientRect();
      const place = (event.clientX - left) / width;
      const along = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
      if (event.ctrlKey || event.metaKey) by(Math.exp(event.deltaY * 0.004), Math.max(0, Math.min(1, place)));
      else if (Math.abs(along) > Math.abs(event.shiftKey ? 0 : event.deltaY)) pan(along / width);
      else return;
      event.preventDefault();
    };
    // React listens passively, which can't keep the page from zooming.
    target.addEventListener('wheel', onWheel, { passive: false });
    return () => target.removeEventListener('wheel', onWheel);
  }, [element, by, pan]);
};

const percent = (at: number, { from, to }: TimeSpan): number => ((at - from) / (to - from)) * 100;

// Room for the longest label.
const tickWidth = 84;
/** Room for how long a gap was. */
const laterWidth = 96;

/** Where the parts between the gaps begin, each with the gap before it. */
const partsOf = (gaps: readonly Gap[], end: number) =>
  [undefined, ...gaps].map((gap, i) => ({ gap, from: gap?.right ?? 0, to: gaps[i]?.left ?? end }));

type Tick = { at: number; text: string };

/** The ticks of the visible part. After a gap they count from its end, where the text says how long it was. */
export const axisTicks = (gaps: readonly Gap[], zoom: TimeSpan, widthPx: number): Tick[] => {
  const perPx = (zoom.to - zoom.from) / widthPx;
  const ticks: Tick[] = [];
  let free = Number.NEGATIVE_INFINITY;
  for (const { gap, from, to } of partsOf(gaps, zoom.to)) {
    const [first, last] = [Math.max(from, zoom.from), Math.min(to, zoom.to)];
    if (last < first) continue;
    if (gap && from >= zoom.from && from >= free) {
      ticks.push({ at: from, text: laterText(gap.to - gap.from) });
      free = from + laterWidth * perPx;
    }
    const count = Math.floor((last - first) / perPx / tickWidth);
    if (gap ? count < 2 : gaps.length > 0 && count < 1) continue;
    for (const at of ticksOf(first - from, last - from, Math.max(1, count)))
      if (from + at >= free && (!gap || at > 0)) ticks.push({ at: from + at, text: durationText(at) });
  }
  return ticks;
};

/** The times along the top. */
export const Axis = ({ gaps, zoom }: { gaps: readonly Gap[]; zoom: TimeSpan }) => {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(tickWidth * 6);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.max(1, entry.contentRect.width)));
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={element} aria-hidden data-axis className="relative h-full overflow-hidden">
      {axisTicks(gaps, zoom, width).map(({ at, text }) => (
        <span
          key={at}
          className="absolute inset-y-0 border-l pl-1 leading-7 whitespace-nowrap"
          style={{ left: `${percent(at, zoom)}%` }}
        >
          {text}
        </span>
      ))}
    </div>
  );
};

/** A background that greys the gaps of the visible part; undefined without any. */
export const gapsBackground = (gaps: readonly Gap[], zoom: TimeSpan): string | undefined => {
  const stops = gaps
    .filter(({ left, right }) => right > zoom.from && left < zoom.to)
    .map(({ left, right }) => [percent(left, zoom), percent(right, zoom)] as const)
    .map(([from, to]) => `transparent ${from}%, var(--sunken) ${from}% ${to}%, transparent ${to}%`);
  return stops.length === 0 ? undefined : `linear-gradient(to right, ${stops.join(', ')})`;
};

/** The bar of a span, with its duration and self time. */
export const Bar = ({ node, zoom }: { node: Node; zoom: TimeSpan }) => {
  const { span, from, to, self, numChildren } = node;
  const left = percent(node.left, zoom);
  const right = percent(node.right, zoom);
  const isOwn = numChildren === 0 || self >= to - from;
  const text = `${spanDurationText(span)}${isOwn ? '' : ` · self ${durationText(self)}`}`;
  if (right < 0 || left > 100)
    return (
      <span className={`px-1 text-sm text-soft ${left > 100 ? 'float-right' : ''}`}>
        {left > 100 ? 'later ›' : '‹ earlier'}
      </span>
    );
  const start = Math.max(0, left);
  const end = Math.min(100, right);
  // The label is placed where there is room: after the bar, before it, or on it.
  const side =
    end < 72 ? { left: `${end}%` } : start > 28 ? { right: `${100 - start}%` } : { left: `${start}%` };
  return (
    <>
      <span
        className={`absolute top-2 h-3 min-w-0.5 rounded-xs ${span.failed ? 'bg-fail' : 'bg-solid/70'}`}
        style={{ left: `${start}%`, width: `${end - start}%` }}
      />
      <span
        className={`absolute top-1.5 px-1.5 text-sm whitespace-nowrap ${end >= 72 && start <= 28 ? 'rounded-sm bg-surface/85' : 'text-soft'}`}
        style={side}
      >
        {text}
      </span>
    </>
  );
};

/** A bar below its duration, where there is little room. */
export const SmallBar = ({ node, zoom }: { node: Node; zoom: TimeSpan }) => {
  const left = percent(node.left, zoom);
  const right = percent(node.right, zoom);
  const start = Math.min(100, Math.max(0, left));
  const width = Math.min(100, right) - start;
  return (
    <>
      <span className="absolute top-0.5 right-1 text-sm leading-4 text-soft">
        {spanDurationText(node.span)}
      </span>
      {right >= 0 && left <= 100 && (
        <span
          className={`absolute bottom-1 h-1.5 min-w-0.5 rounded-xs ${node.span.failed ? 'bg-fail' : 'bg-solid/70'}`}
          style={{ left: `min(${start}%, 100% - 2px)`, width: `${width}%` }}
        />
      )}
    </>
  );
};

const overviewRows = 16;
const overviewColumns = 600;

/** The whole trace, drawn small: each row of the picture takes the spans of as many rows of the tree. */
export const overviewPaths = ({
  nodes,
  width,
}: Pick<SpanTree, 'nodes' | 'width'>): { plain: string; failed: string } => {
  const rows = Math.min(overviewRows, nodes.length);
  const draw = (some: Node[]): string => {
    const runs = Array.from({ length: rows }, () => new Uint8Array(overviewColumns));
    for (const { index, left, right } of some) {
      const column = (at: number) =>
        Math.min(overviewColumns - 1, Math.floor((at / (width || 1)) * overviewColumns));
      runs[Math.floor((index / nodes.length) * rows)]!.fill(1, column(left), column(right) + 1);
    }
    return runs
      .flatMap((run, row) => {
        const parts: string[] = [];
        for (let at = run.indexOf(1); at >= 0; ) {
          const gap = run.indexOf(0, at);
          const end = gap < 0 ? overviewColumns : gap;
          parts.push(`M${at} ${row}h${end - at}v0.8h${at - end}z`);
          at = run.indexOf(1, end);
        }
        return parts;
      })
      .join('');
  };
  return {
    plain: draw(nodes.filter(({ span }) => !span.failed)),
    failed: draw(nodes.filter(({ span }) => span.failed)),
  };
};

/** The whole trace above the waterfall. A drag chooses what is shown below, a double click all of it. */
export const Overview = ({
  tree,
  zoom: { zoom, whole, isWhole, show, reset },
}: {
  tree: SpanTree;
  zoom: Zoom;
}) => {
  const { plain, failed } = useMemo(() => overviewPaths(tree), [tree]);
  const rows = Math.min(overviewRows, tree.nodes.length);
  const from = useRef<number>(undefined);
  const timeAt = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(1, (event.clientX - left) / width)) * whole.to;
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (from.current === undefined) return;
    const to = timeAt(event);
    // A click is not a drag.
    if (Math.abs(to - from.current) > whole.to / 200)
      show(Math.min(from.current, to), Math.max(from.current, to));
  };
  return (
    <div
      aria-hidden
      data-testid="overview"
      className="relative h-10 shrink-0 cursor-crosshair touch-none border-t bg-sunken select-none"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = timeAt(event);
      }}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        from.current = undefined;
      }}
      onDoubleClick={reset}
    >
      <svg
        viewBox={`0 0 ${overviewColumns} ${rows}`}
        preserveAspectRatio="none"
        className="absolute inset-0 size-full"
        aria-hidden="true"
      >
        <path d={plain} className="fill-solid/60" />
        <path d={failed} className="fill-fail" />
      </svg>
      {!isWhole && (
        <>
          <div
            className="absolute inset-y-0 left-0 bg-page/70"
            style={{ width: `${percent(zoom.from, whole)}%` }}
          />
          <div
            className="absolute inset-y-0 border-x-2 border-accent"
            style={{ left: `${percent(zoom.from, whole)}%`, right: `${100 - percent(zoom.to, whole)}%` }}
          />
          <div
            className="absolute inset-y-0 right-0 bg-page/70"
            style={{ left: `${percent(zoom.to, whole)}%` }}
          />
        </>
      )}
    </div>
  );
};
