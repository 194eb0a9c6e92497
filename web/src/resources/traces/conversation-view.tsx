import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Bot, ChevronRight, ChevronsDownUp, ChevronsUpDown, TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { countOf } from '../../ui/format.ts';
import { useKeys } from '../../ui/keys.ts';
import { Empty, ErrorNote, Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { toggled } from '../../ui/toggled.ts';
import { useMay } from '../session/me.ts';
import { laterText } from './gaps.ts';
import { MessageCard, type SpanLinkTo } from './message-card.tsx';
import { Failed } from './operation.tsx';
import { Passages } from './passages.tsx';
import type { Conversation } from './queries.ts';
import { conversationQuery, type SpanSource } from './source.ts';
import { type Item, readThreads, withoutEarlier, withTurns } from './threads.ts';

type ConversationViewProps = {
  source: SpanSource;
  /** The span whose messages are scrolled into view. */
  span: string | undefined;
  /** Leads to a span. */
  spanLink: SpanLinkTo;
  /** Stands in place of a conversation without messages. */
  empty?: ReactNode;
};

/** The messages of a record or a trace, its tool calls with their results folded, and its sub-agents nested. */
export const ConversationView = (props: ConversationViewProps) => {
  const { recordId, projectId, traceId } = props.source;
  const { data, error, refetch } = useQuery(conversationQuery(props.source));
  if (error)
    return <ErrorNote error={error} action={<Button onClick={() => void refetch()}>Try again</Button>} />;
  if (!data) return <Skeleton lines={12} className="border-t px-4 pt-3" />;
  if (data.data.length === 0 && props.empty) return props.empty;
  if (data.data.length === 0)
    return (
      <Empty
        title="No messages"
        action={
          traceId === undefined &&
          recordId !== null && (
            <TextLink {...paths.record(projectId, recordId, undefined, { tab: 'timeline' })}>
              Open the timeline
            </TextLink>
          )
        }
      >
        No span has messages of a model, a tool or an agent.
      </Empty>
    );
  const threads = <Threads {...props} conversation={data} />;
  return recordId === null ? threads : <Passages recordId={recordId}>{threads}</Passages>;
};

const hasFailed = (item: Item): boolean => {
  if (item.kind === 'agent') return item.agent.error !== null;
  if (item.kind !== 'message') return false;
  return item.entry.error !== null || item.calls.some(({ answer }) => answer && answer.error !== null);
};

/** Marks an item and scrolls to it. Steps through the items that failed, also by keys. */
const useMarked = (items: readonly Item[], scrollTo: (index: number) => void) => {
  const [marked, setMarked] = useState<string>();
  const failed = items.filter(hasFailed);
  const show = (item: Item | undefined) => {
    if (!item) return;
    setMarked(item.key);
    scrollTo(items.indexOf(item));
  };
  const step = (by: 1 | -1) => {
    const at = items.findIndex(({ key }) => key === marked);
    const next =
      by > 0
        ? (failed.find((item) => items.indexOf(item) > at) ?? failed[0])
        : (failed.findLast((item) => items.indexOf(item) < at) ?? failed.at(-1));
    show(next);
  };
  useKeys(
    'A trace',
    { e: ['Next failure', () => step(1)], E: ['Previous failure', () => step(-1)] },
    failed.length > 0,
  );
  return { marked, failed, show, step };
};

type ShownSpan = {
  span: string | undefined;
  conversation: Conversation;
  items: readonly Item[];
  show: (item: Item | undefined) => void;
};

/** Shows the item of the span. */
const useShownSpan = ({ span, conversation, items, show }: ShownSpan) => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to the span of the URL once, not at each fold
  useEffect(() => {
    show(items.find((item) => span !== undefined && spansOf(item).some((id) => span.endsWith(id))));
  }, [span, conversation]);
};

/** The items in view, and the element that scrolls them. */
const useVirtualItems = (items: readonly Item[]) => {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 90,
    overscan: 6,
    getItemKey: (index) => items[index]!.key,
  });
  return { scroller, virtual };
};

const callsOf = (items: readonly Item[]): string[] =>
  items.flatMap((item) => (item.kind === 'message' ? item.calls.map(({ key }) => key) : []));

/** The time of the earliest message. */
const startOf = ({ data }: Conversation): string =>
  data.reduce((first, { time }) => (time < first ? time : first), data[0]!.time);

