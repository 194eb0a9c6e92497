import type { Sql } from '../../platform/db/database.ts';
import type { PageRow } from '../../platform/http/pagination.ts';
import { isSameAddress } from '../email-address.ts';
import { memberJson } from '../members/queries.ts';
import type { Candidate } from '../sign-ins/queries.ts';

/** Statements of the operator, who belongs to no organization and runs them in the tenant `system`, and of an admin in their own. */

const organizationJson = (sql: Sql) => sql`
  json_build_object('id', organization.id::text, 'name', organization.name,
    'judgeModelName', organization.judge_model, 'reportLinks', organization.report_links,
    'numMembers', (select count(*)::int from member where member.organization_id = organization.id and member.active),
    'createdAt', iso_time(organization.created_at))`;

export const listOrganizations = (sql: Sql, after: string, count: number) => sql<PageRow[]>`
  select ${organizationJson(sql)}::text as body, organization.id::text as key
  from organization where organization.id > ${after} and organization.vault_of is null order by organization.id limit ${count}`;

export const readOrganization = (sql: Sql, organizationId: bigint) => sql<{ body: string }[]>`
  select ${organizationJson(sql)}::text as body from organization where id = ${organizationId}`;

/** Finds an organization of people and locks it until the commit. A vault answers as an unknown one. */
export const findOrganization = (tx: Sql, organizationId: bigint) => tx<{ body: string }[]>`
  select ${organizationJson(tx)}::text as body from organization
  where id = ${organizationId} and vault_of is null for no key update`;

export const updateOrganization = (
  tx: Sql,
  organizationId: bigint,
  changes: { name?: string; judge_model?: string | null; report_links?: boolean },
) => tx<{ body: string }[]>`
  update organization set ${tx(changes)} where id = ${organizationId}
  returning ${organizationJson(tx)}::text as body`;

/** Returns the organization and a member of it as JSON text, for the answer to its creation. */
export const findCreated = (tx: Sql, { organizationId, memberId }: Candidate) => tx<
  { organization: string; user: string }[]
>`
  select ${organizationJson(tx)}::text as organization, ${memberJson(tx)}::text as "user"
  from member join organization on organization.id = member.organization_id
  where member.id = ${memberId} and member.organization_id = ${organizationId}`;

/** Finds the active member of an organization who has this e-mail address. */
export const findMemberByEmail = (tx: Sql, organizationId: bigint, email: string) => tx<Candidate[]>`
  select organization_id as "organizationId", id as "memberId" from member
  where organization_id = ${organizationId} and ${isSameAddress(tx, tx`email`, tx`${email}`)} and active`;
