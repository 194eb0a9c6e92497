import { expect } from 'vitest';
import { type Database, type Sql, system } from '../src/platform/db/database.ts';
import { unpack } from '../src/traces/store/pack.ts';
import type { Answer } from './harness.ts';

/** The tables that hold organizations' rows. */
export const tenantTables = (sql: Sql) => sql<{ name: string }[]>`
  select table_name as name from information_schema.columns
  where table_schema = 'public' and column_name = 'organization_id' order by table_name`;

const tables = new WeakMap<Database, Promise<{ name: string }[]>>();
const tablesOf = (db: Database): Promise<{ name: string }[]> => {
  const known = tables.get(db) ?? db.read(system, tenantTables);
  tables.set(db, known);
  return known;
};

/** Asks the same of an organization's rows in each table. */
const askEachTable = async <Row extends object>(db: Database, organizationId: bigint, columns: string) => {
  const selects = (await tablesOf(db)).map(
    ({ name }) => `select '${name}' as name, ${columns} from "${name}" t where organization_id = $1`,
  );
  const statement = `${selects.join(' union all ')} order by 1, 2`;
  // Prepared, since it takes ten times as long to plan as to run.
  const prepared = { prepare: true };
  return db.transaction(system, (tx) => tx.unsafe<Row[]>(statement, [String(organizationId)], prepared));
};

/** The contents of a pack, as one text. */
export const textOfPack = (packed: Buffer): string => {
  const { spanIds, of } = unpack(packed);
  return spanIds.map((id) => `${id} ${of(id)}`).join(' ');
};

/** A row as text, with what is packed in it. */
const readable = (name: string, row: string): string =>
  name === 'span_content'
    ? `${row} ${textOfPack(Buffer.from((JSON.parse(row) as { packed: string }).packed.slice(2), 'hex'))}`
    : row;

/** Every row of an organization, as text: equal before and after means that nothing was written. */
export const rowsOf = async (db: Database, organizationId: bigint): Promise<string> => {
  const rows = await askEachTable<{ name: string; row: string }>(
    db,
    organizationId,
    'to_json(t)::text as row',
  );
  // The moment of a key's last use is the one thing that reading writes.
  return rows
    .map(({ name, row }) => `${name} ${readable(name, row).replace(/"last_used_at":[^,}]*/, '')}`)
    .join('\n');
};

/** How many rows an organization has in each table. */
export const countRows = async (db: Database, organizationId: bigint): Promise<Record<string, number>> => {
  const rows = await askEachTable<{ name: string; n: number }>(db, organizationId, 'count(*)::int as n');
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]));
};

/** Runs requests that must all be refused with this status, and leave every row of the organization as it was. */
export const expectNoChange = async (
  db: Database,
  { organizationId }: { organizationId: bigint },
  status: number,
  requests: () => Promise<Answer[]>,
): Promise<Answer[]> => {
  const before = await rowsOf(db, organizationId);
  const answers = await requests();
  expect(answers.filter((answer) => answer.status !== status).map(({ text }) => text)).toEqual([]);
  expect(await rowsOf(db, organizationId)).toBe(before);
  return answers;
};
