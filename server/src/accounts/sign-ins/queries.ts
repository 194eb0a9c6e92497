import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { isSameAddress } from '../email-address.ts';
import { memberJson } from '../members/queries.ts';
import { endOf, isOpen, type SessionLimits } from './session-limits.ts';

/** How long a sign-in link is valid. */
const linkLifetime = '3 days';
/** How long a person with single sign-on can think about entering an organization. */
const questionLifetime = '10 minutes';

/** A member who has not proved yet who they are. */
export type Candidate = { organizationId: bigint; memberId: string };
/** The members that a person proved to be, at least one. */
export type Proven = [Candidate, ...Candidate[]];
/** What a sign-in proved, and the members of this person in organizations that they have not joined. */
export type Reach = { proven: Proven; invited?: Candidate[]; account?: SsoAccount };
/** The account of single sign-on that a person signed in with, and the session at the provider if it names one. */
export type SsoAccount = { subject: string; session: string | null };

/** Active members with this address and a password, at most one per organization. Reads member_sign_in. */
export const findByEmail = (sql: Sql, email: string) => sql<(Candidate & { passwordHash: string })[]>`
  select organization_id as "organizationId", id as "memberId", password_hash as "passwordHash"
  from member where ${isSameAddress(sql, sql`email`, sql`${email}`)} and password_hash is not null and active
  order by created_at limit 5`;

