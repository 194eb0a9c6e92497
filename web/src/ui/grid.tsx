import { memo, useCallback, useEffect, useMemo, useRef } from 'react';
import { GridHeader } from './grid-header.tsx';
import { type Column, type GridProps, selectWidth } from './grid-props.ts';
import { edgesOf, showRow, useSight } from './sight.ts';

/** Browsers draw nothing beyond a height: Firefox 17.9 million pixels, Chromium 33.5 million. */
const mostHeight = 17_000_000;
const headerHeight = 32;

/** A table of any length and width that draws only what is in sight. It knows nothing of what it shows. */
export const Grid = <Row,>(props: GridProps<Row>) => {
  const { label, columns, rows, rowId, rowHeight, focused, selected, onSelect, onEnd, onRange, footer } =
    props;
  const scroller = useRef<HTMLDivElement>(null);
  const count = Math.min(rows.length, Math.floor(mostHeight / rowHeight));
  const edges = useMemo(() => edgesOf(columns, onSelect ? selectWidth : 0), [columns, onSelect]);
  const isThere = useCallback((index: number) => rows.at(index) !== undefined, [rows]);
  const { first, last, top, bottom, from, to, whole, isLeaping } = useSight(scroller, {
    count,
    rowHeight,
    headerHeight,
    edges,
    isThere,
  });

  useEffect(() => {
    if (count > 0) onRange?.(first, last);
  }, [count, first, last, onRange]);
  useEffect(() => {
    if (count > 0 && last >= count - 20) onEnd?.();
  }, [last, count, onEnd]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when another row is focused, not when rows arrive
  useEffect(() => {
    const index = focused === undefined ? -1 : rows.findIndex((row) => rowId(row) === focused);
    if (index >= 0) showRow(scroller.current!, index, { rowHeight, headerHeight });
  }, [focused]);

  const inSight = isLeaping ? 0 : Math.min(bottom, count - 1) - top + 1;
  const drawn = Array.from({ length: inSight }, (_, i) => top + i);
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are placed by hand, which a table element can't
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length + (onSelect ? 1 : 0)}
      aria-multiselectable={onSelect !== undefined}
      aria-activedescendant={focused && `row-${focused}`}
      tabIndex={0}
      // On a ground of its own: what the browser moves when it scrolls, it has not to paint again.
      className="min-h-0 flex-1 overflow-auto overscroll-contain border-t bg-surface outline-offset-[-2px]"
    >
      <div style={{ minWidth: edges.at(-1) }}>
        <GridHeader {...props} edges={edges} />
        <div className="relative" style={{ height: count * rowHeight }}>
          {isLeaping && <Leapt count={last - first} {...{ rowHeight, left: edges[0]! }} />}
          {drawn.map((index) => {
            const row = whole.has(index) ? rows.at(index) : undefined;
            const id = row && rowId(row);
            return (
              <MemoRow
                // Rows that wait are all alike: those that a jump leaves are moved to where it leads.
                key={row ? index : `waiting ${index % drawn.length}`}
                {...{ row, id, index, columns, edges, from, to, height: rowHeight }}
                isFocused={id !== undefined && focused === id}
                isSelected={id !== undefined && selected.has(id)}
                onFocus={props.onFocus}
                onOpen={props.onOpen}
                onSelect={onSelect}
              />
            );
          })}
        </div>
        {count < rows.length && (
          <p className="sticky left-0 w-fit px-4 py-1.5 text-soft">
            No more than {count.toLocaleString('en')} rows can be drawn. Search for less to see the others.
          </p>
        )}
        {footer}
      </div>
    </div>
  );
};

/**
 * What stands in sight while the scroll bar is dragged: rows like those that wait, which stay where they are. The browser moves
 * nothing and paints nothing, so that however many records pass by, a frame costs what an empty one does.
 */
