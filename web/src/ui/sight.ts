import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** What of a scrolled table is drawn: rows `first` to `last` are in sight, `top` to `bottom` drawn, columns `from` to before `to`. */
export type Sight = {
  first: number;
  last: number;
  top: number;
  bottom: number;
  from: number;
  to: number;
  /** Rows drawn with all their cells; the others are empty until frames have time for them. */
  whole: ReadonlySet<number>;
  /** Somebody drags the scroll bar: each frame leaves all of the one before. Nothing is drawn, and the rest stays as the drag began. */
  isLeaping: boolean;
};

/** Rows drawn beyond those in sight: about what a turn of the wheel brings. */
const overscan = 6;
/** Pixels at both sides within which columns are drawn, so that most scrolling to the side changes nothing. */
const room = 120;
/**
 * Cells that are newly drawn within one frame. One costs about 0.1 ms on a slow machine, script, layout and paint together, and
 * the browser needs as long again: with these it keeps up with the screen however fast somebody scrolls. A wheel's pace brings
 * fewer.
 */
const cellsPerFrame = 24;
/** Milliseconds after which a table that was scrolled stands still: what it is to show then is drawn at once. */
const restMs = 150;

/** Whether a frame that scrolls by so many pixels leaves all that was in sight: the next is likely to leave what would be drawn now. */
export const isLeap = (movedPx: number, clientHeight: number): boolean => movedPx > clientHeight;

/** Where each column begins, and after the last one where they all end. */
export const edgesOf = (columns: readonly { width: number }[], start: number): number[] => {
  const edges = [start];
  for (const { width } of columns) edges.push(edges.at(-1)! + width);
  return edges;
};

/** Of columns with these edges, those that meet the stretch. */
const columnsIn = (edges: readonly number[], left: number, right: number): { from: number; to: number } => {
  const count = edges.length - 1;
  let from = 0;
  while (from < count - 1 && edges[from + 1]! <= left) from += 1;
  let to = from;
  while (to < count && edges[to]! < right) to += 1;
  return { from, to };
};

/** Of the rows from `top` to `bottom`, those to draw whole: those that were, and `most` others, nearest to the middle first. */
export const wholeRows = (
  top: number,
  bottom: number,
  before: ReadonlySet<number>,
  most: number,
  isThere: (index: number) => boolean,
): { whole: ReadonlySet<number>; areAll: boolean } => {
  const whole = new Set<number>();
  const missing: number[] = [];
  for (let index = top; index <= bottom; index++) {
    if (!isThere(index)) continue;
    if (before.has(index)) whole.add(index);
    else missing.push(index);
  }
  const middle = (top + bottom) / 2;
  missing.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
  for (const index of missing.slice(0, most)) whole.add(index);
  return { whole, areAll: missing.length <= most };
};

type Table = {
  count: number;
  rowHeight: number;
  headerHeight: number;
  edges: readonly number[];
  /** Whether there is something to draw in a row. */
  isThere: (index: number) => boolean;
};

/** Where a scrolled element stands. Asking the browser may make it lay out the page, so it is asked once a frame. */
type Place = { scrollTop: number; scrollLeft: number; clientHeight: number; clientWidth: number };

const placeOf = ({ scrollTop, scrollLeft, clientHeight, clientWidth }: HTMLElement): Place => ({
  scrollTop,
  scrollLeft,
  clientHeight,
  clientWidth,
});

type Look = { sight: Sight; areAll: boolean };

const lookAt = (place: Place, table: Table, before: Sight, cells: number): Look => {
  const { count, rowHeight, headerHeight, edges, isThere } = table;
  const { scrollTop, scrollLeft, clientHeight, clientWidth } = place;
  const most = Math.max(0, count - 1);
  const first = Math.min(most, Math.floor(scrollTop / rowHeight));
  const last = Math.min(most, Math.ceil((scrollTop + clientHeight - headerHeight) / rowHeight) - 1);
  const needed = columnsIn(edges, scrollLeft, scrollLeft + clientWidth);
  const isDrawn = before.from <= needed.from && before.to >= needed.to && before.to <= edges.length - 1;
  const drawn = isDrawn ? before : columnsIn(edges, scrollLeft - room, scrollLeft + clientWidth + room);
  const { from, to } = drawn;
  const [top, bottom] = [Math.max(0, first - overscan), Math.min(most, last + overscan)];
  const rowsPerFrame = Math.max(1, Math.floor(cells / (to - from)));
  const { whole, areAll } = wholeRows(top, bottom, before.whole, rowsPerFrame, isThere);
  return { sight: { first, last, top, bottom, from, to, whole, isLeaping: false }, areAll };
};

