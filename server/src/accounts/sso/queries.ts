import type { Sql } from '../../platform/db/database.ts';
import type { Role } from '../../platform/http/scope.ts';
import { isSameAddress } from '../email-address.ts';
import type { Candidate } from '../sign-ins/queries.ts';
import type { Logout } from './read-logout.ts';

/** Statements of sign-ins, which know no organization yet: they run in the tenant `system`. */

export type Account = Candidate & {
  role: Role;
  active: boolean;
  /** Whether the member belongs to this account of the provider, or to none yet. */
  isOwn: boolean;
  /** Whether the member belongs to this account. */
  isBound: boolean;
};

/**
 * Finds the members of a person, by their account of the provider or their address, and locks them until the commit: at most 20.
 * Reads member_sso and member_sign_in.
 */
export const lockAccounts = (tx: Sql, subject: string, email: string) => tx<Account[]>`
  select organization_id as "organizationId", id as "memberId", role, active,
    coalesce(sso_subject = ${subject}, true) as "isOwn",
    coalesce(sso_subject = ${subject}, false) as "isBound"
  from member
  where sso_subject = ${subject} or ${isSameAddress(tx, tx`email`, tx`${email}`)}
  order by created_at, id
  limit 20
  for no key update`;

export const findOldestOrganization = (tx: Sql) => tx<{ id: bigint }[]>`
  select id from organization where vault_of is null order by id limit 1`;

export const findOrganization = (tx: Sql, id: bigint) => tx<{ id: bigint }[]>`
  select id from organization where id = ${id} and vault_of is null`;

/**
 * Ends the sessions that a provider has ended, and returns them. A session that names none of the provider, such as one that began with a
 * question, ends with any of its account. Reads sign_in_sso and sign_in_sso_session.
 */
export const endSessions = (tx: Sql, { subject, session, before }: Logout) => tx<
  (Candidate & { signInId: string })[]
>`
  delete from sign_in
  where (sso_session = ${session} or (sso_subject = ${subject} and (sso_session is null or ${session}::text is null)))
    and signed_in_at <= ${before.toISOString()}::text::timestamptz
  returning organization_id as "organizationId", member_id as "memberId", id as "signInId"`;
