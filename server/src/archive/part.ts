import type { TSchema } from 'typebox';
import type { Fragment, Sql } from '../platform/db/database.ts';
import { invalid } from '../platform/errors.ts';
import { members } from '../platform/json/json.ts';

/** Things that get a new id when they are imported, and that later rows name. */
export type Kind =
  | 'testset'
  | 'metric'
  | 'config'
  | 'system'
  | 'version'
  | 'run'
  | 'annotation'
  | 'rescoring'
  | 'sample'
  | 'monitor'
  | 'source';

/** The values of a row as text, by column. */
export type Texts = Record<string, string | null>;

/** Returns what an id of the archive is in the project; undefined when nothing has it. */
export type Rename = (kind: Kind | 'member', id: string) => string | undefined;

/** A table of which an archive carries rows. In SQL a row to export is `t`, a row to import is `item`, all of it text. */
export type Part = {
  table: string;
  /** Columns by which the rows are read page by page. A child begins with the id of its owner. */
  order: string;
  /** What the rows are, when later rows name them by their id. */
  kind?: Kind;
  /** Columns that get their default. */
  without?: string[];
  /** Columns that follow from the row, or from what came before it. */
  derived?: Record<string, string>;
  /** The same, computed in this process. */
  computed?: Record<string, (row: Texts) => string | null>;
  /** A value that the import changes: when, and to what. The importer is told how many. */
  change?: { column: string; when: (row: Texts) => boolean; to: string };
  /** Rows that the caller may see, who is `$member` and maybe `$admin`; default all. */
  visible?: string;
  /** What every row of an export fulfils. `$project` is the project. */
  check?: string;
  /** What JSON must be; default: an object. */
  forms?: Record<string, TSchema>;
  /** A row may come more than once. */
  repeats?: true;
  /** Whose rows a part has that is nobody's child; default the project's. */
  owners?: Kind;
  /** Whose rows a child has without the id of its owner: `$owners` are the ids of several. */
  within?: string;
  /** Parts whose rows belong to rows of this one. Each page of it is followed by theirs. */
  children?: Part[];
  /** How many rows each child has, about, so that owners of few are read together. Default: each owner is read alone. */
  weight?: string;
  /** Nothing but its children's rows names them, so that each page may forget their ids. */
  isLarge?: true;
  /** Rows come in one transaction with the rows before them, which name them. */
  joined?: true;
};

/** A part and the parts below it, in the order in which their rows are stored. */
export const withChildren = (part: Part): Part[] => [part, ...(part.children ?? []).flatMap(withChildren)];

/**
 * What a column names: something that comes before, or somebody. An author who is no member here becomes the importer; a row
 * whose reviewer or assignee is no member stays out. Anyone may assign records to others; to name others as author or reviewer
 * is for admins. `rename` gives what is named within a text its new id.
 */
export type Naming = {
  of?: Kind;
  /** Null where what it names was deleted: nothing keeps a testset that is in use from deletion. */
  mayBeGone?: true;
  /** The row that it names follows in the same transaction. */
  comesLater?: true;
  /** Number of a record of the row's run. */
  isRecord?: true;
  /** The value `$value` in the archive, instead of an id, and what it is in the project. */
  as?: { value: string; stored: string };
  person?: 'author' | 'reviewer' | 'assignee';
  rename?: (text: string, rename: Rename, row: Texts) => string;
};

/** Evidence of a score that reviews decided names the reviewers. */
const renameReviewers = (raw: string, rename: Rename): string => {
  const reviewers = raw.includes('"reviewerIds"') ? members(raw).get('reviewerIds') : undefined;
  if (reviewers === undefined) return raw;
  const here = reviewers.replace(/[0-9a-f-]{36}/g, (id) => rename('member', id) ?? id);
  return raw.replace(reviewers, () => here);
};

/** The strata of a sample may be the verdicts of a metric. */
const renameStrata = (name: string, rename: Rename, { strata_of }: Texts): string => {
  const here = strata_of === 'metricId' ? rename('metric', name) : name;
  if (here === undefined) throw invalid('/strata_name', 'must be the id of a metric that comes before');
  return here;
};

/** The search of a saved view may name a run, as `run:12` or `run:"12"`; not within quoted words. */
const renameRuns = (text: string, rename: Rename): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|\brun:("?)(\d+)\1/g, (whole, quote: string, id?: string) => {
    const here = id === undefined ? undefined : rename('run', id);
    return here === undefined ? whole : `run:${quote}${here}${quote}`;
  });

/** A saved view calls a column of scores `score.` and the id of its metric. */
const renameColumns = (raw: string, rename: Rename): string =>
  raw.replace(/"score\.(\d+)"/g, (whole, id: string) => {
    const here = rename('metric', id);
    return here === undefined ? whole : `"score.${here}"`;
  });

