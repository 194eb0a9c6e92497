import { asText } from '../../platform/db/text.ts';
import { isSetUp, modelOf, type Readable } from '../conventions/understand.ts';
import { addCosts } from './nested-calls.ts';
import type { TraceRow, TraceSummary } from './queries.ts';
import { tagsOf } from './read-tags.ts';
import { contentOrder, type Placed, previewOf, type Side, sides } from './record-content.ts';
import {
  attributeOf,
  cutModel,
  cutName,
  isSuiteRun,
  isTestWithin,
  linkOf,
  type Suite,
  sessionIdOf,
  suiteOf,
  testcaseIdOf,
  userIdOf,
  type WithSource,
} from './span-row.ts';
import type { Added } from './span-sums.ts';
import { earlierStart, isPlausibleStart } from './span-times.ts';

/** Most tags that a batch of spans adds to its trace. */
export const maxTags = 50;

/** A span that a record's inputs or outputs may be taken from. Of several candidates the one with the smallest order is taken. */
type Candidate = { order: string; span: Readable };

/** The parts of a span that say something about its trace. */
export type ToldSpan = Placed & WithSource;

/** Update of one trace by the spans of a batch. */
export type TraceUpdate = {
  /** The trace before this batch. */
  before: TraceRow;
  /** What the update is added to: the trace before this batch, or its sums alone if these are all of its spans. */
  base: TraceRow;
  links: Set<string>;
  sessionId: string | null;
  testcaseId: string | null;
  suite: Suite | null;
  /** The spans that ran a test within this trace; a trace that is a test itself has none. */
  tests: ToldSpan[];
  /** The ids of the spans. */
  spanIds: string[];
  tags: Set<string>;
  /** Number of spans with tags beyond the most that a batch adds to a trace. */
  numSpansWithMoreTags: number;
  best: Record<Side, Candidate | null>;
  /** UTC day on which the first of these spans began. */
  day: string;
  userId: string | null;
  start: bigint | null;
  end: bigint | null;
  model: string | null;
  root: Pick<TraceSummary, 'rootOrder' | 'name' | 'service'>;
  /** Whether the spans only say that agents were made. */
  isSetUp: boolean;
  /** Their part of the trace's sums; null if they were all stored before. */
  added: Added | null;
};

export const dayOf = (time: bigint, now: Date): string => {
  // A clock that is years off must not make runs of days that no one looks at.
  const day = isPlausibleStart(time, now) ? new Date(Number(time / 1_000_000n)) : now;
  return day.toISOString().slice(0, 10);
};

/** Returns the smaller text; null counts as none. */
const smaller = (a: string | null, b: string | null): string | null =>
  a === null || (b !== null && b < a) ? b : a;

/** Returns what the spans of a trace say together of a suite; each part may be of another span. */
export const suiteOfBoth = (a: Suite | null, b: Suite | null): Suite | null => {
  if (a === null || b === null || a.name !== b.name) return a === null || (b && b.name < a.name) ? b : a;
  const part = (key: 'execution' | 'test') => smaller(a[key] || null, b[key] || null) ?? '';
  return { name: a.name, execution: part('execution'), test: part('test') };
};

/** Returns the place of a span among those that may name its trace: roots first, then the earliest. */
const rootOrder = ({ parentSpanId, start, spanId }: Placed): string => {
  const isRoot = /^0*$/.test(parentSpanId);
  return `${isRoot ? 0 : 1}${(start + 2n ** 63n).toString().padStart(20, '0')}${spanId}`;
};

const laterOf = (a: bigint | null, b: bigint | null) => (a === null || (b !== null && b > a) ? b : a);

/** Returns the update of a trace by no spans yet. `added`: their part of its sums. */
export const noUpdate = (before: TraceRow, added: Added | null = null): TraceUpdate => ({
  before,
  base: before,
  links: new Set(),
  sessionId: null,
  testcaseId: null,
  suite: null,
  tests: [],
  spanIds: [],
  tags: new Set(),
  numSpansWithMoreTags: 0,
  best: { input: null, output: null },
  day: '',
  userId: null,
  start: null,
  end: null,
  model: null,
  root: { rootOrder: null, name: null, service: null },
  isSetUp: true,
  added,
});

/** Adds what a span says to the update of its trace. */
const tellSpan = (update: TraceUpdate, span: ToldSpan): void => {
  update.spanIds.push(span.spanId);
  const link = linkOf(span);
  if (link !== null) update.links.add(link);
  update.sessionId = smaller(update.sessionId, sessionIdOf(span));
  update.testcaseId = smaller(update.testcaseId, testcaseIdOf(span));
  if (isTestWithin(span)) update.tests.push(span);
  else if (!isSuiteRun(span)) update.suite = suiteOfBoth(update.suite, suiteOf(span));
  const others = tagsOf(span).filter((tag) => !update.tags.has(tag));
  const room = maxTags - update.tags.size;
  for (const tag of others.slice(0, room)) update.tags.add(tag);
  if (others.length > room) update.numSpansWithMoreTags++;
  for (const side of sides) {
    const order = contentOrder(span, side);
    const best = update.best[side];
    if (order !== undefined && (best === null || order < best.order)) update.best[side] = { order, span };
  }
  update.userId = smaller(update.userId, userIdOf(span));
  update.start = earlierStart(update.start, span.start);
  update.end = laterOf(update.end, span.end);
  update.model = smaller(update.model, cutModel(modelOf(span.attributes)));
  update.isSetUp &&= isSetUp(span);
  const order = rootOrder(span);
  if (smaller(update.root.rootOrder, order) === order)
    update.root = {
      rootOrder: order,
      name: asText(cutName(span.name)),
      service: asText(cutName(attributeOf(span, ['service.name']) ?? '')),
    };
};

