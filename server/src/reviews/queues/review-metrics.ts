import type { Sql } from '../../platform/db/database.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { askedMetric, claimedUntil, previousScore } from './queries.ts';

/**
 * Returns these metrics of a record as JSON text, in the order of their creation: what a reviewer needs to score by each. A record is sent once
 * for all of them, however large it is.
 */
export const findReviewMetrics = (
  sql: Sql,
  scope: Scope,
  key: RecordKey,
  configIds: readonly string[],
) => sql<{ body: string }[]>`
  select string_agg(left(json_build_object(${askedMetric(sql)}, ${claimedUntil(sql, scope, key)})::text, -1)
    || ',"previousScore":' || ${previousScore(sql, scope, key)} || '}', ',' order by metric.id, config.id) as body
  from metric_config config
  join metric on metric.id = config.metric_id and metric.organization_id = ${scope.organizationId}
  where config.organization_id = ${scope.organizationId} and config.id = any(${configIds as string[]}::uuid[])`;
