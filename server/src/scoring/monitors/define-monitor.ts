import { isDeepStrictEqual } from 'node:util';
import { caveatsOf } from '../../engine/statistics/caveats.ts';
import { type Sums, spanEstimate } from '../../engine/statistics/clusters.ts';
import type { Estimate } from '../../engine/statistics/estimate-schema.ts';
import { defaultLevel, rateEstimate } from '../../engine/statistics/intervals.ts';
import { numUserGroups, userMean } from '../../engine/statistics/user-sums.ts';
import { pinMetrics } from '../../evaluation/metrics/pin-metrics.ts';
import { requireProject } from '../../evaluation/projects/queries.ts';
import { requirePlace } from '../../evaluation/projects/require-place.ts';
import type { Sql } from '../../platform/db/database.ts';
import { requireOne } from '../../platform/http/http.ts';
import { newUuid } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { omit } from '../../platform/omit.ts';
import {
  type CountedMetric,
  countMonitors,
  deleteArrivals,
  deleteMonitorMetrics,
  findMonitor,
  insertMonitor,
  insertMonitorMetrics,
  lockMonitor,
  type MonitorDefinition,
  type MonitorRow,
  softDeleteMonitor,
  updateMonitorRow,
  withdrawScores,
} from './queries.ts';
import type { MonitorCreate, MonitorFilter, MonitorUpdate } from './schema.ts';

/** Every trace that arrives is checked against each of them. */
const maxMonitors = 100;
const defaultSettleSeconds = 60;

const given = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/** The pass rate of records that depend on each other if they have the same user. */
const passRateOf = (numPassed: number, numScored: number, users: CountedMetric['users']): Estimate => {
  const independent = rateEstimate(numPassed, numScored);
  const [sizes, sums] = [new Array<number>(numUserGroups).fill(0), new Array<number>(numUserGroups).fill(0)];
  for (const { group, numScored: size, numPassed: passes } of users)
    [sizes[group], sums[group]] = [size, passes];
  const squares = sums.reduce((all, one) => all + one, 0);
  const all = { n: numScored, sum: numPassed, squares: numPassed };
  const found = userMean(all, { sizes, sums, squares }, { low: 0, high: 1 });
  if (!found) return independent;
  return {
    ...independent,
    ...found,
    method: 'wilson on the effective n, random groups of users',
    assumption: 'users are independent draws from those that the system will meet',
    ...caveatsOf(...found.caveats, ...independent.caveats),
  };
};

/** The pass rate over the spans of records. Spans depend on each other if they have the same record, and records if they have the same user. */
const passRateOfSpans = (counted: NonNullable<CountedMetric['spans']>): Estimate => {
  const [units, labels]: [Sums[], number[]] = [[], []];
  for (const { group, size, passes, numRecords } of counted)
    for (let i = 0; i < numRecords; i++) {
      units.push({ size, sum: passes, squares: passes });
      // Records without a user are groups by themselves, with numbers after those of the users.
      labels.push(group ?? numUserGroups + labels.length);
    }
  return spanEstimate(units, labels, defaultLevel, { low: 0, high: 1 });
};

const numSpansOf = (counted: NonNullable<CountedMetric['spans']>): number =>
  counted.reduce((sum, { size, numRecords }) => sum + size * numRecords, 0);

/** A monitor as JSON. */
export const monitorText = (row: MonitorRow): string => {
  const { service, spanName, model, error, tag, minDurationMs, since, numRecords, numDrawn } = row;
  const metrics = (JSON.parse(row.metrics) as CountedMetric[]).map(
    ({ numPassed, users, spans, ...metric }) => ({
      ...metric,
      passRate: spans ? passRateOfSpans(spans) : passRateOf(numPassed, metric.states.scored, users),
      ...(spans && { numSpans: numSpansOf(spans) }),
    }),
  );
  return JSON.stringify({
    id: row.id,
    projectId: row.projectId,
    name: row.name,
    metricIds: row.metricIds,
    samplingRate: row.samplingRate,
    filter: given({ service, name: spanName, modelName: model, error, minDurationMs, tag }),
    settleSeconds: row.settleSeconds,
    paused: row.paused,
    createdAt: row.createdAt,
    definedAt: row.definedAt,
    results: { since, numRecords, numDrawn, metrics },
  });
};

