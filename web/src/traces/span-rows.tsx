import { ChevronRight, MessageSquareText } from 'lucide-react';
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type ReactNode,
  useCallback,
  useEffect,
  useRef,
} from 'react';
import { showRow, useSight } from '../ui/sight.ts';
import { Failed, OperationIcon } from './operation.tsx';
import type { Node } from './span-tree.ts';

const rowHeight = 28;
const headerHeight = 28;
// What is drawn of a row is all of it, at any width.
const edges = [0, 1];
const indent = 14;
// Deeper spans stand below each other: their names would leave the column.
const deepestIndent = 16;

type SpanRowsProps = {
  label: string;
  /** Widths of the columns, as CSS grid has them; the first is the name. */
  columns: string;
  header: ReactNode;
  rows: readonly Node[];
  focused: string | undefined;
  folded: ReadonlySet<string>;
  /** Spans that a search found; null when nothing is searched for. */
  found: ReadonlySet<string> | null;
  /** How much people said of each span, by its id. */
  said: ReadonlyMap<string, number>;
  onFocus: (key: string, byPointer: boolean) => void;
  onFold: (key: string, fold: boolean) => void;
  onEnter: () => void;
  /** The cells after the name. */
  cells: (node: Node) => ReactNode;
};

/** The tree of spans, drawn only where it is in sight: ten thousand rows cost as much as forty. */
export const SpanRows = (props: SpanRowsProps) => {
  const { label, columns, header, rows, focused, folded, found, said, onFocus, onFold, onEnter, cells } =
    props;
  const scroller = useRef<HTMLDivElement>(null);
  const isThere = useCallback((index: number) => index < rows.length, [rows.length]);
  const { top, bottom } = useSight(scroller, {
    count: rows.length,
    rowHeight,
    headerHeight,
    edges,
    isThere,
  });
  const drawn = rows.slice(top, bottom + 1);
  const at = focused === undefined ? -1 : rows.findIndex(({ key }) => key === focused);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when another row is focused, not when rows fold
  useEffect(() => {
    if (at >= 0) showRow(scroller.current!, at, { rowHeight, headerHeight });
  }, [focused]);

  const move = (to: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, to))];
    if (row) onFocus(row.key, false);
  };
  const page = () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2);
  const onKeyDown = (event: KeyboardEvent) => {
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
      Enter: onEnter,
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };

  const isDrawn = at >= top && at <= bottom;
  return (
    <div
      ref={scroller}
      role="treegrid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-activedescendant={isDrawn ? `span-${focused}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      className="min-h-0 min-w-0 flex-1 overflow-x-hidden overflow-y-auto overscroll-contain border-t outline-offset-[-1px] focus-visible:outline-1"
      style={{ '--columns': columns } as CSSProperties}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: see above */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the tree takes the focus */}
      <div
        role="row"
        aria-rowindex={1}
        className="sticky top-0 z-10 grid h-7 border-b bg-page text-sm text-soft"
        style={{ gridTemplateColumns: 'var(--columns)' }}
      >
        {header}
      </div>
      <div className="relative" style={{ height: rows.length * rowHeight }}>
        {drawn.map((node, i) => (
          <MemoRow
            key={node.key}
            node={node}
            place={top + i}
            isFocused={node.key === focused}
            isFolded={folded.has(node.key)}
            isDim={found !== null && !found.has(node.key)}
            numSaid={said.get(node.span.spanId) ?? 0}
            {...{ onFocus, onFold, cells }}
          />
        ))}
      </div>
    </div>
  );
};

type SpanRowProps = Pick<SpanRowsProps, 'onFocus' | 'onFold' | 'cells'> & {
  node: Node;
  /** Its number among the rows. */
  place: number;
  isFocused: boolean;
  isFolded: boolean;
  isDim: boolean;
  numSaid: number;
};

const SpanRow = (props: SpanRowProps) => {
  const { node, place, isFocused, isFolded, isDim, numSaid, onFocus, onFold, cells } = props;
  const { span, key, depth, numChildren } = node;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see SpanRows
    // biome-ignore lint/a11y/useFocusableInteractive: the tree takes the focus and names the row
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree listens to the keys
    <div
      role="row"
      id={`span-${key}`}
      aria-rowindex={place + 2}
      aria-level={depth + 1}
      aria-expanded={numChildren > 0 ? !isFolded : undefined}
      aria-selected={isFocused}
      onClick={() => onFocus(key, true)}
      // Laid out without a look at the other rows.
      className={`absolute inset-x-0 grid h-7 cursor-default [contain:strict] items-center hover:bg-hover aria-selected:bg-selected aria-selected:shadow-[inset_2px_0_var(--accent)] ${isDim ? 'opacity-50' : ''}`}
      style={{ gridTemplateColumns: 'var(--columns)', top: place * rowHeight }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: see SpanRows */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the tree takes the focus */}
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
        {depth > deepestIndent && <span className="text-xs text-soft">{depth}</span>}
        <OperationIcon operation={span.operation} />
        <span className={`truncate ${span.failed ? 'text-fail' : ''}`} title={span.name}>
          {span.name || '(no name)'}
        </span>
        {isFolded && (
          <span className="shrink-0 text-xs text-soft">
            +{(node.end - node.index - 1).toLocaleString('en')}
          </span>
        )}
        {span.failed && <Failed />}
        {span.parentMissing && (
          <span
            className="shrink-0 text-xs text-warn"
            title="The span that it names as its parent has not come."
          >
            parent missing
          </span>
        )}
        {numSaid > 0 && (
          <span
            className="inline-flex shrink-0 items-center gap-0.5 text-xs text-soft"
            title={`${numSaid} said of this span`}
          >
            <MessageSquareText size={11} role="img" aria-label="annotations" />
            {numSaid}
          </span>
        )}
      </div>
      {cells(node)}
    </div>
  );
};
const MemoRow = memo(SpanRow);
