import type { TreeSpan } from '../../types.ts';
import { durationText } from '../../ui/format.ts';
import { type Gap, scaleOf } from './gaps.ts';

/** A span of the tree as the pages draw it. Times are milliseconds since the first span began. */
export type Node = {
  span: TreeSpan;
  /** Unique among the spans of a record; a span id alone is unique within a trace only. */
  key: string;
  index: number;
  depth: number;
  /** Index of its parent; -1 for a root. */
  parent: number;
  /** Index of the first later span that is not its descendant. */
  end: number;
  numChildren: number;
  from: number;
  to: number;
  /** Its place on the timeline, where long gaps are short. */
  left: number;
  right: number;
  /** Milliseconds in which none of its children ran. */
  self: number;
};

export type SpanTree = {
  nodes: Node[];
  find: (key: string) => Node | undefined;
  durationMs: number;
  /** The length of the timeline, and the gaps that it draws short. */
  width: number;
  gaps: readonly Gap[];
  numFailed: number;
};

export const keyOf = ({ traceId, spanId }: { traceId: string; spanId: string }): string =>
  `${traceId}-${spanId}`;

/** The duration of a span, or why it has none. */
export const spanDurationText = ({
  endTime,
  durationMs,
}: Pick<TreeSpan, 'endTime' | 'durationMs'>): string => {
  if (durationMs !== null) return durationText(durationMs);
  return endTime === null ? 'not ended' : 'ends before it starts';
};

/** A time as milliseconds of its second and the rest, since a number cannot hold nanoseconds of a date. */
const readTime = (iso: string): { secondMs: number; restMs: number } => {
  const point = iso.lastIndexOf('.');
  return { secondMs: Date.parse(`${iso.slice(0, point)}Z`), restMs: Number(iso.slice(point, -1)) * 1_000 };
};

type Interval = { from: number; to: number };

/** Returns how much of a time range the others, sorted by start, do not cover. */
const uncovered = ({ from, to }: Interval, others: Interval[]): number => {
  let free = 0;
  let at = from;
  for (const other of others) {
    if (other.from > at) free += Math.min(other.from, to) - at;
    at = Math.max(at, other.to);
    if (at >= to) return free;
  }
  return free + (to - at);
};

const childrenOf = (nodes: readonly Node[], { index, end }: Node): Node[] => {
  const children: Node[] = [];
  for (let at = index + 1; at < end; at = nodes[at]!.end) children.push(nodes[at]!);
  // The children of a span that is left out are drawn among its siblings.
  return children.sort((a, b) => a.from - b.from);
};

/** Builds the rows to draw from the spans in tree order, each after its parent. */
export const buildTree = (spans: TreeSpan[]): SpanTree => {
  const times = spans.map(({ startTime }) => readTime(startTime));
  const zero = times.reduce(
    (first, time) =>
      time.secondMs < first.secondMs || (time.secondMs === first.secondMs && time.restMs < first.restMs)
        ? time
        : first,
    times[0] ?? { secondMs: 0, restMs: 0 },
  );
  const nodes: Node[] = [];
  const path: Node[] = [];
  const close = (depth: number) => {
    while (path.length > depth) path.pop()!.end = nodes.length;
  };
  for (const [index, span] of spans.entries()) {
    // The depth of a span whose parent is left out may jump; it is then shown below the last visible span.
    const depth = Math.min(span.depth, path.length);
    close(depth);
    const parent = path.at(-1);
    const { secondMs, restMs } = times[index]!;
    const from = secondMs - zero.secondMs + (restMs - zero.restMs);
    // A span without an end has no length.
    const to = from + (span.durationMs ?? 0);
    const node: Node = {
      span,
      key: keyOf(span),
      index,
      depth,
      parent: parent?.index ?? -1,
      end: index + 1,
      numChildren: 0,
      from,
      to,
      left: from,
      right: to,
      self: to - from,
    };
    nodes.push(node);
    if (parent) parent.numChildren += 1;
    path.push(node);
  }
  close(0);
  for (const node of nodes) if (node.numChildren > 0) node.self = uncovered(node, childrenOf(nodes, node));
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const durationMs = nodes.reduce((most, { to }) => Math.max(most, to), 0);
  const { gaps, place } = scaleOf(nodes, durationMs);
  if (gaps.length > 0)
    for (const node of nodes) {
      node.left = place(node.from);
      node.right = place(node.to);
    }
  return {
    nodes,
    find: (key) => byKey.get(key),
    durationMs,
    width: place(durationMs),
    gaps,
    numFailed: nodes.filter(({ span }) => span.failed).length,
  };
};

/** The rows to draw, without the descendants of folded spans. */
export const unfolded = ({ nodes }: SpanTree, folded: ReadonlySet<string>): readonly Node[] => {
  if (folded.size === 0) return nodes;
  const rows: Node[] = [];
  for (let i = 0; i < nodes.length; ) {
    const node = nodes[i]!;
    rows.push(node);
    i = folded.has(node.key) ? node.end : i + 1;
  }
  return rows;
};

export type Filter = { text: string; failed: boolean };

/** The spans that fit a search; null when nothing is searched for. */
export const matching = ({ nodes }: SpanTree, { text, failed }: Filter): Node[] | null => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0 && !failed) return null;
  return nodes.filter(({ span }) => {
    if (failed && !span.failed) return false;
    const { name, service, modelName, operation, spanId } = span;
    const all = `${name} ${service} ${modelName ?? ''} ${operation ?? ''} ${spanId}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
};

/** Returns the spans and their ancestors, in tree order. */
export const withAncestors = ({ nodes }: SpanTree, some: Node[]): Node[] => {
  const shown = new Set<number>();
  for (const { index } of some)
    for (let at = index; at >= 0 && !shown.has(at); at = nodes[at]!.parent) shown.add(at);
  return nodes.filter(({ index }) => shown.has(index));
};

/** Round steps for an axis: at most `count` of them, from the first at or after `from`. */
export const ticksOf = (from: number, to: number, count: number): number[] => {
  const least = (to - from) / count;
  if (!(least > 0)) return [from];
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((n) => n * power).find((each) => each >= least) ?? least;
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.floor(to / step) - first + 1 }, (_, i) => (first + i) * step);
};
