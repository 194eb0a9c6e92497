import type { Sql, Statement } from '../../platform/db/database.ts';
import type { Owner } from '../../platform/http/scope.ts';

/** A test within a trace, by the ids of OpenTelemetry, in hexadecimal. */
export type TestId = { traceId: string; spanId: string };

/** Link of a test's record, which names its trace and span. No trace carries it, so the trace's sums are not the record's. */
export const testLink = ({ traceId, spanId }: TestId): string => `test:${traceId}:${spanId}`;

/** Returns the test that a record's link names; undefined for other links. */
export const testOfLink = (link: string | null): TestId | undefined => {
  const named = /^test:(?<traceId>[0-9a-f]{32}):(?<spanId>[0-9a-f]{16})$/.exec(link ?? '')?.groups;
  return named && { traceId: named.traceId!, spanId: named.spanId! };
};

/**
 * Clocks of other machines differ from the test's by less. A trace of a suite may have 100,000 spans, and no index finds a child by its
 * parent: the spans around a test are found by their time.
 */
const marginUs = 1_000_000;
/** Most spans around tests that are read for them, the first by start. */
export const maxNear = 200_000;

/** A span that has spans below it. Times are microseconds; `to` is null while it is open. */
export type Parent = { traceId: bigint; spanId: string; from: bigint; to: bigint | null };
type Near = { spanId: string; parentSpanId: string };

/**
 * Lists the spans of a trace that start at the time of these parents. Reads span_start: with the sum, PostgreSQL doesn't read the whole
 * trace by span_pkey instead.
 */
const listNear = (
  sql: Sql,
  { organizationId }: Owner,
  projectId: bigint,
  { traceId, from, to }: Omit<Parent, 'spanId'>,
) => sql<Near[]>`
  select encode(span_id, 'hex') as "spanId", encode(parent_span_id, 'hex') as "parentSpanId" from span
  where project_id = ${projectId} and organization_id = ${organizationId} and trace_id + 0 = ${traceId}
    and start_us >= ${from - BigInt(marginUs)} ${to === null ? sql`` : sql`and start_us <= ${to + BigInt(marginUs)}`}
    and parent_span_id is not null
  order by start_us, trace_id, span_id
  limit ${maxNear}`;

/**
 * Returns each root with the spans below it. Ids that go in a circle are found once. Tests within tests have the same spans below them, so
 * all roots together get at most twice as many as there may be.
 */
const belowRoots = (near: Near[], roots: string[]): Map<string, string[]> => {
  const children = Map.groupBy(near, ({ parentSpanId }) => parentSpanId);
  let left = 2 * maxNear;
  return new Map(
    roots.map((root) => {
      const found = new Set([root]);
      // A set goes on to what is added while it is read.
      for (const at of found) {
        if (left <= 0) break;
        for (const { spanId } of children.get(at) ?? []) found.add(spanId);
        left--;
      }
      return [root, [...found]];
    }),
  );
};

/** Runs a statement, in a transaction or by itself. */
export type Ask = <T extends object>(statement: (sql: Sql) => Statement<T>) => Promise<T[]>;

const earliest = (parents: Parent[]) =>
  parents.reduce((from, parent) => (parent.from < from ? parent.from : from), parents[0]!.from);
const latest = (parents: Parent[]) =>
  parents.reduce<bigint | null>(
    (to, parent) => (to === null || parent.to === null ? null : parent.to > to ? parent.to : to),
    parents[0]!.to,
  );

/** Returns the spans below each of these spans of one trace, with the span itself, which start at its time or at that of the others. */
export const spansBelow = async (
  ask: Ask,
  owner: Owner,
  projectId: bigint,
  parents: Parent[],
): Promise<Map<string, string[]>> => {
  const around = { traceId: parents[0]!.traceId, from: earliest(parents), to: latest(parents) };
  const near = await ask((sql) => listNear(sql, owner, projectId, around));
  return belowRoots(
    near,
    parents.map(({ spanId }) => spanId),
  );
};

/** Finds the span of a test. Reads the unique index of otel_id in a project, and span_pkey. */
const findParent = (sql: Sql, { organizationId }: Owner, projectId: bigint, test: TestId) => sql<Parent[]>`
  select span.trace_id as "traceId", ${test.spanId} as "spanId", span.start_us as "from",
    case when span.end_ns > span.start_ns then floor(span.end_ns / 1000)::bigint end as "to"
  from trace join span on span.trace_id = trace.id and span.span_id = ${`\\x${test.spanId}`}::text::bytea
    and span.organization_id = ${organizationId}
  where trace.project_id = ${projectId} and trace.otel_id = ${`\\x${test.traceId}`}::text::bytea
    and trace.organization_id = ${organizationId}`;

/** Returns the trace and the spans of a test; undefined if its span is not stored. */
export const spansOfTest = async (
  ask: Ask,
  owner: Owner,
  projectId: bigint,
  test: TestId,
): Promise<{ traceId: bigint; spanIds: string[] } | undefined> => {
  const [parent] = await ask((sql) => findParent(sql, owner, projectId, test));
  if (!parent) return undefined;
  const below = await spansBelow(ask, owner, projectId, [parent]);
  return { traceId: parent.traceId, spanIds: below.get(test.spanId)! };
};
