import type { ProjectMasker } from '../evaluation/masking/masking.ts';
import { scaleOf } from '../evaluation/metrics/scale.ts';
import { fitOf } from '../evaluation/scores/validate-score.ts';
import type { Fragment, Sql } from '../platform/db/database.ts';
import { newIdLike } from '../platform/http/ids.ts';
import type { Scope } from '../platform/http/scope.ts';
import { type Column, type Columns, inTable } from './columns.ts';
import { maskColumn } from './mask-rows.ts';
import { joined, type Part, sqlOf, type Texts } from './part.ts';
import {
  type Counts,
  findIds,
  findMembers,
  findOutputTypes,
  type IdRow,
  insertIds,
  insertTexts,
} from './queries.ts';
import { onLine, wrongLine } from './read-lines.ts';
import { packContents } from './span-contents.ts';

/** The project of an import, and who imports. `columns` lists the parts in the order in which their rows are stored. */
export type Target = {
  scope: Scope;
  projectId: bigint;
  columns: Map<Part, Columns>;
  counts: Counts;
  /** Masker of the project, if it masks anything. */
  masker?: ProjectMasker | undefined;
};
/** A row of an archive with its line number. `score` is its column of that name. */
export type Item = { part: Part; line: number; row: Texts; score: Record<string, unknown> | null };
/** A person in an archive. */
export type Person = { id: string; email: string };

const add = (counts: Record<string, number>, { table }: Part, n = 1) => {
  if (n > 0) counts[table] = (counts[table] ?? 0) + n;
};
const isOwnId = ({ kind, repeats }: Part, name: string) => name === 'id' && kind !== undefined && !repeats;

/** New ids by kind and given id, for the rows of one transaction. `added` are those to remember. */
type Names = {
  find: (kind: string, given: string) => string | undefined;
  add: (kind: string, given: string, id: string) => void;
  added: IdRow[];
};

const readNames = async (
  tx: Sql,
  { scope, projectId, columns }: Target,
  items: Item[],
  people: Person[],
): Promise<Names> => {
  const wanted = new Map<string, { kind: string; given: string }>();
  const want = (kind: string, given: string) => {
    wanted.set(`${kind} ${given}`, { kind, given });
    return given;
  };
  for (const { part, row } of items)
    for (const { name, naming } of columns.get(part)!.carried) {
      const value = row[name];
      if (value == null) continue;
      if (isOwnId(part, name)) want(part.kind!, value);
      if (naming.of && !naming.as) want(naming.of, value);
      if (naming.person) want('member', value);
      naming.rename?.(value, want, row);
    }
  const known = await findIds(tx, scope, projectId, [...wanted.values()]);
  const ids = new Map(known.map(({ kind, given, id }) => [`${kind} ${given}`, id]));
  const added: IdRow[] = [];
  const names: Names = {
    find: (kind, given) => ids.get(`${kind} ${given}`),
    add: (kind, given, id) => {
      ids.set(`${kind} ${given}`, id);
      added.push({ kind, given, id });
    },
    added,
  };
  const members = people.length > 0 ? await findMembers(tx, scope, people) : [];
  for (const { given, id } of members) names.add('member', given, id);
  return names;
};

/** Assigns new ids to rows, unless the database does. Throws 400 for a row with an id that an earlier row has. */
const nameRows = ({ columns }: Target, items: Item[], names: Names): void => {
  const seen = new Set<string>();
  for (const { part, line, row } of items) {
    if (!part.kind || part.repeats) continue;
    const key = `${part.kind} ${row.id}`;
    if (seen.has(key) || names.find(part.kind, row.id!) !== undefined)
      throw wrongLine(line, 'must not be repeated', '/id');
    seen.add(key);
    if (!columns.get(part)!.isNumbered) names.add(part.kind, row.id!, newIdLike(row.id!));
  }
};

/** The new value of a column; undefined if the row is left out. Throws 400 for an id that no earlier row has. */
const textHere = (
  { scope, counts }: Target,
  { find }: Names,
  { part, line, row }: Item,
  { name, naming }: Column,
): string | null | undefined => {
  const value = row[name];
  if (value == null) return null;
  if (name === 'id') return isOwnId(part, name) ? (find(part.kind!, value) ?? null) : newIdLike(value);
  if (naming.person) {
    const member = find('member', value);
    const mayName = naming.person === 'assignee' || scope.role === 'admin' || member === scope.memberId;
    if (member !== undefined && mayName) return member;
    if (naming.person !== 'author') return undefined;
    add(counts.yours, part);
    return scope.memberId;
  }
  if (naming.of && !naming.as) {
    const id = find(naming.of, value);
    if (id === undefined)
      throw wrongLine(line, `must be the id of a ${naming.of} that comes before`, `/${name}`);
    return id;
  }
  if (!naming.rename) return value;
  try {
    return naming.rename(value, find, row);
  } catch (error) {
    throw onLine(line, error);
  }
};

type Stored = { item: Item; texts: Texts };

/** A row with its new values, or nothing if it is left out. */
const rowsHere = (target: Target, names: Names, item: Item): Stored[] => {
  const { part, row } = item;
  const { computed = {}, change } = part;
  const texts: Texts = {};
  for (const column of target.columns.get(part)!.carried) {
    if (!(column.name in row)) continue;
    const value = textHere(target, names, item, column);
    if (value === undefined) {
      add(target.counts.leftOut, part);
      return [];
    }
    const { masker } = target;
    texts[column.name] = masker && value !== null ? maskColumn(masker, part.table, column, value) : value;
  }
  for (const [name, compute] of Object.entries(computed)) texts[name] = compute(row);
  if (change?.when(row)) {
    add(target.counts.changed, part);
    texts[change.column] = change.to;
  }
  return [{ item, texts }];
};

