// Longer than 400 lines: the statements that store spans, in the order in which a request runs them.
import { mayWrite } from '../../evaluation/access/queries.ts';
import { isKept } from '../../evaluation/deletions/queries.ts';
import { searchText } from '../../evaluation/records/search-text.ts';
import type { Fragment, Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import type { Owner, Scope } from '../../platform/http/scope.ts';
import {
  dealToPacks,
  insertContents,
  nextChunk,
  placeInPack,
  readContents,
  type WithPack,
  withPacks,
} from './contents.ts';
import type { Amounts } from './nested-calls.ts';
import type { Added } from './span-sums.ts';
import { earliestStartMs } from './span-times.ts';

/** Finds which of these projects are the organization's, and locks them against deletion. */
export const findProjects = (tx: Sql, scope: Scope, ids: bigint[]) => tx<{ id: bigint }[]>`
  select id from project where organization_id = ${scope.organizationId} and id = any(${ids.map(String)}::bigint[])
    and ${mayWrite(tx, scope)} and ${isKept(tx, scope, 'project')}
  for key share`;

/** Finds the default project of the request's key, if it has one, and locks it against deletion. */
export const findDefaultProject = (tx: Sql, scope: Scope) => tx<{ id: bigint }[]>`
  select project.id from api_key
  join project on project.id = api_key.default_project_id and project.organization_id = ${scope.organizationId}
  where api_key.organization_id = ${scope.organizationId} and api_key.id = ${scope.keyId} and ${mayWrite(tx, scope)} and ${isKept(tx, scope, 'project')}
  for key share of project`;

/** Finds the organization's oldest project, and locks it against deletion. Reads project_organization. */
export const findOldestProject = (tx: Sql, scope: Scope) => tx<{ id: bigint }[]>`
  select id from project where organization_id = ${scope.organizationId} and ${mayWrite(tx, scope)} and ${isKept(tx, scope, 'project')}
  order by organization_id, id limit 1
  for key share`;

/**
 * Finds the projects that traces are in and in which the member may write: of several, the oldest that a span names. Reads the key of trace (otel_id, project_id).
 */
export const findTraceProjects = (tx: Sql, scope: Scope, otelIds: string[]) => tx<
  { otelId: string; projectId: bigint }[]
>`
  select encode(given.otel_id, 'hex') as "otelId", found.project_id as "projectId"
  from ${rowsOf(
    tx,
    otelIds.map((otelId) => ({ otelId })),
    { otel_id: 'bytea' },
  )}
  cross join lateral (
    select trace.project_id from trace join project on project.id = trace.project_id and ${mayWrite(tx, scope)}
    where trace.otel_id = given.otel_id and trace.organization_id = ${scope.organizationId}
      and project.organization_id = ${scope.organizationId}
    order by trace.provisional, trace.project_id limit 1) found`;

export type SourceRow = { projectId: bigint; hash: string; content: string };

type FoundSource = { id: bigint; projectId: bigint; hash: string };

/**
 * Inserts the sources that are new, returns the ids of all, and locks them against deletion with their last span. Reads span_source's
 * key (project, hash).
 */
export const ensureSources = async (tx: Sql, scope: Scope, rows: SourceRow[]): Promise<FoundSource[]> => {
  const find = () => tx<FoundSource[]>`
    select found.id, given.project_id as "projectId", encode(given.hash, 'hex') as hash
    from ${rowsOf(tx, rows, { project_id: 'bigint', hash: 'bytea' })}
    cross join lateral (
      select source.id from span_source source
      where source.organization_id = ${scope.organizationId} and source.project_id = given.project_id
        and source.hash = given.hash
      limit 1 for key share) found`;
  // Nearly all sources are known. An insert would wait for every other request that inserts the same one, until its commit.
  const known = await find();
  if (known.length === rows.length) return known;
  const [, found] = await Promise.all([
    tx`
      insert into span_source (organization_id, project_id, hash, content)
      select ${scope.organizationId}, project_id, hash, content::json
      from ${rowsOf(tx, rows, { project_id: 'bigint', hash: 'bytea', content: 'json text' })}
      order by project_id, hash
      on conflict do nothing`,
    find(),
  ]);
  // Another request deleted one with its last span between the two statements.
  return found.length < rows.length ? ensureSources(tx, scope, rows) : found;
};

/** A trace as the database has it. runId and n are the record that was made for it; a linked trace has none. */
export type TraceRow = {
  id: bigint;
  projectId: bigint;
  otelId: string;
  sessionId: string | null;
  linked: boolean;
  runId: bigint | null;
  n: number | null;
  inputOrder: string | null;
  outputOrder: string | null;
  /** The testcase that a span names; it may not exist. */
  testcaseId: string | null;
  /** Whether no span of it names a project. */
  provisional: boolean;
  userId: string | null;
} & TraceSummary;

/** Fields of a trace in lists. Times are nanoseconds as text; null before its first span. */
export type TraceSummary = {
  start: string | null;
  end: string | null;
  numSpans: number;
  numErrors: number;
  inputTokens: number | null;
  outputTokens: number | null;
  costUsd: number | null;
  /** Rank and id of the span that gives the trace its name and service; the smallest is the best. */
  rootOrder: string | null;
  name: string | null;
  service: string | null;
  model: string | null;
  input: string | null;
  output: string | null;
};

/** The columns of a TraceRow. */
export const traceColumns = (sql: Sql) => sql`
  id, project_id as "projectId", encode(otel_id, 'hex') as "otelId", session_id as "sessionId", linked,
  run_id as "runId", n, input_order as "inputOrder", output_order as "outputOrder", testcase_id as "testcaseId",
  provisional, user_id as "userId", start_ns::text as start, end_ns::text as "end", num_spans as "numSpans",
  num_errors as "numErrors", input_tokens::double precision as "inputTokens", output_tokens::double precision as "outputTokens",
  cost_usd as "costUsd", root_order as "rootOrder", name, service, model, input, output`;

/**
 * Inserts the traces that are new and returns all, locked until the commit: requests decide about a trace in turn. An existing
 * trace is written, unchanged unless a span now names its project, so that it is found by its key: in a join, PostgreSQL read the whole table for each trace while the
 * table had just begun to grow.
 */
export const lockTraces = (
  tx: Sql,
  scope: Scope,
  traces: { projectId: bigint; otelId: string; provisional: boolean }[],
) => tx<TraceRow[]>`
  insert into trace (organization_id, project_id, otel_id, provisional)
  select ${scope.organizationId}, project_id, otel_id, provisional
  from ${rowsOf(tx, traces, { project_id: 'bigint', otel_id: 'bytea', provisional: 'boolean' })}
  order by project_id, otel_id
  on conflict (otel_id, project_id) do update set provisional = trace.provisional and excluded.provisional
  returning ${traceColumns(tx)}`;

export type SpanRow = {
  projectId: bigint;
  traceId: bigint;
  spanId: string;
  parentSpanId: string;
  sourceId: bigint;
  link: string | null;
  name: string;
  service: string;
  kind: number;
  operation: string | null;
  model: string | null;
  responseId: string | null;
  failed: boolean;
  start: bigint;
  end: bigint;
  inputTokens: number | null;
  outputTokens: number | null;
  costUsd: number | null;
  content: string;
  contentBytes: number;
  contentHash: bigint;
};

/** Replaces an existing span if `wins` holds. */
export const replaceSpan = (tx: Sql, wins: Fragment): Fragment => tx`
  on conflict (trace_id, span_id) do update
  set parent_span_id = excluded.parent_span_id, source_id = excluded.source_id, link = excluded.link, name = excluded.name,
    service = excluded.service, kind = excluded.kind, operation = excluded.operation, model = excluded.model,
    response_id = excluded.response_id, failed = excluded.failed, start_ns = excluded.start_ns, end_ns = excluded.end_ns, input_tokens = excluded.input_tokens,
    output_tokens = excluded.output_tokens, cost_usd = excluded.cost_usd, chunk = excluded.chunk,
    content_bytes = excluded.content_bytes, content_hash = excluded.content_hash
  where ${wins}`;

const spanColumns = {
  project_id: 'bigint',
  trace_id: 'bigint',
  span_id: 'bytea',
  parent_span_id: 'bytea',
  source_id: 'bigint',
  link: 'text',
  name: 'text',
  service: 'text',
  kind: 'smallint',
  operation: 'text',
  model: 'text',
  response_id: 'text',
  failed: 'boolean',
  start: 'numeric',
  end: 'numeric',
  input_tokens: 'bigint',
  output_tokens: 'bigint',
  cost_usd: 'double precision',
  place: 'integer',
  content_bytes: 'integer',
  content_hash: 'bigint',
} as const;

/** Replaces NUL, which PostgreSQL's text can't hold. The content, which is JSON, keeps it. */
const text = (value: string) => value.replaceAll('\0', '\ufffd');

const withPlainNames = ({ content: _, ...row }: SpanRow) => ({
  ...row,
  name: text(row.name),
  service: text(row.service),
  model: row.model && text(row.model),
  responseId: row.responseId && text(row.responseId),
});

/** What a column's sum over the written spans grows by; null if neither they nor those that they replace have a value. */
const grown = (sql: Sql, column: Fragment) => sql`
  case when count(written.${column}) + count(old.${column}) > 0
    then coalesce(sum(written.${column}), 0) - coalesce(sum(old.${column}), 0) end`;

/**
 * Inserts spans, each key once, and returns which were written and what they add to their traces. An existing span is replaced by
 * one that ended later: some exporters send a span while it runs and again at its end. Of equal ends the last one stays, because senders
 * correct what they have sent. Their traces must be locked. The replaced spans are read as they were before the statement, each by span_pkey.
 */
const writeSpans = (tx: Sql, scope: Scope, rows: (Omit<SpanRow, 'content'> & { place: number })[]) => tx<
  (Added & { spanIds: string[]; firstChunk: number })[]
>`
  with next as materialized (
    select told.trace_id, ${nextChunk(tx, scope, tx`told.trace_id`)} as chunk
    from unnest(${[...new Set(rows.map(({ traceId }) => String(traceId)))]}::bigint[]) as told (trace_id)),
  written as (
    insert into span (organization_id, project_id, trace_id, span_id, parent_span_id, source_id, link, name, service, kind,
      operation, model, response_id, failed, start_ns, end_ns, input_tokens, output_tokens, cost_usd, chunk, content_bytes, content_hash)
    select ${scope.organizationId}, project_id, given.trace_id, span_id, nullif(parent_span_id, ''::bytea), source_id, link, name,
      service, kind, operation, model, response_id, failed, "start", "end", input_tokens, output_tokens, cost_usd,
      next.chunk + place, content_bytes, content_hash
    from ${rowsOf(tx, rows, spanColumns)} join next on next.trace_id = given.trace_id
    ${replaceSpan(
      tx,
      tx`excluded.end_ns > span.end_ns or excluded.end_ns = span.end_ns
        and (excluded.content_hash, excluded.name, excluded.parent_span_id, excluded.source_id, excluded.kind, excluded.start_ns)
          is distinct from (span.content_hash, span.name, span.parent_span_id, span.source_id, span.kind, span.start_ns)`,
    )}
    returning trace_id, span_id, failed, input_tokens, output_tokens, cost_usd)
  select written.trace_id as "traceId", array_agg(encode(written.span_id, 'hex')) as "spanIds",
    (select next.chunk from next where next.trace_id = written.trace_id) as "firstChunk", (count(*) - count(old.span_id))::integer as spans,
    (count(*) filter (where written.failed) - count(*) filter (where old.failed))::integer as errors,
    ${grown(tx, tx`input_tokens`)}::double precision as "inputTokens", ${grown(tx, tx`output_tokens`)}::double precision as "outputTokens",
    ${grown(tx, tx`cost_usd`)} as "costUsd"
  from written
  left join lateral (
    select span.span_id, span.failed, span.input_tokens, span.output_tokens, span.cost_usd from span
    where span.trace_id = written.trace_id and span.span_id = written.span_id
      and span.organization_id = ${scope.organizationId}
    limit 1) old on true
  group by written.trace_id`;

/** Writes spans as writeSpans does, and packs the contents of those that were written: a batch that is sent again writes nothing. */
export const insertSpans = async (
  tx: Sql,
  scope: Scope,
  rows: SpanRow[],
): Promise<(Added & { spanIds: string[] })[]> => {
  const places = dealToPacks(rows);
  const written = await writeSpans(
    tx,
    scope,
    rows.map((row, i) => ({ ...withPlainNames(row), place: places[i]! })),
  );
  const byTrace = new Map(
    written.map(({ traceId, spanIds, firstChunk }) => [traceId, { firstChunk, ids: new Set(spanIds) }]),
  );
  const contents = rows.flatMap(({ traceId, spanId, content }, i) => {
    const trace = byTrace.get(traceId);
    return trace?.ids.has(spanId) ? [{ traceId, spanId, content, chunk: trace.firstChunk + places[i]! }] : [];
  });
  await insertContents(tx, scope, contents);
  return written;
};

/** A stored span with what it says about its trace. */
export type StoredSpanRow = {
  traceId: bigint;
  otelId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  start: string;
  end: string;
  content: string;
  isDamaged: boolean;
  resource: string;
  operation: string | null;
} & Amounts;

type StoredInPack = Omit<StoredSpanRow, 'content' | 'isDamaged'> & WithPack;

const storedColumns = (tx: Sql) => tx`
  span.trace_id as "traceId", encode(trace.otel_id, 'hex') as "otelId", encode(span.span_id, 'hex') as "spanId",
  coalesce(encode(span.parent_span_id, 'hex'), '') as "parentSpanId", span.name, span.start_ns::text as start, span.end_ns::text as "end",
  ${placeInPack(tx)}, (source.content -> 'resource')::text as resource, span.operation,
  span.input_tokens::double precision as "inputTokens", span.output_tokens::double precision as "outputTokens", span.cost_usd as "costUsd"`;

const storedSpans = (tx: Sql, scope: Scope) => tx`
  cross join lateral (
    select * from span
    where span.trace_id = given.trace_id and span.span_id = given.span_id and span.organization_id = ${scope.organizationId}
    limit 1) span
  join trace on trace.id = span.trace_id and trace.organization_id = ${scope.organizationId}
  join span_source source on source.id = span.source_id and source.organization_id = ${scope.organizationId}`;

/** Finds the stored versions of spans which these may replace. Reads span_pkey for each. */
export const findEarlierVersions = async (
  tx: Sql,
  scope: Scope,
  rows: SpanRow[],
): Promise<StoredSpanRow[]> => {
  const keys = rows.map(({ traceId, spanId, end }) => ({ traceId, spanId, end }));
  const found = tx`
    select ${storedColumns(tx)}
    from ${rowsOf(tx, keys, { trace_id: 'bigint', span_id: 'bytea', end: 'numeric' })}
    ${storedSpans(tx, scope)}
    where span.end_ns <= given."end"`;
  return readContents(await tx<StoredInPack[]>`${withPacks(tx, scope, found)}`);
};

/** Finds spans by their ids. Reads span_pkey for each. */
export const findStoredSpans = async (
  tx: Sql,
  scope: Scope,
  spans: { traceId: bigint; spanId: string }[],
): Promise<StoredSpanRow[]> => {
  const keys = spans.map(({ traceId, spanId }) => ({ traceId, spanId }));
  const found = tx`
    select ${storedColumns(tx)}
    from ${rowsOf(tx, keys, { trace_id: 'bigint', span_id: 'bytea' })}
    ${storedSpans(tx, scope)}`;
  return readContents(await tx<StoredInPack[]>`${withPacks(tx, scope, found)}`);
};

/** Locks traces until the commit, in the order of lockTraces. */
export const lockTracesById = (tx: Sql, scope: Scope, ids: bigint[]) => tx<TraceRow[]>`
  select ${traceColumns(tx)} from trace
  where id = any(${ids.map(String)}::bigint[]) and organization_id = ${scope.organizationId}
  order by project_id, otel_id
  for update`;

/** Lists spans of a trace by their ids, after one of them. Reads span_pkey. */
export const listStoredSpans = async (
  tx: Sql,
  scope: Scope,
  traceId: bigint,
  after: string,
  count: number,
): Promise<StoredSpanRow[]> => {
  const page = tx`
    select ${storedColumns(tx)}
    from span
    join trace on trace.id = span.trace_id and trace.organization_id = ${scope.organizationId}
    join span_source source on source.id = span.source_id and source.organization_id = ${scope.organizationId}
    where span.trace_id = ${traceId} and span.organization_id = ${scope.organizationId}
      and span.span_id > ${`\\x${after}`}::text::bytea
    order by span.span_id
    limit ${count}`;
  return readContents(await tx<StoredInPack[]>`${withPacks(tx, scope, page)}`);
};

/** Deletes the links of a trace that no span of it carries. */
export const deleteOtherLinks = (tx: Sql, scope: Scope, traceId: bigint, links: string[]) => tx`
  delete from trace_link
  where trace_id = ${traceId} and organization_id = ${scope.organizationId} and link <> all (${links}::text[])`;

export const insertLinks = (
  tx: Sql,
  scope: Scope,
  links: { projectId: bigint; traceId: bigint; link: string }[],
) => tx`
  insert into trace_link (organization_id, project_id, link, trace_id)
  select ${scope.organizationId}, * from ${rowsOf(tx, links, { project_id: 'bigint', link: 'text', trace_id: 'bigint' })}
  on conflict do nothing`;

const traceRowColumns = {
  id: 'bigint',
  project_id: 'bigint',
  otel_id: 'bytea',
  session_id: 'text',
  linked: 'boolean',
  run_id: 'bigint',
  n: 'integer',
  input_order: 'text',
  output_order: 'text',
  testcase_id: 'text',
  user_id: 'text',
  start: 'numeric',
  end: 'numeric',
  num_spans: 'integer',
  num_errors: 'integer',
  input_tokens: 'bigint',
  output_tokens: 'bigint',
  cost_usd: 'double precision',
  root_order: 'text',
  name: 'text',
  service: 'text',
  model: 'text',
  input: 'text',
  output: 'text',
} as const;

/** Updates existing traces. Finds them by their key, as lockTraces does. */
export const updateTraces = (tx: Sql, scope: Scope, rows: TraceRow[]) => tx`
  insert into trace (id, organization_id, project_id, otel_id, session_id, linked, run_id, n, input_order, output_order,
    testcase_id, user_id, start_ns, end_ns, num_spans, num_errors, input_tokens, output_tokens, cost_usd, root_order,
    name, service, model, input, output)
  overriding system value
  select id, ${scope.organizationId}, project_id, otel_id, session_id, linked, run_id, n, input_order, output_order,
    testcase_id, user_id, "start", "end", num_spans, num_errors, input_tokens, output_tokens, cost_usd, root_order,
    name, service, model, input, output
  from ${rowsOf(tx, rows, traceRowColumns)}
  on conflict (id) do update
  set session_id = excluded.session_id, linked = excluded.linked, run_id = excluded.run_id, n = excluded.n,
    input_order = excluded.input_order, output_order = excluded.output_order, testcase_id = excluded.testcase_id,
    user_id = excluded.user_id, start_ns = excluded.start_ns, end_ns = excluded.end_ns,
    num_spans = excluded.num_spans, num_errors = excluded.num_errors, input_tokens = excluded.input_tokens,
    output_tokens = excluded.output_tokens, cost_usd = excluded.cost_usd, root_order = excluded.root_order,
    name = excluded.name, service = excluded.service, model = excluded.model, input = excluded.input,
    output = excluded.output`;

export type Session = { projectId: bigint; sessionId: string };

/** Makes requests with traces of these sessions take turns until the commit. Takes the locks in the order given. */
export const lockSessions = (tx: Sql, sessions: Session[]) => tx`
  select pg_advisory_xact_lock(hashtextextended(name, 0))
  from unnest(${sessions.map((row) => JSON.stringify(['session', String(row.projectId), row.sessionId]))}::text[]) as name`;

export type SessionRecord = Session & RecordKey;

/** Finds the records of sessions: each that of the session's first trace. Reads trace_session. */
export const findSessionRecords = (tx: Sql, scope: Scope, sessions: Session[]) => tx<SessionRecord[]>`
  select given.project_id as "projectId", given.session_id as "sessionId", first.run_id as "runId", first.n
  from ${rowsOf(tx, sessions, { project_id: 'bigint', session_id: 'text' })}
  cross join lateral (
    select run_id, n from trace
    where trace.organization_id = ${scope.organizationId} and trace.project_id = given.project_id
      and trace.session_id = given.session_id and trace.run_id is not null
    order by trace.project_id, trace.session_id, trace.id limit 1) first`;

/** Longest name of a suite in the name of its run, which has the day behind it. */
const maxRunName = 180;

/** The key of a run that takes traces. */
export type TraceRun = { projectId: bigint; day: string; suite: string; execution: string };

/** Finds the project's run for the traces of a day, or of an execution of a suite on any day. Reads trace_run_pkey. */
export const findTraceRun = (tx: Sql, scope: Scope, { projectId, day, suite, execution }: TraceRun) => tx<
  { id: bigint }[]
>`
  select run_id as id from trace_run
  where organization_id = ${scope.organizationId} and project_id = ${projectId} and suite = ${suite}
    and execution = ${execution} ${execution === '' ? tx`and day = ${day}::text::date` : tx``}`;

/** Makes requests that are about to insert the run of a day take turns. */
export const lockTraceRun = (tx: Sql, { projectId, day, suite, execution }: TraceRun) => tx`
  select pg_advisory_xact_lock(hashtextextended(${JSON.stringify(['trace run', String(projectId), execution === '' ? day : '', suite, execution])}::text, 0))`;

export const insertTraceRun = (tx: Sql, scope: Scope, { projectId, day, suite, execution }: TraceRun) => tx<
  { id: bigint }[]
>`
  with made as (
    insert into run (organization_id, project_id, kind, name, notes)
    values (${scope.organizationId}, ${projectId}, 'traces', ${suite === '' ? '' : `${text(suite.slice(0, maxRunName)).toWellFormed()}, ${day}`}, ${`Traces of ${day}`})
    returning id)
  insert into trace_run (organization_id, project_id, day, suite, execution, run_id)
  select ${scope.organizationId}, ${projectId}, ${day}::text::date, ${suite}, ${execution}, made.id from made
  returning run_id as id`;

type RecordContent = RecordKey & {
  inputs: string;
  expected: string;
  outputs: string;
  /** Null leaves the record its time. */
  happenedAt: string | null;
};

/**
 * Updates the inputs, outputs and times that differ, and their text. Reads record_pkey and record_text_pkey; each row's place (ctid) is
 * found and used within the statement.
 */
export const updateRecordContents = (tx: Sql, scope: Owner, rows: RecordContent[]) => tx`
  with item as materialized (
    select given.*, (
      select r.ctid from record r
      where r.run_id = given.run_id and r.n = given.n and r.organization_id = ${scope.organizationId}
        and (r.inputs::text, r.outputs::text, r.created_at)
          is distinct from (given.inputs, given.outputs, coalesce(given.happened_at, r.created_at))) as place, (
      select t.ctid from record_text t
      where t.run_id = given.run_id and t.n = given.n and t.organization_id = ${scope.organizationId}) as text_place
    from ${rowsOf(
      tx,
      rows.map((row) => ({ ...row, content: searchText(row.inputs, row.expected, row.outputs) })),
      {
        run_id: 'bigint',
        n: 'integer',
        inputs: 'json text',
        outputs: 'json text',
        happened_at: 'timestamptz',
        content: 'json text',
      },
    )}),
  texts as (
    update record_text set content = item.content, shape = null
    from item where record_text.ctid = item.text_place and item.place is not null)
  update record set inputs = item.inputs::json, outputs = item.outputs::json, created_at = coalesce(item.happened_at, record.created_at)
  from item where record.ctid = item.place`;

export const setRecordSession = (tx: Sql, scope: Scope, { runId, n }: RecordKey, sessionId: string) => tx`
  update record set session_id = ${sessionId}
  where run_id = ${runId} and n = ${n} and organization_id = ${scope.organizationId}`;

/**
 * Makes writers of the same records take turns until the commit, in a fixed order: traces of a session come in several requests, and each
 * must see the writes of the earlier ones. Returns the expected outputs of the records.
 */
export const lockRecords = (tx: Sql, scope: Owner, records: RecordKey[]) => tx<
  (RecordKey & { expected: string })[]
>`
  select r.run_id as "runId", r.n, r.expected::text as expected from record r
  join ${rowsOf(tx, records, { run_id: 'bigint', n: 'integer' })} on r.run_id = given.run_id and r.n = given.n
  where r.organization_id = ${scope.organizationId}
  order by r.run_id, r.n
  for no key update of r`;

/**
 * Finds the smallest orders among the traces of each record that has traces, and when the first of them began. A trace whose start is
 * no time of a clock, or is in the future, began when it arrived. Reads trace_record.
 */
export const findRecordOrders = (tx: Sql, scope: Owner, records: RecordKey[]) => tx<
  (RecordKey & { inputOrder: string | null; outputOrder: string | null; happenedAt: string })[]
>`
  select given.run_id as "runId", given.n, best.input_order as "inputOrder", best.output_order as "outputOrder",
    best.happened_at::text as "happenedAt"
  from ${rowsOf(tx, records, { run_id: 'bigint', n: 'integer' })}
  cross join lateral (
    select min(trace.input_order) as input_order, min(trace.output_order) as output_order, count(*) as traces,
      min(case when trace.start_us >= ${earliestStartMs * 1_000}
        then least(trace.created_at, timestamptz 'epoch' + trace.start_us * interval '1 microsecond')
        else trace.created_at end) as happened_at
    from trace
    where trace.run_id = given.run_id and trace.n = given.n and trace.organization_id = ${scope.organizationId}) best
  where best.traces > 0`;

/** Finds the contents of spans by the ids of OpenTelemetry. Reads the keys of trace and span. */
export const findContents = async (
  tx: Sql,
  scope: Owner,
  spans: { projectId: bigint; traceId: string; spanId: string }[],
) => {
  const contents = tx`
  select encode(given.trace_id, 'hex') as "traceId", encode(given.span_id, 'hex') as "spanId", found.name, in_trace, in_chunk
  from ${rowsOf(tx, spans, { project_id: 'bigint', trace_id: 'bytea', span_id: 'bytea' })}
  cross join lateral (
    select span.name, ${placeInPack(tx)} from span
    where span.trace_id = (
        select trace.id from trace
        where trace.project_id = given.project_id and trace.otel_id = given.trace_id
          and trace.organization_id = ${scope.organizationId})
      and span.span_id = given.span_id and span.organization_id = ${scope.organizationId}
    limit 1) found`;
  return readContents(
    await tx<({ traceId: string; name: string } & WithPack)[]>`${withPacks(tx, scope, contents)}`,
  );
};

/** Deletes those records that have no trace left and that no one has annotated, assigned, tagged, reviewed or scored. */
export const deleteUnusedRecords = (tx: Sql, scope: Owner, records: RecordKey[]) => tx`
  delete from record r
  using ${rowsOf(tx, records, { run_id: 'bigint', n: 'integer' })}
  where r.run_id = given.run_id and r.n = given.n and r.organization_id = ${scope.organizationId}
    and not exists (select from trace where trace.run_id = r.run_id and trace.n = r.n)
    and not exists (select from annotation a where a.run_id = r.run_id and a.n = r.n)
    and not exists (select from record_assignment a where a.run_id = r.run_id and a.n = r.n)
    and not exists (select from record_tag t where t.run_id = r.run_id and t.n = r.n and t.source = 'user')
    and not exists (select from review_score v where v.run_id = r.run_id and v.n = r.n and v.stands)
    and not exists (select from score s where s.run_id = r.run_id and s.n = r.n and s.scored_by is not null)`;

export const insertTraceTags = (
  tx: Sql,
  scope: Owner,
  tags: (RecordKey & { id: string; text: string })[],
) => tx`
  insert into record_tag (id, organization_id, run_id, n, text, source)
  select id, ${scope.organizationId}, run_id, n, text, 'otel'
  from ${rowsOf(tx, tags, { id: 'uuid', run_id: 'bigint', n: 'integer', text: 'text' })}
  on conflict do nothing`;
