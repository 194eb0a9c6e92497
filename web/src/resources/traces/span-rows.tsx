import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronRight, MessageSquareText } from 'lucide-react';
import { type CSSProperties, type KeyboardEvent, memo, type ReactNode, useEffect, useRef } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { spanKey } from '../records/target.ts';
import { Failed, OperationIcon } from './operation.tsx';
import { type SpanMark, SpanMarkSign } from './span-scores.tsx';
import type { Node } from './span-tree.ts';

const rowHeight = 28;
const headerHeight = 28;
const indent = 14;
// Deeper spans are not indented further: their names would leave the column.
const deepestIndent = 16;

/** The turn of a session that a row begins, and the gap before it. */
export type RowLabel = { turn?: string; later?: string; words?: string };

type SpanRowsProps = {
  label: string;
  /** The widths of the columns as a CSS grid template; the first is the name. */
  columns: string;
  header: ReactNode;
  rows: readonly Node[];
  focused: string | undefined;
  folded: ReadonlySet<string>;
  /** The spans that match the search; null without a search. */
  found: ReadonlySet<string> | null;
  /** The number of annotations of each span, by its id. */
  said: ReadonlyMap<string, number>;
  /** What the scores of each span say, by its id. */
  marks: ReadonlyMap<string, SpanMark>;
  /** Labels of rows, by the key of the row. */
  labels: ReadonlyMap<string, RowLabel>;
  onFocus: (key: string, byPointer: boolean) => void;
  onFold: (key: string, fold: boolean) => void;
  /** Without it, Enter is left to the page. */
  onEnter?: (() => void) | undefined;
  /** The cells after the name. */
  cells: (node: Node) => ReactNode;
};

type TreeKeys = Pick<SpanRowsProps, 'rows' | 'folded' | 'onFocus' | 'onFold' | 'onEnter'> & {
  /** The index of the focused row, or -1. */
  at: number;
  /** The number of rows that a page has. */
  page: () => number;
};

/** The keys of a tree grid: they move the focus, and fold and unfold the focused row. */
const treeKeys = ({ rows, at, folded, page, onFocus, onFold, onEnter }: TreeKeys) => {
  const move = (to: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, to))];
    if (row) onFocus(row.key, false);
  };
  return (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.metaKey || event.ctrlKey || event.altKey) return;
    const row = rows[at];
    const canFold = row !== undefined && row.numChildren > 0;
    const actions: Record<string, () => void> = {
      ArrowDown: () => move(at + 1),
      ArrowUp: () => move(at < 0 ? 0 : at - 1),
      PageDown: () => move(at + page()),
      PageUp: () => move(at - page()),
      Home: () => move(0),
      End: () => move(rows.length - 1),
      ArrowRight: () => (canFold && folded.has(row.key) ? onFold(row.key, false) : canFold && move(at + 1)),
      ArrowLeft: () => {
        if (canFold && !folded.has(row.key)) onFold(row.key, true);
        else if (row) move(rows.findLastIndex(({ index }, i) => i < at && index === row.parent));
      },
      ...(onEnter && { Enter: onEnter }),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
};

/** The tree of spans. Only the rows in view are rendered. */
export const SpanRows = (props: SpanRowsProps) => {
  const { label, columns, header, rows, focused, folded, found, said, labels, cells } = props;
  const { onFocus, onFold, onEnter } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    scrollPaddingEnd: headerHeight,
  });
  const items = virtual.getVirtualItems();
  const at = focused === undefined ? -1 : rows.findIndex(({ key }) => key === focused);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when another row is focused, not when rows fold
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at, { align: 'auto' });
  }, [focused]);

  const page = () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2);
  const onKeyDown = treeKeys({ rows, at, folded, page, onFocus, onFold, onEnter });
  const isRendered = items.some(({ index }) => index === at);
  return (
    <div
      ref={scroller}
      role="treegrid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-activedescendant={isRendered ? `span-${focused}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      className="min-h-0 min-w-0 flex-1 overflow-x-hidden overflow-y-auto overscroll-contain border-t outline-offset-[-1px] focus-visible:outline-1"
      style={{ '--columns': columns } as CSSProperties}
    >
      <div
        role="row"
        aria-rowindex={1}
        className="sticky top-0 z-10 grid h-7 border-b bg-page text-sm text-soft"
        style={{ gridTemplateColumns: 'var(--columns)' }}
      >
        {header}
      </div>
      <div className="relative" style={{ height: rows.length * rowHeight }}>
        {items.map(({ index }) => {
          const node = rows[index];
          return (
            node && (
              <MemoRow
                key={node.key}
                node={node}
                place={index}
                isFocused={node.key === focused}
                isFolded={folded.has(node.key)}
                isDim={found !== null && !found.has(node.key)}
                numSaid={said.get(spanKey(node.span) ?? '') ?? 0}
                mark={props.marks.get(node.key)}
                label={labels.get(node.key)}
                onFocus={onFocus}
                onFold={onFold}
                cells={cells}
              />
            )
          );
        })}
      </div>
    </div>
  );
};

