import type { Sql } from '../../platform/db/database.ts';
import { newUuid } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';

/** Names who sends a request, as far as the audit log tells senders apart. */
export const senderOf = ({ memberId, keyId, sessionId, address }: Scope): string =>
  `${memberId} ${keyId} ${sessionId} ${address}`;

/**
 * Adds one entry to the audit log for single creates of one sender that were written together: `count` numbers that end `before`
 * the last one that the run has given out. No entry if none of them made a record. Reads record_pkey.
 */
export const auditCreates = (tx: Sql, scope: Scope, runId: bigint, before: number, count: number) => tx`
  insert into audit_event (id, organization_id, at, operation, resource, project_id, member_id, key_id, session_id,
    address, details)
  select ${newUuid()}::uuid, run.organization_id, ${new Date().toISOString()}::text::timestamptz, 'createRecord', 'Records',
    run.project_id, ${scope.memberId}::uuid, ${scope.keyId}::uuid, ${scope.sessionId}::uuid, ${scope.address ?? null}::text,
    json_build_object('count', count(*), 'firstId', run.id || '-' || min(r.n), 'lastId', run.id || '-' || max(r.n))
  from run join record r on r.run_id = run.id and r.organization_id = run.organization_id
    and r.n > run.last_record_n - ${before}::int - ${count}::int and r.n <= run.last_record_n - ${before}::int
  where run.id = ${runId} and run.organization_id = ${scope.organizationId}
  group by run.id`;
