import { mayWrite } from '../../evaluation/access/queries.ts';
import type { Masking } from '../../evaluation/masking/masking.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { ArrivedTrace, OnTraces } from './arrived.ts';
import { assignRecords } from './assign-records.ts';
import { copyContents } from './contents.ts';
import { settleRecords } from './delete-traces.ts';
import { findTestsOf, refreshFound, type TestAbove } from './late-test-spans.ts';
import { maskTrace } from './mask-trace.ts';
import { moveResults } from './move-results.ts';
import {
  findContents,
  findProjects,
  findStoredSpans,
  insertLinks,
  replaceSpan,
  type TraceRow,
  traceColumns,
} from './queries.ts';
import { type Side, spanName, spanOfOrder } from './record-content.ts';
import { asTold } from './replace-spans.ts';
import { isSuiteRun, isTestWithin, suiteOf } from './span-row.ts';
import { addUpSpans } from './span-sums.ts';
import { readStored } from './stored.ts';
import { copyTags } from './trace-tags.ts';
import { dayOf, noUpdate, type ToldSpan, type TraceUpdate } from './trace-update.ts';

/** Two parts of one trace: the first is in a project that no span names, the second in one that a span names. */
type Split = { fromId: bigint; toId: bigint };

/** Whether the member may write in the project of a trace. The traces of other projects are unknown to the member. */
const isWritable = (sql: Sql, scope: Scope) => sql`
  exists (select from project where project.id = trace.project_id and project.organization_id = ${scope.organizationId}
    and ${mayWrite(sql, scope)})`;

/**
 * Finds the traces among these, and of the same ids, that are provisional while a span has named their project. Reads the keys of
 * trace: (id), and (otel_id, project_id).
 */
const findSplits = (sql: Sql, scope: Scope, traceIds: bigint[]) => sql<Split[]>`
  select distinct part.id as "fromId", home.id as "toId"
  from unnest(${traceIds.map(String)}::bigint[]) as given (id)
  cross join lateral (
    select otel_id from trace
    where trace.id = given.id and trace.organization_id = ${scope.organizationId} limit 1) arrived
  cross join lateral (
    select id from trace
    where trace.otel_id = arrived.otel_id and trace.organization_id = ${scope.organizationId} and not provisional
      and ${isWritable(sql, scope)}
    order by project_id limit 1) home
  cross join lateral (
    select id from trace
    where trace.otel_id = arrived.otel_id and trace.organization_id = ${scope.organizationId} and provisional
      and ${isWritable(sql, scope)}
    limit 10) part
  order by 1`;

const lockParts = (tx: Sql, scope: Scope, { fromId, toId }: Split) => tx<TraceRow[]>`
  select ${traceColumns(tx)} from trace
  where id = any(${[String(fromId), String(toId)]}::bigint[]) and organization_id = ${scope.organizationId}
  order by project_id
  for update`;

/** Copies the spans of a trace to another, with their sources. Reads span_pkey and the keys of span_source. */
const copySpans = async (tx: Sql, scope: Scope, from: TraceRow, to: TraceRow): Promise<void> => {
  await tx`
    insert into span_source (organization_id, project_id, hash, content)
    select ${scope.organizationId}, ${to.projectId}, hash, content from span_source
    where organization_id = ${scope.organizationId} and id in (
      select source_id from span where trace_id = ${from.id} and organization_id = ${scope.organizationId})
    order by hash
    on conflict do nothing`;
  const first = await copyContents(tx, scope, from.id, to.id);
  await tx`
    insert into span (organization_id, project_id, trace_id, span_id, parent_span_id, source_id, link, name, service, kind,
      operation, model, response_id, failed, start_ns, end_ns, input_tokens, output_tokens, cost_usd, chunk, content_bytes, content_hash)
    select ${scope.organizationId}, ${to.projectId}, ${to.id}, span_id, parent_span_id, copy.id, link, name, service, kind,
      operation, model, response_id, failed, start_ns, end_ns, input_tokens, output_tokens, cost_usd,
      ${first}::integer + chunk, content_bytes, content_hash
    from span
    join span_source source on source.id = span.source_id and source.organization_id = ${scope.organizationId}
    join span_source copy on copy.project_id = ${to.projectId} and copy.hash = source.hash
      and copy.organization_id = ${scope.organizationId}
    where span.trace_id = ${from.id} and span.organization_id = ${scope.organizationId}
    ${replaceSpan(tx, tx`excluded.end_ns > span.end_ns`)}`;
};

