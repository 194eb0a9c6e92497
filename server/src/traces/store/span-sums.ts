import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';

/** Sums that a batch of spans adds to a trace; a span that replaces another counts as the difference. */
export type Added = {
  traceId: bigint;
  spans: number;
  errors: number;
  inputTokens: number | null;
  outputTokens: number | null;
  costUsd: number | null;
};

/**
 * What calls of models report once more that calls directly below them report: a framework and the client below it may both be
 * instrumented. The larger of the two amounts counts. Reads span_pkey.
 */
const doubled = (sql: Sql, scope: Scope, traceIds: bigint[]) => sql`
  calls as materialized (
    select trace_id, span_id, parent_span_id, input_tokens, output_tokens, cost_usd from span
    where trace_id = any(${traceIds.map(String)}::bigint[]) and organization_id = ${scope.organizationId} and operation = 'chat'
      and coalesce(input_tokens, output_tokens, cost_usd) is not null),
  doubled as (
    select called.trace_id, sum(least(called.input_tokens, below.input_tokens)) as input_tokens,
      sum(least(called.output_tokens, below.output_tokens)) as output_tokens, sum(least(called.cost_usd, below.cost_usd)) as cost_usd
    from calls called
    join (
      select trace_id, parent_span_id, coalesce(sum(input_tokens), 0) as input_tokens, coalesce(sum(output_tokens), 0) as output_tokens,
        coalesce(sum(cost_usd), 0) as cost_usd
      from calls group by trace_id, parent_span_id) below on below.trace_id = called.trace_id and below.parent_span_id = called.span_id
    group by called.trace_id)`;

/** Sums over all spans of traces; `onlyNested`: of those in which a call of a model lies in another. Reads span_pkey. */
export const addUpSpans = (tx: Sql, scope: Scope, traceIds: bigint[], { onlyNested = false } = {}) => tx<
  Added[]
>`
  with ${doubled(tx, scope, traceIds)}
  select span.trace_id as "traceId", count(*)::integer as spans, (count(*) filter (where failed))::integer as errors,
    (sum(span.input_tokens) - coalesce(min(doubled.input_tokens), 0))::double precision as "inputTokens",
    (sum(span.output_tokens) - coalesce(min(doubled.output_tokens), 0))::double precision as "outputTokens",
    sum(span.cost_usd) - coalesce(min(doubled.cost_usd), 0) as "costUsd"
  from span left join doubled on doubled.trace_id = span.trace_id
  where span.trace_id = any(${traceIds.map(String)}::bigint[]) and span.organization_id = ${scope.organizationId}
    and (doubled.trace_id is not null or ${!onlyNested})
  group by span.trace_id`;
