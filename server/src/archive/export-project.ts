import type { AttachmentStore } from '../evaluation/attachments/store.ts';
import { type Database, type Fragment, type Sql, type Statement, takeRows } from '../platform/db/database.ts';
import { cutToPage, type PageRow } from '../platform/http/pagination.ts';
import type { Scope } from '../platform/http/scope.ts';
import { elements } from '../platform/json/json.ts';
import { attachments, exportBytes } from './attachments.ts';
import {
  type Column,
  type Columns,
  columnsOf,
  joined,
  listColumns,
  type Part,
  sqlOf,
  withChildren,
} from './part.ts';
import { parts } from './parts.ts';

/** Raised when an older service would misread what is written. */
export const archiveVersion = 1;

const maxRows = 1_000;
/** Rows of a part whose children follow each page. */
const maxOwners = 100;
/** Rows, about, that children of several owners may have together. */
const maxWeight = 2_000;
/** Characters of a page below which `cutToPage` has not cut it. */
const uncutLength = 5_000_000;

/**
 * Ids of what has been exported. A page is read when the client has room for it, and others write in between: a row that
 * names something newer stays out, so that an archive has all that its rows name. `lasts` are the numbers that the last
 * records of the runs had.
 */
type Known = { ids: Map<string, string[]>; lasts: number[] };

type Exporting = {
  db: Database;
  scope: Scope;
  projectId: bigint;
  columns: Map<Part, Columns>;
  /** Ids of people who have a line. */
  people: Set<string>;
  /** Rows so far, by table. */
  rows: Record<string, number>;
};

/** A line of a row, and what later lines need of it. */
type Line = PageRow & { id: string | null; weight: number; people: string };

const nameOf = (sql: Sql, name: string): Fragment => sql`t.${sql(name)}`;
const knownIds = (sql: Sql, { ids }: Known, kind: string) => sql`${ids.get(kind) ?? []}::text[]`;

const jsonOf = (sql: Sql, { name, naming }: Column, known: Known): Fragment => {
  const value = nameOf(sql, name);
  if (naming.as) return sqlOf(sql, naming.as.value, { value });
  if (!naming.mayBeGone) return value;
  return sql`case when ${value}::text = any(${knownIds(sql, known, naming.of!)}) then ${value} end`;
};

/** Whether a column names only what has been exported. */
const isKnown = (sql: Sql, { name, naming }: Column, known: Known): Fragment[] => {
  const value = nameOf(sql, name);
  if (naming.isRecord)
    return [
      sql`(${value} is null
        or ${value} <= (${known.lasts}::integer[])[array_position(${knownIds(sql, known, 'run')}, t.run_id::text)])`,
    ];
  if (!naming.of || naming.mayBeGone || naming.comesLater) return [];
  return [sql`(${value} is null or ${value}::text = any(${knownIds(sql, known, naming.of)}))`];
};

/** The rows of some owners; without owners those of the project. */
const ownedBy = (
  sql: Sql,
  { order, within }: Part,
  { typeOf }: Columns,
  projectId: bigint,
  owners: string[] | undefined,
): Fragment => {
  if (within)
    return sqlOf(sql, within, { owners: sql`${owners ?? []}::bigint[]`, project: sql`${projectId}` });
  if (!owners) return sql`t.project_id = ${projectId}`;
  const [column] = order.split(' ') as [string];
  const type = sql.unsafe(typeOf(column));
  // Equality for a single owner: then an index gives its rows in order, whatever the planner knows of the table.
  return owners.length === 1
    ? sql`${nameOf(sql, column)} = ${owners[0]!}::text::${type}`
    : sql`${nameOf(sql, column)} = any(${owners}::text[]::${type}[])`;
};

/** One page of a part as lines, after the last row of the page before it. Reads the index of its order. */
const readPage = (
  sql: Sql,
  { scope, projectId, columns }: Exporting,
  part: Part,
  { owners, known, after, count }: { owners?: string[]; known: Known; after: string[]; count: number },
) => {
  const { table, order, kind, children, weight, visible } = part;
  const { carried, typeOf } = columns.get(part)!;
  const sorted = order.split(' ');
  const hasId = kind || children || carried.some(({ name }) => name === 'id');
  const names = joined(
    sql,
    sorted.map((name) => nameOf(sql, name)),
  );
  const values = carried.map((column) => sql`${column.name}::text, ${jsonOf(sql, column, known)}`);
  const people = carried.filter(({ naming }) => naming.person).map(({ name }) => nameOf(sql, name));
  const conditions = [
    sql`t.organization_id = ${scope.organizationId}`,
    ownedBy(sql, part, columns.get(part)!, projectId, owners),
    ...carried.flatMap((column) => isKnown(sql, column, known)),
    ...(visible
      ? [
          sqlOf(sql, visible, {
            admin: sql`${scope.role === 'admin'}::boolean`,
            member: sql`${scope.memberId}::uuid`,
          }),
        ]
      : []),
    ...(after.length > 0
      ? [
          sql`(${names}) > (${joined(
            sql,
            sorted.map((name, i) => sql`${after[i]!}::text::${sql.unsafe(typeOf(name))}`),
          )})`,
        ]
      : []),
  ];
  return cutToPage<Line>(
    sql,
    sql`
    select '{"part":"' || ${table}::text || '",' || substr(replace(json_build_object(${joined(sql, values)})::text, chr(10), ''), 2) as body,
      json_build_array(${names})::text as key, ${hasId ? sql`t.id::text` : sql`null`} as id,
      ${sql.unsafe(weight ?? String(maxWeight))}::integer as weight,
      concat_ws(' ', ${joined(sql, [sql`null`, ...people])}) as people,
      row_number() over (order by ${names}) as place
    from ${sql(table)} t
    where ${joined(sql, conditions, sql` and `)}
    order by ${names}
    limit ${count}`,
    sql`body, key, id, weight, people`,
  );
};