/** Adds the values of scores, and their validation errors, by the output types of their configurations. */
const fitScores = async (tx: Sql, scope: Scope, rows: Stored[]): Promise<void> => {
  const configIds = new Set(rows.map(({ texts }) => texts.metric_config_id!));
  const found = await findOutputTypes(tx, scope, [...configIds]);
  const scales = new Map(found.map((config) => [config.id, scaleOf(config)]));
  for (const { item, texts } of rows) {
    if (!item.score) continue;
    const fit = fitOf(scales.get(texts.metric_config_id!)!, item.score);
    texts.value = fit.value === null ? null : String(fit.value);
    texts.validation_errors = fit.validationErrors;
  }
};

const castTo = (sql: Sql, type: string, text: Fragment): Fragment =>
  type.endsWith('[]')
    ? sql`case when ${text} is not null then array(select json_array_elements_text(${text}::json))::${sql.unsafe(type)} end`
    : sql`${text}::${sql.unsafe(type)}`;

/** Inserts rows in their order. Resolves to the ids that the database gave them, in the same order. */
const insertRows = async (
  tx: Sql,
  { scope, projectId, columns }: Target,
  part: Part,
  rows: Stored[],
): Promise<string[]> => {
  const { added, inProject, isNumbered } = columns.get(part)!;
  const { table, derived = {}, check, repeats } = part;
  const project = tx`${projectId}::bigint`;
  const values = new Map<string, Fragment>();
  // An older archive may lack columns.
  const there = inTable(part, columns.get(part)!).filter(({ name }) =>
    rows.some(({ texts }) => name in texts),
  );
  for (const { name, type, naming } of there)
    if (!(isNumbered && name === 'id'))
      values.set(
        name,
        naming.as
          ? sqlOf(tx, naming.as.stored, { value: tx`item.${tx(name)}`, project })
          : castTo(tx, type, tx`item.${tx(name)}`),
      );
  for (const { name, type } of added)
    values.set(name, derived[name] ? sqlOf(tx, derived[name]) : castTo(tx, type, tx`item.${tx(name)}`));
  const given = [...there, ...added].map(({ name }) => name).filter((name) => !(name in derived));
  const organization = tx`${scope.organizationId}::bigint`;
  const inserted = await tx<{ id: string }[]>`
    insert into ${tx(table)} (organization_id, ${inProject ? tx`project_id, ` : tx``}${joined(
      tx,
      [...values.keys()].map((name) => tx`${tx(name)}`),
    )})
    select ${check ? tx`case when ${sqlOf(tx, check, { project })} then ${organization} end` : organization},
      ${inProject ? tx`${project}, ` : tx``}${joined(tx, [...values.values()])}
    from unnest(${joined(
      tx,
      given.map((name) => tx`${rows.map(({ texts }) => texts[name] ?? null)}::text[]`),
    )}) with ordinality as item (${joined(
      tx,
      [...given, 'given_place'].map((name) => tx`${tx(name)}`),
    )})
    order by item.given_place
    ${repeats ? tx`on conflict do nothing` : tx``}
    ${isNumbered ? tx`returning id::text` : tx``}`;
  // Numbers ascend in the order of insertion.
  return inserted.map(({ id }) => id).sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
};

/**
 * Whether an error is about the row: PostgreSQL's classes for invalid values, violated constraints and exceeded limits. A row that
 * fails its part's check has no organization, which row-level security refuses with 42501.
 */
const isDataError = ({ code }: { code?: unknown }) => /^(22|23|42501|54)/.test(String(code));

const problems: Record<string, string> = {
  '23503': 'must name only what comes before it',
  '23505': 'must not be repeated',
};

/** One of several rows cannot be stored. Storing them one by one shows which. */
export class WrongRow extends Error {}

/**
 * Stores the rows of some lines, part by part, `atATime` rows in a statement. Throws 400 with the line of a row that no export
 * writes; WrongRow instead if a statement with several rows fails.
 */
export const storeRows = async (
  tx: Sql,
  target: Target,
  items: Item[],
  people: Person[],
  atATime: number,
): Promise<void> => {
  const { scope, projectId, columns, counts } = target;
  const names = await readNames(tx, target, items, people);
  nameRows(target, items, names);
  const byPart = Map.groupBy(items, ({ part }) => part);
  for (const [part, { added, isNumbered }] of columns) {
    const rows = (byPart.get(part) ?? []).flatMap((item) => rowsHere(target, names, item));
    if (rows.length > 0 && added.some(({ name }) => name === 'value')) await fitScores(tx, scope, rows);
    for (let at = 0; at < rows.length; at += atATime) {
      const batch = rows.slice(at, at + atATime);
      if (part.packed)
        await packContents(
          tx,
          target,
          batch.map(({ texts }) => texts),
        );
      const ids = await insertRows(tx, target, part, batch).catch((error) => {
        if (!isDataError(error)) throw error;
        if (batch.length > 1) throw new WrongRow();
        throw wrongLine(batch[0]!.item.line, problems[error.code] ?? 'must be a row that an export writes');
      });
      if (isNumbered)
        batch.forEach(({ item }, i) => {
          names.add(part.kind!, item.row.id!, ids[i]!);
        });
    }
    if (part.table === 'record' && rows.length > 0)
      await insertTexts(
        tx,
        scope,
        projectId,
        rows.map(({ texts }) => texts),
      );
    add(counts.rows, part, rows.length);
  }
  if (names.added.length > 0) await insertIds(tx, scope, projectId, names.added);
};