const findLinks = (tx: Sql, scope: Scope, traceId: bigint) => tx<{ link: string }[]>`
  select link from trace_link where trace_id = ${traceId} and organization_id = ${scope.organizationId}`;

const findStart = (tx: Sql, scope: Scope, traceId: bigint) => tx<{ start: string }[]>`
  select coalesce(min(start_ns), 0)::text as start from span
  where trace_id = ${traceId} and organization_id = ${scope.organizationId}`;

const findRecord = (tx: Sql, scope: Scope, traceId: bigint) => tx<RecordKey[]>`
  select run_id as "runId", n from trace
  where id = ${traceId} and organization_id = ${scope.organizationId} and run_id is not null`;

/** Moves the files of a trace's session to another project, unless the session has other traces or records in the first one. */
const moveAttachments = (
  tx: Sql,
  scope: Scope,
  { id, projectId, sessionId, runId, n }: TraceRow,
  to: Pick<TraceRow, 'projectId' | 'sessionId'>,
) => tx`
  update attachment set project_id = ${to.projectId}, session_id = ${to.sessionId}
  where organization_id = ${scope.organizationId} and project_id = ${projectId} and session_id = ${sessionId}
    and not exists (select from trace other
      where other.project_id = ${projectId} and other.session_id = ${sessionId} and other.id <> ${id}
        and other.organization_id = ${scope.organizationId})
    and not exists (select from record r
      where r.project_id = ${projectId} and r.session_id = ${sessionId} and r.organization_id = ${scope.organizationId}
        and (r.run_id, r.n) is distinct from (${runId}::bigint, ${n}::integer))`;

const deleteTraceRow = (tx: Sql, scope: Scope, traceId: bigint) => tx`
  delete from trace where id = ${traceId} and organization_id = ${scope.organizationId}`;

/** Returns stored spans of a trace as arriving ones. */
const readSpans = async (tx: Sql, scope: Scope, traceId: bigint, spanIds: string[]): Promise<ToldSpan[]> => {
  if (spanIds.length === 0) return [];
  const found = await findStoredSpans(
    tx,
    scope,
    spanIds.map((spanId) => ({ traceId, spanId })),
  );
  return found.map(asTold);
};

/** Returns the update of `to` by the stored spans of `from`, as tellSpans would. Its tags are copied from its record. */
const updateFrom = async (
  tx: Sql,
  scope: Scope,
  from: TraceRow,
  to: TraceRow,
  testIds: string[],
): Promise<TraceUpdate> => {
  const { projectId } = from;
  const orders = [from.inputOrder, from.outputOrder].filter((order) => order !== null);
  const contents =
    orders.length > 0
      ? await findContents(
          tx,
          scope,
          orders.map((order) => ({ projectId, ...spanOfOrder(order) })),
        )
      : [];
  const whole = contents.filter(({ isDamaged }) => !isDamaged);
  const spans = new Map(whole.map((span) => [spanName(span), readStored(span.name, span.content)]));
  const candidate = (order: string | null) => {
    const span = order === null ? undefined : spans.get(spanName(spanOfOrder(order)));
    return order === null || !span ? null : { order, span };
  };
  const best: Record<Side, ReturnType<typeof candidate>> = {
    input: candidate(from.inputOrder),
    output: candidate(from.outputOrder),
  };
  const links = await findLinks(tx, scope, from.id);
  const [first] = await findStart(tx, scope, from.id);
  const [root] =
    from.rootOrder === null ? [] : await readSpans(tx, scope, from.id, [from.rootOrder.slice(21)]);
  const suite = root && !isTestWithin(root) && !isSuiteRun(root) ? suiteOf(root) : null;
  return {
    ...noUpdate(to),
    links: new Set(links.map(({ link }) => link)),
    sessionId: from.sessionId,
    // The testcase of a test is in the project that the trace leaves: the test gets one where it belongs.
    testcaseId: suite?.test ? null : from.testcaseId,
    suite,
    tests: await readSpans(tx, scope, from.id, testIds),
    best,
    day: dayOf(BigInt(first!.start), new Date()),
    userId: from.userId,
    start: from.start === null ? null : BigInt(from.start),
    end: from.end === null ? null : BigInt(from.end),
    model: from.model,
    root: { rootOrder: from.rootOrder, name: from.name, service: from.service },
    isSetUp: false,
  };
};

