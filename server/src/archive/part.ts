import type { TSchema } from 'typebox';
import type { Fragment, Sql } from '../platform/db/database.ts';

/** Resources that get a new id at the import, and that later rows name by their id. */
export type Kind =
  | 'testset'
  | 'metric'
  | 'config'
  | 'group'
  | 'system'
  | 'version'
  | 'run'
  | 'annotation'
  | 'sample'
  | 'monitor'
  | 'study'
  | 'trial'
  | 'source';

/** The values of a row by column, as text. */
export type Texts = Record<string, string | null>;

/** A table whose rows are in an archive. In its SQL, `t` is a row to export, and `item` a row to import, all of whose values are text. */
export type Part = {
  table: string;
  /** Columns that sort the rows, for pages. Those of a child begin with the id of its owner. */
  order: string;
  /** Kind of the rows, if later rows name them. */
  kind?: Kind;
  /** Columns that are not exported and get their default. */
  without?: string[];
  /** Columns that are not exported: SQL that makes them from `item` and from stored rows. */
  derived?: Record<string, string>;
  /** The same, computed in this process. */
  computed?: Record<string, (row: Texts) => string | null>;
  /** SQL of the values that are exported in place of columns. */
  values?: Record<string, string>;
  /** A value that the import changes; the answer says in how many rows. */
  change?: { column: string; when: (row: Texts) => boolean; to: string };
  /** Condition on the rows that the exporter, `$member`, may see; `$admin`: whether they are an admin. Default: all rows. */
  visible?: string;
  /** A condition that every exported row fulfils. `$project` is the project's id. */
  check?: string;
  /** Schemas of JSON columns; default: any object. */
  forms?: Record<string, TSchema>;
  /** An export may write a row more than once, and an import keeps the first. */
  repeats?: true;
  /** The owners of a part without a parent; default: the project. */
  owners?: Kind;
  /** A condition in place of the id of the owner. `$owners` are the ids of the owners, `$project` is the project's. */
  within?: string;
  /** Parts whose rows belong to rows of this one. Their rows follow each page of it. */
  children?: Part[];
  /** SQL: approximate number of rows of each child, so that several small owners are read together. Default: each owner alone. */
  weight?: string;
  /** Whether only its children name its rows: the export then forgets their ids after each page. */
  isLarge?: true;
  /** Whether it is stored in one transaction with the rows before it, which name it. */
  joined?: true;
  /** Whether its rows have a `content` that is stored in packs (span-contents.ts). `weight` is its length. */
  packed?: true;
};

/** A part and all parts below it, in the order in which their rows are stored. */
export const withChildren = (part: Part): Part[] => [part, ...(part.children ?? []).flatMap(withChildren)];

/** SQL of a part, with `values` in place of each `$name`. */
export const sqlOf = (sql: Sql, text: string, values: Record<string, Fragment> = {}): Fragment =>
  text
    .split(/\$(\w+)/)
    .map((piece, i): Fragment => (i % 2 === 1 ? values[piece]! : sql.unsafe(piece)))
    .reduce((before, piece) => sql`${before}${piece}`);

/** Fragments with commas, or something else, between them. */
export const joined = (sql: Sql, all: Fragment[], between = sql`, `): Fragment =>
  all.reduce((before, one) => sql`${before}${between}${one}`);
