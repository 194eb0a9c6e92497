import { noSpan } from '../../evaluation/scores/requeue.ts';
import type { Fragment, Sql } from '../../platform/db/database.ts';
import type { Owner } from '../../platform/http/scope.ts';

/** Whether other traces have the record of `trace` too: those of its session, or with its link. Reads trace_record, else trace_link's keys. */
const isShared = (sql: Sql, { organizationId }: Owner) => sql`
  (exists (
    select from trace other
    where other.run_id = trace.run_id and other.n = trace.n and other.id <> trace.id and other.organization_id = ${organizationId})
  or exists (
    select from trace_link mine join trace_link other on other.project_id = mine.project_id and other.link = mine.link
      and other.organization_id = ${organizationId}
    where trace.run_id is null and mine.trace_id = trace.id and mine.organization_id = ${organizationId}
      and other.trace_id <> trace.id))`;

/**
 * The scores of `trace`, whose record is `r`, as rows of scoreStatesText. If other traces have the record too, the score of a metric of spans is
 * the lowest of this trace's spans, once all spans of the record have theirs; every other score is that of the record.
 */
export const scoresOfTrace = (sql: Sql, scope: Owner): Fragment => sql`
  (select of_record.run_id, of_record.n, of_record.organization_id, of_record.metric_config_id,
    case when parted.is then coalesce(own.state, 'unscored') else of_record.state end as state,
    case when parted.is then own.value else of_record.value end as value,
    case when parted.is then own.score else of_record.score end as score,
    case when parted.is then case when own.state is null then ${noSpan} else own.reason end else of_record.reason end as reason,
    case when parted.is then own.scored_by else of_record.scored_by end as scored_by,
    case when parted.is then own.in_session else of_record.in_session end as in_session,
    case when parted.is then own.made_by else of_record.made_by end as made_by,
    case when parted.is then own.validation_errors else of_record.validation_errors end as validation_errors,
    coalesce(own.updated_at, of_record.updated_at) as updated_at,
    case when shared.is and not parted.is then 'record' else 'trace' end as whose
  from (select ${isShared(sql, scope)} as is) shared
  join score of_record on of_record.run_id = r.run_id and of_record.n = r.n and of_record.organization_id = ${scope.organizationId}
  join metric_config scored_by_spans on scored_by_spans.id = of_record.metric_config_id
    and scored_by_spans.organization_id = ${scope.organizationId}
  cross join lateral (
    select shared.is and scored_by_spans.span_search is not null and of_record.state = 'scored' as is) parted
  left join lateral (
    select sp.* from span_score sp
    where parted.is and sp.run_id = r.run_id and sp.n = r.n and sp.metric_config_id = of_record.metric_config_id
      and sp.otel_trace_id = trace.otel_id and sp.organization_id = ${scope.organizationId}
    order by sp.state = 'scored', sp.value nulls first, sp.span_id
    limit 1) own on true)`;
