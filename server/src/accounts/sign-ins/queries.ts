import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { memberJson } from '../members/queries.ts';
import { endOf, isOpen, type SessionLimits } from './session-limits.ts';

/** How long a sign-in link is valid. */
const linkLifetime = '3 days';

/** A member who has not proved yet who they are. */
export type Candidate = { organizationId: bigint; memberId: string };
/** The members that a person proved to be, at least one. */
export type Proven = [Candidate, ...Candidate[]];

/** Active members with this address and a password, at most one per organization. Reads member_sign_in. */
export const findByEmail = (sql: Sql, email: string) => sql<(Candidate & { passwordHash: string })[]>`
  select organization_id as "organizationId", id as "memberId", password_hash as "passwordHash"
  from member where lower(email) = lower(${email}) and password_hash is not null and active
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
  select password_hash as "passwordHash" from member
  where organization_id = ${organizationId} and id = ${memberId} and active
  for no key update`;

export const updatePassword = (tx: Sql, { organizationId, memberId }: Candidate, hash: string) => tx`
  update member set password_hash = ${hash}, sign_in_changed_at = now()
  where organization_id = ${organizationId} and id = ${memberId}`;

/** Inserts a session of the first member that a person proved to be. */
export const insertSession = (
  tx: Sql,
  limits: SessionLimits,
  [first, ...others]: Proven,
  id: string,
  hash: Buffer,
) => tx<{ body: string }[]>`
  with made as (
    insert into sign_in (id, organization_id, member_id, hash, proven_member_ids)
    values (${id}, ${first.organizationId}, ${first.memberId}, ${hash},
      ${[first, ...others].map(({ memberId }) => memberId)}::uuid[])
    returning *)
  select ${sessionJson(tx, limits)} as body from made join member on member.id = made.member_id`;

const sessionJson = (sql: Sql, limits: SessionLimits) => sql`
  json_build_object('id', made.id, 'user', ${memberJson(sql)}, 'expiresAt', iso_time(${endOf(sql, limits)}),
    'organizations', ${reachableJson(sql)})::text`;

/** The members of session `made` that can be switched to, its own among them, as `other`. */
const reachable = (sql: Sql) => sql`
  member other join organization on organization.id = other.organization_id
  where other.id = any(made.proven_member_ids) and other.active and other.sign_in_changed_at <= made.signed_in_at`;

const reachableJson = (sql: Sql) => sql`
  (select coalesce(json_agg(json_build_object('id', organization.id::text, 'name', organization.name, 'role', other.role,
      'current', other.id = made.member_id) order by lower(organization.name), organization.id), '[]')
    from ${reachable(sql)})`;

/** Returns the list of the organizations that the person can switch to, as JSON text. */
export const findOrganizations = (sql: Sql, scope: Scope) => sql<{ body: string }[]>`
  select ${reachableJson(sql)}::text as body
  from sign_in made where made.id = ${scope.signInId} and made.organization_id = ${scope.organizationId}`;

/** Ends a session and begins another in its place, of the person's member in an organization that it can be switched to. */
export const replaceSession = (
  tx: Sql,
  limits: SessionLimits,
  scope: Scope,
  organizationId: bigint,
  id: string,
  hash: Buffer,
) => tx<{ body: string }[]>`
  with ended as (
    delete from sign_in made using ${reachable(tx)}
      and other.organization_id = ${organizationId}
      and made.id = ${scope.signInId} and made.organization_id = ${scope.organizationId}
    returning made.*, other.id as other_id),
  made as (
    insert into sign_in (id, organization_id, member_id, hash, proven_member_ids, signed_in_at)
    select ${id}, ${organizationId}, other_id, ${hash}, proven_member_ids, signed_in_at from ended
    returning *)
  select ${sessionJson(tx, limits)} as body from made join member on member.id = made.member_id`;

/** Members that the session was signed in for, except its own, with their passwords. */
export const findOtherPasswords = (sql: Sql, scope: Scope) => sql<(Candidate & { passwordHash: string })[]>`
  select member.organization_id as "organizationId", member.id as "memberId", member.password_hash as "passwordHash"
  from sign_in join member on member.id = any(sign_in.proven_member_ids)
  where sign_in.id = ${scope.signInId} and member.id <> ${scope.memberId} and member.active
    and member.password_hash is not null and member.sign_in_changed_at <= sign_in.signed_in_at`;

/** Notes that the person has just proved to be these members. */
export const updateProven = (tx: Sql, scope: Scope, memberIds: string[]) => tx`
  update sign_in set proven_member_ids = ${memberIds}::uuid[], signed_in_at = now()
  where organization_id = ${scope.organizationId} and id = ${scope.signInId}`;

export const deleteSession = (tx: Sql, scope: Scope) => tx`
  delete from sign_in where organization_id = ${scope.organizationId} and id = ${scope.signInId}`;

/** Ends the member's sessions except the one to keep. */
export const deleteSessions = (tx: Sql, { organizationId, memberId }: Candidate, keepId: string | null) => tx`
  delete from sign_in
  where organization_id = ${organizationId} and member_id = ${memberId} and id is distinct from ${keepId}`;

export const insertLink = (
  tx: Sql,
  { organizationId, memberId }: Candidate,
  hash: Buffer,
  byOperator: boolean,
) => tx<{ expiresAt: string }[]>`
  insert into sign_in_link (hash, organization_id, member_id, by_operator, expires_at)
  values (${hash}, ${organizationId}, ${memberId}, ${byOperator}, now() + ${linkLifetime}::interval)
  returning iso_time(expires_at) as "expiresAt"`;

/** Finds the member that a link is for. */
export const findLink = (sql: Sql, hash: Buffer) => sql<{ body: string; byOperator: boolean }[]>`
  select link.by_operator as "byOperator", json_build_object('organization', json_build_object('id', organization.id::text, 'name', organization.name),
    'user', ${memberJson(sql)})::text as body
  from sign_in_link link
  join member on member.id = link.member_id
  join organization on organization.id = link.organization_id
  where link.hash = ${hash} and link.expires_at > now() and member.active`;

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

/** Finds the first admin if no member has signed in yet. */
export const findFirstAdmin = (sql: Sql) => sql<Candidate[]>`
  select organization_id as "organizationId", id as "memberId" from member
  where role = 'admin' and not exists (
    select from member where password_hash is not null or sso_subject is not null)
  order by organization_id, created_at, id limit 1`;

/** Deletes the sessions and links that have ended. */
export const purgeSessions = async (tx: Sql, limits: SessionLimits): Promise<void> => {
  await tx`delete from sign_in where not ${isOpen(tx, limits)}`;
  await tx`delete from sign_in_link where expires_at < now()`;
};
