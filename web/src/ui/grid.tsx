import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { memo, useCallback, useDeferredValue, useEffect, useLayoutEffect, useRef } from 'react';
import { GridHeader } from './grid-header.tsx';
import { type Column, type GridProps, selectWidth } from './grid-props.ts';

/** Browsers draw nothing beyond a height: Firefox 17.9 million pixels, Chromium 33.5 million. */
const mostHeight = 17_000_000;
const headerHeight = 32;

type VirtualCells<Row> = Pick<GridProps<Row>, 'columns' | 'rowHeight'> & {
  /** The number of rows that are drawn. */
  count: number;
  /** The width before the first column. */
  left: number;
};

/** The rows and columns in view, and the element that scrolls them. */
const useVirtualCells = <Row,>({ columns, rowHeight, count, left }: VirtualCells<Row>) => {
  const scroller = useRef<HTMLDivElement>(null);
  const vertical = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    scrollPaddingEnd: headerHeight,
  });
  const horizontal = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    // Another function for other columns, so that their widths are read again.
    getItemKey: useCallback((index: number) => columns[index]!.id, [columns]),
    estimateSize: (index) => columns[index]!.width,
    paddingStart: left,
    overscan: 1,
  });
  useLayoutEffect(() => {
    if (rowHeight > 0) vertical.measure();
  }, [rowHeight, vertical]);
  return { scroller, vertical, horizontal };
};

/** Tells the rows in view, and reads the next page when they come near the end. */
const useReadOn = <Row,>(
  vertical: Virtualizer<HTMLDivElement, Element>,
  count: number,
  onRange: GridProps<Row>['onRange'],
  pages: GridProps<Row>['pages'],
) => {
  const { startIndex: first, endIndex: last } = vertical.range ?? { startIndex: 0, endIndex: 0 };
  useEffect(() => {
    if (count > 0) onRange?.(first, last);
  }, [count, first, last, onRange]);
  const { hasNextPage = false, isFetching = false, fetchNextPage } = pages ?? {};
  useEffect(() => {
    if (count > 0 && last >= count - 20 && hasNextPage && !isFetching) void fetchNextPage?.();
  }, [last, count, hasNextPage, isFetching, fetchNextPage]);
};

/** A table of any length and width that renders only the cells in view. */
export const Grid = <Row,>(props: GridProps<Row>) => {
  const { label, columns, rows, rowId, rowHeight, focused, selected, onSelect, onRange, pages } = props;
  const count = Math.min(rows.length, Math.floor(mostHeight / rowHeight));
  const left = onSelect ? selectWidth : 0;
  const { scroller, vertical, horizontal } = useVirtualCells({ columns, count, rowHeight, left });
  useReadOn(vertical, count, onRange, pages);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when another row is focused, not when rows arrive
  useEffect(() => {
    const index = focused === undefined ? -1 : rows.findIndex((row) => rowId(row) === focused);
    if (index >= 0) vertical.scrollToIndex(index, { align: 'auto' });
  }, [focused]);

  const cells = horizontal.getVirtualItems();
  const from = cells[0]?.index ?? 0;
  const to = (cells.at(-1)?.index ?? -1) + 1;
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length + (onSelect ? 1 : 0)}
      aria-multiselectable={onSelect !== undefined}
      aria-activedescendant={focused && `row-${focused}`}
      tabIndex={0}
      // On its own background, so that the browser can move it without painting it again.
      className="min-h-0 flex-1 overflow-auto overscroll-contain border-t bg-surface outline-offset-[-2px]"
    >
      <div style={{ minWidth: horizontal.getTotalSize() }}>
        <GridHeader {...props} />
        <div className="relative" style={{ height: count * rowHeight }}>
          {vertical.getVirtualItems().map(({ index }) => {
            const row = rows.at(index);
            const id = row && rowId(row);
            return (
              <MemoRow
                key={index}
                row={row}
                id={id}
                index={index}
                columns={columns}
                from={from}
                to={to}
                vertical={vertical}
                height={rowHeight}
                skipped={cells[0] ? cells[0].start - left : 0}
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
            The table shows the first {count.toLocaleString('en')} rows. Narrow the search to see the others.
          </p>
        )}
        {pages && (
          <p className="sticky left-0 h-8 w-fit px-4 py-1.5 text-soft">
            {pages.hasNextPage ? 'Loading more…' : `n = ${rows.length.toLocaleString('en')}`}
          </p>
        )}
      </div>
    </div>
  );
};

type RowProps<Row> = {
  /** Undefined while it is not read. */
  row: Row | undefined;
  id: string | undefined;
  index: number;
  height: number;
  vertical: Virtualizer<HTMLDivElement, Element>;
  columns: readonly Column<Row>[];
  /** The columns `from` to before `to` are rendered; those before are `skipped` pixels wide. */
  from: number;
  to: number;
  skipped: number;
  isFocused: boolean;
  isSelected: boolean;
  onFocus: (id: string) => void;
  onOpen: (id: string) => void;
  onSelect: ((id: string, range: boolean) => void) | undefined;
};

// The browser lays out each row by itself. A cell that is too wide goes below the next one: clipping or positioning each cell
// would make a layer of it, and composing the layers would take a third of a frame.
const rowClass =
  'absolute inset-x-0 flex cursor-default border-b [contain:strict] covering data-focused:shadow-[inset_2px_0_var(--accent)]';
const cellClass = 'flex-none px-2 py-1.5';

const GridRow = <Row,>(props: RowProps<Row>) => {
  const { id, index, height, vertical, columns, from, to, skipped, isFocused, isSelected } = props;
  const { onFocus, onOpen, onSelect } = props;
  // A row that a scroll brings into view gets its cells when the browser has time for them: a fast scroll passes more than it
  // can render.
  const row = useDeferredValue(props.row, vertical.isScrolling ? undefined : props.row);
  const top = index * height;
  if (row === undefined || id === undefined)
    return (
      <div role="row" aria-rowindex={index + 2} aria-busy className={rowClass} style={{ top, height }}>
        <div role="gridcell" className="m-2 h-3 w-64 skeleton" />
      </div>
    );
  const shift = onSelect ? 2 : 1;
  return (
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
        // biome-ignore lint/a11y/useKeyWithClickEvents: keeps a click on the box from opening the row
        <div
          role="gridcell"
          aria-colindex={1}
          className="flex h-8 flex-none items-center justify-center"
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