/**
 * Reads a page whose rows an index has in order. On a server the planner takes few rows for granted, since it knows nothing of new
 * runs and row-level security hides how many rows fit: it sorted all of a run's scores for each page, unless it must not sort.
 */
const readSorted = ({ db, scope }: Exporting, page: (sql: Sql) => Statement<Line>): Promise<Line[]> =>
  db.engine === 'embedded'
    ? db.read(scope, page)
    : db.transaction(scope, async (tx) => {
        await tx`select set_config('enable_sort', 'off', true)`;
        return takeRows(await page(tx));
      });

/** Each page of a part, as `readPage` takes it. */
async function* pagesOf(exporting: Exporting, part: Part, known: Known, owners?: string[]) {
  const { rows } = exporting;
  const count = part.children ? maxOwners : maxRows;
  for (let after: string[] = []; ; ) {
    const page = { known, after, count, ...(owners && { owners }) };
    const lines = await readSorted(exporting, (sql) => readPage(sql, exporting, part, page));
    if (lines.length === 0) return;
    rows[part.table] = (rows[part.table] ?? 0) + lines.length;
    yield lines;
    if (lines.length < count && lines.reduce((sum, { body }) => sum + body.length, 0) < uncutLength) return;
    // Not JSON.parse: it would round large numbers.
    after = elements(lines.at(-1)!.key).map((text) => (text.startsWith('"') ? JSON.parse(text) : text));
  }
}

/** Lines of the people whom rows name for the first time, with their addresses, by which an import finds them. */
const exportPeople = async ({ db, scope, people }: Exporting, lines: Line[]): Promise<string> => {
  const ids = [...new Set(lines.flatMap((line) => line.people.split(' ')))].filter(
    (id) => id && !people.has(id),
  );
  if (ids.length === 0) return '';
  for (const id of ids) people.add(id);
  const found = await db.read(
    scope,
    (sql) => sql<{ id: string; email: string }[]>`
      select id, email from member where organization_id = ${scope.organizationId} and id = any(${ids}::uuid[]) order by id`,
  );
  return found.map((member) => `${JSON.stringify({ part: 'member', ...member })}\n`).join('');
};

/** Owners whose children's rows are read together. */
const groupsOf = (lines: Line[]): Line[][] => {
  const groups: Line[][] = [];
  let sum = 0;
  for (const line of lines) {
    sum += line.weight;
    if (groups.length > 0 && sum <= maxWeight) groups.at(-1)!.push(line);
    else {
      groups.push([line]);
      sum = line.weight;
    }
  }
  return groups;
};

const idsOf = (lines: Line[]): string[] => lines.map(({ id }) => id!);
const weightsOf = (lines: Line[]): number[] => lines.map(({ weight }) => weight);

/** The lines of a part. Each page of it is followed by the rows of its children. */
async function* exportPart(
  exporting: Exporting,
  part: Part,
  known: Known,
  owners?: string[],
): AsyncGenerator<string> {
  const { kind, children = [], isLarge } = part;
  for await (const lines of pagesOf(exporting, part, known, owners)) {
    yield (await exportPeople(exporting, lines)) + lines.map(({ body }) => `${body}\n`).join('');
    if (kind) known.ids.set(kind, [...(known.ids.get(kind) ?? []), ...idsOf(lines)]);
    if (kind === 'run') known.lasts.push(...weightsOf(lines));
    for (const group of children.length > 0 ? groupsOf(lines) : []) {
      const within = isLarge ? { ids: new Map(known.ids), lasts: known.lasts } : known;
      if (kind === 'run') {
        within.ids.set(kind, idsOf(group));
        within.lasts = weightsOf(group);
      }
      for (const child of children) yield* exportPart(exporting, child, within, idsOf(group));
    }
  }
}

/**
 * The archive of a project in lines of JSON: a header, the rows of each part, and a line that says that it is complete. Holds
 * a page of rows in memory, however large the project is.
 */
export async function* exportProject(
  { db, store }: { db: Database; store: AttachmentStore },
  scope: Scope,
  projectId: bigint,
  project: { name: string | null; description: string | null },
): AsyncGenerator<string> {
  const all = [...parts.flatMap(withChildren), attachments];
  const columns = await db.read(scope, (sql) => listColumns(sql, all));
  const exporting = {
    db,
    scope,
    projectId,
    columns: columnsOf(all, columns),
    people: new Set<string>(),
    rows: {},
  };
  const { name, description } = project;
  yield `${JSON.stringify({ part: 'archive', version: archiveVersion, projectId: String(projectId), name, description })}\n`;
  const known: Known = { ids: new Map(), lasts: [] };
  for (const part of parts) {
    const owners = part.owners && (known.ids.get(part.owners) ?? []);
    if (owners?.length !== 0) yield* exportPart(exporting, part, known, owners);
  }
  for await (const lines of pagesOf(exporting, attachments, known))
    for (const { body, id } of lines) {
      yield `${body}\n`;
      yield* exportBytes(store, id!);
    }
  yield `${JSON.stringify({ part: 'end', rows: exporting.rows })}\n`;
}
