import type { Database } from '../../platform/db/database.ts';
import { lastUuid } from '../../platform/http/pagination.ts';
import { readTexts } from '../../platform/http/read-texts.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { members } from '../../platform/json/json.ts';
import { type AuditFilter, listEvents } from './queries.ts';
import { AuditEvent } from './schema.ts';

const pageSize = 500;
/** Memory of an export: a page of entries, several times. */
export const exportBytes = 4 * 1024 * 1024;
const maxPageBytes = 1024 * 1024;
const columns = Object.keys(AuditEvent.schema.properties);

/** A spreadsheet would execute a text that begins like a formula. */
const cell = (json: string | undefined): string => {
  if (json === undefined || json === 'null') return '';
  const text = json.startsWith('"') ? (JSON.parse(json) as string) : json;
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const csvLine = (body: string): string => {
  const values = members(body);
  return columns.map((column) => cell(values.get(column))).join(',');
};

/** Yields the entries that a filter finds as lines of NDJSON or CSV, newest first. */
export async function* exportEvents(
  { db, holdPage }: { db: Database; holdPage: (bytes: number) => Promise<void> },
  scope: Scope,
  filter: AuditFilter,
  format: 'ndjson' | 'csv',
): AsyncGenerator<string> {
  if (format === 'csv') yield `${columns.join(',')}\n`;
  for (let before = lastUuid; ; ) {
    const rows = await readTexts(
      { holdAnswer: holdPage },
      (statement) => db.read(scope, statement),
      (sql) => listEvents(sql, scope, filter, before, pageSize, maxPageBytes),
      { atOnceBytes: maxPageBytes },
    );
    if (rows.length === 0) return;
    yield rows.map(({ body }) => `${format === 'csv' ? csvLine(body) : body}\n`).join('');
    before = rows.at(-1)!.key;
  }
}
