import type { Sql } from '../../platform/db/database.ts';
import type { PageRow } from '../../platform/http/pagination.ts';
import type { Access, Scope } from '../../platform/http/scope.ts';
import { apiKeyPrefix, hashApiKey } from './api-key.ts';

const keyJson = (sql: Sql) => sql`
  json_build_object('id', key.id, 'userId', key.member_id, 'name', key.name, 'prefix', key.prefix, 'access', key.access,
    'defaultProjectId', key.default_project_id::text,
    'createdAt', iso_time(key.created_at), 'expiresAt', iso_time(key.expires_at), 'lastUsedAt', iso_time(key.last_used_at))`;

/** Members see their own keys, admins see all. */
const visible = (sql: Sql, scope: Scope) => sql`
  key.organization_id = ${scope.organizationId} and key.revoked_at is null
  and (key.member_id = ${scope.memberId} or ${scope.role === 'admin'})`;

export const listKeys = (sql: Sql, scope: Scope, after: string, count: number) => sql<PageRow[]>`
  select ${keyJson(sql)}::text as body, key.id::text as key
  from api_key key
  where ${visible(sql, scope)} and key.id > ${after}
  order by key.id
  limit ${count}`;

export const findKey = (sql: Sql, scope: Scope, keyId: string) => sql<{ body: string }[]>`
  select ${keyJson(sql)}::text as body from api_key key where ${visible(sql, scope)} and key.id = ${keyId}`;

/** When the key of this request expires; no row when it never expires or a person is signed in. */
export const findOwnExpiry = (tx: Sql, scope: Scope) => tx<{ expiresAt: string }[]>`
  select iso_time(expires_at) as "expiresAt" from api_key
  where id = ${scope.keyId} and organization_id = ${scope.organizationId} and expires_at is not null`;

/** Locks a key's default project against deletion. */
export const lockProject = (tx: Sql, scope: Scope, projectId: bigint) => tx<{ id: bigint }[]>`
  select id from project where organization_id = ${scope.organizationId} and id = ${projectId} for key share`;

/** Stores a key by its hash. */
export const insertKey = (
  tx: Sql,
  scope: { organizationId: bigint; memberId: string },
  id: string,
  secret: string,
  key: { name: string; access: Access; expiresAt: string | null; defaultProjectId?: bigint | null },
) => tx<{ body: string }[]>`
  insert into api_key as key (id, organization_id, member_id, name, prefix, hash, access, expires_at,
    default_project_id)
  values (${id}, ${scope.organizationId}, ${scope.memberId}, ${key.name}, ${apiKeyPrefix(secret)}, ${hashApiKey(secret)},
    ${key.access}, ${key.expiresAt}::text::timestamptz, ${key.defaultProjectId ?? null})
  returning ${keyJson(tx)}::text as body`;

export const deleteKey = (tx: Sql, scope: Scope, keyId: string) => tx`
  update api_key key set revoked_at = now() where ${visible(tx, scope)} and key.id = ${keyId} returning id`;