const same = (a: Sight, b: Sight): boolean =>
  a.isLeaping === b.isLeaping &&
  a.first === b.first &&
  a.last === b.last &&
  a.bottom === b.bottom &&
  a.from === b.from &&
  a.to === b.to &&
  a.whole.size === b.whole.size &&
  [...a.whole].every((index) => b.whole.has(index));

/** Scrolls as little as it takes to have a row in sight below the header. */
export const showRow = (
  element: HTMLElement,
  index: number,
  { rowHeight, headerHeight }: Pick<Table, 'rowHeight' | 'headerHeight'>,
): void => {
  const [top, bottom] = [index * rowHeight, (index + 1) * rowHeight + headerHeight];
  if (top < element.scrollTop) element.scrollTop = top;
  else if (bottom > element.scrollTop + element.clientHeight)
    element.scrollTop = bottom - element.clientHeight;
};

const nothing: ReadonlySet<number> = new Set();

/** Until the table is laid out: enough for a screen, and all of it at once. */
const atFirst: Sight = {
  first: 0,
  last: 0,
  top: 0,
  bottom: 30,
  from: 0,
  to: 12,
  whole: new Set(Array.from({ length: 31 }, (_, index) => index)),
  isLeaping: false,
};

/**
 * What of a table is in sight while it is scrolled. All rows are of one height, so nothing is measured: a table of a million
 * rows costs what one of ten does. Rows that a fast scroll brings in too great a number are drawn whole over the next frames.
 */
export const useSight = (scroller: RefObject<HTMLElement | null>, table: Table): Sight => {
  const [sight, setSight] = useState<Sight>(atFirst);
  const current = useRef({
    table,
    sight,
    place: { scrollTop: 0, scrollLeft: 0, clientHeight: 0, clientWidth: 0 },
    frame: 0,
    scrolledAt: Number.NEGATIVE_INFINITY,
  });
  /** What is to be drawn from the last known place, when it is something else than now. */
  const next = useCallback((movedPx = 0): Sight | undefined => {
    const state = current.current;
    const isScrolled = performance.now() < state.scrolledAt + restMs;
    const cells = isScrolled ? cellsPerFrame : Number.POSITIVE_INFINITY;
    const { sight: looked, areAll } = lookAt(state.place, state.table, state.sight, cells);
    const isLeaping = isLeap(movedPx, state.place.clientHeight);
    // Where the first leap leads is told at once, for it may be the only one; of those after it, only where they end.
    const found = !isLeaping
      ? looked
      : state.sight.isLeaping
        ? state.sight
        : { ...looked, whole: nothing, isLeaping };
    cancelAnimationFrame(state.frame);
    if (isLeaping || !areAll) {
      // Two frames on: the first to come may be this one, which has drawn its share.
      state.frame = requestAnimationFrame(() => {
        state.frame = requestAnimationFrame(() => {
          const more = next();
          if (more) flushSync(() => setSight(more));
        });
      });
    }
    if (same(found, state.sight)) return undefined;
    state.sight = found;
    return found;
  }, []);
  useEffect(() => {
    const state = current.current;
    const element = scroller.current!;
    const onScroll = () => {
      // Looked at before React draws what else waits: after that, the browser would lay out the page twice.
      const before = state.place.scrollTop;
      state.place = placeOf(element);
      state.scrolledAt = performance.now();
      const found = next(Math.abs(state.place.scrollTop - before));
      // Within the frame that scrolls: a frame later, the rows that come into sight would be seen to come.
      if (found) flushSync(() => setSight(found));
    };
    const observer = new ResizeObserver(() => {
      state.place = placeOf(element);
      const found = state.sight.isLeaping ? undefined : next();
      if (found) setSight(found);
    });
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
      cancelAnimationFrame(state.frame);
    };
  }, [scroller, next]);
  const { count, rowHeight, headerHeight, edges, isThere } = table;
  useEffect(() => {
    const state = current.current;
    state.table = { count, rowHeight, headerHeight, edges, isThere };
    // A frame that does not leap ends a drag, and no row that was read on the way.
    const found = state.sight.isLeaping ? undefined : next();
    if (found) setSight(found);
  }, [count, rowHeight, headerHeight, edges, isThere, next]);
  return sight;
};