const columnsOf = ({ service, name, modelName, error, tag, minDurationMs }: MonitorFilter) => ({
  service: service ?? null,
  spanName: name ?? null,
  model: modelName ?? null,
  error: error ?? null,
  tag: tag ?? null,
  minDurationMs: minDurationMs ?? null,
});

/** The metrics' ids. Throws notFound for one of another project, 400 for one that is named twice. */
const requireMetrics = async (tx: Sql, scope: Scope, projectId: bigint, ids: string[]): Promise<bigint[]> =>
  (await pinMetrics(tx, scope, projectId, ids)).map(({ metricId }) => metricId);

const read = async (tx: Sql, scope: Scope, monitorId: string): Promise<string> =>
  monitorText(requireOne(await findMonitor(tx, scope, monitorId), 'monitor', monitorId));

/** Creates a monitor for the traces that arrive from now on. Throws notFound for another organization's project or metric. */
export const createMonitor = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  body: MonitorCreate,
): Promise<string> => {
  await requireProject(tx, scope, projectId);
  const metricIds = await requireMetrics(tx, scope, projectId, body.metricIds);
  await requirePlace(tx, scope, projectId, {
    resources: 'monitors',
    limit: maxMonitors,
    count: countMonitors,
  });
  const { name, samplingRate, filter = {}, settleSeconds = defaultSettleSeconds, paused = false } = body;
  const id = newUuid();
  const definition = { name, metricIds, samplingRate, settleSeconds, ...columnsOf(filter), paused };
  await insertMonitor(tx, scope, projectId, id, definition);
  await insertMonitorMetrics(tx, scope, id, metricIds);
  return read(tx, scope, id);
};

/** The fields that decide which records are scored by which metrics. When one changes, the results are counted from then on. */
const drawing = (definition: MonitorDefinition) => omit(definition, 'name', 'settleSeconds', 'paused');

/** Changes a monitor; `fixed` are fields of its filter to set alone. Earlier decisions stay. */
export const updateMonitor = async (
  tx: Sql,
  scope: Scope,
  monitorId: string,
  body: MonitorUpdate,
  fixed: Pick<MonitorDefinition, 'service'> | undefined = undefined,
): Promise<string> => {
  const { projectId, ...before } = requireOne(await lockMonitor(tx, scope, monitorId), 'monitor', monitorId);
  const { filter, metricIds: ids, ...plain } = body;
  const metricIds = ids ? await requireMetrics(tx, scope, projectId, ids) : before.metricIds;
  const after: MonitorDefinition = {
    ...before,
    ...plain,
    ...(filter && columnsOf(filter)),
    ...fixed,
    metricIds,
  };
  await updateMonitorRow(tx, scope, monitorId, after, !isDeepStrictEqual(drawing(before), drawing(after)));
  if (ids) {
    await deleteMonitorMetrics(tx, scope, monitorId);
    await insertMonitorMetrics(tx, scope, monitorId, metricIds);
  }
  if (after.paused && !before.paused) await deleteArrivals(tx, scope, monitorId);
  return read(tx, scope, monitorId);
};

/** Deletes a monitor and its pending scores. Scores that were given stay, with their inclusion probabilities. */
export const deleteMonitor = async (tx: Sql, scope: Scope, monitorId: string): Promise<{ count: number }> => {
  requireOne(await lockMonitor(tx, scope, monitorId), 'monitor', monitorId);
  await deleteArrivals(tx, scope, monitorId);
  await withdrawScores(tx, scope, monitorId);
  return softDeleteMonitor(tx, scope, monitorId);
};