/** Adds what spans say to the update of their trace. */
export const tellSpans = (update: TraceUpdate, spans: readonly ToldSpan[], now: Date): TraceUpdate => {
  for (const span of spans) tellSpan(update, span);
  update.day = dayOf(update.start ?? 0n, now);
  return update;
};

/** Returns a trace with its sums and its record, without what its spans say. */
const withoutFacts = (trace: TraceRow): TraceRow => ({
  ...trace,
  linked: false,
  sessionId: null,
  userId: null,
  testcaseId: null,
  inputOrder: null,
  outputOrder: null,
  start: null,
  end: null,
  model: null,
  rootOrder: null,
  name: null,
  service: null,
  input: null,
  output: null,
});

/** Returns the update of a trace by all of its spans, which replaces what they said before. */
export const wholeUpdate = (before: TraceRow, added: Added | null): TraceUpdate => ({
  ...noUpdate(before, added),
  base: withoutFacts(before),
});

/**
 * Tells whether spans that were replaced said something about the trace that its new spans do not say. `was` is what the replaced
 * spans said. Then only all spans of the trace tell what holds.
 */
export const losesFacts = (update: TraceUpdate, was: TraceUpdate): boolean => {
  const { before } = update;
  const isLost = <T>(old: T | null, current: T | null, found: T | null) =>
    old !== null && old === current && found !== old;
  const isWorse = (old: string | null, current: string | null, found: string | null) =>
    isLost(old, current, found) && smaller(old, found) === old;
  return (
    isLost(was.sessionId, before.sessionId, update.sessionId) ||
    isLost(was.userId, before.userId, update.userId) ||
    isLost(was.testcaseId, before.testcaseId, update.testcaseId) ||
    isLost(was.model, before.model, update.model) ||
    isLost(timeText(was.start), before.start, timeText(update.start)) ||
    isWorse(was.root.rootOrder, before.rootOrder, update.root.rootOrder) ||
    sides.some((side) =>
      isWorse(was.best[side]?.order ?? null, before[`${side}Order`], update.best[side]?.order ?? null),
    ) ||
    [...was.links].some((link) => !update.links.has(link)) ||
    [...was.tags].some((tag) => !update.tags.has(tag))
  );
};

/**
 * Returns the trace with its update merged in. It keeps its record unless it is linked to records now. A trace with several
 * sessions gets the smallest id, whichever came first; so does one with several testcases.
 */
export const updatedTrace = (update: TraceUpdate): TraceRow => {
  const { base: before, links, sessionId, testcaseId, best } = update;
  const linked = before.linked || links.size > 0;
  const inputOrder = smaller(before.inputOrder, best.input?.order ?? null);
  const outputOrder = smaller(before.outputOrder, best.output?.order ?? null);
  const rootOrder = smaller(before.rootOrder, update.root.rootOrder);
  const preview = (side: Side, order: string | null) =>
    best[side] && best[side].order === order ? previewOf(best[side].span, side) : before[side];
  return {
    ...before,
    ...summedUp(before, update.added),
    linked,
    sessionId: smaller(before.sessionId, sessionId),
    userId: smaller(before.userId, update.userId),
    testcaseId: smaller(before.testcaseId, testcaseId),
    inputOrder,
    outputOrder,
    input: preview('input', inputOrder),
    output: preview('output', outputOrder),
    start: timeText(earlierStart(readTime(before.start), update.start)),
    end: timeText(laterOf(readTime(before.end), update.end)),
    model: smaller(before.model, update.model === null ? null : asText(update.model)),
    ...(rootOrder === update.root.rootOrder && update.root),
    ...(linked && { runId: null, n: null }),
  };
};

const readTime = (time: string | null) => (time === null ? null : BigInt(time));
const timeText = (time: bigint | null) => (time === null ? null : String(time));

const plus = (a: number | null, b: number | null, add = (c: number, d: number) => c + d) =>
  a === null || b === null ? (a ?? b) : add(a, b);

const summedUp = (before: TraceRow, added: Added | null) =>
  added && {
    numSpans: before.numSpans + added.spans,
    numErrors: before.numErrors + added.errors,
    inputTokens: plus(before.inputTokens, added.inputTokens),
    outputTokens: plus(before.outputTokens, added.outputTokens),
    costUsd: plus(before.costUsd, added.costUsd, addCosts),
  };
