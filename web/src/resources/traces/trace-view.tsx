import { useQuery } from '@tanstack/react-query';
import {
  ChevronsDownUp,
  ChevronsUpDown,
  Maximize2,
  Search,
  TriangleAlert,
  X,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { apiData, apiQuery } from '../../api.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { countOf, durationText } from '../../ui/format.ts';
import { heardElsewhere, useKeys } from '../../ui/keys.ts';
import { Empty, ErrorNote, Skeleton } from '../../ui/states.tsx';
import { SpanPanel } from './span-panel.tsx';
import { SpanRows } from './span-rows.tsx';
import { buildTree, matching, type Node, type SpanTree, unfolded, withAncestors } from './span-tree.ts';
import { Axis, Bar, Overview, useWheelZoom, useZoom } from './timeline.tsx';
import { TraceSummary } from './trace-summary.tsx';

type TraceViewProps = {
  projectId: string;
  recordId: string;
  view: 'timeline' | 'spans';
  /** The chosen span as the URL has it: `<trace>-<span>`, or the span's id alone. */
  span: string | undefined;
  onChoose: (span: string | undefined) => void;
};

/** The spans of a record as a waterfall or as a tree, with the chosen one beside them. */
export const TraceView = (props: TraceViewProps) => {
  const spans = useQuery(apiQuery('listRecordSpans', props.recordId));
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

const Tree = ({
  projectId,
  recordId,
  view,
  span,
  onChoose,
  tree,
  truncated,
}: TraceViewProps & { tree: SpanTree; truncated: boolean }) => {
  const chosen = findNode(tree, span);
  const [focused, focus] = useFocus(chosen?.key, onChoose);
  const [folded, setFolded] = useState<ReadonlySet<string>>(none);
  const [text, setText] = useState('');
  const [failedOnly, setFailedOnly] = useState(false);
  const found = useMemo(() => matching(tree, { text, failed: failedOnly }), [tree, text, failedOnly]);
  const rows = useMemo(
    () => (found ? withAncestors(tree, found) : unfolded(tree, folded)),
    [tree, found, folded],
  );
  const foundKeys = useMemo(() => found && new Set(found.map(({ key }) => key)), [found]);
  const { data: annotations } = useQuery(apiData('listAnnotations', recordId));
  const said = useMemo(() => {
    const counts = new Map<string, number>();
    for (const { spanId } of annotations ?? []) if (spanId) counts.set(spanId, (counts.get(spanId) ?? 0) + 1);
    return counts;
  }, [annotations]);
  const body = useRef<HTMLDivElement>(null);
  const zoom = useZoom(tree.durationMs);
  useWheelZoom(body, zoom);

  // The chosen span must be visible: its ancestors are unfolded.
  useEffect(() => {
    if (!chosen) return;
    setFolded((before) => {
      const after = new Set(before);
      for (let at = chosen.parent; at >= 0; at = tree.nodes[at]!.parent) after.delete(tree.nodes[at]!.key);
      return after.size === before.size ? before : after;
    });
  }, [chosen, tree]);

  const onFold = useCallback((key: string, fold: boolean) => {
    setFolded((before) => {
      const after = new Set(before);
      if (fold) after.add(key);
      else after.delete(key);
      return after;
    });
  }, []);
  const foldAll = () =>
    setFolded(new Set(tree.nodes.filter(({ numChildren }) => numChildren > 0).map(({ key }) => key)));
  const step = (some: readonly Node[], by: 1 | -1) => {
    if (some.length === 0) return;
    const at = (focused !== undefined && tree.find(focused)?.index) || -1;
    const next = by > 0 ? some.find(({ index }) => index > at) : some.findLast(({ index }) => index < at);
    focus((next ?? some.at(by > 0 ? 0 : -1)!).key, true);
  };
  const failed = useMemo(() => tree.nodes.filter((node) => node.span.failed), [tree]);
  const focusedNode = focused === undefined ? undefined : tree.find(focused);
  useKeys('A trace', {
    ArrowUp: ['The span above', heardElsewhere],
    ArrowDown: ['The span below', heardElsewhere],
    ArrowLeft: ['Collapse, or go to the parent', heardElsewhere],
    ArrowRight: ['Expand', heardElsewhere],
    Enter: ['Open the span', heardElsewhere],
    e: ['Next failure', () => step(failed, 1)],
    E: ['Previous failure', () => step(failed, -1)],
    Escape: [
      'Close the span',
      () => {
        if (!chosen) return false;
        onChoose(undefined);
        return true;
      },
    ],
  });
  useKeys(
    'The timeline',
    {
      z: ['Zoom to the span', () => focusedNode && zoom.onto(focusedNode)],
      0: ['Show the whole trace', zoom.reset],
      i: ['Zoom in', () => zoom.by(0.5)],
      o: ['Zoom out', () => zoom.by(2)],
      h: ['Earlier', () => zoom.pan(-0.25)],
      l: ['Later', () => zoom.pan(0.25)],
    },
    view === 'timeline',
  );
  // The tree takes the keys as soon as it is there.
  useEffect(() => body.current?.querySelector<HTMLElement>('[role=treegrid]')?.focus(quietly), []);

  const cells = useCallback(
    (node: Node) =>
      view === 'timeline' ? (
        <div role="gridcell" className="relative h-full min-w-0 overflow-hidden border-l">
          <Bar node={node} zoom={zoom.zoom} />
        </div>
      ) : (
        <Durations node={node} />
      ),
    [view, zoom.zoom],
  );
  return (
    <div ref={body} className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-2 px-4 pb-2">
        <search className="flex h-7 min-w-40 flex-1 items-center gap-1.5 rounded-md border border-edge px-2 focus-within:outline-2 focus-within:outline-accent sm:max-w-80">
          <Search size={13} className="shrink-0 text-soft" aria-hidden />
          <input
            aria-label="Find spans"
            placeholder="Name, service, model, id"
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') step(found ?? [], event.shiftKey ? -1 : 1);
            }}
            className="min-w-0 flex-1 bg-transparent outline-none"
          />
          {text && (
            <IconButton
              icon={X}
              size={12}
              label="Clear"
              className="-mr-1.5 size-5"
              onClick={() => setText('')}
            />
          )}
        </search>
        <Button
          aria-pressed={failedOnly}
          disabled={failed.length === 0}
          onClick={() => setFailedOnly(!failedOnly)}
          className="aria-pressed:bg-fail-wash aria-pressed:text-fail"
        >
          <TriangleAlert size={13} aria-hidden /> {failed.length.toLocaleString('en')} failed
        </Button>
        <span className="text-soft" role="status">
          {found
            ? `${found.length.toLocaleString('en')} of ${countOf(tree.nodes.length, 'span')}`
            : `${countOf(tree.nodes.length, 'span')} · ${durationText(tree.durationMs)}`}
        </span>
        <div className="ml-auto flex">
          {view === 'timeline' && (
            <>
              <IconButton icon={ZoomIn} label="Zoom in (i)" onClick={() => zoom.by(0.5)} />
              <IconButton
                icon={ZoomOut}
                label="Zoom out (o)"
                disabled={zoom.isWhole}
                onClick={() => zoom.by(2)}
              />
              <IconButton
                icon={Maximize2}
                label="Show the whole trace (0)"
                disabled={zoom.isWhole}
                onClick={zoom.reset}
              />
            </>
          )}
          <IconButton icon={ChevronsUpDown} label="Expand all" onClick={() => setFolded(none)} />
          <IconButton icon={ChevronsDownUp} label="Collapse all" onClick={foldAll} />
        </div>
      </div>
      {truncated && (
        <p role="note" className="mx-4 mb-2 rounded-md bg-warn-wash px-3 py-1 text-warn">
          The first {tree.nodes.length.toLocaleString('en')} spans by start; this record has more.
        </p>
      )}
      {view === 'timeline' && <Overview tree={tree} zoom={zoom} />}
      <div className="flex min-h-0 flex-1">
        <SpanRows
          label={view === 'timeline' ? 'Timeline' : 'Spans'}
          columns={
            view === 'timeline' ? 'clamp(150px, 38%, 400px) minmax(0, 1fr)' : 'minmax(0, 1fr) 76px 76px'
          }
          header={<Header view={view}>{view === 'timeline' && <Axis zoom={zoom.zoom} />}</Header>}
          rows={rows}
          focused={focused}
          folded={found ? none : folded}
          found={foundKeys}
          said={said}
          onFocus={focus}
          onFold={onFold}
          onEnter={() => focused && onChoose(focused)}
          cells={cells}
        />
        {chosen ? (
          <SpanPanel
            key={chosen.key}
            projectId={projectId}
            recordId={recordId}
            node={chosen}
            onClose={() => onChoose(undefined)}
          />
        ) : (
          view === 'spans' && <TraceSummary tree={tree} />
        )}
      </div>
    </div>
  );
};

// The page is opened, not reached by the keyboard: no focus ring. TypeScript does not know the option yet.
const quietly = { preventScroll: true, focusVisible: false } as FocusOptions;

const none: ReadonlySet<string> = new Set();

const Header = ({ view, children }: { view: TraceViewProps['view']; children: ReactNode }) => {
  const names = view === 'timeline' ? ['Span'] : ['Span', 'Duration', 'Self'];
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
  [node.span.durationMs, node.self].map((ms, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: columns don't move
    <div key={i} role="gridcell" className="px-2 text-right whitespace-nowrap text-soft">
      {durationText(ms)}
    </div>
  ));