/** Returns the organization if there is only one. */
export const findOnlyOrganization = (sql: Sql) => sql<{ organizationId: bigint; memberId: null }[]>`
  select min(id) as "organizationId", null as "memberId" from (select id from organization where vault_of is null limit 2) found
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

export const idsOf = (members: Candidate[]) => members.map(({ memberId }) => memberId);

/** Inserts a session of the first member that a person proved to be. */
export const insertSession = (
  tx: Sql,
  limits: SessionLimits,
  { proven, invited = [], account }: Reach,
  id: string,
  hash: Buffer,
) => tx<{ body: string }[]>`
  with made as (
    insert into sign_in (id, organization_id, member_id, hash, proven_member_ids, invited_member_ids, sso_subject, sso_session)
    values (${id}, ${proven[0].organizationId}, ${proven[0].memberId}, ${hash}, ${idsOf(proven)}::uuid[],
      ${idsOf(invited)}::uuid[], ${account?.subject ?? null}, ${account?.session ?? null})
    returning *)
  select ${sessionJson(tx, limits)} as body from made join member on member.id = made.member_id`;

const sessionJson = (sql: Sql, limits: SessionLimits) => sql`
  json_build_object('id', made.id, 'user', ${memberJson(sql)}, 'expiresAt', iso_time(${endOf(sql, limits)}),
    'organizations', ${reachableJson(sql)})::text`;

/** The members of the person of session `made`, its own among them, as `other`. The session can be switched to those that are joined. */
const reachable = (sql: Sql) => sql`
  member other join organization on organization.id = other.organization_id
  where other.id = any(made.proven_member_ids || made.invited_member_ids) and other.active and other.sign_in_changed_at <= made.signed_in_at`;

const isJoined = (sql: Sql) => sql`(other.id = any(made.proven_member_ids))`;

const reachableJson = (sql: Sql) => sql`
  (select coalesce(json_agg(json_build_object('id', organization.id::text, 'name', organization.name, 'role', other.role,
      'current', other.id = made.member_id, 'joined', ${isJoined(sql)}) order by lower(organization.name), organization.id), '[]')
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
    delete from sign_in made using ${reachable(tx)} and ${isJoined(tx)}
      and other.organization_id = ${organizationId}
      and made.id = ${scope.signInId} and made.organization_id = ${scope.organizationId}
    returning made.*, other.id as other_id),
  made as (
    insert into sign_in (id, organization_id, member_id, hash, proven_member_ids, invited_member_ids, sso_subject, sso_session,
      signed_in_at)
    select ${id}, ${organizationId}, other_id, ${hash}, proven_member_ids, invited_member_ids, sso_subject, sso_session, signed_in_at
    from ended
    returning *)
  select ${sessionJson(tx, limits)} as body from made join member on member.id = made.member_id`;

/** Whether the person of a session is invited to this organization and has not joined it. */
export const findInvitation = (sql: Sql, scope: Scope, organizationId: bigint) => sql`
  select from sign_in made, ${reachable(sql)} and other.organization_id = ${organizationId} and not ${isJoined(sql)}
    and made.id = ${scope.signInId} and made.organization_id = ${scope.organizationId}`;

/** Joins an organization that the person of a session is invited to: binds the member there to their account. */
export const joinInvited = (tx: Sql, scope: Scope, organizationId: bigint) => tx`
  with bound as (
    update member invited set sso_subject = own.sso_subject
    from sign_in made join member own on own.id = made.member_id
    where made.id = ${scope.signInId} and made.organization_id = ${scope.organizationId}
      and invited.organization_id = ${organizationId} and invited.id = any(made.invited_member_ids) and invited.active
      and coalesce(invited.sso_subject, own.sso_subject) = own.sso_subject
    returning made.id as sign_in_id, invited.id)
  update sign_in set proven_member_ids = array_append(proven_member_ids, bound.id),
    invited_member_ids = array_remove(invited_member_ids, bound.id)
  from bound where sign_in.id = bound.sign_in_id`;

/** Notes that these members belong to an account of the provider, unless they belong to another one. Returns those that do. */
export const bindAccount = (tx: Sql, memberIds: string[], subject: string) => tx<{ id: string }[]>`
  update member set sso_subject = ${subject}
  where id = any(${memberIds}::uuid[]) and active and coalesce(sso_subject, ${subject}) = ${subject}
  returning id`;

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

/** Who made a link: an admin, the operator, or the sign-in of an account of single sign-on. */
export type LinkOrigin = 'admin' | 'operator' | { subject: string };

export const insertLink = (
  tx: Sql,
  { organizationId, memberId }: Candidate,
  hash: Buffer,
  by: LinkOrigin,
) => tx<{ expiresAt: string }[]>`
  insert into sign_in_link (hash, organization_id, member_id, by_operator, sso_subject, expires_at)
  values (${hash}, ${organizationId}, ${memberId}, ${by === 'operator'}, ${typeof by === 'object' ? by.subject : null},
    now() + ${typeof by === 'object' ? questionLifetime : linkLifetime}::interval)
  returning iso_time(expires_at) as "expiresAt"`;

/** Finds the member that a link is for, and the session of the browser that it would replace, by the hash of its token. */
export const findLink = (
  sql: Sql,
  hash: Buffer,
  { limits, sessionHash }: { limits: SessionLimits; sessionHash: Buffer | null },
) => sql<{ body: string; byOperator: boolean; ssoSubject: string | null }[]>`
  select link.by_operator as "byOperator", link.sso_subject as "ssoSubject", json_build_object('organization', json_build_object('id', organization.id::text, 'name', organization.name),
    'user', ${memberJson(sql)},
    'passwordless', link.sso_subject is not null, 'replacedSession', (
      select json_build_object('email', other.email, 'organizationName', current.name)
      from sign_in join member other on other.id = sign_in.member_id join organization current on current.id = other.organization_id
      where sign_in.hash = ${sessionHash} and ${isOpen(sql, limits)} and other.active and other.id <> member.id))::text as body
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

/** Changes the name and the address of a member who joins. Another address counts as unconfirmed: no one vouches for it, unless an admin chose their own. */
export const updateWhoJoins = (
  tx: Sql,
  { organizationId, memberId }: Candidate,
  changes: { name?: string; email?: string },
) => tx`
  update member set ${tx(changes)},
    email_unconfirmed = email_unconfirmed or role <> 'admin' and not ${isSameAddress(tx, tx`email`, tx`coalesce(${changes.email ?? null}::text, email)`)}
  where organization_id = ${organizationId} and id = ${memberId}`;

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
