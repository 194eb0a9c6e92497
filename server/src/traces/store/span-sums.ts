import type { Fragment, Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type Amounts, type Call, doubledIn, noneDoubled, withoutDoubled } from './nested-calls.ts';

/** Sums that a batch of spans adds to a trace; a span that replaces another counts as the difference. */
export type Added = Amounts & { traceId: bigint; spans: number; errors: number };

/** A span by the trace's id in the database. */
export type SpanKey = { traceId: bigint; spanId: string };
export type CallOfTrace = Call & { traceId: bigint };

export const callColumns = (sql: Sql, from: Fragment) => sql`
  ${from}.trace_id as "traceId", encode(${from}.span_id, 'hex') as "spanId", coalesce(encode(${from}.parent_span_id, 'hex'), '') as "parentSpanId",
  ${from}.input_tokens::double precision as "inputTokens", ${from}.output_tokens::double precision as "outputTokens", ${from}.cost_usd as "costUsd"`;

/** The condition of the index span_calls, which has calls of models by their parents. */
export const isCall = (sql: Sql, span: Fragment) => sql`
  ${span}.operation = 'chat' and coalesce(${span}.input_tokens, ${span}.output_tokens, ${span}.cost_usd) is not null`;

/**
 * Finds the stored calls of models that lie below these spans, and those that `parents` are or lie in with all below them. Spans
 * elsewhere in the trace are not read: it may have 100,000. Reads span_pkey and span_calls, each row by its key.
 */
export const findCallsAround = (tx: Sql, scope: Scope, spans: SpanKey[], parents: SpanKey[]) => {
  const columns = { trace_id: 'bigint', span_id: 'bytea' } as const;
  const found = tx`call.trace_id, call.span_id, call.parent_span_id, call.input_tokens, call.output_tokens, call.cost_usd`;
  // A span is looked up before it is known to be a call: else PostgreSQL may read all calls of the trace in span_calls for each.
  // Without "offset 0" it may join with all spans.
  const one = (traceId: Fragment, spanId: Fragment) => tx`
    cross join lateral (
      select * from span call
      where call.trace_id = ${traceId} and call.span_id = ${spanId} and call.organization_id = ${scope.organizationId}
      limit 1) call`;
  const children = (of: Fragment) => tx`
    cross join lateral (
      select * from span call
      where call.trace_id = ${of}.trace_id and call.parent_span_id = ${of}.span_id and ${isCall(tx, tx`call`)}
        and call.organization_id = ${scope.organizationId}
      offset 0) call`;
  return tx<CallOfTrace[]>`
    with recursive up as (
      select ${found} from ${rowsOf(tx, parents, columns)} ${one(tx`given.trace_id`, tx`given.span_id`)}
      where ${isCall(tx, tx`call`)}
      union
      select ${found} from up ${one(tx`up.trace_id`, tx`up.parent_span_id`)}
      where ${isCall(tx, tx`call`)}),
    down as (
      (select * from up
      union
      select ${found} from ${rowsOf(tx, spans, columns)} ${children(tx`given`)})
      union
      select ${found} from down ${children(tx`down`)})
    select ${callColumns(tx, tx`down`)} from down`;
};

/** Lists the calls of models in a trace that lie in another or have one below. Reads span_pkey and span_calls. */
const listNested = (tx: Sql, scope: Scope, traceId: bigint) => tx<CallOfTrace[]>`
  select ${callColumns(tx, tx`call`)} from span call
  where call.trace_id = ${traceId} and call.organization_id = ${scope.organizationId} and ${isCall(tx, tx`call`)}
    and (exists (
        select from span below
        where below.trace_id = call.trace_id and below.parent_span_id = call.span_id and ${isCall(tx, tx`below`)}
          and below.organization_id = ${scope.organizationId})
      or exists (
        select from span above
        where above.trace_id = call.trace_id and above.span_id = call.parent_span_id and ${isCall(tx, tx`above`)}
          and above.organization_id = ${scope.organizationId}))`;

/** Sums over all spans of a trace. Reads span_pkey and span_calls. */
export const addUpSpans = async (tx: Sql, scope: Scope, traceId: bigint): Promise<Added | undefined> => {
  const [sums] = await tx<Added[]>`
    select trace_id as "traceId", count(*)::integer as spans, (count(*) filter (where failed))::integer as errors,
      sum(input_tokens)::double precision as "inputTokens", sum(output_tokens)::double precision as "outputTokens", sum(cost_usd) as "costUsd"
    from span where trace_id = ${traceId} and organization_id = ${scope.organizationId} group by trace_id`;
  if (!sums) return undefined;
  return { ...sums, ...withoutDoubled(sums, noneDoubled, doubledIn(await listNested(tx, scope, traceId))) };
};
