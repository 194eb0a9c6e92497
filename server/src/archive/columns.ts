import type { Sql } from '../platform/db/database.ts';
import { type Naming, namingOf } from './naming.ts';
import type { Part } from './part.ts';
import { contentColumns } from './span-contents.ts';

/** A column in an archive, with PostgreSQL's name of its type. Archives that are older than an optional column lack it. */
export type Column = { name: string; type: string; naming: Naming; isOptional: boolean };
/** The columns of a part. */
export type Columns = {
  /** Columns in an archive. */
  carried: Column[];
  /** Columns that an import adds. */
  added: { name: string; type: string }[];
  inProject: boolean;
  /** The database gives the rows new ids. */
  isNumbered: boolean;
  typeOf: (name: string) => string;
};

/** The import sets the first two. The others are the state of work, which starts again. */
const neverCarried = ['organization_id', 'project_id', 'due_at', 'fence', 'input_hash'];

type DatabaseColumn = { table: string; name: string; type: string; isNumbered: boolean; isOptional: boolean };

/** The columns of the parts' tables, as the database has them, without generated ones. */
export const listColumns = (sql: Sql, parts: Part[]) => sql<DatabaseColumn[]>`
  select attrelid::regclass::text as table, attname as name, format_type(atttypid, null) as type,
    attidentity <> '' as "isNumbered", not attnotnull or atthasdef as "isOptional"
  from pg_attribute
  where attrelid = any(${parts.map(({ table }) => table)}::text[]::regclass[]) and attnum > 0 and not attisdropped and attgenerated = ''
  order by attrelid, attnum`;

/** The content of a packed part: a column of the archive, and none of the table. */
const content: Column = { name: 'content', type: 'json', isOptional: false, naming: {} };

/** The columns of a part that its table has. */
export const inTable = ({ packed }: Part, { carried }: Columns): Column[] =>
  packed ? carried.filter((column) => column !== content) : carried;

/** The columns of each part. A new column of a table is in archives from then on. */
export const columnsOf = (parts: Part[], all: DatabaseColumn[]): Map<Part, Columns> => {
  const byTable = Map.groupBy(all, ({ table }) => table);
  return new Map(
    parts.map((part): [Part, Columns] => {
      const { table, kind, repeats, without = [], derived = {}, computed = {} } = part;
      const columns = byTable.get(table)!;
      const isNamed = kind !== undefined && !repeats;
      // The import computes the value of a score.
      const fit = columns.some(({ name }) => name === 'score') ? ['value', 'validation_errors'] : [];
      const ofContent = part.packed ? contentColumns : [];
      const added = [...Object.keys(derived), ...Object.keys(computed), ...fit, ...ofContent];
      const left = new Set([...neverCarried, ...without, ...added]);
      const carried = columns.filter(({ name, isNumbered }) => !left.has(name) && (isNamed || !isNumbered));
      const columnOf = ({ name, type, isOptional }: DatabaseColumn) => ({
        name,
        type,
        isOptional,
        naming: namingOf(table, name),
      });
      return [
        part,
        {
          carried: [...carried.map(columnOf), ...(part.packed ? [content] : [])],
          added: columns.filter(({ name }) => added.includes(name)),
          inProject: columns.some(({ name }) => name === 'project_id'),
          isNumbered: isNamed && columns.some(({ isNumbered }) => isNumbered),
          typeOf: (name) => columns.find((column) => column.name === name)!.type,
        },
      ];
    }),
  );
};
