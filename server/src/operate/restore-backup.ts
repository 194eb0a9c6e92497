import { Readable } from 'node:stream';
import { receive } from '../evaluation/attachments/receive.ts';
import type { AttachmentStore } from '../evaluation/attachments/store.ts';
import { type Engine, type Pool, type Sql, setTenant, system } from '../platform/db/database.ts';
import { knownMigrations, runMigrations } from '../platform/db/migrate.ts';
import { findTables, formatVersion, type Line, plainText, type Totals } from './lines.ts';

const incomplete = () =>
  new Error('The backup is incomplete: its last line is missing. Nothing was restored.');

/**
 * Throws for a database that has tables. A new embedded database has them already, without rows: they are dropped, because the backup
 * brings its own schema.
 */
const requireUnused = async (tx: Sql, engine: Engine): Promise<void> => {
  const tables = await findTables(tx);
  if (tables.length === 0) return;
  const [row] = engine === 'embedded' ? await tx`select from organization limit 1` : [true];
  if (row)
    throw new Error(
      'The database is not empty. Restore into a new one: an empty database of DATABASE_URL, or an empty DOKIMA_DATA_DIR.',
    );
  await tx`drop schema public cascade`;
  await tx`create schema public`;
};

type Definition = { drop: string; create: string };

/** Finds foreign keys, and indexes that are not constraints: without them rows are stored faster, and in any order. */
const findDefinitions = async (tx: Sql): Promise<Definition[]> => {
  const constraints = await tx<Definition[]>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
    from pg_constraint where connamespace = current_schema()::regnamespace and contype = 'f' and conparentid = 0`;
  const indexes = await tx<Definition[]>`
    select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as create
    from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = current_schema()::regnamespace and relkind = 'i'
      and not exists (select from pg_constraint where conindid = indexrelid)`;
  // Indexes first again: they speed up the check of the foreign keys.
  return [...indexes, ...constraints];
};

const storeRows = async (
  tx: Sql,
  { table, columns, rows }: Extract<Line, { table: string }>,
): Promise<void> => {
  const names = columns.map((column) => tx`${tx(column)}`);
  const values = columns.map((column) => tx`(stored.r).${tx(column)}`);
  const list = (parts: typeof names) => parts.reduce((all, part) => tx`${all}, ${part}`);
  // With its schema, since `record` alone is PostgreSQL's pseudo-type. "offset 0" keeps PostgreSQL from reading each text once for each of its columns.
  await tx`
    insert into ${tx(table)} (${list(names)}) overriding system value
    select ${list(values)} from (select given.text::${tx(`public.${table}`)} as r from unnest(${rows}::text[]) as given (text) offset 0) stored`;
};

export type RestoreTarget = {
  sql: Pool;
  engine: Engine;
  store: AttachmentStore;
  /** Keeps the secret, or throws if the service would use another one. */
  keepSecret: (secret: string) => Promise<void>;
};

/**
 * Restores a backup into an unused database, on either engine: all of it or, if this throws, no row. The schema is that of the
 * backup; the next start of the service brings it up to date. `report` is called with each table as it begins. Throws if the
 * backup is incomplete, is damaged, or was made by a newer version.
 */
export const restoreBackup = async (
  { sql, engine, store, keepSecret }: RestoreTarget,
  lines: AsyncIterator<Line>,
  report: (table: string) => void,
): Promise<Totals> => {
  const { value: head } = await lines.next();
  if (!head || !('backup' in head)) throw new Error('This file is not a backup of Dokima.');
  const known = await knownMigrations();
  const unknown = head.migrations.filter((name: string) => !known.includes(name));
  if (head.backup !== formatVersion || unknown.length > 0)
    throw new Error('A newer version of Dokima made this backup. Upgrade Dokima, then restore it.');
  return (await sql.begin(async (tx) => {
    await tx.unsafe(setTenant(system));
    await requireUnused(tx, engine);
    await tx.unsafe(plainText);
    await runMigrations(tx, head.migrations);
    const definitions = await findDefinitions(tx);
    const tables = await findTables(tx);
    for (const { name } of tables) await tx`alter table ${tx(name)} disable trigger user`;
    for (const { drop } of definitions.toReversed()) await tx.unsafe(drop);
    const stored: Totals = { rows: Object.fromEntries(tables.map(({ name }) => [name, 0])), attachments: 0 };
    let end: Totals | undefined;
    let given: Line | undefined;
    const next = async (): Promise<Line | undefined> => {
      const held = given;
      given = undefined;
      return held ?? (await lines.next()).value;
    };
    /** The bytes of an attachment; the line after them is the next one. */
    async function* bytes() {
      for (;;) {
        const line = await next();
        if (line && 'bytes' in line) yield Buffer.from(line.bytes, 'base64');
        else {
          given = line;
          return;
        }
      }
    }
    for (let line = await next(); line; line = await next()) {
      if ('secret' in line) await keepSecret(line.secret);
      else if ('attachment' in line) {
        await receive(store, line.attachment, Readable.from(bytes(), { objectMode: false }), line);
        stored.attachments++;
      } else if ('table' in line) {
        const expected = tables.find(({ name }) => name === line.table);
        if (expected?.columns.join() !== line.columns.join())
          throw new Error(
            `The backup is damaged: its table ${line.table} has other columns. Nothing was restored.`,
          );
        if (stored.rows[line.table] === 0) report(line.table);
        await storeRows(tx, line);
        stored.rows[line.table]! += line.rows.length;
      } else if ('sequence' in line)
        await tx`select setval(${line.sequence}::regclass, ${line.value}::bigint)`;
      else if ('end' in line) end = line.end;
    }
    if (!end) throw incomplete();
    const missing = tables.filter(({ name }) => stored.rows[name] !== (end.rows[name] ?? 0));
    if (missing.length > 0 || stored.attachments !== end.attachments)
      throw new Error(
        'The backup is damaged: its rows or attachments differ from the counts in its last line. Nothing was restored.',
      );
    report('indexes and foreign keys');
    for (const { create } of definitions) await tx.unsafe(create);
    for (const { name } of tables) await tx`alter table ${tx(name)} enable trigger user`;
    return { ...stored, missing: end.missing ?? 0 };
  })) as Totals;
};
