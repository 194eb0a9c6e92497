import { readSpanSearch } from '../../evaluation/metrics/span-search.ts';
import { traceOfTest } from '../../evaluation/records/traces-of.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import type { Owner } from '../../platform/http/scope.ts';
import { placeInPack, readContents, type WithPack, withPacks } from '../store/contents.ts';
import { spanName } from '../store/record-content.ts';
import { findLinkOfRecord, listSpansOf, type SpansOf } from './read-queries.ts';
import { askDatabase, findSource } from './record-source.ts';
import {
  type Chosen,
  chooseSpans,
  listSpanContents,
  type ScoredSpan,
  type SpanId,
  scoredSpan,
} from './scored-spans.ts';
import {
  leavesOut,
  type ReadSpans,
  type TracePartName,
  type TraceParts,
  tracePartsOf,
  walkLimits,
} from './scored-trace.ts';
import { findDigest, openWalk } from './walk.ts';

/** Most spans of a record that metrics get, the first by start. */
const maxSpans = 10_000;
/** Most contents that are read, and most bytes of them; those of models, tools and agents come first. */
const maxContents = 2_000;
const maxContentBytes = 8 * 1024 * 1024;

const countSpans = (sql: Sql, owner: Owner, spans: SpansOf) => sql<{ count: number }[]>`
  select count(*)::int as count from span
  where ${spans(sql, owner)} and span.organization_id = ${owner.organizationId}`;

const listContents = async (db: Database, owner: Owner, spans: SpansOf) => {
  const first = (sql: Sql) => sql`
    select "traceId", "spanId", in_trace, in_chunk
    from (
      select encode(trace.otel_id, 'hex') as "traceId", encode(span.span_id, 'hex') as "spanId", ${placeInPack(sql)},
        sum(span.content_bytes) over first_said as bytes, row_number() over first_said as place
      from span join trace on trace.id = span.trace_id
      where ${spans(sql, owner)}
        and span.organization_id = ${owner.organizationId} and trace.organization_id = ${owner.organizationId}
      window first_said as (order by coalesce(span.operation in ('chat', 'tool', 'agent'), false) desc, span.start_ns,
        span.trace_id, span.span_id)) contents
    where bytes <= ${maxContentBytes} and place <= ${maxContents}`;
  return readContents(
    await db.read(owner, (sql) => sql<(WithPack & SpanId)[]>`${withPacks(sql, owner, first(sql))}`),
  );
};

/** Lists which of these records of a run have traces. Reads trace_record, trace_link_pkey and record_pkey. */
const listTraced = (sql: Sql, owner: Owner, runId: bigint, numbers: number[]) => sql<{ n: number }[]>`
  select n from trace
  where run_id = ${runId} and n = any(${numbers}::integer[]) and organization_id = ${owner.organizationId}
  union
  select r.n
  from record r join trace_link link on link.project_id = r.project_id and link.link = r.otel_link_id
  where r.run_id = ${runId} and r.n = any(${numbers}::integer[]) and r.otel_link_id is not null
    and r.organization_id = ${owner.organizationId} and link.organization_id = ${owner.organizationId}
  union
  select r.n from record r
  where r.run_id = ${runId} and r.n = any(${numbers}::integer[]) and r.otel_link_id like 'test:%'
    and r.organization_id = ${owner.organizationId} and ${traceOfTest(sql, owner)} is not null`;

type Read = (
  owner: Owner,
  key: RecordKey,
  names: readonly TracePartName[],
) => Promise<TraceParts | undefined>;

/** Reads the parts of records' traces that metrics name. */
export type TraceReader = {
  /** Returns the parts of one record; undefined when it has no spans. */
  read: Read;
  /** The same for a judge: where the lists would leave out a part of the trace, short ones, and tools that read it. */
  readToWalk: Read;
  /** Returns the spans of a record that a search chooses, and the content of one of them: the named one, or the first. */
  readSpan: (
    owner: Owner,
    key: RecordKey,
    search: string,
    named: { [key in keyof SpanId]?: string | undefined },
  ) => Promise<{ chosen: Chosen; span: ScoredSpan | undefined }>;
  /** Returns which of these records of a run have traces. One statement for many records: most have none. */
  traced: (owner: Owner, runId: bigint, numbers: number[]) => Promise<Set<number>>;
};

/** Opens a reader that reads one trace at a time: a large one takes memory, and this process also answers requests. */
export const openTraceReader = (db: Database): TraceReader => {
  let last: Promise<unknown> = Promise.resolve();

  const readSpans = async (owner: Owner, key: RecordKey) => {
    const source = await findSource(askDatabase(db, owner), owner, key);
    if (!source) return undefined;
    const rows = await db.read(owner, (sql) => listSpansOf(sql, owner, source.spans, maxSpans + 1));
    if (rows.length === 0) return undefined;
    const contents = await listContents(db, owner, source.spans);
    const isWhole = rows[0]!.numFound === rows.length && rows.length <= maxSpans;
    const [counted] = isWhole ? [] : await db.read(owner, (sql) => countSpans(sql, owner, source.spans));
    const spans: ReadSpans = {
      rows: rows.slice(0, maxSpans),
      contents: new Map(contents.map((row) => [spanName(row), row.content])),
      link: source.link,
      count: counted?.count ?? rows.length,
    };
    return { spans, source };
  };

  const read: Read = async (owner, key, names) => {
    const found = await readSpans(owner, key);
    return found && tracePartsOf(found.spans, names);
  };

  const readToWalk: Read = async (owner, key, names) => {
    const found = await readSpans(owner, key);
    const parts = found && tracePartsOf(found.spans, names);
    if (!parts || !leavesOut(parts.evidence)) return parts;
    const { spans, source } = found;
    const { projectId } = source;
    const [identified] = await db.read(owner, (sql) => findDigest(sql, owner, source.spans));
    const { rows, link } = spans;
    const { organizationId } = owner;
    const walk = openWalk(
      db,
      { organizationId, projectId },
      { rows, link, digest: identified?.digest ?? '' },
    );
    return { ...tracePartsOf(spans, names, walkLimits), walk };
  };

  const readSpan: TraceReader['readSpan'] = async (owner, key, search, { spanId, traceId }) => {
    const chosen = await db.transaction(owner, (tx) => chooseSpans(tx, owner, key, readSpanSearch(search)));
    const row = chosen.spans.find(
      (span) =>
        (spanId === undefined || span.spanId === spanId) &&
        (traceId === undefined || span.traceId === traceId),
    );
    const [found] = await db.read(owner, (sql) => findLinkOfRecord(sql, owner, key));
    if (!row || !found) return { chosen, span: undefined };
    const [read] = await listSpanContents(db, owner, found.projectId, [row]);
    return { chosen, span: read && scoredSpan(row, read.content) };
  };

  const inTurn =
    (reads: Read): Read =>
    (owner, key, names) => {
      const reading = last.then(() => reads(owner, key, names));
      last = reading.catch(() => {});
      return reading;
    };

  return {
    read: inTurn(read),
    readToWalk: inTurn(readToWalk),
    readSpan,
    traced: async (owner, runId, numbers) => {
      const rows = await db.read(owner, (sql) => listTraced(sql, owner, runId, numbers));
      return new Set(rows.map(({ n }) => n));
    },
  };
};
