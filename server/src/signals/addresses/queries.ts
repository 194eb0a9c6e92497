import { isSameAddress } from '../../accounts/email-address.ts';
import type { Fragment, Sql } from '../../platform/db/database.ts';
import type { Owner } from '../../platform/http/scope.ts';
import { confirmDays } from './links.ts';
import type { AddressState } from './schema.ts';

/** Days for which an owner who stopped the mails is not asked again, and for which asking is remembered. */
export const quietDays = 30;

/** Whether an active member has the address, and an admin or a directory vouches for it. */
const isMember = (sql: Sql, organizationId: Fragment, address: Fragment): Fragment => sql`
  exists (
    select from member
    where member.organization_id = ${organizationId} and member.active and not member.email_unconfirmed
      and ${isSameAddress(sql, sql`member.email`, address)})`;

/** State of the address `address`; `known` is its row or null. */
const stateOf = (sql: Sql, organizationId: Fragment, address: Fragment): Fragment => sql`
  case when ${isMember(sql, organizationId, address)} then 'member'
    when known.stopped_at is not null then 'stopped'
    when known.confirmed_at is not null then 'confirmed'
    else 'waiting' end`;

const knownOf = (sql: Sql, organizationId: Fragment, address: Fragment): Fragment => sql`
  mail_address known on known.organization_id = ${organizationId} and known.key = lower(${address})
    and ${isSameAddress(sql, sql`known.address`, address)}`;

/** The addresses of a text with commas between them, in their order: `address`, `state`, `asked_at`. Reads member_email and mail_address_pkey. */
export const receivers = (sql: Sql, organizationId: Fragment, target: Fragment): Fragment => sql`
  select given.address, given.place, ${stateOf(sql, organizationId, sql`given.address`)} as state, known.asked_at[1] as asked_at
  from string_to_table(${target}, ', ') with ordinality given(address, place)
  left join ${knownOf(sql, organizationId, sql`given.address`)}`;

/** The same as JSON. */
export const receiversJson = (sql: Sql, organizationId: Fragment, target: Fragment): Fragment => sql`
  (select json_agg(json_build_object('address', receiver.address, 'state', receiver.state,
      'askedAt', iso_time(receiver.asked_at)) order by receiver.place)
    from (${receivers(sql, organizationId, target)}) receiver)`;

export type Receiver = { address: string; state: AddressState };

/** Returns who gets the mails of an alert, and who does not. */
export const listReceivers = (sql: Sql, { organizationId }: Owner, target: string) => sql<Receiver[]>`
  select address, state from (${receivers(sql, sql`${organizationId}`, sql`${target}::text`)}) receiver order by place`;

/** Makes others who ask for addresses of the organization wait, so that the limits count all. */
export const lockAsking = (tx: Sql, { organizationId }: Owner) => tx`
  select pg_advisory_xact_lock(hashtextextended(${`mail addresses of organization ${organizationId}`}::text, 0))`;

/** The receivers whom no link that works has reached. */
export const listUnasked = (tx: Sql, { organizationId }: Owner, target: string) => tx<{ address: string }[]>`
  select address from (${receivers(tx, tx`${organizationId}`, tx`${target}::text`)}) receiver
  where state = 'waiting' and (asked_at is null or asked_at < now() - ${confirmDays}::integer * interval '1 day')
  order by place`;

/** Counts the questions of the organization in the last day. */
export const countAsked = (tx: Sql, { organizationId }: Owner) => tx<{ n: number }[]>`
  select count(*)::int as n from mail_address known, unnest(known.asked_at) asked
  where known.organization_id = ${organizationId} and asked > now() - interval '1 day'`;

export type AskedAddress = Receiver & { version: number; askedToday: number; mayAskStopped: boolean };

