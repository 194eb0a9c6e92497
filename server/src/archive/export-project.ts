import type { AttachmentStore } from '../evaluation/attachments/store.ts';
import type { Database, Fragment, Sql } from '../platform/db/database.ts';
import { cutToPage, type PageRow } from '../platform/http/pagination.ts';
import { readTexts } from '../platform/http/read-texts.ts';
import type { Scope } from '../platform/http/scope.ts';
import { elements } from '../platform/json/json.ts';
import { attachments, exportBytes } from './attachments.ts';
import { type Column, type Columns, columnsOf, inTable, listColumns } from './columns.ts';
import { joined, type Part, sqlOf, withChildren } from './part.ts';
import { parts } from './parts.ts';
import { withContents } from './span-contents.ts';

/** Version of the format. A change that older services would misread raises it. */
export const archiveVersion = 1;

const maxRows = 1_000;
/** Maximum number of rows of a page that is followed by the rows of its children. */
const maxOwners = 100;
/** Approximate maximum number of children's rows that are read together for several owners. */
const maxWeight = 2_000;
/** Largest page of several rows. A row may have more. */
const maxPageBytes = 1024 * 1024;

/** Longest text of several lines that is sent at once. */
const maxTextLength = 64 * 1024;

/** Consecutive numbers, from the first to the last. */
type Range = [first: number, last: number];

/**
 * The ids of exported rows by their kind, for each exported run the number of its last record, and the numbers of its exported records.
 * Other requests write between two pages, in a run of traces also records with lower numbers. A row that names something that is not
 * exported is left out, so that an archive is always consistent.
 */
type Known = { ids: Map<string, string[]>; lasts: number[]; numbers: Map<string, Range[]> };

type Exporting = {
  db: Database;
  holdPage: HoldPage;
  scope: Scope;
  projectId: bigint;
  columns: Map<Part, Columns>;
  /** Ids of people who have a line already. */
  people: Set<string>;
  /** Number of exported rows by table. */
  rows: Record<string, number>;
};

/** Takes the memory of a page of so many bytes, in place of that of the page before. */
export type HoldPage = (bytes: number) => Promise<void>;

/** The line of a row, with its id, the weight of its children, and the ids of people in it. */
type Line = PageRow & { id: string | null; weight: number; people: string };

const nameOf = (sql: Sql, name: string): Fragment => sql`t.${sql(name)}`;
const knownIds = (sql: Sql, { ids }: Known, kind: string) => sql`${ids.get(kind) ?? []}::text[]`;

const jsonOf = (sql: Sql, { values }: Part, { name, naming }: Column, known: Known): Fragment => {
  if (values?.[name]) return sqlOf(sql, values[name]);
  const value = nameOf(sql, name);
  if (naming.as) return sqlOf(sql, naming.as.value, { value });
  if (!naming.mayBeGone) return value;
  return sql`case when ${value}::text = any(${knownIds(sql, known, naming.of!)}) then ${value} end`;
};

/** Adds exported records to the numbers of their runs. */
const noteRecords = ({ numbers }: Known, lines: Line[]): void => {
  for (const { key } of lines) {
    const [runId, n] = elements(key) as [string, string];
    const ranges = numbers.get(runId) ?? [];
    const last = ranges.at(-1);
    if (last?.[1] === Number(n) - 1) last[1] = Number(n);
    else ranges.push([Number(n), Number(n)]);
    numbers.set(runId, ranges);
  }
};

/** The exported records of each exported run, as an array of multiranges. */
const exportedNumbers = (sql: Sql, { ids, numbers }: Known): Fragment => {
  const texts = (ids.get('run') ?? []).map((runId) => {
    const ranges = numbers.get(runId) ?? [];
    return `{${ranges.map(([first, last]) => `[${first},${last}]`).join()}}`;
  });
  return sql`${texts}::text[]::int4multirange[]`;
};

/** Conditions that a column of a table names only exported rows. */
const isKnown = (sql: Sql, table: string, { name, naming }: Column, known: Known): Fragment[] => {
  const value = nameOf(sql, name);
  if (naming.isRecord) {
    const at = sql`array_position(${knownIds(sql, known, 'run')}, t.run_id::text)`;
    return table === 'record'
      ? [sql`${value} <= (${known.lasts}::integer[])[${at}]`]
      : [sql`(${value} is null or ${value} <@ (${exportedNumbers(sql, known)})[${at}])`];
  }
  if (!naming.of || naming.mayBeGone || naming.comesLater) return [];
  return [sql`(${value} is null or ${value}::text = any(${knownIds(sql, known, naming.of)}))`];
};

/** The condition on the owners of the rows. */
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
  // With equality, the planner chooses the index of the order.
  return owners.length === 1
    ? sql`${nameOf(sql, column)} = ${owners[0]!}::text::${type}`
    : sql`${nameOf(sql, column)} = any(${owners}::text[]::${type}[])`;
};

