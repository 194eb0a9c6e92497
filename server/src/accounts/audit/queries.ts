import type { Fragment, Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import type { PageRow } from '../../platform/http/pagination.ts';
import { cutToPage } from '../../platform/http/pagination.ts';
import type { Owner, Scope } from '../../platform/http/scope.ts';

/** Filters of the log; null does not filter. */
export type AuditFilter = {
  after: string | null;
  before: string | null;
  userId: string | null;
  operation: string | null;
  resource: string | null;
  resourceId: string | null;
  projectId: bigint | null;
  failed: boolean | null;
};

const eventJson = (sql: Sql): Fragment => sql`
  json_build_object('id', e.id, 'createdAt', iso_time(e.at), 'operation', e.operation, 'resource', e.resource,
    'resourceId', e.resource_id, 'projectId', e.project_id::text, 'userId', e.member_id,
    'userName', coalesce(member.name, (select 'SCIM token ' || token.name from scim_token token where token.id = e.member_id)),
    'keyId', e.key_id, 'signInId', e.sign_in_id, 'address', e.address, 'failed', e.failed, 'details', e.details,
    'before', e.before, 'after', e.after, 'place', e.place, 'hash', encode(e.hash, 'hex'))::text`;

/** Entries that a filter finds, newest first. Reads audit_event_time. */
export const listEvents = (
  sql: Sql,
  scope: Scope,
  filter: AuditFilter,
  before: string,
  count: number,
  maxBytes?: number,
) =>
  cutToPage<PageRow>(
    sql,
    sql`
  select ${eventJson(sql)} as body, e.id::text as key, row_number() over (order by e.id desc) as place
  from (
    select * from audit_event e
    where e.organization_id = ${scope.organizationId} and e.id < ${before}
      and (${filter.after}::text is null or e.at >= ${filter.after}::text::timestamptz)
      and (${filter.before}::text is null or e.at < ${filter.before}::text::timestamptz)
      and (${filter.userId}::uuid is null or e.member_id = ${filter.userId}::uuid)
      and (${filter.operation}::text is null or e.operation = ${filter.operation}::text)
      and (${filter.resource}::text is null or e.resource = ${filter.resource}::text)
      and (${filter.resourceId}::text is null or e.resource_id = ${filter.resourceId}::text)
      and (${filter.projectId}::bigint is null or e.project_id = ${filter.projectId}::bigint)
      and (${filter.failed}::boolean is null or e.failed = ${filter.failed}::boolean)
    order by e.id desc
    limit ${count}) e
  left join member on member.id = e.member_id and member.organization_id = ${scope.organizationId}`,
    maxBytes === undefined ? {} : { maxBytes },
  );

export type ChainEnd = { organizationId: bigint; place: bigint; hash: Buffer };

/** Makes the chains of organizations that have entries but no chain. */
export const insertChains = (tx: Sql) => tx`
  insert into audit_chain (organization_id)
  select distinct e.organization_id from audit_event e join organization on organization.id = e.organization_id
  where e.place is null
  on conflict do nothing`;

/** Locks the end of one chain that has waiting entries. Skips chains that other processes are extending. */
export const lockWaitingChain = (tx: Sql) => tx<ChainEnd[]>`
  select organization_id as "organizationId", place, hash from audit_chain
  where exists (
    select from audit_event e where e.organization_id = audit_chain.organization_id and e.place is null)
  limit 1 for update skip locked`;

/** Entries that are committed and not in the chain yet, oldest first. Reads audit_event_unchained. */
export const listUnchained = (tx: Sql, { organizationId }: Owner, most: number) => tx<
  { id: string; content: string }[]
>`
  select e.id, audit_content(e) as content from audit_event e
  where e.organization_id = ${organizationId} and e.place is null
  order by e.id limit ${most}`;

/** Puts entries into the chain, one after the other, and stores its new end. */
export const lengthenChain = async (
  tx: Sql,
  { organizationId, place }: ChainEnd,
  entries: { id: string; hash: string }[],
): Promise<void> => {
  await tx`
    update audit_event set place = ${place} + item.position, hash = item.hash
    from ${rowsOf(tx, entries, { id: 'uuid', hash: 'bytea' }, { as: 'item', place: 'position' })}
    where audit_event.organization_id = ${organizationId} and audit_event.id = item.id`;
  await tx`
    update audit_chain set place = ${String(place + BigInt(entries.length))}::bigint,
      hash = decode(${entries.at(-1)!.hash}, 'hex')
    where organization_id = ${organizationId}`;
};

export type CheckedEntry = {
  place: bigint;
  id: string;
  createdAt: string;
  hash: string;
  /** Whether its place follows that of the entry before it. */
  follows: boolean;
  /** Whether its hash is that of its content after the entry before it. */
  holds: boolean;
  /** Whether its texts were erased. */
  isErased: boolean;
};

/** Checks the entries after a place of the chain, whose hash is given. Reads audit_event_place. */
export const checkEntries = (
  sql: Sql,
  scope: Scope,
  after: { place: bigint; hash: string },
  most: number,
) => sql<CheckedEntry[]>`
  select place, id, iso_time(at) as "createdAt", encode(hash, 'hex') as hash,
    place = coalesce(lag(place) over (order by place), ${after.place}::bigint) + 1 as follows,
    hash = sha256(coalesce(lag(hash) over (order by place), decode(${after.hash}, 'hex'))
      || convert_to(content, 'UTF8')) and texts_hold as holds,
    is_erased as "isErased"
  from (
    select place, id, at, hash, audit_content(e) as content,
      salt is null and coalesce(before_hash, after_hash) is not null as is_erased,
      audit_text_holds(before, salt, before_hash) and audit_text_holds(after, salt, after_hash) as texts_hold
    from audit_event e
    where organization_id = ${scope.organizationId} and place > ${after.place}::bigint
    order by place limit ${most}) page
  order by place`;

/** Returns the stored end of the chain, and how many entries are not in it. */
export const findChain = (sql: Sql, scope: Scope) => sql<
  { place: bigint; hash: string; unchained: number }[]
>`
  select coalesce(chain.place, 0) as place, coalesce(encode(chain.hash, 'hex'), '') as hash, (
      select count(*)::int from audit_event e
      where e.organization_id = ${scope.organizationId} and e.place is null) as unchained
  from (select ${scope.organizationId}::bigint as id) asked
  left join audit_chain chain on chain.organization_id = asked.id`;
