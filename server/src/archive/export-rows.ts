import type { Fragment, Sql } from '../platform/db/database.ts';
import { cutToPage } from '../platform/http/pagination.ts';
import type { Scope } from '../platform/http/scope.ts';
import { kinds } from './columns.ts';
import type { Noun, Part } from './part.ts';

/** The column by which rows belong to a noun. */
export const ownerColumn: Record<Noun, string> = {
  project: 'project_id',
  testset: 'testset_id',
  run: 'run_id',
  metric: 'metric_id',
  monitor: 'monitor_id',
};

/** Fragments with commas between them. */
export const commaed = (sql: Sql, all: Fragment[]): Fragment =>
  all.reduce((before, one) => sql`${before}, ${one}`);

const nameOf = (sql: Sql, column: string): Fragment => sql`t.${sql(column)}`;

const casts = {
  integer: (sql: Sql, value: string) => sql`${value}::text::integer`,
  bigint: (sql: Sql, value: string) => sql`${value}::text::bigint`,
  float: (sql: Sql, value: string) => sql`${value}::text::double precision`,
  text: (sql: Sql, value: string) => sql`${value}::text`,
  uuid: (sql: Sql, value: string) => sql`${value}::text::uuid`,
};

/** Where a list begins. */
export const firstRow = '';

/** One page of a part of an archive, in its order. Reads the index that begins with the noun and that order. */
export const exportRows = (
  sql: Sql,
  scope: Scope,
  { table, order, columns, noun, visible }: Part,
  ownerId: string,
  after: string,
  count: number,
) => {
  const ordered = commaed(
    sql,
    order.map(([column]) => nameOf(sql, column)),
  );
  const fields = Object.entries(columns).map(
    ([name, { kind, column }]) => sql`${name}::text, ${kinds[kind].json(sql, nameOf(sql, column))}`,
  );
  const values = after === firstRow ? [] : (JSON.parse(after) as unknown[]);
  const reached = order.map(([, type], i) => casts[type](sql, String(values[i])));
  const owner = noun === 'monitor' ? sql`${ownerId}::text::uuid` : sql`${ownerId}::text::bigint`;
  return cutToPage(
    sql,
    sql`
    select json_build_object(${commaed(sql, fields)})::text as body, json_build_array(${ordered})::text as key,
      row_number() over (order by ${ordered}) as place
    from ${sql(table)} t
    where t.organization_id = ${scope.organizationId} and ${nameOf(sql, ownerColumn[noun])} = ${owner}
      ${after === firstRow ? sql`` : sql`and (${ordered}) > (${commaed(sql, reached)})`}
      ${visible ? sql`and ${visible(sql, scope)}` : sql``}
    order by ${ordered}
    limit ${count}`,
  );
};