type ThreadsProps = ConversationViewProps & { conversation: Conversation };

const Threads = ({ source, span, spanLink, conversation }: ThreadsProps) => {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  // Kept here, since a message that is scrolled out of view is unmounted.
  const [unfoldedCalls, setUnfoldedCalls] = useState<ReadonlySet<string>>(new Set());
  const isOneTrace = source.traceId !== undefined;
  const [showsEarlier, setShowsEarlier] = useState(false);
  const items = useMemo(() => {
    const all = readThreads(conversation, folded);
    return isOneTrace ? withoutEarlier(all, showsEarlier) : withTurns(all);
  }, [conversation, folded, isOneTrace, showsEarlier]);
  const { scroller, virtual } = useVirtualItems(items);
  const { marked, failed, show, step } = useMarked(items, (index) =>
    virtual.scrollToIndex(index, { align: 'start' }),
  );
  useShownSpan({ span, conversation, items, show });
  const calls = callsOf(items);
  const zero = startOf(conversation);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <Summary
        conversation={conversation}
        numCalls={calls.length}
        numFailed={failed.length}
        onNextFailure={() => step(1)}
        onFoldCalls={(isFolded) => setUnfoldedCalls(new Set(isFolded ? [] : calls))}
      />
      {conversation.truncated && <TruncatedNote />}
      <section
        ref={scroller}
        aria-label="Conversation"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        tabIndex={0}
        className="min-h-0 flex-1 overflow-auto border-t"
      >
        <ol
          className="relative mx-auto max-w-4xl"
          // Only a part of the list is drawn; screen readers get the number of all of it.
          style={{ height: virtual.getTotalSize() }}
        >
          {virtual.getVirtualItems().map(({ index, start, key }) => {
            const item = items[index]!;
            return (
              <ItemRow
                key={key}
                index={index}
                numItems={items.length}
                depth={item.depth}
                start={start}
                measure={virtual.measureElement}
              >
                <ItemView
                  item={item}
                  projectId={source.projectId}
                  spanLink={spanLink}
                  zero={zero}
                  isMarked={item.key === marked}
                  isFolded={folded.has(item.key)}
                  unfolded={unfoldedCalls}
                  onFold={() => setFolded(toggled(folded, item.key))}
                  onToggle={(call) => setUnfoldedCalls(toggled(unfoldedCalls, call))}
                  onEarlier={() => setShowsEarlier(!showsEarlier)}
                />
              </ItemRow>
            );
          })}
        </ol>
      </section>
    </div>
  );
};

type ItemViewProps = {
  item: Item;
  projectId: string;
  spanLink: SpanLinkTo;
  zero: string;
  isMarked: boolean;
  isFolded: boolean;
  unfolded: ReadonlySet<string>;
  onFold: () => void;
  onToggle: (call: string) => void;
  onEarlier: () => void;
};

const ItemView = ({ item, projectId, isFolded, onFold, onEarlier, ...card }: ItemViewProps) => {
  if (item.kind === 'turn') return <Turn item={item} projectId={projectId} />;
  if (item.kind === 'earlier') return <Earlier item={item} onToggle={onEarlier} />;
  if (item.kind === 'agent') return <Agent item={item} isFolded={isFolded} onToggle={onFold} />;
  return <MessageCard item={item} {...card} />;
};

const TruncatedNote = () => (
  <p role="note" className="mx-4 mb-2 rounded-md bg-warn-wash px-3 py-1 text-warn">
    The conversation is longer than is shown here: later spans are in the timeline.
  </p>
);

/** A vertical rule for each sub-agent that the item is within. */
const NestRules = ({ depth }: { depth: number }) =>
  Array.from({ length: Math.min(depth, deepestNest) }, (_, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: rules have no identity
    <span key={i} aria-hidden className="-my-1 ml-2 w-3 shrink-0 border-l-2" />
  ));

type ItemRowProps = {
  index: number;
  numItems: number;
  depth: number;
  /** Distance from the top of the list, in pixels. */
  start: number;
  measure: (row: HTMLElement | null) => void;
  children: ReactNode;
};

/** The place of an item in the list, nested in its sub-agents. */
const ItemRow = ({ index, numItems, depth, start, measure, children }: ItemRowProps) => (
  <li
    ref={measure}
    data-index={index}
    aria-setsize={numItems}
    aria-posinset={index + 1}
    className="absolute inset-x-0 top-0 flex px-4 py-1"
    style={{ transform: `translateY(${start}px)` }}
  >
    <NestRules depth={depth} />
    <div className="min-w-0 flex-1">{children}</div>
  </li>
);

