import { createHash } from 'node:crypto';
import { type Client, mapConcurrently } from '../../../client/src/main.ts';
import { CliError } from '../errors.ts';
import { type JsonText, membersOf, objectText } from '../json-text.ts';
import { archiveVersion, type Manifest, manifestPath, parsed, paths } from './format.ts';
import { elementTexts, type Files, type Ids, inBatches, linesOf, type Members, pick } from './lines.ts';
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

const text = (value: unknown): JsonText => JSON.stringify(value);

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

/** The comment of an annotation below the passage that it was on. */
const quoted = (annotation: Members): string => {
  const passage = parsed<{ text: string } | null>(annotation, 'passage');
  const comment = parsed<string>(annotation, 'comment');
  return passage ? `> ${passage.text.replaceAll('\n', '\n> ')}\n\n${comment}`.trimEnd() : comment;
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
  const notes: string[] = [];
  let quotedSpans = 0;

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

  const restoreRun = async (projectId: string, run: Members): Promise<{ id: string; configs: Ids }> => {
    const metricIds = parsed<string[]>(run, 'metricIds');
    const configIds = parsed<string[]>(run, 'metricVersionIds');
    const there = metricIds.flatMap((id, i) =>
      metrics.has(id) ? [{ id: metrics.get(id)!, configId: configIds[i]! }] : [],
    );
    const dropped = metricIds.length - there.length;
    if (dropped > 0)
      notes.push(
        `Run ${parsed<string>(run, 'id')}: ${dropped} of its metrics had been deleted; their scores stay out.`,
      );
    const testsetId = parsed<string | null>(run, 'testsetId');
    const versionId = parsed<string | null>(run, 'systemVersionId');
    const body = {
      metricIds: there.map(({ id }) => id),
      testsetId: testsetId === null ? null : (testsets.get(testsetId) ?? null),
      systemVersionId: versionId === null ? null : (versions.get(versionId) ?? null),
    };
    const made = await post(`/projects/${projectId}/runs`, text(body));
    const pinned = parsed<string[]>(made, 'metricVersionIds');
    const after = parsed<string>(made, 'id');
    // Before its records: their judges must not spend more than they may.
    await restoreSettings(client, settings, 'runs', { before: parsed(run, 'id'), after });
    return {
      id: after,
      configs: new Map(there.map(({ configId }, i) => [configId, pinned[i]!])),
    };
  };

  const restoreRecords = async (runId: string, configs: Ids, lines: Members[]): Promise<number> => {
    let scores = 0;
    const items = lines.map((record) => {
      const testcase = testcases.get(parsed<string | undefined>(record, 'testcaseId') ?? '');
      const given = parsed<{ metricConfigId: string }[]>(record, 'scores');
      const texts = elementTexts(record, 'scores').flatMap((score, i) => {
        const configId = configs.get(given[i]!.metricConfigId);
        if (configId === undefined) return [];
        return [objectText({ metricConfigId: text(configId), score: score.get('score') })];
      });
      scores += texts.length;
      const optional = ['otelLinkId', 'sessionId'].filter((name) => parsed(record, name) !== null);
      const body = objectText({
        ...pick(record, 'inputs', 'expected', 'outputs', ...optional),
        ...(testcase !== undefined && { testcaseId: text(testcase) }),
        // With the record, so that no judge is asked for what it has said already.
        scores: `[${texts.join(',')}]`,
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
    return scores;
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

  /** On its span, where that is there; else on its record, quoting what was marked, so that the comment can still be understood. */
  const restoreAnnotation = async (path: string, annotation: Members): Promise<Members> => {
    const fields = pick(annotation, 'rating', 'comment', 'passage');
    if (parsed(annotation, 'spanId') === null) return post(path, objectText(fields));
    const onRecord = objectText({ rating: fields.rating, comment: text(quoted(annotation)) });
    const onSpan = objectText({ ...fields, spanId: annotation.get('spanId') });
    return post(path, onSpan).catch((error: { code?: string }) => {
      if (error.code !== 'VALIDATION_ERROR') throw error;
      quotedSpans++;
      return post(path, onRecord);
    });
  };

  const restoreAnnotations = async (): Promise<void> => {
    const made = new Map<string, string>();
    for (const annotation of linesOf(files, paths.annotations)) {
      const recordId = records.get(parsed<string>(annotation, 'recordId'));
      if (!recordId) continue;
      const path = `/records/${recordId}/annotations`;
      const id = parsed<string>(await restoreAnnotation(path, annotation), 'id');
      made.set(parsed<string>(annotation, 'id'), `${path}/${id}`);
    }
    if (quotedSpans > 0)
      notes.push(`${quotedSpans} annotations were on spans that are not there; they are on the record now.`);
    for (const thread of linesOf(files, paths.threads)) {
      const path = made.get(parsed<string>(thread, 'annotationId'));
      if (path === undefined) continue;
      for (const reply of elementTexts(thread, 'replies'))
        await post(`${path}/replies`, objectText(pick(reply, 'comment')));
      if (parsed(thread, 'resolvedAt') !== null)
        await client.send({ method: 'PUT', path: `/api/v2${path}/resolution`, rawBody: '{"resolved":true}' });
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
    restoreTraces,
    restoreAnnotations,
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
    const { id, configs } = await restore.restoreRun(restored.projectId, run);
    const notes = notesByRun.get(before);
    if (notes) await client.updateRunNotes(id, { notes });
    const lines = linesOf(files, paths.records(before));
    restored.scores += await restore.restoreRecords(id, configs, lines);
    restored.records += lines.length;
    restored.runs++;
  }
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
