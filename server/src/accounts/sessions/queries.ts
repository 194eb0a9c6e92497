import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { memberJson } from '../members/queries.ts';

/** How long a session lasts, from sign-in. */
const sessionLifetime = '30 days';
/** How long a sign-in link is valid. */
const linkLifetime = '3 days';

/** A member who has not proved yet who they are. */
export type Candidate = { organizationId: bigint; memberId: string };

/** Members with this address and a password, at most one per organization. Reads member_sign_in. */
export const findByEmail = (sql: Sql, email: string) => sql<(Candidate & { passwordHash: string })[]>`
  select organization_id as "organizationId", id as "memberId", password_hash as "passwordHash"
  from member where lower(email) = lower(${email}) and password_hash is not null
  order by created_at limit 5`;

/** Returns the organization if there is only one. */
export const findOnlyOrganization = (sql: Sql) => sql<{ organizationId: bigint; memberId: null }[]>`
  select min(id) as "organizationId", null as "memberId" from (select id from organization limit 2) found
  having count(*) = 1`;

export const findPasswordHash = (sql: Sql, { organizationId, memberId }: Candidate) => sql<
  { passwordHash: string | null }[]
>`
  select password_hash as "passwordHash" from member where organization_id = ${organizationId} and id = ${memberId}`;

/** Locks the password until the commit. */
export const lockPasswordHash = (tx: Sql, { organizationId, memberId }: Candidate) => tx<
  { passwordHash: string | null }[]
>`
  select password_hash as "passwordHash" from member where organization_id = ${organizationId} and id = ${memberId}
  for no key update`;

export const updatePassword = (tx: Sql, { organizationId, memberId }: Candidate, hash: string) => tx`
  update member set password_hash = ${hash} where organization_id = ${organizationId} and id = ${memberId}`;

export const insertSession = (
  tx: Sql,
  { organizationId, memberId }: Candidate,
  id: string,
  hash: Buffer,
) => tx<{ body: string }[]>`
  with made as (
    insert into session (id, organization_id, member_id, hash, expires_at)
    values (${id}, ${organizationId}, ${memberId}, ${hash}, now() + ${sessionLifetime}::interval)
    returning id, member_id, expires_at)
  select json_build_object('id', made.id, 'user', ${memberJson(tx)}, 'expiresAt', iso_time(made.expires_at))::text as body
  from made join member on member.id = made.member_id and member.organization_id = ${organizationId}`;

export const deleteSession = (tx: Sql, scope: Scope) => tx`
  delete from session where organization_id = ${scope.organizationId} and id = ${scope.sessionId}`;

/** Ends the member's sessions except the one to keep. */
export const deleteSessions = (tx: Sql, { organizationId, memberId }: Candidate, keepId: string | null) => tx`
  delete from session
  where organization_id = ${organizationId} and member_id = ${memberId} and id is distinct from ${keepId}`;

export const insertLink = (tx: Sql, { organizationId, memberId }: Candidate, hash: Buffer) => tx<
  { expiresAt: string }[]
>`
  insert into sign_in_link (hash, organization_id, member_id, expires_at)
  values (${hash}, ${organizationId}, ${memberId}, now() + ${linkLifetime}::interval)
  returning iso_time(expires_at) as "expiresAt"`;

/** Finds the member that a link is for. */
export const findLink = (sql: Sql, hash: Buffer) => sql<{ body: string }[]>`
  select json_build_object('organization', json_build_object('id', organization.id::text, 'name', organization.name),
    'user', ${memberJson(sql)})::text as body
  from sign_in_link link
  join member on member.id = link.member_id
  join organization on organization.id = link.organization_id
  where link.hash = ${hash} and link.expires_at > now()`;

/** Deletes the link. If two requests redeem it at once, one finds no row. */
export const takeLink = (tx: Sql, hash: Buffer) => tx<Candidate[]>`
  delete from sign_in_link where hash = ${hash} and expires_at > now()
  returning organization_id as "organizationId", member_id as "memberId"`;

/** Deletes the member's other links. */
export const deleteLinks = (tx: Sql, { organizationId, memberId }: Candidate) => tx`
  delete from sign_in_link where organization_id = ${organizationId} and member_id = ${memberId}`;

export const updateWhoJoins = (
  tx: Sql,
  { organizationId, memberId }: Candidate,
  changes: { name?: string; email?: string },
) => tx`
  update member set ${tx(changes)} where organization_id = ${organizationId} and id = ${memberId}`;

/** Finds the first admin as long as no member has a password. */
export const findFirstAdmin = (sql: Sql) => sql<Candidate[]>`
  select organization_id as "organizationId", id as "memberId" from member
  where role = 'admin' and not exists (select from member where password_hash is not null)
  order by organization_id, created_at, id limit 1`;

/** Deletes expired sessions and links. */
export const purgeSessions = async (tx: Sql): Promise<void> => {
  await tx`delete from session where expires_at < now()`;
  await tx`delete from sign_in_link where expires_at < now()`;
};
