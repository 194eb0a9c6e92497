import type { Fragment, Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import { newUuid } from '../../platform/http/ids.ts';
import type { Owner, Scope } from '../../platform/http/scope.ts';

/** A request for one record: a create, or a bulk create of one. */
export type CreateOperation = 'createRecord' | 'createRecords';

/** Creates of one sender in a batch: their numbers, counted from the last number that the run has assigned. */
export type Sender = { scope: Scope; operation: CreateOperation; first: number; last: number };

/** Identifies the sender of a request, as the audit log distinguishes senders. */
export const senderOf = ({ memberId, keyId, signInId, address }: Scope): string =>
  `${memberId} ${keyId} ${signInId} ${address}`;

/**
 * SQL that adds an entry to the audit log for each sender of creates, as a part of insertRecords, whose `created` it counts: a separate
 * statement would have to find the records again. A sender whose creates made no record gets no entry.
 */
export const auditCreates = (
  tx: Sql,
  { organizationId }: Owner,
  runId: bigint,
  senders: Sender[],
  base: Fragment,
): Fragment => tx`
  insert into audit_event (id, organization_id, at, operation, resource, project_id, member_id, key_id, sign_in_id, address,
    details)
  select dated_now(sender.id), run.organization_id, now(), sender.operation, 'Records',
    run.project_id, sender.member_id, sender.key_id, sender.sign_in_id, sender.address,
    json_build_object('count', count(*), 'firstId', run.id || '-' || min(created.n), 'lastId', run.id || '-' || max(created.n))
  from run cross join ${rowsOf(
    tx,
    senders.map(({ scope, ...sender }) => ({
      ...scope,
      ...sender,
      id: newUuid(),
    })),
    {
      id: 'uuid',
      member_id: 'uuid',
      key_id: 'uuid',
      sign_in_id: 'uuid',
      address: 'text',
      first: 'integer',
      last: 'integer',
      operation: 'text',
    },
    { as: 'sender' },
  )}
  join created on created.n between ${base} + sender.first and ${base} + sender.last
  where run.id = ${runId} and run.organization_id = ${organizationId}
  group by sender.id, sender.member_id, sender.key_id, sender.sign_in_id, sender.address, sender.operation, run.id`;
