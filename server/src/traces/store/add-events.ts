import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { elements, members, type RawJson } from '../../platform/json/json.ts';
import { detailsEvent } from '../conventions/understand.ts';
import type { ArrivedTrace } from './arrived.ts';
import { assignRecords } from './assign-records.ts';
import { replaceContents } from './contents.ts';
import { refreshTests } from './late-test-spans.ts';
import { findStoredSpans, lockTracesById, type SpanRow, type StoredSpanRow } from './queries.ts';
import { asTold } from './replace-spans.ts';
import type { Span } from './span.ts';
import { noUpdate, tellSpans } from './trace-update.ts';

/** An event, as JSON text, of a span that is stored. */
export type AddedEvent = { traceId: bigint; spanId: string; content: RawJson };

const nameOf = ({ traceId, spanId }: { traceId: bigint; spanId: string }) => `${traceId} ${spanId}`;

/** Returns a span's content with events behind its own. One that it has already was sent twice. */
const withEvents = (content: RawJson, added: RawJson[]): RawJson => {
  const parts = members(content);
  const own = parts.has('events') ? elements(parts.get('events')!) : [];
  parts.set('events', `[${[...new Set([...own, ...added])].join(',')}]`);
  return `{${[...parts].map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;
};

/**
 * Returns the details of calls that arrived apart from their spans, which were now sent again without them. An exporter that sends a batch
 * again does not send its log records again.
 */
export const lostDetails = (
  replaced: StoredSpanRow[],
  sent: { span: Span; row: SpanRow }[],
): AddedEvent[] => {
  const had = replaced.filter(({ content }) => content.includes(detailsEvent));
  if (had.length === 0) return [];
  const current = new Map(sent.map(({ span, row }) => [nameOf(row), span]));
  return had.flatMap(({ traceId, spanId, content }) => {
    const hasDetails = current
      .get(nameOf({ traceId, spanId }))
      ?.events.some(({ name }) => name === detailsEvent);
    const events = hasDetails ? [] : elements(members(content).get('events') ?? '[]');
    return events
      .filter((event) => members(event).get('name') === JSON.stringify(detailsEvent))
      .map((event) => ({ traceId, spanId, content: event }));
  });
};

/** Adds events to stored spans, and brings their traces and records up to date, also those of tests. Returns the traces. */
export const addEvents = async (
  tx: Sql,
  scope: Scope,
  added: AddedEvent[],
  now: Date,
): Promise<ArrivedTrace[]> => {
  if (added.length === 0) return [];
  const bySpan = Map.groupBy(added, nameOf);
  const traces = await lockTracesById(tx, scope, [...new Set(added.map(({ traceId }) => traceId))]);
  const found = await findStoredSpans(
    tx,
    scope,
    [...bySpan.values()].map(([span]) => span!),
  );
  // A damaged content would be replaced by its events.
  const whole = found.filter(({ isDamaged }) => !isDamaged);
  const spans = whole.map((span) => ({
    ...span,
    content: withEvents(
      span.content,
      bySpan.get(nameOf(span))!.map(({ content }) => content),
    ),
  }));
  await replaceContents(tx, scope, spans);
  const byTrace = Map.groupBy(spans, ({ traceId }) => traceId);
  const updates = traces.flatMap((trace) => {
    const told = byTrace.get(trace.id)?.map(asTold);
    return told ? [tellSpans(noUpdate(trace), told, now)] : [];
  });
  await assignRecords(tx, scope, updates);
  return refreshTests(tx, scope, updates, spans);
};
