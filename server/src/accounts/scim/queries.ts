import type { Fragment, Sql } from '../../platform/db/database.ts';
import type { Role, Scope } from '../../platform/http/scope.ts';
import { isSameAddress } from '../email-address.ts';
import type { Equals } from './filter.ts';
import { ScimError } from './scim-error.ts';
import type { ScimUser } from './user.ts';

type Owned = Pick<Scope, 'organizationId'>;

export type FoundUser = ScimUser & { id: string; createdAt: string; total: number };

const columns = (sql: Sql) => sql`
  member.id, coalesce(member.directory ->> 'userName', member.email) as "userName", member.external_id as "externalId",
  member.name as "displayName", coalesce(member.directory ->> 'givenName', '') as "givenName",
  coalesce(member.directory ->> 'familyName', '') as "familyName", member.email, member.active,
  iso_time(member.created_at) as "createdAt"`;

const matchesUser = (sql: Sql, { attribute, value }: Equals): Fragment => {
  const text = String(value);
  if (attribute === 'username')
    return sql`(${isSameAddress(sql, sql`member.directory ->> 'userName'`, sql`${text}`)}
      or member.directory is null and ${isSameAddress(sql, sql`member.email`, sql`${text}`)})`;
  if (attribute === 'externalid') return sql`member.external_id = ${text}`;
  if (attribute === 'id') return sql`member.id::text = ${text}`;
  if (attribute === 'active') return sql`member.active = ${text === 'true'}`;
  if (attribute === 'displayname') return sql`lower(member.name) = lower(${text})`;
  if (/^emails(\[.*\])?(\.value)?$/.test(attribute))
    return isSameAddress(sql, sql`member.email`, sql`${text}`);
  throw new ScimError(400, `Users cannot be filtered by ${attribute}.`, 'invalidFilter');
};

/** Conditions, each after an "and". */
const all = (sql: Sql, conditions: Fragment[]): Fragment =>
  conditions.reduce((before, condition) => sql`${before} and ${condition}`, sql``);

type PageOf = { offset: number; count: number };

/** Lists a page of users; `total` counts those on all pages. */
export const listUsers = (sql: Sql, scope: Owned, filter: Equals[], { offset, count }: PageOf) => sql<
  FoundUser[]
>`
  select ${columns(sql)}, count(*) over ()::int as total from member
  where member.organization_id = ${scope.organizationId} ${all(
    sql,
    filter.map((one) => matchesUser(sql, one)),
  )}
  order by member.created_at, member.id offset ${offset} limit ${count}`;

export const countUsers = (sql: Sql, scope: Owned, filter: Equals[]) => sql<{ total: number }[]>`
  select count(*)::int as total from member where member.organization_id = ${scope.organizationId} ${all(
    sql,
    filter.map((one) => matchesUser(sql, one)),
  )}`;

export const findUser = (sql: Sql, scope: Owned, id: string) => sql<FoundUser[]>`
  select ${columns(sql)}, 1 as total from member
  where member.organization_id = ${scope.organizationId} and member.id = ${id}`;

/** Locks a user until the commit. */
export const lockUser = (tx: Sql, scope: Owned, id: string) => tx<FoundUser[]>`
  select ${columns(tx)}, 1 as total from member
  where member.organization_id = ${scope.organizationId} and member.id = ${id} for no key update`;

const directoryOf = ({ userName, givenName, familyName }: ScimUser) =>
  JSON.stringify({ userName, givenName, familyName });

export const insertUser = (tx: Sql, scope: Owned, id: string, user: ScimUser, role: Role) => tx`
  insert into member (id, organization_id, name, email, role, external_id, directory, active)
  values (${id}, ${scope.organizationId}, ${user.displayName}, ${user.email}, ${role}, ${user.externalId},
    ${directoryOf(user)}::text::json, ${user.active})`;

export const updateUser = (tx: Sql, scope: Owned, id: string, user: ScimUser) => tx`
  update member set name = ${user.displayName}, email = ${user.email}, email_unconfirmed = false, external_id = ${user.externalId},
    directory = ${directoryOf(user)}::text::json, active = ${user.active}
  where organization_id = ${scope.organizationId} and id = ${id}`;

/** Whether another member of the organization has this userName. */
export const findNamesake = (tx: Sql, scope: Owned, userName: string, id: string) => tx`
  select from member where organization_id = ${scope.organizationId} and id <> ${id}
    and lower(directory ->> 'userName') = lower(${userName}) limit 1`;

/** Ends the member's access at once: sessions, sign-in links and keys. A later activation restores none of them. */
export const endAccess = async (tx: Sql, scope: Owned, id: string): Promise<void> => {
  const ofMember = tx`organization_id = ${scope.organizationId} and member_id = ${id}`;
  await tx`update member set sign_in_changed_at = now() where organization_id = ${scope.organizationId} and id = ${id}`;
  await tx`delete from sign_in where ${ofMember}`;
  await tx`delete from sign_in_link where ${ofMember}`;
  await tx`update api_key set revoked_at = now() where ${ofMember} and revoked_at is null`;
};

