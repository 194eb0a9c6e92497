import { type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** What of a scrolled table is drawn: rows `first` to `last` are in sight, `top` to `bottom` drawn, columns `from` to before `to`. */
export type Sight = {
  first: number;
  last: number;
  top: number;
  bottom: number;
  from: number;
  to: number;
};

/** Rows drawn beyond those in sight: about what a turn of the wheel brings. */
const overscan = 6;
/** Pixels at both sides within which columns are drawn, so that most scrolling to the side changes nothing. */
const room = 400;

/** Where each column begins, and after the last one where they all end. */
export const edgesOf = (columns: readonly { width: number }[], start: number): number[] => {
  const edges = [start];
  for (const { width } of columns) edges.push(edges.at(-1)! + width);
  return edges;
};

/** Of columns with these edges, those that meet the stretch. */
export const columnsIn = (
  edges: readonly number[],
  left: number,
  right: number,
): { from: number; to: number } => {
  const count = edges.length - 1;
  let from = 0;
  while (from < count - 1 && edges[from + 1]! <= left) from += 1;
  let to = from;
  while (to < count && edges[to]! < right) to += 1;
  return { from, to };
};

type Table = { count: number; rowHeight: number; headerHeight: number; edges: readonly number[] };

/** Where a scrolled element stands. Asking the browser may make it lay out the page, so it is asked once a frame. */
type Place = { scrollTop: number; scrollLeft: number; clientHeight: number; clientWidth: number };

const placeOf = ({ scrollTop, scrollLeft, clientHeight, clientWidth }: HTMLElement): Place => ({
  scrollTop,
  scrollLeft,
  clientHeight,
  clientWidth,
});

const lookAt = (place: Place, { count, rowHeight, headerHeight, edges }: Table, before: Sight): Sight => {
  const { scrollTop, scrollLeft, clientHeight, clientWidth } = place;
  const most = Math.max(0, count - 1);
  const first = Math.min(most, Math.floor(scrollTop / rowHeight));
  const last = Math.min(most, Math.ceil((scrollTop + clientHeight - headerHeight) / rowHeight) - 1);
  const needed = columnsIn(edges, scrollLeft, scrollLeft + clientWidth);
  const isDrawn = before.from <= needed.from && before.to >= needed.to && before.to <= edges.length - 1;
  const drawn = isDrawn ? before : columnsIn(edges, scrollLeft - room, scrollLeft + clientWidth + room);
  return {
    first,
    last,
    top: Math.max(0, first - overscan),
    bottom: Math.min(most, last + overscan),
    from: drawn.from,
    to: drawn.to,
  };
};

const same = (a: Sight, b: Sight): boolean =>
  a.first === b.first && a.last === b.last && a.bottom === b.bottom && a.from === b.from && a.to === b.to;

/**
 * What of a table is in sight while it is scrolled. All rows are of one height, so nothing is measured: a table of a million
 * rows costs what one of ten does.
 */
export const useSight = (scroller: RefObject<HTMLElement | null>, table: Table): Sight => {
  const [sight, setSight] = useState<Sight>({ first: 0, last: 0, top: 0, bottom: 30, from: 0, to: 12 });
  const current = useRef({
    table,
    sight,
    place: { scrollTop: 0, scrollLeft: 0, clientHeight: 0, clientWidth: 0 },
  });
  useEffect(() => {
    const element = scroller.current!;
    /** What is to be drawn from this place, when it is something else than now. */
    const next = (): Sight | undefined => {
      current.current.place = placeOf(element);
      const { table, place, sight } = current.current;
      const found = lookAt(place, table, sight);
      if (same(found, sight)) return undefined;
      current.current.sight = found;
      return found;
    };
    const onScroll = () => {
      // Looked at before React draws what else waits: after that, the browser would lay out the page twice.
      const found = next();
      // Within the frame that scrolls: a frame later, the rows that come into sight would be seen to come.
      if (found) flushSync(() => setSight(found));
    };
    const observer = new ResizeObserver(() => {
      const found = next();
      if (found) setSight(found);
    });
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroller]);
  const { count, rowHeight, headerHeight, edges } = table;
  useEffect(() => {
    current.current.table = { count, rowHeight, headerHeight, edges };
    const { table, place, sight } = current.current;
    const found = lookAt(place, table, sight);
    if (same(found, sight)) return;
    current.current.sight = found;
    setSight(found);
  }, [count, rowHeight, headerHeight, edges]);
  return sight;
};
