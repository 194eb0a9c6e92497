import { valueOfScore } from '../../evaluation/scores/queries.ts';
import type { Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { evaluationEvent } from '../conventions/evaluation.ts';

/** A record that a trace has left, and what its results are about: the trace or a span of it, by their ids of OpenTelemetry. */
export type Left = RecordKey & { projectId: bigint; otelId: string; spanId: string | null };

/**
 * Turns the scores that clients sent for records which have no trace left into waiting results, which become scores of the records that
 * the traces have now. `at` of the result is when the score was given: a newer score stays. Scores that people gave stay, and keep their record.
 */
export const moveResults = (tx: Sql, scope: Scope, left: Left[]) => tx`
  with sent as (
    delete from score s
    using ${rowsOf(tx, left, {
      run_id: 'bigint',
      n: 'integer',
      project_id: 'bigint',
      otel_id: 'bytea',
      span_id: 'bytea',
    })}, metric_config config, metric
    where s.run_id = given.run_id and s.n = given.n and s.organization_id = ${scope.organizationId}
      and s.state <> 'pending' and not s.in_session
      and config.id = s.metric_config_id and config.organization_id = ${scope.organizationId}
      and config.eval_type = 'heuristic' and config.lane is null and config.span_search is null
      and metric.id = config.metric_id and metric.organization_id = ${scope.organizationId}
      and not exists (select from trace
        where trace.run_id = s.run_id and trace.n = s.n and trace.organization_id = ${scope.organizationId})
    returning given.project_id, given.otel_id, given.span_id, metric.name, s.score, s.reason, s.updated_at)
  insert into waiting_event (id, organization_id, project_id, anywhere, name, trace_id, span_id, response_id, content)
  select gen_random_uuid(), ${scope.organizationId}, project_id, true, ${evaluationEvent}, otel_id, span_id, null,
    json_build_object(
      'name', sent.name,
      'value', case json_typeof(given) when 'number' then given end,
      'label', coalesce(score ->> 'label', case when json_typeof(given) <> 'number' then given #>> '{}' end),
      'explanation', score ->> 'reasoning',
      'error', case when score is null then coalesce(reason, 'unscored') end,
      'responseId', null, 'at', iso_time(updated_at))
  from sent cross join lateral (select ${valueOfScore(tx)} as given) read`;
