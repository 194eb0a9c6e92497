import type { Sql } from '../../platform/db/database.ts';
import type { PageRow } from '../../platform/http/pagination.ts';
import type { Right, Scope } from '../../platform/http/scope.ts';
import type { RawJson } from '../../platform/json/json.ts';
import type { MemberCreate, MemberUpdate } from './schema.ts';

export const memberJson = (sql: Sql) => sql`
  json_build_object('id', member.id, 'name', member.name, 'email', member.email, 'role', member.role,
    'active', member.active, 'hasPassword', member.password_hash is not null,
    'hasSignedInWithSso', member.sso_subject is not null, 'createdAt', iso_time(member.created_at))`;

export const listMembers = (sql: Sql, scope: Scope, after: string, count: number) => sql<PageRow[]>`
  select ${memberJson(sql)}::text as body, member.id::text as key
  from member
  where member.organization_id = ${scope.organizationId} and member.id > ${after}
  order by member.id
  limit ${count}`;

export const findMember = (sql: Sql, scope: Scope, memberId: string) => sql<{ body: string }[]>`
  select ${memberJson(sql)}::text as body from member
  where organization_id = ${scope.organizationId} and id = ${memberId}`;

/** Locks the member against deletion until the commit. */
export const lockMember = (tx: Sql, scope: Scope, memberId: string) => tx<{ id: string }[]>`
  select id from member where organization_id = ${scope.organizationId} and id = ${memberId} for key share`;

export const insertMember = (
  tx: Sql,
  scope: { organizationId: bigint },
  id: string,
  member: MemberCreate,
) => tx<{ body: string }[]>`
  insert into member (id, organization_id, name, email, role)
  values (${id}, ${scope.organizationId}, ${member.name}, ${member.email}, ${member.role})
  returning ${memberJson(tx)}::text as body`;

export const updateMember = (tx: Sql, scope: Scope, memberId: string, changes: MemberUpdate) => tx<
  { body: string }[]
>`
  update member set ${tx(changes)}
  where organization_id = ${scope.organizationId} and id = ${memberId}
  returning ${memberJson(tx)}::text as body`;

export const deleteMember = (tx: Sql, scope: Scope, memberId: string) => tx`
  delete from member where organization_id = ${scope.organizationId} and id = ${memberId} returning id`;

/** Locks the admins, so that two requests cannot both remove the last one. */
export const lockAdmins = (tx: Sql, scope: Pick<Scope, 'organizationId'>) => tx<{ id: string }[]>`
  select id from member where organization_id = ${scope.organizationId} and role = 'admin' and active order by id for update`;

/** Returns who sent a request, as JSON text. `organizations` are those that their session can be switched to. */
export const findMe = (sql: Sql, scope: Scope, rights: readonly Right[], organizations: RawJson) => sql<
  { body: string }[]
>`
  select json_build_object(
    'organization', json_build_object('id', organization.id::text, 'name', organization.name,
      'reportLinks', organization.report_links),
    'user', ${memberJson(sql)},
    'rights', ${JSON.stringify(rights)}::text::json,
    'key', (
      select json_build_object('id', key.id, 'name', key.name, 'prefix', key.prefix, 'access', key.access,
        'expiresAt', iso_time(key.expires_at))
      from api_key key
      where key.id = ${scope.keyId} and key.organization_id = ${scope.organizationId}),
    'organizations', ${organizations}::text::json,
    'position', pg_current_snapshot()::text)::text as body
  from member join organization on organization.id = member.organization_id
  where member.id = ${scope.memberId} and member.organization_id = ${scope.organizationId}`;
