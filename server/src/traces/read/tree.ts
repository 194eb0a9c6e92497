/** What a tree needs of a span. */
export type TreeSpan = { traceId: string; spanId: string; parentSpanId: string | null; link: string | null };
/** A span with its depth below the spans shown, and whether its parent is missing. */
export type Placed<T> = T & { depth: number; parentMissing: boolean };

/** Returns the index of each span's parent, `none` for a root, or `missing` when the parent is not among the spans. */
const parentsOf = (spans: TreeSpan[]): Int32Array => {
  const byTrace = new Map<string, Map<string, number>>();
  for (const [i, { traceId, spanId }] of spans.entries()) {
    let byId = byTrace.get(traceId);
    if (!byId) {
      byId = new Map();
      byTrace.set(traceId, byId);
    }
    byId.set(spanId, i);
  }
  return Int32Array.from(spans, ({ traceId, parentSpanId }) =>
    parentSpanId === null ? none : (byTrace.get(traceId)!.get(parentSpanId) ?? missing),
  );
};
const none = -1;
const missing = -2;

/**
 * Puts spans, given by start, into the order of a tree: each after its parent, siblings by start. A span whose parent is
 * missing is a root, and so is the first of a cycle. With a `link`, spans of other links are left out; a span without a link
 * has that of its nearest ancestor.
 */
export const treeOrder = <T extends TreeSpan>(spans: T[], link: string | null = null): Placed<T>[] => {
  const parents = parentsOf(spans);
  // The children of each span as a chain, last child first: pushed in this order, the first child comes off the stack first.
  const lastChild = new Int32Array(spans.length).fill(none);
  const childBefore = new Int32Array(spans.length).fill(none);
  for (const [i, parent] of parents.entries()) {
    if (parent < 0) continue;
    childBefore[i] = lastChild[parent]!;
    lastChild[parent] = i;
  }
  const placed: Placed<T>[] = [];
  const seen = new Uint8Array(spans.length);
  const depths = new Int32Array(spans.length);
  const links: (string | null)[] = spans.map((span) => span.link);
  // Without recursion: each of a million spans may be the child of the one before.
  const walk = (root: number) => {
    const stack = [root];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (seen[at]) continue;
      seen[at] = 1;
      const belongsTo = links[at]!;
      const depth = depths[at]!;
      const shown = link === null || belongsTo === null || belongsTo === link;
      if (shown) placed.push({ ...spans[at]!, depth, parentMissing: parents[at] === missing });
      for (let child = lastChild[at]!; child !== none; child = childBefore[child]!) {
        if (seen[child]) continue;
        depths[child] = shown ? depth + 1 : depth;
        links[child] ??= belongsTo;
        stack.push(child);
      }
    }
  };
  for (const [i, parent] of parents.entries()) if (parent < 0) walk(i);
  // The rest are in cycles.
  for (const i of spans.keys()) if (!seen[i]) walk(i);
  return placed;
};
