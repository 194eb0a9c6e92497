import { objectText } from '../json-text.ts';
import { parsed, paths } from './format.ts';
import type { Importing } from './importing.ts';
import { elementTexts, inBatches, linesOf, type Members, pick, text } from './lines.ts';
import { restoreRows } from './rows.ts';
import { currentConfig } from './scores.ts';
import { restoreSettings } from './settings.ts';

/** The testcases of an archive of version 1 or 2, which has neither their numbers nor their revisions. */
const restoreEarlierTestcases = async (
  { files, post, ids }: Importing,
  of: { before: string; after: string },
): Promise<void> => {
  const items = linesOf(files, paths.testcases(of.before)).map((testcase) => ({
    id: parsed<string>(testcase, 'id'),
    body: objectText(pick(testcase, 'jsonData')),
  }));
  for (const batch of inBatches(items, 100)) {
    const body = `{"items":[${batch.map((item) => item.body).join(',')}]}`;
    const created = parsed<{ id: string }[]>(await post(`/testsets/${of.after}/testcases`, body), 'items');
    batch.forEach((item, i) => {
      ids.testcase.set(item.id, created[i]!.id);
    });
  }
};

export const restoreTestsets = async (importing: Importing): Promise<void> => {
  const { client, files, post, ids, projectId } = importing;
  const settings = linesOf(files, paths.settings);
  for (const testset of linesOf(files, paths.testsets)) {
    const before = parsed<string>(testset, 'id');
    const head = objectText(pick(testset, 'name', 'description', 'jsonSchema', 'fieldMapping'));
    const after = parsed<string>(await post(`/projects/${projectId}/testsets`, head), 'id');
    ids.testset.set(before, after);
    await restoreSettings(client, settings, 'testsets', { before, after });
    await restoreEarlierTestcases(importing, { before, after });
    await restoreRows(importing, 'testsets', 'testcases', { before, after });
  }
};

/** Makes a metric with all configurations that it had. */
const restoreMetric = async ({ post, ids, projectId }: Importing, metric: Members): Promise<void> => {
  const { id, deletedAt: _, ...rest } = Object.fromEntries(metric);
  const answer = await post(`/projects/${projectId}/import/metrics`, objectText(rest));
  ids.metric.set(JSON.parse(id!) as string, parsed<string>(answer, 'id'));
  const after = parsed<string[]>(answer, 'versionIds');
  elementTexts(metric, 'versions').forEach((version, i) => {
    ids.config.set(parsed<string>(version, 'id'), after[i]!);
  });
};

/** A metric of an archive of version 1 or 2 has the configuration that was current, and it is that of all its scores. */
const restoreEarlierMetric = async (importing: Importing, metric: Members): Promise<void> => {
  const { client, files, post, ids, projectId } = importing;
  const { id, ...rest } = Object.fromEntries(metric);
  const before = JSON.parse(id!) as string;
  const after = parsed<string>(await post(`/projects/${projectId}/metrics`, objectText(rest)), 'id');
  ids.metric.set(before, after);
  await restoreSettings(client, linesOf(files, paths.settings), 'metrics', { before, after });
  importing.onlyConfigs.set(before, await currentConfig(client, after));
};

export const restoreMetrics = async (importing: Importing): Promise<void> => {
  for (const metric of linesOf(importing.files, paths.metrics)) {
    const restore = metric.has('versions') ? restoreMetric : restoreEarlierMetric;
    await restore(importing, metric);
  }
};

/** Deletes the metrics that had been deleted: until here their scores needed them. */
export const deleteMetrics = async ({ client, files, ids, projectId }: Importing): Promise<void> => {
  const there = new Set<string>();
  for await (const { id } of client.listMetrics(projectId)) there.add(id);
  for (const metric of linesOf(files, paths.metrics)) {
    const after = ids.metric.get(parsed<string>(metric, 'id'))!;
    if (parsed(metric, 'deletedAt') !== null && there.has(after)) await client.deleteMetric(after);
  }
};

export const restoreSystems = async ({ client, files, post, ids, projectId }: Importing): Promise<void> => {
  const configs = new Map(
    linesOf(files, paths.systemVersions).map((one) => [parsed<string>(one, 'id'), one]),
  );
  for (const system of linesOf(files, paths.systems)) {
    const versionIds = parsed<{ id: string }[]>(system, 'versions').map(({ id }) => id);
    let systemId: string | undefined;
    for (const id of versionIds) {
      const version = configs.get(id)!;
      if (systemId === undefined) {
        const body = objectText({ ...pick(system, 'name', 'description'), config: version.get('config') });
        systemId = parsed<string>(await post(`/projects/${projectId}/systems`, body), 'id');
      }
      // The first version has its configuration already: this gives it its name.
      const made = await post(`/systems/${systemId}/versions`, objectText(pick(version, 'config', 'name')));
      ids.version.set(id, parsed<string>(made, 'id'));
    }
    ids.system.set(parsed<string>(system, 'id'), systemId!);
    const production = ids.version.get(parsed<{ id: string }>(system, 'productionVersion').id);
    await client.updateSystem(systemId!, { productionVersionId: production });
  }
};

/** Restores monitors, paused, with what they drew. */
export const restoreMonitors = async (importing: Importing): Promise<void> => {
  const { files, post, ids, notes, projectId } = importing;
  for (const monitor of linesOf(files, paths.monitors)) {
    const metricIds = parsed<string[]>(monitor, 'metricIds').flatMap((id) => ids.metric.get(id) ?? []);
    if (metricIds.length === 0) continue;
    const fields = pick(monitor, 'name', 'samplingRate', 'filter', 'settleSeconds');
    const body = objectText({ ...fields, metricIds: text(metricIds), paused: 'true' });
    const before = parsed<string>(monitor, 'id');
    const after = parsed<string>(await post(`/projects/${projectId}/monitors`, body), 'id');
    ids.monitor.set(before, after);
    await restoreRows(importing, 'monitors', 'draws', { before, after });
    if (!parsed<boolean>(monitor, 'paused'))
      notes.push(`Monitor ${parsed<string>(monitor, 'name')} is paused: see first what it would score.`);
  }
};

/** An attachment is of a session, and so of the organization: one that is there already is not brought again. */
export const restoreAttachments = async ({ client, files, keyOf }: Importing): Promise<void> => {
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
