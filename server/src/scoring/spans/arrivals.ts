import { cancelled } from '../../evaluation/scores/requeue.ts';
import type { Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { settled } from '../../platform/jobs/settle.ts';
import type { OnTraces } from '../../traces/store/arrived.ts';

/** Spans of one trace arrive in several requests: scores of spans wait until none has come for this long. */
const settleMs = 10_000;

const findSpanMetrics = (tx: Sql, scope: Scope, projectIds: bigint[]) => tx`
  select from metric
  join metric_config config on config.metric_id = metric.id and config.organization_id = ${scope.organizationId}
    and config.span_search is not null and config.lane is not null
  where metric.organization_id = ${scope.organizationId} and metric.project_id = any(${projectIds.map(String)}::bigint[])
  limit 1`;

/** Puts the scores of the records of these traces and tests that follow from their spans back into the queue. Locks them in one order. */
const requeue = (tx: Sql, scope: Scope, traceIds: bigint[], tests: RecordKey[]) => tx`
  with of_traces as (
    select run_id, n from trace
    where id = any(${traceIds.map(String)}::bigint[]) and run_id is not null and organization_id = ${scope.organizationId}
    union
    select r.run_id, r.n
    from trace_link link
    join record r on r.project_id = link.project_id and r.otel_link_id = link.link and r.organization_id = ${scope.organizationId}
    where link.trace_id = any(${traceIds.map(String)}::bigint[]) and link.organization_id = ${scope.organizationId}
    union
    select given.run_id, given.n from ${rowsOf(tx, tests, { run_id: 'bigint', n: 'integer' })}),
  locked as (
    select s.run_id, s.n, s.metric_config_id
    from of_traces
    join score s on s.run_id = of_traces.run_id and s.n = of_traces.n and s.organization_id = ${scope.organizationId}
      and s.lane is not null and s.reason is distinct from ${cancelled}
    join metric_config config on config.id = s.metric_config_id and config.span_search is not null
      and config.organization_id = ${scope.organizationId}
    order by s.run_id, s.n, s.metric_config_id
    for no key update of s)
  update score set
    ${settled(tx, { state: 'pending', attempts: 0, error: null, retryInMs: settleMs })},
    score = null, value = null, validation_errors = null, reason = null, evidence = null, updated_at = now()
  from locked
  where score.run_id = locked.run_id and score.n = locked.n and score.metric_config_id = locked.metric_config_id`;

/**
 * Schedules the scores of spans of the records of these traces: a late span needs one, and it may be the lowest of its record. Spans that have a
 * verdict keep it. Must be called late in a transaction.
 */
export const noteSpans: OnTraces = async (tx, scope, traces) => {
  if (traces.length === 0) return;
  const projectIds = [...new Set(traces.map(({ projectId }) => projectId))];
  if ((await findSpanMetrics(tx, scope, projectIds)).count === 0) return;
  await requeue(
    tx,
    scope,
    traces.map(({ id }) => id),
    traces.flatMap(({ tests }) => tests.map(({ runId, n }) => ({ runId, n }))),
  );
};
