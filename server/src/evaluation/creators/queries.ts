import type { Sql } from '../../platform/db/database.ts';
import { cutToPage, firstUuid, oldestFirst } from '../../platform/http/pagination.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { isKept } from '../deletions/queries.ts';
import type { CreatorListQuery } from './schema.ts';

const sources = {
  testsets: {
    table: 'testset',
    first: oldestFirst,
    kept: (sql: Sql, scope: Scope) => isKept(sql, scope, 'testset', sql`made.id`),
  },
  metrics: { table: 'metric', first: oldestFirst, kept: (sql: Sql) => sql`made.deleted_at is null` },
  systems: { table: 'system', first: firstUuid, kept: (sql: Sql) => sql`made.deleted_at is null` },
};

/** Lists who created the resources of one kind, oldest resource first, without those that the service created. */
export const listCreators = (
  sql: Sql,
  scope: Scope,
  projectId: bigint,
  after: string,
  count: number,
  { resource }: CreatorListQuery,
) => {
  const { table, first, kept } = sources[resource];
  return cutToPage(
    sql,
    sql`
    select json_build_object('id', made.id::text, 'createdByUserId', made.created_by, 'createdByName', member.name)::text as body,
      made.id::text as key, row_number() over (order by made.id) as place
    from ${sql(table)} made
      left join member on member.id = made.created_by and member.organization_id = ${scope.organizationId}
    where made.organization_id = ${scope.organizationId} and made.project_id = ${projectId}
      and made.id > ${after === '' ? first : after} and made.created_by is not null and ${kept(sql, scope)}
    order by made.id
    limit ${count}`,
  );
};
