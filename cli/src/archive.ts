import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, DokimaError, type ProjectImport } from '../../client/src/main.ts';
import { CliError } from './errors.ts';
import { countOf } from './figures.ts';
import type { Output } from './output.ts';

type Progress = (text: string) => void;

export const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
const newline = 10;

/** Writes a file chunk by chunk. A file that breaks off is removed: none looks whole that is not. */
export const writeWhole = async (
  path: string,
  chunks: AsyncIterable<Uint8Array | string>,
  onBytes: (bytes: number) => void = () => {},
): Promise<number> => {
  const partial = `${path}.partial`;
  const file = await open(partial, 'w');
  try {
    let bytes = 0;
    for await (const chunk of chunks) {
      await file.writeFile(chunk);
      bytes += Buffer.byteLength(chunk);
      onBytes(bytes);
    }
    await file.close();
    await rename(partial, path);
    return bytes;
  } catch (error) {
    await file.close();
    await rm(partial, { force: true });
    throw error;
  }
};

/** Writes the archive of a project to a file. Writes no file if the export fails. Returns the number of rows by part. */
export const writeArchive = async (
  client: Client,
  projectId: string,
  path: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<Record<string, number>> => {
  const archive = await client.exportProject(projectId, { signal });
  let lastLine = Buffer.alloc(0);
  let rows: Record<string, number> = {};
  async function* checked() {
    for await (const chunk of archive) {
      const end = Buffer.concat([lastLine, chunk]);
      lastLine = end.subarray(end.lastIndexOf(newline, -2) + 1);
      yield chunk;
    }
    const last = JSON.parse(lastLine.toString());
    if (last.part !== 'end') throw new Error('The archive has no end line.');
    rows = last.rows;
  }
  try {
    await writeWhole(path, checked(), (bytes) => progress(megabytes(bytes)));
    return rows;
  } catch (error) {
    signal.throwIfAborted();
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    throw new CliError(`The export of project ${projectId} was interrupted.`, 'Export it again.');
  }
};

export type Header = { name: string | null; description: string | null; projectId: string };

/** Returns the header of an archive, or undefined for any other file. */
export const readHeader = async (path: string): Promise<Header | undefined> => {
  const start = createReadStream(path, { end: 1_000_000 });
  try {
    for await (const line of createInterface({ input: start })) {
      if (!line.startsWith('{"part":"archive"')) return undefined;
      return JSON.parse(line) as Header;
    }
    return undefined;
  } finally {
    start.destroy();
  }
};

/** Returns the hash of a file. A repeated import finds its project by this hash. */
const digestOf = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
};

const isMissing = (error: { code?: string }): undefined => {
  if (error.code !== 'NOT_FOUND') throw error;
};

/** Number of times that an import waits for another one. The service asks for a second each time. */
const maxWaits = 60;

/** Returns the milliseconds after which to retry an import, or undefined if a retry would fail too. */
const waitOf = (error: unknown): number | undefined =>
  error instanceof DokimaError && error.status === 409 ? error.retryAfterMs : undefined;

/**
 * Imports an archive into a new project, or continues an interrupted import of it. Waits while another request imports: the service
 * may still store what a killed import has sent.
 */
export const readArchive = async (
  client: Client,
  path: string,
  { name, description, projectId: of }: Header,
  out: Output,
  signal: AbortSignal,
): Promise<ProjectImport & { wasThere: boolean }> => {
  const importKey = `dokima-archive:${of}:${await digestOf(path)}`;
  const project = await client.createProject({
    name: name ?? 'Imported',
    description: description ?? '',
    importKey,
  });
  const { size } = await stat(path);
  async function* chunks() {
    let sent = 0;
    for await (const chunk of createReadStream(path)) {
      sent += chunk.length;
      out.progress(`${megabytes(sent)} of ${megabytes(size)}`);
      yield chunk;
    }
  }
  for (let waits = 0; ; waits++) {
    const before = await client.getProjectImport(project.id).catch(isMissing);
    if (before && before.completedAt !== null) return { ...before, wasThere: true };
    try {
      const imported = await client.importProject(project.id, ReadableStream.from(chunks()), { signal });
      return { ...imported, wasThere: false };
    } catch (error) {
      signal.throwIfAborted();
      const { message } = error as Error;
      const wait = waitOf(error);
      if (wait === undefined || waits === maxWaits)
        throw new CliError(
          `${message}\n  Project ${project.id} is incomplete.`,
          'Import the archive again to complete it, or delete the project.',
        );
      if (waits === 0) out.note(`${message} Waiting until it ends, for about a minute.`);
      await sleep(wait, undefined, { signal });
    }
  }
};

/** Returns the counts that interest people, from the numbers of rows by part. */
export const countsOfRows = (rows: Record<string, number>): Record<string, number> => {
  const { testset, testcase, metric, system, run, record, score, span, annotation, attachment } = rows;
  const counts = {
    testsets: testset,
    testcases: testcase,
    metrics: metric,
    systems: system,
    runs: run,
    records: record,
    scores: score,
    spans: span,
    annotations: annotation,
    attachments: attachment,
  };
  return Object.fromEntries(Object.entries(counts).map(([name, n]) => [name, n ?? 0]));
};

/** Describes what differs from the exported project. */
export const notesOf = ({ yours, leftOut, changed }: ProjectImport): string[] => {
  const sum = (counts: Record<string, number>, of: (part: string) => boolean): number =>
    Object.entries(counts).reduce((total, [part, n]) => total + (of(part) ? n : 0), 0);
  const isVerdict = (part: string) => part.startsWith('score');
  const ofOthers = 'of people who are not members here, or whom you may not name as authors';
  const notes: [number, string, string][] = [
    [sum(yours, isVerdict), 'verdict', `${ofOthers}: imported under your name.`],
    [sum(yours, (part) => !isVerdict(part)), 'other row', `${ofOthers}: imported under your name.`],
    [leftOut.review_score ?? 0, 'review', `${ofOthers}: left out.`],
    [leftOut.review_claim ?? 0, 'skipped review', `${ofOthers}: left out.`],
    [leftOut.record_assignment ?? 0, 'assignment', 'of people who are not members here: left out.'],
    [changed.execution ?? 0, 'pending call', 'of a system: cancelled. Retry it on one of the services.'],
    [changed.monitor ?? 0, 'monitor', 'paused. Check what it will score before you resume it.'],
  ];
  return notes.filter(([n]) => n > 0).map(([n, row, text]) => `${countOf(n, row)} ${text}`);
};