type SpanRowProps = Pick<SpanRowsProps, 'onFocus' | 'onFold' | 'cells'> & {
  node: Node;
  /** The index of its row. */
  place: number;
  isFocused: boolean;
  isFolded: boolean;
  isDim: boolean;
  numSaid: number;
  mark: SpanMark | undefined;
  label: RowLabel | undefined;
};

const SpanRow = (props: SpanRowProps) => {
  const { node, place, isFocused, isFolded, isDim, numSaid, label, onFocus, onFold, cells } = props;
  const { span, key, depth, numChildren } = node;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree listens to the keys
    <div
      role="row"
      id={`span-${key}`}
      aria-rowindex={place + 2}
      aria-level={depth + 1}
      aria-expanded={numChildren > 0 ? !isFolded : undefined}
      aria-selected={isFocused}
      onClick={() => onFocus(key, true)}
      // `contain`: the browser lays out each row by itself.
      className={`absolute inset-x-0 grid h-7 cursor-default [contain:strict] items-center hover:bg-hover aria-selected:bg-selected aria-selected:shadow-[inset_2px_0_var(--accent)] ${isDim ? 'opacity-50' : ''}`}
      style={{ gridTemplateColumns: 'var(--columns)', top: place * rowHeight }}
    >
      <div
        role="gridcell"
        className="flex min-w-0 items-center gap-1.5 pr-2"
        style={{ paddingLeft: 6 + Math.min(depth, deepestIndent) * indent }}
      >
        {numChildren > 0 ? (
          <button
            type="button"
            tabIndex={-1}
            aria-label={isFolded ? 'Unfold' : 'Fold'}
            onClick={(event) => {
              event.stopPropagation();
              onFold(key, !isFolded);
            }}
            className="-mr-1 inline-flex size-4 shrink-0 items-center justify-center rounded-sm text-soft hover:text-ink"
          >
            <ChevronRight size={12} aria-hidden className={isFolded ? '' : 'rotate-90'} />
          </button>
        ) : (
          <span className="-mr-1 w-4 shrink-0" />
        )}
        {label?.turn && <Badge>{label.turn}</Badge>}
        {label?.later && <span className="shrink-0 text-sm text-soft">{label.later}</span>}
        {depth > deepestIndent && <span className="text-sm text-soft">{depth}</span>}
        <OperationIcon operation={span.operation} />
        <span className={`truncate ${span.failed ? 'text-fail' : ''}`} title={span.name}>
          {span.name || '(no name)'}
        </span>
        {label?.words && (
          <span className="min-w-0 flex-1 truncate text-soft" dir="auto" title={label.words}>
            {label.words}
          </span>
        )}
        {isFolded && (
          <span className="shrink-0 text-sm text-soft">
            +{(node.end - node.index - 1).toLocaleString('en')}
          </span>
        )}
        <Marks span={span} mark={props.mark} numSaid={numSaid} />
      </div>
      {cells(node)}
    </div>
  );
};
const MemoRow = memo(SpanRow);

type MarksProps = { span: Node['span']; mark: SpanMark | undefined; numSaid: number };

/** What is wrong with a span, what its scores say, and how many annotations it has. */
const Marks = ({ span, mark, numSaid }: MarksProps) => (
  <>
    {span.failed && <Failed />}
    {span.parentMissing && (
      <span className="shrink-0 text-sm text-warn" title="The parent span has not arrived.">
        parent missing
      </span>
    )}
    {mark && <SpanMarkSign mark={mark} />}
    {numSaid > 0 && (
      <span
        className="inline-flex shrink-0 items-center gap-0.5 text-sm text-soft"
        title={`${numSaid} annotations of this span`}
      >
        <MessageSquareText size={11} role="img" aria-label="annotations" />
        {numSaid}
      </span>
    )}
  </>
);
