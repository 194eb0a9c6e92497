import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import { type Call, doubledIn, isCall, withoutDoubled } from './nested-calls.ts';
import {
  deleteOtherLinks,
  findEarlierVersions,
  insertSpans,
  listStoredSpans,
  type SpanRow,
  type StoredSpanRow,
  type TraceRow,
} from './queries.ts';
import { distinctSpans, type RowOfSpan } from './span-row.ts';
import { type Added, type CallOfTrace, findCallsAround, type SpanKey } from './span-sums.ts';
import { asMap, readStored } from './stored.ts';
import {
  losesFacts,
  noUpdate,
  type ToldSpan,
  type TraceUpdate,
  tellSpans,
  wholeUpdate,
} from './trace-update.ts';

/** Spans read at a time; each may be large. */
const pageSize = 100;

/** Returns a stored span as an arriving one, for its trace. */
export const asTold = ({
  traceId: _,
  name,
  content,
  resource,
  otelId,
  spanId,
  parentSpanId,
  start,
  end,
}: StoredSpanRow): ToldSpan => ({
  ...readStored(name, content),
  spanId,
  parentSpanId,
  traceId: otelId,
  start: BigInt(start),
  end: BigInt(end),
  source: { resource: asMap(parseJson(resource) as Record<string, unknown>) },
});

/** Returns the update of a trace by all of its stored spans, and deletes the links that none carries. */
const updateOfAll = async (
  tx: Sql,
  scope: Scope,
  { before, added }: TraceUpdate,
  now: Date,
): Promise<TraceUpdate> => {
  const update = wholeUpdate(before, added);
  for (let after = ''; ; ) {
    const page = await listStoredSpans(tx, scope, before.id, after, pageSize);
    tellSpans(update, page.map(asTold), now);
    if (page.length < pageSize) break;
    after = page.at(-1)!.spanId;
  }
  await deleteOtherLinks(tx, scope, before.id, [...update.links]);
  return update;
};

/** Returns the versions of spans of a batch that ended before the one that is kept. */
const earlierIn = (items: RowOfSpan[], kept: RowOfSpan[]): RowOfSpan[] => {
  if (items.length === kept.length) return [];
  const ends = new Map(kept.map(({ row }) => [`${row.traceId} ${row.spanId}`, row.end]));
  return items.filter(({ row }) => row.end < ends.get(`${row.traceId} ${row.spanId}`)!);
};

/** Calls of models in one trace that a batch wrote, and those that they replaced. */
type Written = { calls: CallOfTrace[]; replaced: CallOfTrace[] };

/** Returns the ids of spans as keys, each once. */
const keysOf = (traceId: bigint, ids: Iterable<string>): SpanKey[] =>
  [...new Set(ids)].map((spanId) => ({ traceId, spanId }));

/**
 * Corrects what spans add to their traces: calls of models that lie in each other count once. It reads the calls around those that
 * were written or replaced, however large the trace is, and none if the batch began the trace.
 */
const countOnce = async (
  tx: Sql,
  scope: Scope,
  added: Added[],
  traces: Map<bigint, TraceRow>,
  writtenTo: (traceId: bigint) => Written,
): Promise<Added[]> => {
  const written = new Map(added.map(({ traceId }) => [traceId, writtenTo(traceId)]));
  const known = [...written].filter(([id]) => traces.get(id)!.numSpans > 0);
  const spans = known.flatMap(([id, { calls, replaced }]) =>
    keysOf(
      id,
      [...calls, ...replaced].map(({ spanId }) => spanId),
    ),
  );
  const parents = known.flatMap(([id, { calls, replaced }]) =>
    keysOf(
      id,
      [...calls, ...replaced].map(({ parentSpanId }) => parentSpanId).filter((parent) => parent !== ''),
    ),
  );
  const found = spans.length > 0 ? await findCallsAround(tx, scope, spans, parents) : [];
  const around = Map.groupBy(found, ({ traceId }) => traceId);
  return added.map((sums) => {
    const { calls, replaced } = written.get(sums.traceId)!;
    const ids = new Set(calls.map(({ spanId }) => spanId));
    const gone = new Set(replaced.map(({ spanId }) => spanId));
    const others = (around.get(sums.traceId) ?? []).filter(({ spanId }) => !ids.has(spanId));
    const before: Call[] = [...others.filter(({ spanId }) => !gone.has(spanId)), ...replaced];
    return { ...sums, ...withoutDoubled(sums, doubledIn(before), doubledIn([...others, ...calls])) };
  });
};

/**
 * Stores spans and returns the updates of their traces, by the spans that were written: a version that ended before the stored one says
 * nothing. `numOutdated` counts these, and `replaced` has the versions that are gone. The traces must be locked.
 */
export const storeSpans = async (
  tx: Sql,
  scope: Scope,
  sent: RowOfSpan[],
  traces: Map<bigint, TraceRow>,
  now: Date,
): Promise<{ updates: TraceUpdate[]; numOutdated: number; replaced: StoredSpanRow[] }> => {
  const items = distinctSpans(sent);
  const rows = items.map(({ row }) => row);
  // Both statements travel together.
  const [earlier, written] = await Promise.all([
    findEarlierVersions(tx, scope, rows),
    insertSpans(tx, scope, rows),
  ]);
  const byTrace = Map.groupBy(items, ({ row }) => row.traceId);
  const earlierOf = Map.groupBy(earlier, ({ traceId }) => traceId);
  const writtenIds = new Map(written.map(({ traceId, spanIds }) => [traceId, new Set(spanIds)]));
  const replacedIn = (traceId: bigint) =>
    (earlierOf.get(traceId) ?? []).filter(({ spanId }) => writtenIds.get(traceId)!.has(spanId));
  const counted = await countOnce(tx, scope, written, traces, (traceId) => ({
    calls: byTrace
      .get(traceId)!
      .flatMap(({ row }) => (writtenIds.get(traceId)!.has(row.spanId) && isCall(row) ? [row] : [])),
    replaced: replacedIn(traceId).filter(isCall),
  }));
  const updates: TraceUpdate[] = [];
  const allReplaced: StoredSpanRow[] = [];
  for (const sums of counted) {
    const ids = writtenIds.get(sums.traceId)!;
    const before = traces.get(sums.traceId)!;
    const spans = byTrace.get(sums.traceId)!.flatMap(({ span }) => (ids.has(span.spanId) ? [span] : []));
    const update = tellSpans(noUpdate(before, sums), spans, now);
    const replaced = replacedIn(sums.traceId);
    allReplaced.push(...replaced);
    const was = tellSpans(noUpdate(before), replaced.map(asTold), now);
    updates.push(losesFacts(update, was) ? await updateOfAll(tx, scope, update, now) : update);
  }
  // What was not written is as old as the stored version, and then the same, or older.
  const known = new Set(earlier.map(({ traceId, spanId }) => `${traceId} ${spanId}`));
  const stored = new Set(written.flatMap(({ traceId, spanIds }) => spanIds.map((id) => `${traceId} ${id}`)));
  const isOutdated = ({ traceId, spanId }: SpanRow) =>
    !stored.has(`${traceId} ${spanId}`) && !known.has(`${traceId} ${spanId}`);
  const numOutdated = rows.filter(isOutdated).length + earlierIn(sent, items).length;
  return { updates, numOutdated, replaced: allReplaced };
};
