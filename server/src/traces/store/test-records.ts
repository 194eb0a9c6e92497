import { insertRecords } from '../../evaluation/records/insert.ts';
import { takeRecordNumbers } from '../../evaluation/records/take-numbers.ts';
import { ParentDeleted, type Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { firstText } from '../conventions/attribute.ts';
import { testOutcome } from '../conventions/evaluation.ts';
import { readContents, type WithPack, withPacks } from './contents.ts';
import { type Amounts, type Call, doubledIn, noneDoubled, withoutDoubled } from './nested-calls.ts';
import { contentOf, contentOrder, type Placed, type Side } from './record-content.ts';
import { suiteOf } from './span-row.ts';
import { callColumns, isCall } from './span-sums.ts';
import { happenedAt } from './span-times.ts';
import { readStored } from './stored.ts';
import { takeTests } from './suite-testcases.ts';
import { type Ask, spansBelow, testLink } from './test-spans.ts';
import { traceRunOf } from './trace-run.ts';
import { dayOf, type ToldSpan, type TraceUpdate } from './trace-update.ts';

/** A test within a trace. */
export type Test = {
  projectId: bigint;
  traceId: bigint;
  span: ToldSpan;
  suite: string;
  execution: string;
  test: string;
};

/** Calls of agents and models, below a test, that its inputs and outputs may be taken from: the first and the last of them. */
const candidates = 5;

type Below = {
  testId: string;
  name: string;
  content: string;
  spanId: string;
  parentSpanId: string;
  start: string;
  end: string;
};
type Sums = Amounts & { testId: string; numErrors: number };

/** A span of a test: the test's own, or one below it. */
type Part = { traceId: bigint; testId: string; spanId: string };

/** Returns the spans of tests. */
const partsOf = async (tx: Sql, scope: Scope, tests: Test[]): Promise<Part[]> => {
  const parts: Part[] = [];
  for (const [traceId, ofTrace] of Map.groupBy(tests, (test) => test.traceId)) {
    const parents = ofTrace.map(({ span: { spanId, start, end } }) => {
      const to = end > start ? end / 1000n : null;
      return { traceId, spanId, from: start / 1000n, to };
    });
    const ask: Ask = async (statement) => statement(tx);
    const below = await spansBelow(ask, scope, ofTrace[0]!.projectId, parents);
    for (const [testId, spanIds] of below)
      for (const spanId of spanIds) parts.push({ traceId, testId, spanId });
  }
  return parts;
};

const spansOfParts = (sql: Sql, { organizationId }: Scope, parts: Part[]) => sql`
  spans as (
    select given.test_id, span.* from ${rowsOf(sql, parts, { trace_id: 'bigint', test_id: 'bytea', span_id: 'bytea' })}
    join span on span.trace_id = given.trace_id and span.span_id = given.span_id and span.organization_id = ${organizationId})`;

const addUp = (tx: Sql, scope: Scope, parts: Part[]) => tx<Sums[]>`
  with ${spansOfParts(tx, scope, parts)}
  select encode(test_id, 'hex') as "testId", sum(input_tokens)::double precision as "inputTokens",
    sum(output_tokens)::double precision as "outputTokens", sum(cost_usd) as "costUsd", (count(*) filter (where failed))::int as "numErrors"
  from spans group by test_id`;

const listAmounts = (tx: Sql, scope: Scope, parts: Part[]) => tx<(Call & { testId: string })[]>`
  with ${spansOfParts(tx, scope, parts)}
  select encode(test_id, 'hex') as "testId", ${callColumns(tx, tx`spans`)} from spans where ${isCall(tx, tx`spans`)}`;

/** Returns the sums of each test. Calls of models that lie in each other count once, as in the sums of a trace. */
const sumsOf = async (tx: Sql, scope: Scope, parts: Part[]): Promise<Map<string, Sums>> => {
  const calls = Map.groupBy(await listAmounts(tx, scope, parts), ({ testId }) => testId);
  const sums = await addUp(tx, scope, parts);
  return new Map(
    sums.map((all) => {
      const doubled = doubledIn(calls.get(all.testId) ?? []);
      return [all.testId, { ...all, ...withoutDoubled(all, noneDoubled, doubled) }];
    }),
  );
};

const listCalls = async (tx: Sql, scope: Scope, parts: Part[]): Promise<Below[]> => {
  const calls = tx`
  with ${spansOfParts(tx, scope, parts)}
  select encode(test_id, 'hex') as "testId", name, trace_id as in_trace, chunk as in_chunk, encode(span_id, 'hex') as "spanId",
    coalesce(encode(parent_span_id, 'hex'), '') as "parentSpanId", start_ns::text as start, end_ns::text as "end"
  from (
    select *, row_number() over (partition by test_id order by operation = 'agent' desc, start_ns) as from_start,
      row_number() over (partition by test_id order by operation = 'agent' desc, end_ns desc) as from_end
    from spans where operation in ('agent', 'chat')) ranked
  where from_start <= ${candidates} or from_end <= ${candidates}`;
  return readContents(await tx<(Omit<Below, 'content'> & WithPack)[]>`${withPacks(tx, scope, calls)}`);
};

type Measure = Omit<Sums, 'testId'> & {
  projectId: bigint;
  runId: bigint;
  n: number;
  latencyMs: number | null;
};

const measure = (tx: Sql, scope: Scope, rows: Measure[]) => tx`
  insert into record_measure (organization_id, project_id, run_id, n, latency_ms, input_tokens, output_tokens, cost_usd, num_errors)
  select ${scope.organizationId}, given.* from ${rowsOf(tx, rows, {
    project_id: 'bigint',
    run_id: 'bigint',
    n: 'integer',
    latency_ms: 'double precision',
    input_tokens: 'bigint',
    output_tokens: 'bigint',
    cost_usd: 'double precision',
    num_errors: 'integer',
  })}
  on conflict (run_id, n) do update set latency_ms = excluded.latency_ms, input_tokens = excluded.input_tokens,
    output_tokens = excluded.output_tokens, cost_usd = excluded.cost_usd, num_errors = excluded.num_errors`;

const testsOf = ({ before, tests }: TraceUpdate): Test[] =>
  tests.map((span) => {
    const { name, execution, test } = suiteOf(span)!;
    // One trace holds the whole suite, so without another name it is one execution.
    return {
      projectId: before.projectId,
      traceId: before.id,
      span,
      suite: name,
      execution: execution || span.traceId,
      test,
    };
  });

/** Returns the inputs or outputs of a test: those of the best call below it, else what its span says of the test. */
const contentOfTest = ({ span, test }: Test, calls: Below[], side: Side): string => {
  const placed = calls.map(
    ({ name, content, start, end, ...ids }): Placed => ({
      ...readStored(name, content),
      ...ids,
      traceId: span.traceId,
      start: BigInt(start),
      end: BigInt(end),
    }),
  );
  const [best] = placed
    .flatMap((call) => {
      const order = contentOrder(call, side);
      return order === undefined ? [] : [{ order, call }];
    })
    .sort((a, b) => (a.order < b.order ? -1 : 1));
  if (best) return contentOf(best.call, side);
  const own = contentOf(span, side);
  if (own !== '{}') return own;
  const outcome = firstText(span.attributes, [testOutcome]);
  if (side === 'input') return JSON.stringify({ test });
  return outcome === undefined ? '{}' : JSON.stringify({ result: outcome });
};

/** Reads what the records of tests say: the function that returns inputs and outputs, and the spans that it looked at. */
export const testContents = async (tx: Sql, scope: Scope, tests: Test[]) => {
  const parts = await partsOf(tx, scope, tests);
  const calls = Map.groupBy(await listCalls(tx, scope, parts), ({ testId }) => testId);
  const of = (test: Test) => {
    const own = calls.get(test.span.spanId) ?? [];
    return { inputs: contentOfTest(test, own, 'input'), outputs: contentOfTest(test, own, 'output') };
  };
  return { parts, of };
};

/** Writes latency, tokens, cost and errors of the records of tests. */
export const measuresOf = async (
  tx: Sql,
  scope: Scope,
  parts: Part[],
  records: (RecordKey & { test: Test })[],
): Promise<void> => {
  const sums = await sumsOf(tx, scope, parts);
  await measure(
    tx,
    scope,
    records.map(({ runId, n, test: { projectId, span } }) => {
      const { inputTokens, outputTokens, costUsd, numErrors } = sums.get(span.spanId)!;
      const latencyMs = span.end > span.start ? Number(span.end - span.start) / 1e6 : null;
      return { projectId, runId, n, latencyMs, inputTokens, outputTokens, costUsd, numErrors };
    }),
  );
};

/** Makes the records of tests of one run, in a testset with the name of the suite. */
const createOfRun = async (tx: Sql, scope: Scope, tests: Test[], now: Date): Promise<void> => {
  const { projectId, suite, execution } = tests[0]!;
  const names = tests.map(({ test }) => test);
  const { testsetId, numbers } = await takeTests(tx, scope, { projectId, suite, names });
  const day = dayOf(
    tests.reduce((first, { span }) => (span.start < first ? span.start : first), tests[0]!.span.start),
    now,
  );
  const runId = await traceRunOf(tx, scope, { projectId, day, suite, execution });
  const contents = await testContents(tx, scope, tests);
  const rows = tests.map((test, i) => ({
    n: i + 1 - tests.length,
    testsetId,
    testcaseN: numbers.get(test.test)!,
    testcaseRevision: null,
    ...contents.of(test),
    expected: '{}',
    otelLinkId: testLink(test.span),
    sessionId: null,
    happenedAt: happenedAt(test.span.start),
  }));
  // In one message: other requests of this run wait from here to the commit.
  const [[taken], inserted] = await Promise.all([
    takeRecordNumbers(tx, scope, runId, tests.length).execute(),
    insertRecords(tx, scope, runId, rows).execute(),
  ]);
  if (!taken) throw new ParentDeleted('the run was deleted');
  const records = tests.flatMap((test, i) => {
    const n = inserted[i]?.n;
    return n == null ? [] : [{ runId, n, test }];
  });
  await measuresOf(tx, scope, contents.parts, records);
};

/**
 * Makes a record for each test within a trace: a runner may put a whole suite into one trace. The record has the test's testcase, its
 * outcome, and the latency, tokens and cost of the spans below the test; the spans stay with the trace. A test that was sent before
 * keeps its record, which late-test-spans.ts brings up to date.
 */
export const createTestRecords = async (
  tx: Sql,
  scope: Scope,
  updates: TraceUpdate[],
  now = new Date(),
): Promise<void> => {
  const tests = updates.flatMap(testsOf);
  const runs = Map.groupBy(tests, ({ projectId, suite, execution }) =>
    JSON.stringify([String(projectId), suite, execution]),
  );
  // In one order everywhere, so that requests wait for each other in turn.
  for (const [, ofRun] of [...runs].sort(([a], [b]) => (a < b ? -1 : 1)))
    await createOfRun(tx, scope, ofRun, now);
};
