import type { Sql } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { one } from '../../platform/http/http.ts';
import { numericId, uuidId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { checkRun, startRun } from '../../scoring/runs/start-run.ts';
import { startCheck } from '../../scoring/trials/start-check.ts';
import { findProductionVersion, type StoredSchedule } from './queries.ts';
import type { ScheduleTask } from './schema.ts';

type Task = Pick<StoredSchedule, 'id' | 'name' | 'projectId' | 'task'>;

/** The run of a task, with the version that is the production version now. */
const runOf = async (
  tx: Sql,
  scope: Scope,
  { id, name, projectId }: Task,
  {
    systemId,
    testsetId,
    metricIds,
    trials,
    simulation,
    judgeBudgetUsd,
  }: Extract<ScheduleTask, { kind: 'run' }>,
) => {
  const found = await findProductionVersion(tx, scope, projectId, uuidId('system', systemId));
  const version = one(found, 'system', systemId);
  return {
    ...{ testsetId, systemVersionId: version.id, metricIds, execute: true, name },
    tags: [`schedule:${id}`],
    ...(trials !== undefined && { trials }),
    ...(simulation !== undefined && { simulation }),
    ...(judgeBudgetUsd !== undefined && { judgeBudgetUsd }),
  };
};

const findPinned = (tx: Sql, scope: Scope, projectId: bigint, metricId: bigint) => tx`
  select 1 from pinned_set join metric on metric.id = pinned_set.metric_id
  where metric.organization_id = ${scope.organizationId} and metric.project_id = ${projectId} and metric.id = ${metricId}`;

const pinnedMetric = async (tx: Sql, scope: Scope, projectId: bigint, id: string): Promise<bigint> => {
  const metricId = numericId('metric', id);
  if ((await findPinned(tx, scope, projectId, metricId)).length === 0) throw notFound('pinned set', id);
  return metricId;
};

/** Throws if the task could not be started now. */
export const requireStartable = async (tx: Sql, scope: Scope, schedule: Task): Promise<void> => {
  const { projectId, task } = schedule;
  if (task.kind === 'drift') await pinnedMetric(tx, scope, projectId, task.metricId);
  else await checkRun(tx, scope, projectId, await runOf(tx, scope, schedule, task));
};

/** Starts what a schedule is about and returns the id of its run. */
export const startTask = async (tx: Sql, scope: Scope, schedule: Task): Promise<string> => {
  const { projectId, task } = schedule;
  if (task.kind === 'run') {
    const run = await startRun(tx, scope, projectId, await runOf(tx, scope, schedule, task));
    return JSON.parse(run).id;
  }
  return JSON.parse(await startCheck(tx, scope, await pinnedMetric(tx, scope, projectId, task.metricId)))
    .runId;
};
