import type { AttachmentStore } from '../evaluation/attachments/store.ts';
import { type Engine, type Pool, type Sql, setTenant, system } from '../platform/db/database.ts';
import { findTables, formatVersion, type Line, plainText, type Table, type Totals } from './lines.ts';

/** Approximate size in bytes of the rows that are fetched together. */
const pageBytes = 4 * 1024 ** 2;
const maxPageRows = 5_000;
const attachmentPieceBytes = 768 * 1024;

/** Yields the rows of a table, in pages. */
async function* tablePages(tx: Sql, { name }: Table): AsyncGenerator<string[]> {
  await tx`declare page no scroll cursor for select whole_row::text as text from ${tx(name)} as whole_row`;
  for (let count = 10; ; ) {
    const rows = (await tx.unsafe<{ text: string }[]>(`fetch ${count} from page`)).map(({ text }) => text);
    if (rows.length === 0) break;
    yield rows;
    const meanBytes = rows.reduce((sum, text) => sum + text.length, 0) / rows.length;
    // A page of small rows does not predict the next one, so the page grows only by a factor.
    count = Math.max(1, Math.min(maxPageRows, count * 4, Math.floor(pageBytes / meanBytes)));
  }
  await tx`close page`;
}

/** Yields the lines of an attachment, none if it was deleted after the snapshot. */
async function* attachmentLines(
  store: AttachmentStore,
  { id, sha256, sizeBytes }: { id: string; sha256: string; sizeBytes: number },
): AsyncGenerator<Line> {
  const bytes = await store.read(id);
  if (!bytes) return;
  yield { attachment: id, sha256, sizeBytes };
  let held = Buffer.alloc(0);
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    held = Buffer.concat([held, chunk]);
    if (held.length < attachmentPieceBytes) continue;
    yield { bytes: held.toString('base64') };
    held = Buffer.alloc(0);
  }
  if (held.length > 0) yield { bytes: held.toString('base64') };
}

const findAttachments = (tx: Sql) => tx<{ id: string; sha256: string; sizeBytes: number }[]>`
  select id, sha256, size_bytes::float8 as "sizeBytes" from attachment where status = 'uploaded' order by id`;

/** Counts those that are still there after the snapshot: what was deleted since has lost nothing. */
const countAttachments = async (sql: Pool, ids: string[]): Promise<number> => {
  if (ids.length === 0) return 0;
  return (await sql.begin(async (tx) => {
    await tx.unsafe(setTenant(system));
    const [found] = await tx<{ count: number }[]>`
      select count(*)::integer as count from attachment where id = any(${ids}::uuid[])`;
    return found!.count;
  })) as number;
};

const findSequences = (tx: Sql) => tx<{ sequence: string; value: string | null }[]>`
  select sequencename as sequence, last_value::text as value from pg_sequences where schemaname = current_schema()`;

export type BackupSource = { sql: Pool; engine: Engine; store: AttachmentStore; secret: string };

/**
 * Writes all rows, attachments and the secret as lines, as one snapshot (a repeatable-read transaction).
 * Calls `report` after each table. Returns the totals, in which only attachments that were not deleted since are missing.
 */
export const writeBackup = async (
  { sql, engine, store, secret }: BackupSource,
  write: (line: Line) => Promise<void>,
  report: (table: string, rows: number) => void,
): Promise<Totals> => {
  const [found] = await sql<{ name: string | null }[]>`select to_regclass('migration')::text as name`;
  if (!found?.name) throw new Error('The database has no tables of Dokima: there is nothing to back up.');
  const without: string[] = [];
  const written = (await sql.begin('isolation level repeatable read read only', async (tx) => {
    await tx.unsafe(setTenant(system));
    await tx.unsafe(plainText);
    const migrations = (await tx<{ name: string }[]>`select name from migration order by name`).map(
      ({ name }) => name,
    );
    await write({ backup: formatVersion, migrations, engine, at: new Date().toISOString() });
    await write({ secret });
    const attachments = await findAttachments(tx);
    const totals = { rows: {} as Totals['rows'], attachments: 0, missing: 0 };
    for (const attachment of attachments) {
      let lines = 0;
      for await (const line of attachmentLines(store, attachment)) {
        lines++;
        await write(line);
      }
      if (lines === 0) without.push(attachment.id);
    }
    totals.attachments = attachments.length - without.length;
    totals.missing = without.length;
    for (const table of await findTables(tx)) {
      let count = 0;
      for await (const rows of tablePages(tx, table)) {
        count += rows.length;
        await write({ table: table.name, columns: table.columns, rows });
      }
      totals.rows[table.name] = count;
      report(table.name, count);
    }
    for (const { sequence, value } of await findSequences(tx))
      if (value !== null) await write({ sequence, value });
    await write({ end: totals });
    return totals;
  })) as Totals;
  return { ...written, missing: await countAttachments(sql, without) };
};