export type FoundGroup = {
  id: string;
  name: string;
  externalId: string | null;
  createdAt: string;
  updatedAt: string;
  /** Ids and names of its members, as JSON text. */
  members: string;
  total: number;
};

const groupColumns = (sql: Sql) => sql`
  g.id, g.name, g.external_id as "externalId", iso_time(g.created_at) as "createdAt", iso_time(g.updated_at) as "updatedAt",
  (select coalesce(json_agg(json_build_object('value', member.id, 'display', member.name) order by member.id), '[]')::text
    from member_group_member belongs join member on member.id = belongs.member_id
    where belongs.group_id = g.id) as members`;

const matchesGroup = (sql: Sql, { attribute, value }: Equals): Fragment => {
  const text = String(value);
  if (attribute === 'displayname') return sql`lower(g.name) = lower(${text})`;
  if (attribute === 'externalid') return sql`g.external_id = ${text}`;
  if (attribute === 'id') return sql`g.id::text = ${text}`;
  if (/^members(\.value)?$/.test(attribute))
    return sql`exists (select from member_group_member belongs where belongs.group_id = g.id and belongs.member_id::text = ${text})`;
  throw new ScimError(400, `Groups cannot be filtered by ${attribute}.`, 'invalidFilter');
};

export const listGroups = (sql: Sql, scope: Owned, filter: Equals[], { offset, count }: PageOf) => sql<
  FoundGroup[]
>`
  select ${groupColumns(sql)}, count(*) over ()::int as total from member_group g
  where g.organization_id = ${scope.organizationId} ${all(
    sql,
    filter.map((one) => matchesGroup(sql, one)),
  )}
  order by g.created_at, g.id offset ${offset} limit ${count}`;

export const countGroups = (sql: Sql, scope: Owned, filter: Equals[]) => sql<{ total: number }[]>`
  select count(*)::int as total from member_group g where g.organization_id = ${scope.organizationId} ${all(
    sql,
    filter.map((one) => matchesGroup(sql, one)),
  )}`;

export const findGroup = (sql: Sql, scope: Owned, id: string) => sql<FoundGroup[]>`
  select ${groupColumns(sql)}, 1 as total from member_group g
  where g.organization_id = ${scope.organizationId} and g.id = ${id}`;

export const lockGroup = (tx: Sql, scope: Owned, id: string) => tx<{ id: string }[]>`
  select id from member_group where organization_id = ${scope.organizationId} and id = ${id} for update`;

export const insertGroup = (
  tx: Sql,
  scope: Owned,
  id: string,
  group: { name: string; externalId: string | null },
) => tx`
  insert into member_group (id, organization_id, name, external_id)
  values (${id}, ${scope.organizationId}, ${group.name}, ${group.externalId})`;

export const updateGroup = (
  tx: Sql,
  scope: Owned,
  id: string,
  { name, externalId }: { name?: string | undefined; externalId?: string | null | undefined },
) => tx`
  update member_group set name = coalesce(${name ?? null}, name),
    external_id = coalesce(${externalId ?? null}, external_id), updated_at = now()
  where organization_id = ${scope.organizationId} and id = ${id}`;

export const deleteGroup = (tx: Sql, scope: Owned, id: string) => tx`
  delete from member_group where organization_id = ${scope.organizationId} and id = ${id}`;

export const listMemberIds = (tx: Sql, scope: Owned, groupId: string) => tx<{ id: string }[]>`
  select member_id as id from member_group_member
  where organization_id = ${scope.organizationId} and group_id = ${groupId}`;

/** Adds members of the organization to the group. Ignores ids of others. */
export const addMembers = (tx: Sql, scope: Owned, groupId: string, ids: string[]) => tx`
  insert into member_group_member (group_id, member_id, organization_id)
  select ${groupId}::uuid, id, organization_id from member
  where organization_id = ${scope.organizationId} and id::text = any(${ids}::text[])
  on conflict do nothing`;

export const removeMembers = (tx: Sql, scope: Owned, groupId: string, ids: string[]) => tx`
  delete from member_group_member
  where organization_id = ${scope.organizationId} and group_id = ${groupId} and member_id::text = any(${ids}::text[])`;

/** The names and external ids of the groups that each of these members is in: either can give a role. */
export const listGroupNames = (tx: Sql, scope: Owned, memberIds: string[]) => tx<
  { id: string; names: string[]; isProvisioned: boolean }[]
>`
  select member.id, member.directory is not null as "isProvisioned",
    array_remove(array_agg(g.name) || array_agg(g.external_id), null) as names
  from member
  left join member_group_member belongs on belongs.member_id = member.id
  left join member_group g on g.id = belongs.group_id
  where member.organization_id = ${scope.organizationId} and member.id = any(${memberIds}::uuid[])
  group by member.id`;
