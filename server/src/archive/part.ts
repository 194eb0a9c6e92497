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
  | 'rescoring'
  | 'sample'
  | 'monitor'
  | 'study'
  | 'source';

/** The values of a row by column, as text. */
export type Texts = Record<string, string | null>;

/** A table whose rows are in an archive. In its SQL, `t` is a row to export, and `item` a row to import, all of whose values are text. */
export type Part = {
  table: string;
  /** Columns that sort the rows, for pages. Those of a child begin with the id of its owner. */
  order: string;
  /** What the rows are, if later rows name them. */
  kind?: Kind;
  /** Columns that are not exported and get their default. */
  without?: string[];
  /** Columns that are not exported: SQL that makes them of `item` and of what is stored. */
  derived?: Record<string, string>;
  /** The same, made in this process. */
  computed?: Record<string, (row: Texts) => string | null>;
  /** A value that the import changes; the answer says in how many rows. */
  change?: { column: string; when: (row: Texts) => boolean; to: string };
  /** Which rows the exporter may see, who is `$member`, and whether `$admin`; default: all. */
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
  /** SQL: about how many rows each child has, to read several small owners together. Default: each owner alone. */
  weight?: string;
  /** Only its children name rows of it, so the export forgets their ids after each page. */
  isLarge?: true;
  /** Is stored in one transaction with the rows before it, which name it. */
  joined?: true;
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
