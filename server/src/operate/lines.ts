import type { Sql } from '../platform/db/database.ts';

/**
 * A backup is NDJSON, compressed with zstd. Its lines, in this order:
 *
 * - `{"backup": 1, "migrations": […], "engine": …, "at": …}`
 * - `{"secret": …}`: it signs links and encrypts the keys of providers
 * - for each attachment `{"attachment": id, "sha256": …, "sizeBytes": …}`, followed by its `{"bytes": base64}`
 * - `{"table": …, "columns": […], "rows": […]}`: some rows, each as PostgreSQL writes a composite value
 * - `{"sequence": …, "value": …}`
 * - `{"end": {"rows": {table: number}, "attachments": number, "missing": number}}`, without which a backup is incomplete
 */
export const formatVersion = 1;

export type Line =
  | { backup: number; migrations: string[]; engine: string; at: string }
  | { secret: string }
  | { attachment: string; sha256: string; sizeBytes: number }
  | { bytes: string }
  | { table: string; columns: string[]; rows: string[] }
  | { sequence: string; value: string }
  | { end: Totals };
/** Totals of a backup. `missing`: attachments that have a row, but no bytes in the store. */
export type Totals = { rows: Record<string, number>; attachments: number; missing?: number };

/** A table of the schema and its columns, without those that PostgreSQL computes. */
export type Table = { name: string; columns: string[] };

/** Finds the tables of the current schema, by name. */
export const findTables = (sql: Sql) => sql<Table[]>`
  select relname as name, array_agg(attname::text order by attnum) as columns
  from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
  where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
    and relname <> 'migration'
  group by relname
  order by relname`;

/** Settings by which all servers write values alike. */
export const plainText = `
  set local timezone = 'UTC';
  set local datestyle = 'ISO';
  set local intervalstyle = 'postgres';
  set local extra_float_digits = 1;
  set local bytea_output = 'hex';
  set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;`;