/** Returns one address with its questions of the last day. */
export const findAddress = (sql: Sql, { organizationId }: Owner, address: string) => sql<AskedAddress[]>`
  select given.address, ${stateOf(sql, sql`${organizationId}`, sql`given.address`)} as state,
    coalesce(known.version, 0) as version,
    coalesce(known.stopped_at < now() - ${quietDays}::integer * interval '1 day', true) as "mayAskStopped",
    (select count(*)::int from unnest(known.asked_at) asked where asked > now() - interval '1 day') as "askedToday"
  from (select ${address}::text as address) given
  left join ${knownOf(sql, sql`${organizationId}`, sql`given.address`)}`;

/** Counts the questions to an address in the day before a time, of all organizations: later ones are not in the way of earlier ones. Reads mail_address_key. */
export const countAskedOfAll = (sql: Sql, address: string, until: string) => sql<{ n: number }[]>`
  select count(*)::int as n from mail_address known, unnest(known.asked_at) asked
  where known.key = lower(${address}) and asked > now() - interval '1 day'
    and date_trunc('milliseconds', asked) <= ${until}::text::timestamptz`;

/** Notes that the owner of an address is asked now. What they answered before no longer counts. */
export const noteAsked = (tx: Sql, { organizationId }: Owner, address: string) => tx`
  insert into mail_address as known (organization_id, key, address, asked_at)
  values (${organizationId}, lower(${address}), ${address}, array[now()])
  on conflict (organization_id, key) do update
  set address = excluded.address, stopped_at = null, confirmed_at = null,
    asked_at = now() || array(
      select asked from unnest(known.asked_at) asked where asked > now() - ${quietDays}::integer * interval '1 day' order by asked desc)`;

/** Confirms an address by the version of its link. Returns nothing if the address was stopped since, or forgotten. */
export const confirmAddress = (
  tx: Sql,
  { organizationId }: Owner,
  { address, version }: { address: string; version: number },
) => tx<{ wasConfirmed: boolean }[]>`
  update mail_address known set confirmed_at = coalesce(known.confirmed_at, now())
  from (
    select organization_id, key, confirmed_at is not null as was from mail_address
    where organization_id = ${organizationId} and key = lower(${address}) and address = ${address}
      and version = ${version} and stopped_at is null
    for update) before
  where known.organization_id = before.organization_id and known.key = before.key
  returning before.was as "wasConfirmed"`;

/** Stops the mails to an address. Earlier links confirm nothing. Returns nothing if they were stopped already. */
export const stopAddress = (tx: Sql, { organizationId }: Owner, address: string) => tx<{ address: string }[]>`
  insert into mail_address as known (organization_id, key, address, stopped_at)
  select id, lower(${address}), ${address}, now() from organization where id = ${organizationId}
  on conflict (organization_id, key) do update
  set stopped_at = now(), confirmed_at = null, version = known.version + 1
  where known.stopped_at is null
  returning known.address`;

/** Returns what the page of a link says; no row if the organization does not exist or the link no longer works. */
export const findQuestion = (
  sql: Sql,
  { organizationId }: Owner,
  { does, address, version = null }: { does: string; address: string; version?: number | null | undefined },
) => sql<{ body: string }[]>`
  select json_build_object('does', ${does}::text, 'address', ${address}::text, 'organizationName', organization.name,
    'answered', case ${does}::text when 'stop' then known.stopped_at else known.confirmed_at end is not null)::text as body
  from organization
  left join mail_address known on known.organization_id = organization.id and known.key = lower(${address})
  where organization.id = ${organizationId}
    and (${does}::text = 'stop' or (known.version = ${version}::integer and known.stopped_at is null and known.address = ${address}))`;

/** Forgets addresses that no alert of their organization names, a month after their owners were asked. What an owner stopped stays stopped. */
export const purgeAddresses = (tx: Sql) => tx`
  delete from mail_address known
  where known.stopped_at is null and coalesce(known.asked_at[1], '-infinity') < now() - ${quietDays}::integer * interval '1 day'
    and not exists (
      select from alert, string_to_table(alert.target, ', ') given(address)
      where alert.organization_id = known.organization_id and alert.kind = 'email' and lower(given.address) = known.key)`;
