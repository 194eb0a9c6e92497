import type { Fragment, Sql } from '../../platform/db/database.ts';

/**
 * SQL that inserts a pending score for each row of `wanted`: organization_id, run_id, n, config_id and lane, in its order. A score without
 * a lane is given by people or clients, so it is never due; a record has none if they score its spans, because review queues have records.
 */
export const queueScores = (sql: Sql, wanted: Fragment) => sql`
  insert into score (organization_id, run_id, n, metric_config_id, state, lane, due_at)
  select organization_id, run_id, n, config_id, 'pending', lane, case when lane is not null then now() end
  from (${wanted}) wanted
  where wanted.lane is not null or not exists (
    select from metric_config of_spans
    where of_spans.id = wanted.config_id and of_spans.organization_id = wanted.organization_id
      and of_spans.span_search is not null)`;
