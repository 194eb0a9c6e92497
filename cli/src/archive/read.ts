import { createHash } from 'node:crypto';
import { type Client, mapConcurrently } from '../../../client/src/main.ts';
import { CliError } from '../errors.ts';
import { type JsonText, membersOf, objectText } from '../json-text.ts';
import { restoreAnnotations } from './annotations.ts';
import { archiveVersion, type Manifest, manifestPath, parsed, paths } from './format.ts';
import { type Files, type Ids, inBatches, linesOf, type Members, pick, text } from './lines.ts';
import { restoreSamples } from './samples.ts';
import { currentConfig, type People, readPeople, restoreScores } from './scores.ts';
import { restoreSettings } from './settings.ts';
import { restoreSpans } from './spans.ts';

/** Requests under way at a time where each record needs some. */
const atOnce = 16;

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

/**
 * Idempotency keys that are the same each time an archive is imported: an import that broke off goes through what it had
 * written, and is given the answers of then. Equal requests count.
 */
const keysOf = (importKey: string) => {
  const times = new Map<string, number>();
  return (path: string, body: JsonText) => {
    const request = createHash('sha256').update(`${importKey}\n${path}\n${body}`).digest('hex');
    const count = (times.get(request) ?? 0) + 1;
    times.set(request, count);
    return { idempotencyKey: createHash('sha256').update(`${request}\n${count}`).digest('hex') };
  };
};

