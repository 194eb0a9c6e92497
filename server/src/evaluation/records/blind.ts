import type { Fragment, Sql } from '../../platform/db/database.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';

/** Whether the member may only review, and so reads records through the queue alone. */
const onlyReviews = ({ rights, role }: Scope): boolean =>
  rights ? !rights.has('read') : role === 'annotator';

/**
 * Whether the member reads a record blind: without what models and other people say of it, which would influence a score that they have yet
 * to give. A human metric waits for their score, and they either may only review or hold a claim on it from the queue.
 */
export const readsBlind = (sql: Sql, scope: Scope, { runId, n }: RecordKey): Fragment => sql`
  exists (
    select from score waiting
    join metric_config asks on asks.id = waiting.metric_config_id and asks.organization_id = ${scope.organizationId}
      and asks.eval_type = 'human'
    join metric asked on asked.id = asks.metric_id and asked.organization_id = ${scope.organizationId}
      and asked.deleted_at is null
    where waiting.run_id = ${runId} and waiting.n = ${n} and waiting.organization_id = ${scope.organizationId}
      and waiting.state = 'pending' and not coalesce(${scope.memberId}::uuid = any(waiting.reviewed_by), false)
      and (${onlyReviews(scope)} or exists (
        select from review_claim held
        where held.run_id = ${runId} and held.n = ${n} and held.metric_config_id = waiting.metric_config_id
          and held.member_id = ${scope.memberId} and held.organization_id = ${scope.organizationId}
          and held.expires_at > now())))`;
