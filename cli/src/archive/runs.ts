import { mapConcurrently } from '../../../client/src/main.ts';
import { countOf } from '../figures.ts';
import { objectText } from '../json-text.ts';
import { parsed, paths } from './format.ts';
import type { Importing } from './importing.ts';
import { inBatches, linesOf, type Members, pick, text } from './lines.ts';
import { type RowPart, restoreRows, rowParts } from './rows.ts';
import { restoreSamples } from './samples.ts';
import { restoreScores } from './scores.ts';
import { restoreSettings } from './settings.ts';

/** Requests under way at a time where each record needs some. */
const atOnce = 16;

type Of = { before: string; after: string };

/** A run without its metrics: with them its records would wait for scores that are there, or that failed. */
export const restoreRun = async (importing: Importing, run: Members): Promise<Of> => {
  const { client, files, post, ids, projectId } = importing;
  const testsetId = parsed<string | null>(run, 'testsetId');
  const versionId = parsed<string | null>(run, 'systemVersionId');
  const body = {
    metricIds: [],
    testsetId: testsetId === null ? null : (ids.testset.get(testsetId) ?? null),
    systemVersionId: versionId === null ? null : (ids.version.get(versionId) ?? null),
  };
  const before = parsed<string>(run, 'id');
  const after = parsed<string>(await post(`/projects/${projectId}/runs`, text(body)), 'id');
  ids.run.set(before, after);
  // Before its scores: their judges must not spend more than they may.
  await restoreSettings(client, linesOf(files, paths.settings), 'runs', { before, after });
  return { before, after };
};

/** Tags, and assignments to those who are members here too, of an archive of version 1 or 2. */
const restoreEarlierMarks = async (
  importing: Importing,
  recordId: string,
  record: Members,
): Promise<void> => {
  const { post, notes } = importing;
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

/** The records of a run; those of a drift check name the records that they are copies of. */
export const restoreRecords = async (importing: Importing, of: Of, lines: Members[]): Promise<void> => {
  const { post, ids } = importing;
  const items = lines.map((record) => {
    const testcase = ids.testcase.get(parsed<string | undefined>(record, 'testcaseId') ?? '');
    const link = parsed<string | null>(record, 'otelLinkId');
    const original = importing.checkRuns.has(of.before) && link !== null ? ids.record.get(link) : undefined;
    const body = objectText({
      ...pick(record, 'inputs', 'expected', 'outputs'),
      ...(link !== null && { otelLinkId: text(original ?? link) }),
      ...(parsed(record, 'sessionId') !== null && pick(record, 'sessionId')),
      ...(testcase !== undefined && { testcaseId: text(testcase) }),
    });
    return { id: parsed<string>(record, 'id'), record, body };
  });
  for (const batch of inBatches(items, 500)) {
    const body = `{"items":[${batch.map((item) => item.body).join(',')}]}`;
    const given = parsed<string[]>(await post(`/runs/${of.after}/records/bulk-create`, body), 'ids');
    batch.forEach((item, i) => {
      ids.record.set(item.id, given[i]!);
    });
    if (importing.isEarlier)
      await mapConcurrently(batch, atOnce, ({ id, record }) =>
        restoreEarlierMarks(importing, ids.record.get(id)!, record),
      );
  }
};

/** The metrics of a run of an archive of version 1 or 2, by the one configuration that they have. */
const restoreEarlierMetrics = async (
  { ids, notes, onlyConfigs, post }: Importing,
  { before, after }: Of,
  metricIds: string[],
): Promise<void> => {
  const there = metricIds.filter((id) => ids.metric.has(id));
  if (there.length < metricIds.length)
    notes.push(
      `Run ${before}: ${countOf(metricIds.length - there.length, 'deleted metric')} left out, scores included.`,
    );
  const items = there.map((id, i) => ({
    position: i + 1,
    metricId: ids.metric.get(id),
    metricConfigId: onlyConfigs.get(id),
    sampled: false,
  }));
  if (items.length > 0) await post(`/runs/${after}/import/metrics`, text({ items }));
};

/** Parts of a run that name what comes after its records: spans, or the runs of others. */
const late: ReadonlySet<RowPart> = new Set(['annotations', 'replies']);

/** The scores of a run in their states, its metrics, and everything else that hangs on its records. */
export const restoreRunScores = async (
  importing: Importing,
  run: Members,
  of: Of,
  lines: Members[],
): Promise<number> => {
  const marks: readonly RowPart[] = ['records', 'tags', 'assignments'];
  for (const part of marks) await restoreRows(importing, 'runs', part, of);
  const count = await restoreScores(importing, run, of, lines);
  if (importing.isEarlier) await restoreEarlierMetrics(importing, of, parsed<string[]>(run, 'metricIds'));
  await restoreSamples(importing, of);
  for (const part of rowParts.runs)
    if (!marks.includes(part) && !late.has(part)) await restoreRows(importing, 'runs', part, of);
  return count;
};
