import type { Sql } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { requireOne } from '../../platform/http/http.ts';
import { numericId, uuidId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { checkRun, startRun } from '../../scoring/runs/start-run.ts';
import type { DescribedTrial } from '../../scoring/trials/describe-trial.ts';
import { startDrift } from '../../scoring/trials/start-drift.ts';
import { lockPinned } from '../../scoring/trials/start-trial.ts';
import { findProductionVersion, type StoredSchedule } from './queries.ts';
import type { ScheduleTask } from './schema.ts';

type Task = Pick<StoredSchedule, 'id' | 'name' | 'projectId' | 'task'>;

/** The run of a task, with the version that is the production version now. */
const runOf = async (
  tx: Sql,
  scope: Scope,
  { id, name, projectId }: Task,
  { kind: _, systemId, ...asked }: Extract<ScheduleTask, { kind: 'run' }>,
) => {
  const found = await findProductionVersion(tx, scope, projectId, uuidId('system', systemId));
  const version = requireOne(found, 'system', systemId);
  const tags = [`schedule:${id}`];
  return { ...asked, systemVersionId: version.id, execute: true, name, tags };
};

/** Locks the metric of a task with its pinned set. Throws 404 when nothing is pinned. */
const lockTried = async (tx: Sql, scope: Scope, projectId: bigint, id: string) => {
  const metricId = numericId('metric', id);
  const pinned = await lockPinned(tx, scope, metricId);
  if (pinned.projectId !== projectId) throw notFound('pinned set', id);
  return { metricId, pinned };
};

/** Throws if the task could not be started now. */
export const requireStartable = async (tx: Sql, scope: Scope, schedule: Task): Promise<void> => {
  const { projectId, task } = schedule;
  if (task.kind === 'drift') await lockTried(tx, scope, projectId, task.metricId);
  else await checkRun(tx, scope, projectId, await runOf(tx, scope, schedule, task));
};

/** Starts the task of a schedule and returns the id of its run. */
export const startTask = async (tx: Sql, scope: Scope, schedule: Task): Promise<string> => {
  const { projectId, task } = schedule;
  if (task.kind === 'run') {
    const run = await startRun(tx, scope, projectId, await runOf(tx, scope, schedule, task));
    return JSON.parse(run).id;
  }
  const { metricId, pinned } = await lockTried(tx, scope, projectId, task.metricId);
  const trial = JSON.parse(await startDrift(tx, scope, metricId, pinned)) as DescribedTrial;
  return trial.candidates[0]!.runId!;
};
