import { requireProject } from '../../evaluation/projects/queries.ts';
import { requirePlace } from '../../evaluation/projects/require-place.ts';
import { project } from '../../evaluation/resources.ts';
import type { Sql } from '../../platform/db/database.ts';
import { timeIn } from '../../platform/db/time.ts';
import { invalid } from '../../platform/errors.ts';
import { type App, bodyOf, requireOne } from '../../platform/http/http.ts';
import { newUuid, uuidId } from '../../platform/http/ids.ts';
import { wholeOf } from '../../platform/http/openapi.ts';
import { deleteRoute, getRoute, resource, writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { ref } from '../../platform/named-schema.ts';
import {
  countSchedules,
  deleteSchedule,
  findSchedule,
  insertSchedule,
  listSchedules,
  lockSchedule,
  maxSchedules,
  updateSchedule,
} from './queries.ts';
import { Schedule, ScheduleCreate, ScheduleUpdate } from './schema.ts';
import { requireStartable } from './start-task.ts';
import { nextTime, requireTimes } from './times.ts';

const tags = ['Schedules'];
const schedule = resource('scheduleId', 'schedule', uuidId);

const createSchedule = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  body: ScheduleCreate,
): Promise<string> => {
  const { paused = false, timeZone = 'UTC', ...given } = body;
  const now = await timeIn(tx);
  requireTimes({ ...given, timeZone }, now);
  await requireProject(tx, scope, projectId);
  await requirePlace(tx, scope, projectId, {
    resources: 'schedules',
    limit: maxSchedules,
    count: countSchedules,
  });
  const made = { ...given, id: newUuid(), projectId, paused, timeZone, nextAt: null };
  await requireStartable(tx, scope, made);
  return bodyOf(
    await insertSchedule(tx, scope, { ...made, nextAt: nextTime(made, now) }),
    'schedule',
    made.id,
  );
};

const changeSchedule = async (
  tx: Sql,
  scope: Scope,
  id: string,
  { runNow, ...changes }: ScheduleUpdate,
): Promise<string> => {
  const now = await timeIn(tx);
  const before = requireOne(await lockSchedule(tx, scope, id), 'schedule', id);
  const after = { ...before, ...changes };
  if (runNow && after.paused) throw invalid('/runNow', 'needs a schedule that is not paused');
  requireTimes(after, now);
  if (changes.task) await requireStartable(tx, scope, after);
  // The next time is after now, even after a pause: the times in it are skipped.
  const nextAt = runNow ? now : nextTime(after, now);
  const merged = runNow && before.nextAt !== null && before.nextAt <= now;
  return bodyOf(await updateSchedule(tx, scope, { ...after, nextAt, merged }), 'schedule', id);
};

export const scheduleRoutes = (app: App, deps: RouteDeps): void => {
  getRoute(app, deps, '/projects/:projectId/schedules', {
    operationId: 'listSchedules',
    summary: 'List the schedules of a project, oldest first.',
    description: `There are at most ${maxSchedules}.`,
    tags,
    of: project,
    response: wholeOf(ref(Schedule), 'Schedules, oldest first.'),
    find: listSchedules,
  });

  writeRoute(app, deps, 'POST', '/projects/:projectId/schedules', {
    config: { limited: true },
    operationId: 'createSchedule',
    summary: 'Start a run or a drift trial at the times of a cron expression.',
    tags,
    of: project,
    body: ScheduleCreate,
    status: 201,
    response: ref(Schedule),
    work: createSchedule,
  });

  writeRoute(app, deps, 'PATCH', '/schedules/:scheduleId', {
    operationId: 'updateSchedule',
    summary: 'Change, pause or resume a schedule, or make it due at once.',
    tags,
    of: schedule,
    body: ScheduleUpdate,
    response: ref(Schedule),
    auditedAs: findSchedule,
    work: changeSchedule,
  });

  deleteRoute(app, deps, '/schedules/:scheduleId', {
    operationId: 'deleteSchedule',
    summary: 'Delete a schedule.',
    description: 'The runs that it started stay.',
    tags,
    of: schedule,
    auditedAs: findSchedule,
    remove: deleteSchedule,
  });
};
