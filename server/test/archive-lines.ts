import { ok } from './fixtures.ts';
import type { Answer, Client } from './harness.ts';

export const ndjson = { 'content-type': 'application/x-ndjson' };

// biome-ignore lint/suspicious/noExplicitAny: rows of every part.
export type Row = Record<string, any>;

export const header = { part: 'archive', version: 1, projectId: '1', name: 'P', description: null };
export const end = { part: 'end', rows: {} };

/** Rows as an archive. */
export const linesOf = (rows: Row[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
/** An archive of a project without anything. */
export const emptyArchive = linesOf([header, end]);

export const importLines = (api: Client, projectId: string, raw: string): Promise<Answer> =>
  api('PUT', `/projects/${projectId}/archive`, undefined, { raw, headers: ndjson });

export const exportLines = async (api: Client, projectId: string): Promise<string> => {
  const { status, text } = await api('GET', `/projects/${projectId}/archive`);
  if (status !== 200) throw new Error(`The export was answered with ${status}: ${text}`);
  return text;
};

/** The rows of an archive, of one part or of all. */
export const rowsOfPart = (archive: string, part?: string): Row[] =>
  archive
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)
    .filter((row) => part === undefined || row.part === part);

/** Makes a project of an archive. */
export const importNew = async (api: Client, raw: string): Promise<string> => {
  const { id } = await ok(api('POST', '/projects', { name: 'Imported', description: '' }), 201);
  await ok(importLines(api, id, raw));
  return id;
};