/** Takes the records of a trace and its tests out of the project that the trace has left. Results that clients sent for them go along. */
const leaveProject = async (
  tx: Sql,
  scope: Scope,
  { projectId, otelId, runId, n }: TraceRow,
  tests: TestAbove[],
): Promise<void> => {
  const own = runId === null || n === null ? [] : [{ runId, n, projectId, otelId, spanId: null }];
  const ofTests = tests.map((test) => ({
    runId: test.runId,
    n: test.n,
    projectId,
    otelId,
    spanId: test.spanId,
  }));
  const left = [...own, ...ofTests];
  if (left.length === 0) return;
  await moveResults(tx, scope, left);
  await settleRecords(tx, scope, left);
};

/** Joins the parts of a trace in the project that a span names. Returns the trace; undefined if another request was faster. */
const joinParts = async (
  tx: Sql,
  scope: Scope,
  split: Split,
  masking: Masking,
): Promise<ArrivedTrace | undefined> => {
  const parts = await lockParts(tx, scope, split);
  const found = parts.find(({ id, provisional }) => id === split.fromId && provisional);
  const to = parts.find(({ id, provisional }) => id === split.toId && !provisional);
  if (!found || !to) return undefined;
  // The project was deleted, or became hidden, since the parts were found.
  if ((await findProjects(tx, scope, [to.projectId])).length === 0) return undefined;

  const masker = await masking.of(scope, { projectId: to.projectId }, tx);
  const from = masker ? await maskTrace(tx, scope, found, masker) : found;
  const known = Map.groupBy(await findTestsOf(tx, scope, [from.id, to.id]), ({ traceId }) => traceId);
  const [leaving, staying] = [known.get(from.id) ?? [], known.get(to.id) ?? []];
  const kept = new Set(staying.map(({ spanId }) => spanId));
  const testIds = leaving.map(({ spanId }) => spanId).filter((id) => !kept.has(id));
  const update = await updateFrom(tx, scope, from, to, testIds);
  await copySpans(tx, scope, from, to);
  const added = await addUpSpans(tx, scope, to.id);
  // The sums are made again: spans of both parts may be the same.
  update.base = { ...to, numSpans: 0, numErrors: 0, inputTokens: null, outputTokens: null, costUsd: null };
  update.added = added ?? null;
  const links = [...update.links].map((link) => ({ projectId: to.projectId, traceId: to.id, link }));
  if (links.length > 0) await insertLinks(tx, scope, links);
  await assignRecords(tx, scope, [update]);
  await refreshFound(tx, scope, staying);

  const { runId, n, projectId } = from;
  const [record] = await findRecord(tx, scope, to.id);
  if (record && runId !== null && n !== null)
    await copyTags(tx, scope, [{ traceId: to.id, projectId, from: { runId, n }, to: record }]);
  await moveAttachments(tx, scope, found, { projectId: to.projectId, sessionId: from.sessionId });
  await deleteTraceRow(tx, scope, from.id);
  await leaveProject(tx, scope, from, leaving);
  return { id: to.id, projectId: to.projectId, tests: staying };
};

/**
 * Joins the traces that spans without a project have put elsewhere, now that other spans of them name a project. Must be called
 * after the commit of the spans: of two requests that store parts of a trace at the same time, the later one then sees both parts.
 */
export const joinTraces = async (
  db: Database,
  scope: Scope,
  traces: ArrivedTrace[],
  onTraces: OnTraces,
  masking: Masking,
): Promise<void> => {
  if (traces.length === 0) return;
  const ids = traces.map(({ id }) => id);
  for (const split of await db.read(scope, (sql) => findSplits(sql, scope, ids)))
    await db.transaction(scope, async (tx) => {
      const joined = await joinParts(tx, scope, split, masking);
      if (joined) await onTraces(tx, scope, [joined]);
    });
};