type SummaryProps = {
  conversation: Conversation;
  numCalls: number;
  numFailed: number;
  onNextFailure: () => void;
  /** Folds all tool calls, or unfolds them. */
  onFoldCalls: (isFolded: boolean) => void;
};

/** The numbers of messages, tool calls, sub-agents and failures, above the messages. */
const Summary = ({ conversation, numCalls, numFailed, onNextFailure, onFoldCalls }: SummaryProps) => (
  <div className="flex flex-wrap items-center gap-2 px-4 pb-2">
    <span className="text-soft">
      {countOf(conversation.data.length, 'message')}
      {numCalls > 0 && ` · ${countOf(numCalls, 'tool call')}`}
      {conversation.agents.length > 0 && ` · ${countOf(conversation.agents.length, 'sub-agent')}`}
    </span>
    {numFailed > 0 && (
      <Button onClick={onNextFailure} title="Next failure (e)" className="text-fail">
        <TriangleAlert size={13} aria-hidden /> {numFailed.toLocaleString('en')} failed
      </Button>
    )}
    <div className="ml-auto flex">
      <IconButton
        icon={ChevronsUpDown}
        label="Expand all tool calls"
        disabled={numCalls === 0}
        onClick={() => onFoldCalls(false)}
      />
      <IconButton
        icon={ChevronsDownUp}
        label="Collapse all tool calls"
        disabled={numCalls === 0}
        onClick={() => onFoldCalls(true)}
      />
    </div>
  </div>
);

/** A turn of a session begins. */
const Turn = ({ item, projectId }: { item: Extract<Item, { kind: 'turn' }>; projectId: string }) => (
  <header className="flex flex-wrap items-baseline gap-x-3 border-b pt-3 pb-1 text-sm text-soft">
    <h3 className="font-semibold text-ink">Turn {item.place}</h3>
    <Time at={item.time} />
    {item.afterMs >= leastGapMs && <span>{laterText(item.afterMs)}</span>}
    {useMay().read && (
      <TextLink {...paths.trace(projectId, item.traceId)} className="ml-auto">
        Trace
      </TextLink>
    )}
  </header>
);
const leastGapMs = 60_000;

type EarlierProps = { item: Extract<Item, { kind: 'earlier' }>; onToggle: () => void };

/** What earlier turns said, folded. */
const Earlier = ({ item, onToggle }: EarlierProps) => (
  <button
    type="button"
    aria-expanded={item.isOpen}
    onClick={onToggle}
    className="flex min-h-8 w-full items-center gap-1.5 rounded-md bg-sunken px-2 text-left text-soft hover:bg-hover"
  >
    <ChevronRight size={12} aria-hidden className={item.isOpen ? 'rotate-90' : ''} />
    {countOf(item.count, 'message')} of earlier turns
  </button>
);

const deepestNest = 8;

const spansOf = (item: Item): string[] => {
  if (item.kind === 'agent') return [item.agent.spanId];
  if (item.kind !== 'message') return [];
  return [item.entry.spanId, ...item.calls.flatMap(({ answer }) => answer?.spanId ?? [])];
};

type AgentProps = { item: Extract<Item, { kind: 'agent' }>; isFolded: boolean; onToggle: () => void };

const Agent = ({ item: { agent, numMessages }, isFolded, onToggle }: AgentProps) => (
  <div className="rounded-md bg-sunken">
    <button
      type="button"
      aria-expanded={!isFolded}
      onClick={onToggle}
      className="flex min-h-8 w-full items-center gap-1.5 rounded-md px-2 text-left hover:bg-hover"
    >
      <ChevronRight size={12} aria-hidden className={`text-soft ${isFolded ? '' : 'rotate-90'}`} />
      <Bot size={14} aria-hidden className="text-soft" />
      <span className="sr-only">Sub-agent</span>
      <span className="truncate font-medium">{agent.name || 'agent'}</span>
      <span className="shrink-0 text-sm text-soft">{countOf(numMessages, 'message')}</span>
      {agent.error !== null && <Failed />}
    </button>
    {agent.error !== null && (
      <p className="px-2 pb-1 break-words whitespace-pre-wrap text-fail">{agent.error}</p>
    )}
  </div>
);
