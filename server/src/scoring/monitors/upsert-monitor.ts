import { createMetric } from '../../evaluation/metrics/configure-metric.ts';
import { requireProject } from '../../evaluation/projects/queries.ts';
import { lockPlaces } from '../../evaluation/projects/require-place.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { createMonitor, updateMonitor } from './define-monitor.ts';
import { findMetricBySentence, findMonitorByName } from './queries.ts';
import type { MonitorUpsert } from './schema.ts';

/** Longest name of a metric that is made from a sentence. */
const maxNameLength = 100;

/** Judges any record of a trace by the metric's guidelines. */
const promptTemplate = `Decide whether a reply meets this requirement:
{{ guidelines }}

What it replies to:
{{ allInputs }}

The reply to judge:
{{ allOutputs }}`;

/** Returns the id of the metric that was made from this sentence, and creates it the first time. */
const metricOfSentence = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  sentence: string,
  judgeModel: string | undefined,
): Promise<string> => {
  const [found] = await findMetricBySentence(tx, scope, projectId, sentence);
  if (found) return String(found.id);
  const name = sentence.length > maxNameLength ? `${sentence.slice(0, maxNameLength - 1)}…` : sentence;
  const made = await createMetric(
    tx,
    scope,
    projectId,
    {
      name: name.toWellFormed(),
      description: sentence,
      guidelines: sentence,
      evalType: 'ai',
      outputType: 'boolean',
      promptTemplate,
    },
    judgeModel,
  );
  return (JSON.parse(made) as { id: string }).id;
};

/**
 * Creates the project's monitor of this description, or changes its metrics and its service. A metric is named by its id, or by a
 * sentence that says what to check. Throws notFound for another organization's project or metric.
 */
export const upsertMonitor = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  { description, metrics, filter = {} }: MonitorUpsert,
  judgeModel: string | undefined,
): Promise<string> => {
  await requireProject(tx, scope, projectId);
  await lockPlaces(tx, projectId, 'monitors');
  const metricIds = new Set<string>();
  for (const metric of metrics.map((text) => text.trim()))
    metricIds.add(
      /^\d+$/.test(metric) ? metric : await metricOfSentence(tx, scope, projectId, metric, judgeModel),
    );
  const service = filter.serviceName;
  const [found] = await findMonitorByName(tx, scope, projectId, description);
  if (!found)
    return createMonitor(tx, scope, projectId, {
      name: description,
      metricIds: [...metricIds],
      samplingRate: 1,
      filter: service === undefined ? {} : { service },
    });
  return updateMonitor(tx, scope, found.id, { metricIds: [...metricIds] }, { service: service ?? null });
};
