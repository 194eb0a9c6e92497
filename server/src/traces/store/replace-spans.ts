import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import { differenceOf, mayHaveNested } from './nested-calls.ts';
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
import { addUpSpans } from './span-sums.ts';
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
export const asTold = ({ name, content, resource, otelId, start, end, ...ids }: StoredSpanRow): ToldSpan => ({
  ...readStored(name, content),
  ...ids,
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
  const nestedIds = mayHaveNested(items, traces);
  const nested = nestedIds.length > 0 ? await addUpSpans(tx, scope, nestedIds, { onlyNested: true }) : [];
  const sumsOf = new Map(nested.map((all) => [all.traceId, differenceOf(all, traces.get(all.traceId)!)]));
  const byTrace = Map.groupBy(items, ({ row }) => row.traceId);
  const earlierOf = Map.groupBy(earlier, ({ traceId }) => traceId);
  const updates: TraceUpdate[] = [];
  const allReplaced: StoredSpanRow[] = [];
  for (const { spanIds, ...sums } of written) {
    const ids = new Set(spanIds);
    const before = traces.get(sums.traceId)!;
    const spans = byTrace.get(sums.traceId)!.flatMap(({ span }) => (ids.has(span.spanId) ? [span] : []));
    const added = sumsOf.get(sums.traceId) ?? sums;
    const update = tellSpans(noUpdate(before, added), spans, now);
    const replaced = (earlierOf.get(sums.traceId) ?? []).filter(({ spanId }) => ids.has(spanId));
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