/** Reads a page of a part, after the row whose sorted columns are `after`. Reads the index of the part's order. */
const readPage = (
  sql: Sql,
  { scope, projectId, columns }: Exporting,
  part: Part,
  { owners, known, after, count }: { owners?: string[]; known: Known; after: string[]; count: number },
) => {
  const { table, order, kind, children, weight, visible } = part;
  const { typeOf } = columns.get(part)!;
  const carried = inTable(part, columns.get(part)!);
  const sorted = order.split(' ');
  const hasId = kind || children || carried.some(({ name }) => name === 'id');
  const names = joined(
    sql,
    sorted.map((name) => nameOf(sql, name)),
  );
  const values = carried.map((column) => sql`${column.name}::text, ${jsonOf(sql, part, column, known)}`);
  const people = carried.filter(({ naming }) => naming.person).map(({ name }) => nameOf(sql, name));
  const conditions = [
    sql`t.organization_id = ${scope.organizationId}`,
    ownedBy(sql, part, columns.get(part)!, projectId, owners),
    ...carried.flatMap((column) => isKnown(sql, table, column, known)),
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
    { columns: sql`body, key, id, weight, people`, maxBytes: maxPageBytes },
  );
};

/** Yields the pages of a part. */
async function* pagesOf(exporting: Exporting, part: Part, known: Known, owners?: string[]) {
  const { rows } = exporting;
  const most = part.children ? maxOwners : maxRows;
  let count = most;
  for (let after: string[] = []; ; ) {
    const page = { known, after, count, ...(owners && { owners }) };
    const lines = await readTexts(
      { holdAnswer: exporting.holdPage },
      (statement) => exporting.db.read(exporting.scope, statement),
      (sql) => readPage(sql, exporting, part, page),
      { atOnceBytes: maxPageBytes },
    );
    if (lines.length === 0) return;
    rows[part.table] = (rows[part.table] ?? 0) + lines.length;
    yield lines;
    const isCut = lines.at(-1)!.isCut === true;
    if (lines.length < count && !isCut) return;
    // PostgreSQL reads all rows that are asked for, also those behind the cut.
    count = Math.min(most, isCut ? 2 * lines.length : 4 * count);
    // As text: JSON.parse would round large numbers.
    after = elements(lines.at(-1)!.key).map((text) => (text.startsWith('"') ? JSON.parse(text) : text));
  }
}

/** Lines of the people that these rows are the first to name. An import finds people by id or e-mail address. */
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

/** Groups owners whose children are read together. */
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

/** Yields a text and the texts of lines: many small ones together, large ones alone. */
function* textsOf(before: string, lines: Line[]): Generator<string> {
  let text = before;
  for (const { body } of lines) {
    if (text && text.length + body.length > maxTextLength) {
      yield text;
      text = '';
    }
    text += `${body}\n`;
  }
  yield text;
}

const idsOf = (lines: Line[]): string[] => lines.map(({ id }) => id!);
const weightsOf = (lines: Line[]): number[] => lines.map(({ weight }) => weight);

/** Yields the lines of a part. The rows of its children follow each page. */
async function* exportPart(
  exporting: Exporting,
  part: Part,
  known: Known,
  owners?: string[],
): AsyncGenerator<string> {
  const { kind, children = [], isLarge } = part;
  for await (const lines of pagesOf(exporting, part, known, owners)) {
    if (part.packed) {
      for await (const whole of withContents(exporting, lines)) yield* textsOf('', whole);
      continue;
    }
    yield* textsOf(await exportPeople(exporting, lines), lines);
    if (kind) known.ids.set(kind, [...(known.ids.get(kind) ?? []), ...idsOf(lines)]);
    if (kind === 'run') known.lasts.push(...weightsOf(lines));
    if (part.table === 'record') noteRecords(known, lines);
    for (const group of children.length > 0 ? groupsOf(lines) : []) {
      const within = isLarge ? { ...known, ids: new Map(known.ids) } : known;
      if (kind === 'run') {
        within.ids.set(kind, idsOf(group));
        within.lasts = weightsOf(group);
      }
      for (const child of children) yield* exportPart(exporting, child, within, idsOf(group));
    }
  }
}

/**
 * Yields the archive of a project as lines of JSON: a header, the rows of all parts, the attachments, and a last line with the number
 * of rows. Holds one page in memory at a time.
 */
export async function* exportProject(
  { db, store, holdPage = async () => {} }: { db: Database; store: AttachmentStore; holdPage?: HoldPage },
  scope: Scope,
  projectId: bigint,
  project: { name: string | null; description: string | null },
): AsyncGenerator<string> {
  const all = [...parts.flatMap(withChildren), attachments];
  const columns = await db.read(scope, (sql) => listColumns(sql, all));
  const exporting = {
    db,
    holdPage,
    scope,
    projectId,
    columns: columnsOf(all, columns),
    people: new Set<string>(),
    rows: {},
  };
  const { name, description } = project;
  yield `${JSON.stringify({ part: 'archive', version: archiveVersion, projectId: String(projectId), name, description })}\n`;
  const known: Known = { ids: new Map(), lasts: [], numbers: new Map() };
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
