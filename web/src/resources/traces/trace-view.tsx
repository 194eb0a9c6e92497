import { useQuery } from '@tanstack/react-query';
import { ChevronsDownUp, ChevronsUpDown } from 'lucide-react';
import { type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { apiData } from '../../api.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { durationText } from '../../ui/format.ts';
import { heardElsewhere, useKeys } from '../../ui/keys.ts';
import { Empty, ErrorNote, Skeleton } from '../../ui/states.tsx';
import { spanKey } from '../records/target.ts';
import { type SpanSource, treeQuery } from './source.ts';
import { SpanPanel } from './span-panel.tsx';
import { SpanRows } from './span-rows.tsx';
import { useSpanMarks } from './span-scores.tsx';
import { SpanSearch, useSpanSearch } from './span-search.tsx';
import {
  buildTree,
  type Node,
  type SpanTree,
  spanDurationText,
  unfolded,
  withAncestors,
} from './span-tree.ts';
import {
  Axis,
  Bar,
  gapsBackground,
  Overview,
  SmallBar,
  useWheelZoom,
  useZoom,
  useZoomKeys,
  ZoomButtons,
} from './timeline.tsx';
import { TraceSummary } from './trace-summary.tsx';
import { useFolding } from './use-folding.ts';
import { useLabels } from './use-labels.ts';

type TraceViewProps = {
  source: SpanSource;
  /** `beside`: the tree with small bars, at the left of other content. */
  view: 'timeline' | 'spans' | 'beside';
  /** The chosen span as the URL has it: `<trace>-<span>`, or the span's id alone. */
  span: string | undefined;
  /** Without it, spans are not opened. */
  onChoose?: (span: string | undefined) => void;
  /** What stands beside the tree while no span is chosen. */
  children?: ReactNode;
};

/** The spans of a record or a trace as a waterfall or as a tree, with the chosen one beside them. */
export const TraceView = (props: TraceViewProps) => {
  const spans = useQuery(treeQuery(props.source));
  const tree = useMemo(() => spans.data && buildTree(spans.data.data), [spans.data]);
  if (spans.error)
    return (
      <ErrorNote
        error={spans.error}
        action={<Button onClick={() => void spans.refetch()}>Try again</Button>}
      />
    );
  if (!tree) return <Skeleton lines={12} className="border-t px-4 pt-3" />;
  if (tree.nodes.length === 0)
    return (
      <Empty title="No spans">
        No trace belongs to this record. Send one with OpenTelemetry, and join it by the record’s otelLinkId.
      </Empty>
    );
  return <Tree {...props} tree={tree} truncated={spans.data?.truncated ?? false} />;
};

const opensNothing = () => {};

const findNode = (tree: SpanTree, span: string | undefined): Node | undefined =>
  span === undefined ? undefined : (tree.find(span) ?? tree.nodes.find((node) => node.span.spanId === span));

// A held arrow key passes many spans: only the last one is written into the URL and read.
const restMs = 120;

/** The row that keys act on. The selected span follows after a pause. */
const useFocus = (chosen: string | undefined, onChoose: (key: string) => void) => {
  const [focused, setFocused] = useState(chosen);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setFocused(chosen), [chosen]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const focus = useCallback(
    (key: string, atOnce: boolean) => {
      setFocused(key);
      clearTimeout(timer.current);
      if (atOnce) onChoose(key);
      else timer.current = setTimeout(() => onChoose(key), restMs);
    },
    [onChoose],
  );
  return [focused, focus] as const;
};

/** The number of annotations of each span of a record, by spanKey. */
const useAnnotationCounts = (recordId: string | null): ReadonlyMap<string, number> => {
  const { data: annotations } = useQuery({
    ...apiData('listAnnotations', recordId ?? ''),
    enabled: recordId !== null,
  });
  return useMemo(() => {
    const counts = new Map<string, number>();
    for (const each of annotations ?? []) {
      const key = spanKey(each);
      if (key) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
  }, [annotations]);
};

/** The cells of a span beside its name: its bar in the timeline, else its durations. */
const useCells = (view: TraceViewProps['view'], { gaps }: SpanTree, { zoom }: ReturnType<typeof useZoom>) => {
  const backgroundImage = useMemo(() => gapsBackground(gaps, zoom), [gaps, zoom]);
  return useCallback(
    (node: Node) =>
      view === 'spans' ? (
        <Durations node={node} />
      ) : (
        <div
          role="gridcell"
          className="relative h-full min-w-0 overflow-hidden border-l"
          {...(backgroundImage && { style: { backgroundImage } })}
        >
          {view === 'timeline' ? <Bar node={node} zoom={zoom} /> : <SmallBar node={node} zoom={zoom} />}
        </div>
      ),
    [view, zoom, backgroundImage],
  );
};

const columnsOf: Record<TraceViewProps['view'], string> = {
  timeline: 'clamp(150px, 38%, 400px) minmax(0, 1fr)',
  spans: 'minmax(0, 1fr) 76px 76px',
  beside: 'minmax(0, 1fr) clamp(84px, 30%, 200px)',
};

/** The rows in view: the found spans with their ancestors, else those that are not folded away. */
const useRows = (tree: SpanTree, found: Node[] | null, folded: ReadonlySet<string>) => {
  const rows = useMemo(
    () => (found ? withAncestors(tree, found) : unfolded(tree, folded)),
    [tree, found, folded],
  );
  const foundKeys = useMemo(() => found && new Set(found.map(({ key }) => key)), [found]);
  return { rows, foundKeys };
};

/** The next or the previous of some spans, from the focused one on; past the end, the first or the last. */
const nodeBeside = (
  tree: SpanTree,
  focused: string | undefined,
  some: readonly Node[],
  by: 1 | -1,
): Node | undefined => {
  const at = (focused !== undefined && tree.find(focused)?.index) || -1;
  const next = by > 0 ? some.find(({ index }) => index > at) : some.findLast(({ index }) => index < at);
  return next ?? some.at(by > 0 ? 0 : -1);
};

const Tree = (props: TraceViewProps & { tree: SpanTree; truncated: boolean }) => {
  const { source, view, span, tree, truncated, children } = props;
  const onChoose = props.onChoose ?? opensNothing;
  const [isTimeline, isBeside] = [view === 'timeline', view === 'beside'];
  const chosen = findNode(tree, span);
  const [focused, focus] = useFocus(chosen?.key, onChoose);
  const { folded, fold, foldAll, unfoldAll } = useFolding(tree, chosen);
  const search = useSpanSearch(tree);
  const { found, failed } = search;
  const { rows, foundKeys } = useRows(tree, found, folded);
  const notes = useNotes(source, tree);
  const body = useTreeFocus();
  const zoom = useZoom(tree.width);
  useWheelZoom(body, zoom);

  const step = (some: readonly Node[], by: 1 | -1) => {
    const next = nodeBeside(tree, focused, some, by);
    if (next) focus(next.key, true);
  };
  useTraceKeys({
    onFailure: (by) => step(failed, by),
    onClose: chosen && (() => onChoose(undefined)),
  });
  useZoomKeys(zoom, focused === undefined ? undefined : tree.find(focused), isTimeline);
  const cells = useCells(view, tree, zoom);
  const treeGrid = (
    <SpanRows
      label={isTimeline ? 'Timeline' : 'Spans'}
      columns={columnsOf[view]}
      header={<Header view={view}>{view !== 'spans' && <Axis gaps={tree.gaps} zoom={zoom.zoom} />}</Header>}
      rows={rows}
      focused={focused}
      folded={found ? none : folded}
      found={foundKeys}
      {...notes}
      onFocus={focus}
      onFold={fold}
      {...(props.onChoose && { onEnter: () => focused && onChoose(focused) })}
      cells={cells}
    />
  );
  const aside = chosen ? (
    <SpanPanel
      key={chosen.key}
      source={source}
      node={chosen}
      {...(isBeside && { width: besideWidth })}
      onClose={() => onChoose(undefined)}
    />
  ) : (
    (children ?? (view === 'spans' && <TraceSummary tree={tree} />))
  );
  return (
    <Layout
      body={body}
      isBeside={isBeside}
      search={<SpanSearch search={search} onStep={step} />}
      buttons={
        <>
          {(isTimeline || (isBeside && !zoom.isWhole)) && <ZoomButtons zoom={zoom} keys={isTimeline} />}
          <FoldButtons onUnfold={unfoldAll} onFold={foldAll} />
        </>
      }
      note={truncated && <TruncatedNote numShown={tree.nodes.length} />}
      overview={isTimeline && <Overview tree={tree} zoom={zoom} />}
      rows={treeGrid}
      aside={aside}
    />
  );
};

/** The element around the tree. The tree takes the keys as soon as it is there. */
const useTreeFocus = () => {
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => body.current?.querySelector<HTMLElement>('[role=treegrid]')?.focus(quietly), []);
  return body;
};

/** What stands beside the names of spans. */
const useNotes = (source: SpanSource, tree: SpanTree) => ({
  said: useAnnotationCounts(source.recordId),
  marks: useSpanMarks(source.recordId),
  labels: useLabels(source, tree),
});

type LayoutProps = { body: RefObject<HTMLDivElement | null>; isBeside: boolean } & Record<
  'search' | 'buttons' | 'note' | 'overview' | 'rows' | 'aside',
  ReactNode
>;

/** Where the parts stand: the search above the tree alone, or above all of the view. */
const Layout = ({ body, isBeside, search, buttons, note, overview, rows, aside }: LayoutProps) => {
  const head = (
    <>
      <div className="flex flex-wrap items-center gap-2 px-4 pb-2">
        {search}
        <div className="ml-auto flex">{buttons}</div>
      </div>
      {note}
    </>
  );
  return isBeside ? (
    <div ref={body} className="flex min-h-0 flex-1 max-md:flex-col">
      <div className="flex min-h-0 min-w-0 flex-1 flex-col pt-2">
        {head}
        {rows}
      </div>
      {aside}
    </div>
  ) : (
    <div ref={body} className="flex min-h-0 flex-1 flex-col">
      {head}
      {overview}
      <div className="flex min-h-0 flex-1">
        {rows}
        {aside}
      </div>
    </div>
  );
};

/** The width of what stands beside the tree on the page of a trace. */
export const besideWidth = 'min-h-0 min-w-0 flex-[1.4]';

// The page is opened, not reached by the keyboard: no focus ring. TypeScript does not know the option yet.
const quietly = { preventScroll: true, focusVisible: false } as FocusOptions;

const none: ReadonlySet<string> = new Set();

const TruncatedNote = ({ numShown }: { numShown: number }) => (
  <p role="note" className="mx-4 mb-2 rounded-md bg-warn-wash px-3 py-1 text-warn">
    The first {numShown.toLocaleString('en')} spans by start; this record has more.
  </p>
);

type FoldButtonsProps = { onUnfold: () => void; onFold: () => void };

const FoldButtons = ({ onUnfold, onFold }: FoldButtonsProps) => (
  <>
    <IconButton icon={ChevronsUpDown} label="Expand all" onClick={onUnfold} />
    <IconButton icon={ChevronsDownUp} label="Collapse all" onClick={onFold} />
  </>
);

type TraceKeys = { onFailure: (by: 1 | -1) => void; onClose: (() => void) | undefined };

const useTraceKeys = ({ onFailure, onClose }: TraceKeys) =>
  useKeys('A trace', {
    ArrowUp: ['The span above', heardElsewhere],
    ArrowDown: ['The span below', heardElsewhere],
    ArrowLeft: ['Collapse, or go to the parent', heardElsewhere],
    ArrowRight: ['Expand', heardElsewhere],
    Enter: ['Open the span', heardElsewhere],
    e: ['Next failure', () => onFailure(1)],
    E: ['Previous failure', () => onFailure(-1)],
    Escape: ['Close the span', () => (onClose ? onClose() : false)],
  });

const Header = ({ view, children }: { view: TraceViewProps['view']; children: ReactNode }) => {
  const names = view === 'spans' ? ['Span', 'Duration', 'Self'] : ['Span'];
  return (
    <>
      {names.map((name, i) => (
        <div
          key={name}
          role="columnheader"
          className={`flex items-center px-2 ${i > 0 ? 'justify-end' : 'pl-4'}`}
          {...(name === 'Self' && { title: 'Time in which none of its children ran' })}
        >
          {name}
        </div>
      ))}
      {children && (
        <div role="columnheader" className="relative min-w-0 border-l">
          <span className="sr-only">Time</span>
          {children}
        </div>
      )}
    </>
  );
};

const Durations = ({ node }: { node: Node }) =>
  [spanDurationText(node.span), durationText(node.self)].map((text, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: columns don't move
    <div key={i} role="gridcell" className="px-2 text-right whitespace-nowrap text-soft">
      {text}
    </div>
  ));
