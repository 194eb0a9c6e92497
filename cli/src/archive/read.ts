import { createHash } from 'node:crypto';
import type { Client } from '../../../client/src/main.ts';
import { CliError } from '../errors.ts';
import { membersOf } from '../json-text.ts';
import { restoreAnnotations } from './annotations.ts';
import {
  deleteMetrics,
  restoreAttachments,
  restoreMetrics,
  restoreMonitors,
  restoreSystems,
  restoreTestsets,
} from './definitions.ts';
import { archiveVersion, type Manifest, manifestPath, parsed, paths } from './format.ts';
import { beginImport, type Importing } from './importing.ts';
import { type Files, linesOf } from './lines.ts';
import { restoreRows, rowParts } from './rows.ts';
import { restoreRecords, restoreRun, restoreRunScores } from './runs.ts';
import { restoreSettings } from './settings.ts';
import { restoreSpans } from './spans.ts';

/** What an archive became. */
export type Restored = {
  projectId: string;
  /** Whether all of it was there from an earlier import: then nothing was written. */
  wasThere: boolean;
  runs: number;
  records: number;
  scores: number;
  spans: number;
  notes: string[];
};

/** Whether the files of a zip are those of an archive. */
export const isArchive = (files: Files): boolean => files.has(manifestPath);

/** Names an archive by what it holds: the project that it was, and a digest of all its files. */
const importKeyOf = (files: Files, originalId: string): string => {
  const digest = createHash('sha256');
  for (const path of [...files.keys()].sort())
    digest.update(`${path}\0`).update(createHash('sha256').update(files.get(path)!).digest());
  return `dokima-archive:${originalId}:${digest.digest('hex')}`;
};

/** How long the service remembers what an import has written: an hour less than it keeps idempotency keys. */
const resumableMs = 23 * 3_600_000;

/** Whether all of an archive is there already. Throws where an import of it broke off too long ago to go on with. */
const isComplete = async (client: Client, projectId: string): Promise<boolean> => {
  const { startedAt, completedAt } = await client.getProjectImport(projectId);
  if (completedAt === null && Date.now() - Date.parse(startedAt) > resumableMs) {
    throw new CliError(
      `An import of this archive into project ${projectId} broke off more than a day ago.`,
      `Delete project ${projectId}, and import again.`,
    );
  }
  return completedAt !== null;
};

const restoreRuns = async (
  importing: Importing,
  restored: Restored,
  progress: (text: string) => void,
): Promise<void> => {
  const { client, files } = importing;
  const notesByRun = new Map(
    linesOf(files, paths.runNotes).map((one) => [parsed<string>(one, 'runId'), parsed<string>(one, 'notes')]),
  );
  const runs = linesOf(files, paths.runs);
  for (const run of runs) {
    progress(`run ${restored.runs + 1} of ${runs.length}`);
    const of = await restoreRun(importing, run);
    const notes = notesByRun.get(of.before);
    if (notes) await client.updateRunNotes(of.after, { notes });
    const lines = linesOf(files, paths.records(of.before));
    await restoreRecords(importing, of, lines);
    restored.scores += await restoreRunScores(importing, run, of, lines);
    restored.records += lines.length;
    restored.runs++;
  }
};

/** What names runs, records and spans: it comes when all of them are there. */
const restoreRest = async (
  importing: Importing,
  before: string,
  progress: (text: string) => void,
): Promise<void> => {
  const { ids, projectId } = importing;
  progress('annotations');
  if (importing.isEarlier) await restoreAnnotations(importing);
  for (const [run, after] of ids.run)
    for (const part of ['annotations', 'replies'] as const)
      await restoreRows(importing, 'runs', part, { before: run, after });
  progress('monitors, views, pinned sets');
  await restoreMonitors(importing);
  for (const part of rowParts.projects)
    await restoreRows(importing, 'projects', part, { before, after: projectId });
  for (const [metric, after] of ids.metric)
    for (const part of rowParts.metrics)
      await restoreRows(importing, 'metrics', part, { before: metric, after });
  progress('attachments');
  await restoreAttachments(importing);
  if (!importing.isEarlier) await deleteMetrics(importing);
};

/** Makes a project of an archive; of one that has been imported before, the rest of it that is not there yet. */
export const readArchive = async (
  client: Client,
  files: Files,
  progress: (text: string) => void,
): Promise<Restored> => {
  const manifest = JSON.parse(files.get(manifestPath)!.toString()) as Manifest;
  if (manifest.version > archiveVersion) {
    throw new CliError(
      `The archive is of version ${manifest.version}, this program reads ${archiveVersion}.`,
      'Use a newer dokima.',
    );
  }
  const project = membersOf(files.get(paths.project)!.toString());
  const originalId = parsed<string>(project, 'id');
  const importKey = importKeyOf(files, originalId);
  const { id: projectId } = await client.createProject({
    name: parsed<string | null>(project, 'name') ?? 'Imported',
    description: parsed<string | null>(project, 'description') ?? '',
    importKey,
  });
  const restored = { projectId, wasThere: false, runs: 0, records: 0, scores: 0, spans: 0 };
  if (await isComplete(client, projectId)) return { ...restored, wasThere: true, notes: [] };
  const importing = await beginImport(client, files, projectId, importKey, manifest.version);
  progress('testsets, metrics, systems');
  const ofProject = { before: originalId, after: projectId };
  await restoreSettings(client, linesOf(files, paths.settings), 'projects', ofProject);
  await restoreTestsets(importing);
  await restoreMetrics(importing);
  await restoreSystems(importing);
  const made = { ...restored, notes: importing.notes };
  await restoreRuns(importing, made, progress);
  progress('traces');
  made.spans = await restoreSpans(importing);
  await restoreRest(importing, originalId, progress);
  await client.completeProjectImport(projectId, { completed: true });
  return { ...made, notes: [...importing.notes, ...importing.countsText()] };
};