/** Restores one archive; the ids that it gave out are kept by those that the archive has. */
const restorer = (client: Client, files: Files, importKey: string) => {
  const keyOf = keysOf(importKey);
  const settings = linesOf(files, paths.settings);
  const testsets: Ids = new Map();
  const testcases: Ids = new Map();
  const metrics: Ids = new Map();
  const versions: Ids = new Map();
  const records: Ids = new Map();
  /** The configuration that each metric of the archive has here. */
  const configs: Ids = new Map();
  const notes: string[] = [];
  let people: People | undefined;
  let strangers = 0;
  let reviewsLeftOut = 0;

  const post = async (path: string, rawBody: JsonText): Promise<Members> =>
    membersOf(await client.send({ method: 'POST', path: `/api/v2${path}`, rawBody }, keyOf(path, rawBody)));

  const restoreTestsets = async (projectId: string): Promise<void> => {
    for (const testset of linesOf(files, paths.testsets)) {
      const id = parsed<string>(testset, 'id');
      const head = objectText(pick(testset, 'name', 'description', 'jsonSchema', 'fieldMapping'));
      const made = parsed<string>(await post(`/projects/${projectId}/testsets`, head), 'id');
      testsets.set(id, made);
      await restoreSettings(client, settings, 'testsets', { before: id, after: made });
      const items = linesOf(files, paths.testcases(id)).map((testcase) => ({
        id: parsed<string>(testcase, 'id'),
        body: objectText(pick(testcase, 'jsonData')),
      }));
      for (const batch of inBatches(items, 100)) {
        const body = `{"items":[${batch.map((item) => item.body).join(',')}]}`;
        const created = parsed<{ id: string }[]>(await post(`/testsets/${made}/testcases`, body), 'items');
        batch.forEach((item, i) => {
          testcases.set(item.id, created[i]!.id);
        });
      }
    }
  };

  const restoreMetrics = async (projectId: string): Promise<void> => {
    for (const metric of linesOf(files, paths.metrics)) {
      const { id, ...rest } = Object.fromEntries(metric);
      const before = JSON.parse(id!) as string;
      const after = parsed<string>(await post(`/projects/${projectId}/metrics`, objectText(rest)), 'id');
      metrics.set(before, after);
      await restoreSettings(client, settings, 'metrics', { before, after });
      configs.set(before, await currentConfig(client, after));
    }
  };

  const restoreSystems = async (projectId: string): Promise<void> => {
    const configs = new Map(
      linesOf(files, paths.systemVersions).map((one) => [parsed<string>(one, 'id'), one]),
    );
    for (const system of linesOf(files, paths.systems)) {
      const ids = parsed<{ id: string }[]>(system, 'versions').map(({ id }) => id);
      let systemId: string | undefined;
      for (const id of ids) {
        const version = configs.get(id)!;
        if (systemId === undefined) {
          const body = objectText({ ...pick(system, 'name', 'description'), config: version.get('config') });
          systemId = parsed<string>(await post(`/projects/${projectId}/systems`, body), 'id');
        }
        // The first version has its configuration already: this gives it its name.
        const made = await post(`/systems/${systemId}/versions`, objectText(pick(version, 'config', 'name')));
        versions.set(id, parsed<string>(made, 'id'));
      }
      const production = versions.get(parsed<{ id: string }>(system, 'productionVersion').id);
      await client.updateSystem(systemId!, { productionVersionId: production });
    }
  };

  /** A run without its metrics: with them its records would wait for scores that are there, or that failed. */
  const restoreRun = async (projectId: string, run: Members): Promise<string> => {
    const testsetId = parsed<string | null>(run, 'testsetId');
    const versionId = parsed<string | null>(run, 'systemVersionId');
    const body = {
      metricIds: [],
      testsetId: testsetId === null ? null : (testsets.get(testsetId) ?? null),
      systemVersionId: versionId === null ? null : (versions.get(versionId) ?? null),
    };
    const after = parsed<string>(await post(`/projects/${projectId}/runs`, text(body)), 'id');
    // Before its scores: their judges must not spend more than they may.
    await restoreSettings(client, settings, 'runs', { before: parsed(run, 'id'), after });
    return after;
  };

  const restoreRecords = async (runId: string, lines: Members[]): Promise<void> => {
    const items = lines.map((record) => {
      const testcase = testcases.get(parsed<string | undefined>(record, 'testcaseId') ?? '');
      const optional = ['otelLinkId', 'sessionId'].filter((name) => parsed(record, name) !== null);
      const body = objectText({
        ...pick(record, 'inputs', 'expected', 'outputs', ...optional),
        ...(testcase !== undefined && { testcaseId: text(testcase) }),
      });
      return { id: parsed<string>(record, 'id'), record, body };
    });
    for (const batch of inBatches(items, 500)) {
      const body = `{"items":[${batch.map((item) => item.body).join(',')}]}`;
      const ids = parsed<string[]>(await post(`/runs/${runId}/records/bulk-create`, body), 'ids');
      batch.forEach((item, i) => {
        records.set(item.id, ids[i]!);
      });
      await mapConcurrently(batch, atOnce, ({ id, record }) => restoreMarks(records.get(id)!, record));
    }
  };

  /** The scores of a run in their states, its metrics, and the samples that people were given. */
  const restoreRunScores = async (before: Members, after: string, lines: Members[]): Promise<number> => {
    people ??= await readPeople(client, files);
    const run = { before, after, records: lines };
    const { count, ...left } = await restoreScores(client, files, run, { records, configs, people });
    strangers += left.strangers;
    reviewsLeftOut += left.reviewsLeftOut;
    const name = `Run ${parsed<string>(before, 'id')}`;
    if (left.dropped > 0)
      notes.push(`${name}: ${left.dropped} scores by other configurations of a metric stay out.`);
    const metricIds = parsed<string[]>(before, 'metricIds');
    const there = metricIds.flatMap((id) => metrics.get(id) ?? []);
    if (there.length < metricIds.length)
      notes.push(
        `${name}: ${metricIds.length - there.length} of its metrics had been deleted; their scores stay out.`,
      );
    if (there.length > 0) await post(`/runs/${after}/import/metrics`, text({ metricIds: there }));
    const ids = { before: parsed<string>(before, 'id'), after };
    const samples = await restoreSamples(client, files, ids, { metrics, records });
    if (samples > 0)
      notes.push(
        `${name}: ${samples} samples stay out, of deleted metrics or older configurations, or too large.`,
      );
    return count;
  };

  const noteStrangers = (): void => {
    if (strangers > 0) notes.push(`${strangers} verdicts of people who can't be named here are yours now.`);
    if (reviewsLeftOut > 0)
      notes.push(`${reviewsLeftOut} reviews by people who can't be named here stay out.`);
  };

  /** Tags, and assignments to those who are members here too. */
  const restoreMarks = async (recordId: string, record: Members): Promise<void> => {
    for (const tag of parsed<string[]>(record, 'tags'))
      await post(`/records/${recordId}/tags`, text({ text: tag }));
    for (const assigneeUserId of parsed<string[]>(record, 'assigneeUserIds')) {
      const body = text({ assigneeUserId });
      await post(`/records/${recordId}/assignees`, body).catch((error: { code?: string }) => {
        if (error.code !== 'NOT_FOUND') throw error;
        const note = `Assignments to ${assigneeUserId} stay out: no member of this organization.`;
        if (!notes.includes(note)) notes.push(note);
      });
    }
  };

  const restoreTraces = async (projectId: string): Promise<number> => {
    const { count, tooLarge } = await restoreSpans(client, files, projectId, records);
    if (tooLarge > 0) notes.push(`${tooLarge} spans are larger than a request may be; they stay out.`);
    return count;
  };

  const restoreMonitors = async (projectId: string): Promise<void> => {
    for (const monitor of linesOf(files, paths.monitors)) {
      const metricIds = parsed<string[]>(monitor, 'metricIds').flatMap((id) => metrics.get(id) ?? []);
      if (metricIds.length === 0) continue;
      const fields = pick(monitor, 'name', 'samplingRate', 'filter', 'settleSeconds');
      await post(
        `/projects/${projectId}/monitors`,
        objectText({ ...fields, metricIds: text(metricIds), paused: 'true' }),
      );
      if (!parsed<boolean>(monitor, 'paused'))
        notes.push(`Monitor ${parsed<string>(monitor, 'name')} is paused: see first what it would score.`);
    }
  };

  const restoreAttachments = async (): Promise<void> => {
    for (const attachment of linesOf(files, paths.attachments)) {
      const bytes = files.get(paths.attachmentBytes(parsed<string>(attachment, 'id')));
      if (!bytes) continue;
      const upload = {
        sessionId: parsed<string>(attachment, 'sessionId'),
        filePath: parsed<string>(attachment, 'filePath'),
        contentType: parsed<string | null>(attachment, 'contentType') ?? 'application/octet-stream',
        filename: parsed<string | null>(attachment, 'filename') ?? undefined,
        metadata: parsed<Record<string, unknown> | null>(attachment, 'metadata') ?? undefined,
      };
      await client.uploadFile(
        { ...upload, bytes: Uint8Array.from(bytes) },
        keyOf('/attachments', text(upload)),
      );
    }
  };

  return {
    notes,
    restoreTestsets,
    restoreMetrics,
    restoreSystems,
    restoreRun,
    restoreRecords,
    restoreRunScores,
    noteStrangers,
    restoreTraces,
    restoreAnnotations: () => restoreAnnotations(client, files, { post, records, notes }),
    restoreMonitors,
    restoreAttachments,
  };
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
  client: Client,
  files: Files,
  restore: ReturnType<typeof restorer>,
  restored: Restored,
  progress: (text: string) => void,
): Promise<void> => {
  const notesByRun = new Map(
    linesOf(files, paths.runNotes).map((one) => [parsed<string>(one, 'runId'), parsed<string>(one, 'notes')]),
  );
  for (const run of linesOf(files, paths.runs)) {
    progress(`run ${restored.runs + 1}`);
    const before = parsed<string>(run, 'id');
    const id = await restore.restoreRun(restored.projectId, run);
    const notes = notesByRun.get(before);
    if (notes) await client.updateRunNotes(id, { notes });
    const lines = linesOf(files, paths.records(before));
    await restore.restoreRecords(id, lines);
    restored.scores += await restore.restoreRunScores(run, id, lines);
    restored.records += lines.length;
    restored.runs++;
  }
  restore.noteStrangers();
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
  const importKey = importKeyOf(files, parsed<string>(project, 'id'));
  const { id: projectId } = await client.createProject({
    name: parsed<string | null>(project, 'name') ?? 'Imported',
    description: parsed<string | null>(project, 'description') ?? '',
    importKey,
  });
  const restored: Restored = {
    projectId,
    wasThere: false,
    runs: 0,
    records: 0,
    scores: 0,
    spans: 0,
    notes: [],
  };
  if (await isComplete(client, projectId)) return { ...restored, wasThere: true };
  const restore = restorer(client, files, importKey);
  progress('testsets, metrics, systems');
  await restoreSettings(client, linesOf(files, paths.settings), 'projects', {
    before: parsed(project, 'id'),
    after: projectId,
  });
  await restore.restoreTestsets(projectId);
  await restore.restoreMetrics(projectId);
  await restore.restoreSystems(projectId);
  await restoreRuns(client, files, restore, restored, progress);
  progress('traces');
  restored.spans = await restore.restoreTraces(projectId);
  await restore.restoreAnnotations();
  await restore.restoreMonitors(projectId);
  await restore.restoreAttachments();
  await client.completeProjectImport(projectId, { completed: true });
  return { ...restored, notes: restore.notes };
};