const author: Naming = { person: 'author' };
const goneTestset: Naming = { of: 'testset', mayBeGone: true };
/** What columns name, in every table. */
const namings: Record<string, Naming> = {
  testset_id: { of: 'testset' },
  'run.testset_id': goneTestset,
  'record.testset_id': goneTestset,
  metric_id: { of: 'metric' },
  metric_config_id: { of: 'config' },
  before_config_id: { of: 'config' },
  current_config_id: { of: 'config', comesLater: true },
  system_id: { of: 'system' },
  system_version_id: { of: 'version' },
  production_version_id: { of: 'version', comesLater: true },
  run_id: { of: 'run' },
  n: { isRecord: true },
  record_n: { isRecord: true },
  'testcase.n': {},
  'execution.n': {},
  annotation_id: { of: 'annotation' },
  rescoring_id: { of: 'rescoring' },
  sample_id: { of: 'sample' },
  monitor_id: { of: 'monitor' },
  trace_id: {
    as: {
      value: `(select encode(trace.otel_id, 'hex') from trace where trace.id = $value)`,
      stored: `(select id from trace where project_id = $project and otel_id = decode($value, 'hex'))`,
    },
  },
  source_id: {
    of: 'source',
    as: {
      value: `(select encode(span_source.hash, 'hex') from span_source where span_source.id = $value)`,
      stored: `(select id from span_source where project_id = $project and hash = decode($value, 'hex'))`,
    },
  },
  member_id: author,
  created_by: author,
  assigned_by: author,
  resolved_by: author,
  scored_by: author,
  ended_by: author,
  pinned_by: author,
  assignee_id: { person: 'assignee' },
  'review_score.member_id': { person: 'reviewer' },
  'review_claim.member_id': { person: 'reviewer' },
  evidence: { rename: renameReviewers },
  'review_sample.strata_name': { rename: renameStrata },
  'saved_view.search': { rename: renameRuns },
  'saved_view.display': { rename: renameColumns },
};

/** A column that an archive carries, with PostgreSQL's name of its type. An archive from before it may lack an optional one. */
export type Column = { name: string; type: string; naming: Naming; isOptional: boolean };
/** The columns of a part: those of the archive, and those that the import adds. */
export type Columns = {
  carried: Column[];
  added: { name: string; type: string }[];
  inProject: boolean;
  /** The rows get new ids from the database. */
  isNumbered: boolean;
  typeOf: (name: string) => string;
};

/** Whose a row is comes with the project, and what waits for a worker begins anew. */
const neverCarried = ['organization_id', 'project_id', 'due_at', 'fence', 'input_hash'];

/** SQL of a part, with values in the place of `$name`. */
export const sqlOf = (sql: Sql, text: string, values: Record<string, Fragment> = {}): Fragment =>
  text
    .split(/\$(\w+)/)
    .map((piece, i): Fragment => (i % 2 === 1 ? values[piece]! : sql.unsafe(piece)))
    .reduce((before, piece) => sql`${before}${piece}`);

/** Fragments with something between them. */
export const joined = (sql: Sql, all: Fragment[], between = sql`, `): Fragment =>
  all.reduce((before, one) => sql`${before}${between}${one}`);

type DatabaseColumn = { table: string; name: string; type: string; isNumbered: boolean; isOptional: boolean };

/** The columns of the parts' tables, as the database has them. */
export const listColumns = (sql: Sql, parts: Part[]) => sql<DatabaseColumn[]>`
  select attrelid::regclass::text as table, attname as name, format_type(atttypid, null) as type,
    attidentity <> '' as "isNumbered", not attnotnull or atthasdef as "isOptional"
  from pg_attribute
  where attrelid = any(${parts.map(({ table }) => table)}::text[]::regclass[]) and attnum > 0 and not attisdropped and attgenerated = ''
  order by attrelid, attnum`;

/** The columns of each part. A column that a table gets is in every archive from then on. */
export const columnsOf = (parts: Part[], all: DatabaseColumn[]): Map<Part, Columns> => {
  const byTable = Map.groupBy(all, ({ table }) => table);
  return new Map(
    parts.map((part): [Part, Columns] => {
      const { table, kind, repeats, without = [], derived = {}, computed = {} } = part;
      const columns = byTable.get(table)!;
      const isNamed = kind !== undefined && !repeats;
      // What a score comes to is found out again.
      const fit = columns.some(({ name }) => name === 'score') ? ['value', 'validation_errors'] : [];
      const added = [...Object.keys(derived), ...Object.keys(computed), ...fit];
      const left = new Set([...neverCarried, ...without, ...added]);
      const carried = columns.filter(({ name, isNumbered }) => !left.has(name) && (isNamed || !isNumbered));
      const columnOf = ({ name, type, isOptional }: DatabaseColumn) => ({
        ...{ name, type, isOptional },
        naming: namings[`${table}.${name}`] ?? namings[name] ?? {},
      });
      return [
        part,
        {
          carried: carried.map(columnOf),
          added: columns.filter(({ name }) => added.includes(name)),
          inProject: columns.some(({ name }) => name === 'project_id'),
          isNumbered: isNamed && columns.some(({ isNumbered }) => isNumbered),
          typeOf: (name) => columns.find((column) => column.name === name)!.type,
        },
      ];
    }),
  );
};
