import type { Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { ArrivedTrace } from './arrived.ts';
import { findStoredSpans, lockRecords, updateRecordContents } from './queries.ts';
import { asTold } from './replace-spans.ts';
import { suiteOf } from './span-row.ts';
import type { SpanKey } from './span-sums.ts';
import { happenedAt } from './span-times.ts';
import { measuresOf, type Test, testContents } from './test-records.ts';
import type { TraceUpdate } from './trace-update.ts';

const keyOf = ({ traceId, spanId }: SpanKey) => `${traceId} ${spanId}`;

/** The record of a test, with the test's trace and span. */
export type TestAbove = RecordKey & { projectId: bigint; traceId: bigint; spanId: string };

/**
 * Finds the tests that have these spans below them, with their records, in projects that have runs of suites. Reads trace_run_pkey, then
 * span_pkey for each span above these, and record_project_link.
 */
const findTestsAbove = (tx: Sql, scope: Scope, spans: SpanKey[]) => tx<TestAbove[]>`
  with recursive tested as materialized (
    select trace.id, trace.project_id, encode(trace.otel_id, 'hex') as otel_id from trace
    where trace.id = any(${[...new Set(spans.map(({ traceId }) => String(traceId)))]}::bigint[])
      and trace.organization_id = ${scope.organizationId}
      and exists (
        select from trace_run suite
        where suite.project_id = trace.project_id and suite.suite > '' and suite.organization_id = ${scope.organizationId})),
  above as (
    select given.trace_id, given.span_id from ${rowsOf(tx, spans, { trace_id: 'bigint', span_id: 'bytea' })}
    join tested on tested.id = given.trace_id
    union
    select parent.trace_id, parent.parent_span_id
    from above
    cross join lateral (
      select span.trace_id, span.parent_span_id from span
      where span.trace_id = above.trace_id and span.span_id = above.span_id and span.organization_id = ${scope.organizationId}
      limit 1) parent
    where parent.parent_span_id is not null)
  select r.run_id as "runId", r.n, tested.project_id as "projectId", above.trace_id as "traceId", encode(above.span_id, 'hex') as "spanId"
  from above
  join tested on tested.id = above.trace_id
  cross join lateral (
    select r.run_id, r.n from record r
    where r.project_id = tested.project_id and r.organization_id = ${scope.organizationId}
      and r.otel_link_id = 'test:' || tested.otel_id || ':' || encode(above.span_id, 'hex')
    order by r.run_id limit 1) r
  order by 1, 2`;

/** Finds the tests within these traces that have records, in projects that have runs of suites. Reads span_pkey and record_project_link. */
export const findTestsOf = (tx: Sql, scope: Scope, traceIds: bigint[]) => tx<TestAbove[]>`
  select r.run_id as "runId", r.n, trace.project_id as "projectId", trace.id as "traceId", encode(span.span_id, 'hex') as "spanId"
  from trace
  join span on span.trace_id = trace.id and span.parent_span_id is not null and span.organization_id = ${scope.organizationId}
  cross join lateral (
    select r.run_id, r.n from record r
    where r.project_id = trace.project_id and r.organization_id = ${scope.organizationId}
      and r.otel_link_id = 'test:' || encode(trace.otel_id, 'hex') || ':' || encode(span.span_id, 'hex')
    order by r.run_id limit 1) r
  where trace.id = any(${traceIds.map(String)}::bigint[]) and trace.organization_id = ${scope.organizationId}
    and exists (
      select from trace_run suite
      where suite.project_id = trace.project_id and suite.suite > '' and suite.organization_id = ${scope.organizationId})
  order by 1, 2`;

const refreshAbove = async (
  tx: Sql,
  scope: Scope,
  updates: TraceUpdate[],
  replaced: SpanKey[],
): Promise<TestAbove[]> => {
  // The first request of a trace has no test whose own span came before.
  const late = updates.filter(({ before }) => before.numSpans > 0);
  if (late.length === 0) return [];
  const spans = late.flatMap(({ before: { id }, spanIds }) =>
    spanIds.map((spanId) => ({ traceId: id, spanId })),
  );
  const gone = new Set(replaced.map(keyOf));
  const made = new Set(
    late
      .flatMap(({ before: { id }, tests }) => tests.map(({ spanId }) => keyOf({ traceId: id, spanId })))
      .filter((key) => !gone.has(key)),
  );
  const above = (await findTestsAbove(tx, scope, spans)).filter((test) => !made.has(keyOf(test)));
  await refreshFound(tx, scope, above);
  return above;
};

/** Brings the records of these tests up to date. */
export const refreshFound = async (tx: Sql, scope: Scope, above: TestAbove[]): Promise<void> => {
  if (above.length === 0) return;
  const locked = await lockRecords(tx, scope, above);
  const expected = new Map(locked.map((row) => [`${row.runId}-${row.n}`, row.expected]));
  const stored = new Map((await findStoredSpans(tx, scope, above)).map((row) => [keyOf(row), asTold(row)]));
  const tests = above.flatMap((found) => {
    const span = stored.get(keyOf(found))!;
    const suite = suiteOf(span);
    if (!suite) return [];
    const test: Test = { ...found, span, suite: suite.name, execution: suite.execution, test: suite.test };
    return [{ ...found, test }];
  });
  const all = tests.map(({ test }) => test);
  const contents = await testContents(tx, scope, all);
  await updateRecordContents(
    tx,
    scope,
    tests.map(({ runId, n, test }) => ({
      runId,
      n,
      ...contents.of(test),
      expected: expected.get(`${runId}-${n}`) ?? '{}',
      happenedAt: happenedAt(test.span.start),
    })),
  );
  await measuresOf(
    tx,
    scope,
    contents.parts,
    tests.map(({ runId, n, test }) => ({ runId, n, test })),
  );
};

/**
 * Brings the records of tests up to date that got spans after their own, from another process with another exporter: contents, latency, tokens, cost
 * and errors. `replaced`: spans among these that were stored before. Returns the traces of the updates, with these records.
 */
export const refreshTests = async (
  tx: Sql,
  scope: Scope,
  updates: TraceUpdate[],
  replaced: SpanKey[],
): Promise<ArrivedTrace[]> => {
  const tests = Map.groupBy(await refreshAbove(tx, scope, updates, replaced), ({ traceId }) => traceId);
  return updates.map(({ before: { id, projectId } }) => ({ id, projectId, tests: tests.get(id) ?? [] }));
};
