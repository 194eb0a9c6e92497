import { findProject } from '../../evaluation/projects/queries.ts';
import { project } from '../../evaluation/resources.ts';
import type { Sql } from '../../platform/db/database.ts';
import { type App, requireOne } from '../../platform/http/http.ts';
import { uuidId } from '../../platform/http/ids.ts';
import { firstUuid } from '../../platform/http/pagination.ts';
import {
  answerRoute,
  deleteRoute,
  listRoute,
  resource,
  writeRoute,
} from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { ref } from '../../platform/named-schema.ts';
import { createMonitor, deleteMonitor, monitorText, updateMonitor } from './define-monitor.ts';
import { findMonitor, listMonitors } from './queries.ts';
import { Monitor, MonitorCreate, MonitorUpdate, MonitorUpsert } from './schema.ts';
import { upsertMonitor } from './upsert-monitor.ts';

const tags = ['Monitors'];
const monitor = resource('monitorId', 'monitor', uuidId);

const findMonitorText = async (sql: Sql, scope: Scope, id: string) =>
  (await findMonitor(sql, scope, id)).map((row) => ({ body: monitorText(row) }));

export const monitorRoutes = (app: App, deps: RouteDeps & { judgeModel: string | undefined }): void => {
  const { db, judgeModel } = deps;
  listRoute(app, deps, '/projects/:projectId/monitors', {
    operationId: 'listMonitors',
    summary: 'List the monitors of a project with their results, oldest first.',
    tags,
    of: project,
    parent: findProject,
    item: ref(Monitor),
    first: firstUuid,
    rows: listMonitors,
    itemsOf: (rows) => rows.map((row) => ({ body: monitorText(row), key: row.id })),
  });

  writeRoute(app, deps, 'POST', '/projects/:projectId/monitors', {
    config: { limited: true },
    operationId: 'createMonitor',
    summary: 'Create a monitor, which scores a share of the traces that arrive from now on.',
    tags,
    of: project,
    body: MonitorCreate,
    status: 201,
    response: ref(Monitor),
    work: createMonitor,
  });

  writeRoute(app, deps, 'PUT', '/projects/:projectId/monitors', {
    config: { limited: true },
    operationId: 'upsertMonitor',
    summary: 'Create or change the monitor of a name, as wrapAISDK of the public TypeScript client does.',
    tags,
    of: project,
    body: MonitorUpsert,
    response: ref(Monitor),
    work: (tx, scope, projectId, body) => upsertMonitor(tx, scope, projectId, body, judgeModel),
  });

  answerRoute(app, 'GET', '/monitors/:monitorId', {
    operationId: 'getMonitor',
    summary: 'Get a monitor with its results.',
    tags,
    of: monitor,
    response: ref(Monitor),
    answer: async ({ scope, params: { monitorId } }) => {
      const id = uuidId('monitor', monitorId);
      const rows = await db.read(scope, (sql) => findMonitor(sql, scope, id));
      return monitorText(requireOne(rows, 'monitor', monitorId));
    },
  });

  writeRoute(app, deps, 'PATCH', '/monitors/:monitorId', {
    operationId: 'updateMonitor',
    auditedAs: findMonitorText,
    summary: 'Change, pause or resume a monitor.',
    description: 'The change applies to traces that arrive afterwards.',
    tags,
    of: monitor,
    body: MonitorUpdate,
    response: ref(Monitor),
    work: updateMonitor,
  });

  deleteRoute(app, deps, '/monitors/:monitorId', {
    operationId: 'deleteMonitor',
    auditedAs: findMonitorText,
    summary: 'Delete a monitor and its pending scores.',
    description: 'Scores that were given stay.',
    tags,
    of: monitor,
    remove: deleteMonitor,
  });
};
