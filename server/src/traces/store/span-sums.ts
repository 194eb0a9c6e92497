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

/** Sums over all spans of a trace. Reads span_pkey. */
export const addUpSpans = (tx: Sql, scope: Scope, traceId: bigint) => tx<Added[]>`
  select trace_id as "traceId", count(*)::integer as spans, (count(*) filter (where failed))::integer as errors,
    sum(input_tokens)::double precision as "inputTokens", sum(output_tokens)::double precision as "outputTokens",
    sum(cost_usd) as "costUsd"
  from span
  where trace_id = ${traceId} and organization_id = ${scope.organizationId}
  group by trace_id`;
