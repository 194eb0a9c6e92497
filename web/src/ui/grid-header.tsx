import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, memo, type PointerEvent, useRef } from 'react';
import { type Column, type GridProps, selectWidth } from './grid-props.ts';

const minWidth = 56;

type GridHeaderProps<Row> = Pick<
  GridProps<Row>,
  | 'columns'
  | 'rows'
  | 'rowId'
  | 'selected'
  | 'onSelect'
  | 'onSelectAll'
  | 'selectAllLabel'
  | 'onResize'
  | 'onMove'
>;

const Names = <Row,>(props: GridHeaderProps<Row>) => {
  const { columns, rows, rowId, selected, onSelect, onSelectAll } = props;
  const first = rows.at(0);
  const isAll =
    first !== undefined &&
    selected.has(rowId(first)) &&
    rows.findIndex((row) => !selected.has(rowId(row))) < 0;
  return (
    <div
      role="row"
      aria-rowindex={1}
      className="sticky top-0 z-10 flex h-8 border-b bg-page text-sm text-soft"
    >
      {onSelect && (
        <div
          role="columnheader"
          className="flex flex-none items-center justify-center"
          style={{ width: selectWidth }}
        >
          <input
            type="checkbox"
            className="size-3"
            aria-label={props.selectAllLabel ?? 'Select all loaded rows'}
            checked={isAll}
            onChange={onSelectAll}
          />
        </div>
      )}
      {columns.map((column, i) => (
        <Header
          key={column.id}
          column={column}
          before={columns[i - 1]?.id}
          after={columns[i + 2]?.id}
          isLast={i === columns.length - 1}
          onResize={props.onResize}
          onMove={props.onMove}
        />
      ))}
    </div>
  );
};

/** The names of the columns. All of them are rendered, so that screen readers and the search of the browser find each. */
export const GridHeader = memo(Names) as typeof Names;

type HeaderProps<Row> = {
  column: Column<Row>;
  /** The column that follows it after a move to the left, and after one to the right; undefined at the end. */
  before: string | undefined;
  after: string | undefined;
  isLast: boolean;
  onResize: GridProps<Row>['onResize'];
  onMove: GridProps<Row>['onMove'];
};

/** Resizes a column while the pointer drags its edge. */
const useDragging = (width: number, resize: (width: number) => void) => {
  const from = useRef<{ x: number; width: number }>(undefined);
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = { x: event.clientX, width };
  };
  const onPointerMove = (event: PointerEvent) => {
    if (from.current) resize(from.current.width + event.clientX - from.current.x);
  };
  const onPointerUp = () => {
    from.current = undefined;
  };
  return { onPointerDown, onPointerMove, onPointerUp };
};

const Header = <Row,>({ column, before, after, isLast, onResize, onMove }: HeaderProps<Row>) => {
  const { id, header, group, width, align, sort } = column;
  const resize = (next: number) => onResize?.(id, Math.max(minWidth, Math.round(next)));
  const dragging = useDragging(width, resize);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.shiftKey) resize(width + step * 16);
    else if (step < 0 && before !== undefined) onMove?.(id, before);
    else if (step > 0 && !isLast) onMove?.(id, after);
  };
  return (
    <div
      role="columnheader"
      aria-sort={sort?.direction}
      draggable={onMove !== undefined}
      onDragStart={(event) => event.dataTransfer.setData('text/column', id)}
      onDragOver={(event) => event.dataTransfer.types.includes('text/column') && event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        const moved = event.dataTransfer.getData('text/column');
        if (moved && moved !== id) onMove?.(moved, id);
      }}
      className={`relative flex min-w-0 flex-none items-center gap-1 px-2 ${align === 'end' ? 'justify-end' : ''}`}
      style={{ width }}
    >
      {group && <span className="shrink-0">{group}</span>}
      {sort ? (
        <button
          type="button"
          title={`Sort by ${header}`}
          onClick={sort.onSort}
          className="group/sort flex h-6 min-w-0 items-center gap-0.5 rounded-sm font-medium text-ink hover:underline"
        >
          <span className="truncate">{header}</span>
          {sort.direction === 'ascending' && <ArrowUp size={12} aria-hidden className="shrink-0" />}
          {sort.direction === 'descending' && <ArrowDown size={12} aria-hidden className="shrink-0" />}
        </button>
      ) : (
        <span className="truncate font-medium text-ink" title={header}>
          {header}
        </span>
      )}
      {onResize && (
        <div
          role="separator"
          aria-orientation="vertical"
          aria-label={`Width of ${header}`}
          aria-valuenow={width}
          aria-valuemin={minWidth}
          title="Drag, or press ← or →. With Shift they move the column."
          tabIndex={0}
          {...dragging}
          onKeyDown={onKeyDown}
          draggable
          onDragStart={(event) => {
            event.preventDefault();
            event.stopPropagation();
          }}
          className="absolute top-0 right-0 h-full w-2 cursor-col-resize border-r border-transparent hover:border-edge"
        />
      )}
    </div>
  );
};
