import { createHash } from 'node:crypto';
import type { SpanTest } from '../../evaluation/metrics/span-search.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import type { Owner } from '../../platform/http/scope.ts';
import { parseAsWritten } from '../../platform/json/parse-as-written.ts';
import type { Json } from '../conventions/attribute.ts';
import { errorOf, toolRunOf, usageOf } from '../conventions/understand.ts';
import { placeInPack, readContents, type WithPack, withPacks } from '../store/contents.ts';
import { contentOf } from '../store/record-content.ts';
import { readStored } from '../store/stored.ts';
import { durationOf, isoTime } from './format.ts';
import { listSpansOf, type SpanRow } from './read-queries.ts';
import { askIn, findSource } from './record-source.ts';
import { type Cuts, shortenedJson } from './shorten.ts';
import { treeOrder } from './tree.ts';

/** Names a span of a record by the ids of OpenTelemetry. */
export type SpanId = { traceId: string; spanId: string };

/** A span that a metric scores: what code and templates read as `span`, as JSON. */
export type ScoredSpan = SpanId & {
  name: string;
  text: string;
  /** Changes with everything that a metric reads of the span. */
  hash: string;
  /** What was left out because it exceeds a limit, in words. */
  cut: string[];
};

/** Most spans of a record among which a search chooses, and most that it may choose. */
export const maxSearched = 10_000;
export const maxChosen = 200;
/** Longest single text within a span, in characters. */
const textLimit = 20_000;

/** The spans of a record that a search chooses, in the order of the tree. */
export type Chosen = {
  spans: SpanRow[];
  /** Number of all spans of the record that were searched. */
  numSpans: number;
  /** Why the choice cannot be scored, in words; null if it can. */
  problem: string | null;
};

/** Returns the spans of a record that a search chooses. Reads them without their contents. */
export const chooseSpans = async (
  sql: Sql,
  owner: Owner,
  key: RecordKey,
  test: SpanTest,
): Promise<Chosen> => {
  const found = await findSource(askIn(sql), owner, key);
  const rows = found ? await listSpansOf(sql, owner, found.spans, maxSearched + 1) : [];
  const spans = treeOrder(rows, found?.link ?? null).filter(test);
  const problem =
    rows.length > maxSearched
      ? `the record has more than ${maxSearched} spans: a search of the first would be biased`
      : spans.length > maxChosen
        ? `the search chooses ${spans.length} spans of the record, and at most ${maxChosen} are scored: make it narrower`
        : null;
  return { spans, numSpans: rows.length, problem };
};

/** Reads the contents of these spans. Reads trace by its id of OpenTelemetry, and span_pkey. */
export const listSpanContents = async (db: Database, owner: Owner, projectId: bigint, spans: SpanId[]) => {
  const keys = spans.map(({ traceId, spanId }) => ({ traceId, spanId }));
  const named = (sql: Sql) => sql`
    select encode(trace.otel_id, 'hex') as "traceId", encode(span.span_id, 'hex') as "spanId", ${placeInPack(sql)}
    from ${rowsOf(sql, keys, { trace_id: 'bytea', span_id: 'bytea' }, { as: 'item' })}
    join trace on trace.project_id = ${projectId} and trace.otel_id = item.trace_id
      and trace.organization_id = ${owner.organizationId}
    join span on span.trace_id = trace.id and span.span_id = item.span_id and span.organization_id = ${owner.organizationId}`;
  return readContents(
    await db.read(owner, (sql) => sql<(WithPack & SpanId)[]>`${withPacks(sql, owner, named(sql))}`),
  );
};

/** Returns a span as JSON, as code, templates and judges read it. */
export const readableSpan = (row: SpanRow, content: string): Json => {
  const read = readStored(row.name, content);
  const sides =
    row.operation === 'tool'
      ? (({ arguments: inputs, result }) => ({ inputs, outputs: result }))(toolRunOf(read))
      : {
          inputs: parseAsWritten(contentOf(read, 'input')) as Json,
          outputs: parseAsWritten(contentOf(read, 'output')) as Json,
        };
  const known = Object.entries(usageOf(read.attributes)).filter(([, value]) => value !== null);
  return {
    traceId: row.traceId,
    spanId: row.spanId,
    parentSpanId: row.parentSpanId,
    name: row.name,
    kind: row.operation,
    service: row.service,
    model: row.model,
    failed: row.failed,
    error: row.failed ? errorOf(read.statusMessage, read) : null,
    startTime: isoTime(BigInt(row.start)),
    durationMs: durationOf(row),
    ...Object.fromEntries(known),
    ...sides,
    attributes: Object.fromEntries(read.attributes) as Json,
    events: read.events.map(({ name, attributes }) => ({
      name,
      attributes: Object.fromEntries(attributes) as Json,
    })),
  } as unknown as Json;
};

/** Returns a span as code and templates see it. The same span gives the same text. */
export const scoredSpan = (row: SpanRow, content: string): ScoredSpan => {
  const { value, count } = shortenedJson(readableSpan(row, content), textLimit);
  const text = JSON.stringify(value);
  const cut: Cuts = count > 0 ? [`span: texts longer than ${textLimit} characters (${count})`] : [];
  const { traceId, spanId, name } = row;
  return { traceId, spanId, name, text, cut, hash: createHash('sha256').update(text).digest('hex') };
};