const Leapt = ({ count, rowHeight, left }: { count: number; rowHeight: number; left: number }) => (
  <div aria-hidden className="sticky" style={{ top: headerHeight, height: count * rowHeight }}>
    {Array.from({ length: count }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: all are alike
      <div key={i} className="relative border-b" style={{ height: rowHeight }}>
        <div className={waitingClass} style={{ left: left + 8 }} />
      </div>
    ))}
  </div>
);

type RowProps<Row> = {
  /** Undefined: not read yet, or not drawn yet because there is more to draw than a frame has time for. */
  row: Row | undefined;
  id: string | undefined;
  index: number;
  height: number;
  columns: readonly Column<Row>[];
  edges: readonly number[];
  /** Of the columns, those that are drawn. */
  from: number;
  to: number;
  isFocused: boolean;
  isSelected: boolean;
  onFocus: (id: string) => void;
  onOpen: (id: string) => void;
  onSelect: ((id: string, range: boolean) => void) | undefined;
};

// The browser lays out a row without looking at another. What is too wide for its cell goes below the next one: if each cell
// were cut off (`overflow`) or placed (`absolute`) by itself, to put these layers together would take a third of a frame.
const rowClass =
  'absolute inset-x-0 flex cursor-default border-b [contain:strict] covering data-focused:shadow-[inset_2px_0_var(--accent)]';
const cellClass = 'flex-none px-2 py-1.5';
const waitingClass = 'absolute top-2.5 h-3 w-64 skeleton';

const GridRow = <Row,>(props: RowProps<Row>) => {
  const { row, id, index, height, columns, edges, from, to, isFocused, isSelected } = props;
  const { onFocus, onOpen, onSelect } = props;
  const top = index * height;
  if (row === undefined || id === undefined)
    return (
      // biome-ignore lint/a11y/useSemanticElements: see Grid
      // biome-ignore lint/a11y/useFocusableInteractive: the grid takes the focus
      <div role="row" aria-rowindex={index + 2} aria-busy className={rowClass} style={{ top, height }}>
        {/* biome-ignore lint/a11y/useSemanticElements: see Grid */}
        {/* biome-ignore lint/a11y/useFocusableInteractive: see Grid */}
        <div role="gridcell" className={waitingClass} style={{ left: edges[0]! + 8 }} />
      </div>
    );
  const shift = onSelect ? 2 : 1;
  /** As wide as the columns at the left that are not drawn. */
  const skipped = edges[from]! - edges[0]!;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see Grid
    // biome-ignore lint/a11y/useFocusableInteractive: the grid takes the focus and names the row
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid's owner listens to the keys
    <div
      role="row"
      id={`row-${id}`}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-focused={isFocused || undefined}
      onClick={() => {
        onFocus(id);
        onOpen(id);
      }}
      className={rowClass}
      style={{ top, height }}
    >
      {onSelect && (
        // biome-ignore lint/a11y/useSemanticElements: see Grid
        // biome-ignore lint/a11y/useFocusableInteractive: the box inside takes the focus
        // biome-ignore lint/a11y/useKeyWithClickEvents: keeps a click on the box from opening the row
        <div
          role="gridcell"
          aria-colindex={1}
          className="flex flex-none justify-center pt-2.5"
          style={{ width: selectWidth }}
          onClick={(event) => event.stopPropagation()}
        >
          <input
            type="checkbox"
            className="size-3"
            aria-label={`Select ${id}`}
            checked={isSelected}
            onChange={(event) => onSelect(id, (event.nativeEvent as MouseEvent).shiftKey)}
          />
        </div>
      )}
      {columns.slice(from, to).map((column, i) => (
        // biome-ignore lint/a11y/useSemanticElements: see Grid
        // biome-ignore lint/a11y/useFocusableInteractive: see Grid
        <div
          key={column.id}
          role="gridcell"
          aria-colindex={from + i + shift}
          className={column.align === 'end' ? `${cellClass} text-right` : cellClass}
          style={i === 0 ? { width: column.width, marginLeft: skipped } : { width: column.width }}
        >
          {column.render(row, column.width)}
        </div>
      ))}
    </div>
  );
};
const MemoRow = memo(GridRow) as typeof GridRow;
