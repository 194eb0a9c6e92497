import { Type } from 'typebox';
import { requireReadableProject } from '../../evaluation/projects/queries.ts';
import { type App, one } from '../../platform/http/http.ts';
import { numericId, uuidId } from '../../platform/http/ids.ts';
import { pathParam, ref, Success, successBody } from '../../platform/http/openapi.ts';
import { firstUuid, PageQuery, pageOf } from '../../platform/http/pagination.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { createMonitor, deleteMonitor, monitorText, updateMonitor } from './define-monitor.ts';
import { findMonitor, listMonitors } from './queries.ts';
import { Monitor, MonitorCreate, MonitorUpdate } from './schema.ts';

const tags = ['Monitors'];
const projectParams = Type.Object({ projectId: pathParam('project') });
const params = Type.Object({ monitorId: pathParam('monitor') });

export const monitorRoutes = (app: App, { db, page, write }: RouteDeps): void => {
  app.addSchema({ $id: Monitor.name, ...Monitor.schema });

  app.get(
    '/projects/:projectId/monitors',
    {
      schema: {
        operationId: 'listMonitors',
        summary: 'List the monitors of a project with their results, oldest first.',
        tags,
        params: projectParams,
        querystring: PageQuery,
        response: { 200: pageOf(ref(Monitor)) },
      },
    },
    (request, reply) => {
      const { scope } = request;
      const projectId = numericId('project', request.params.projectId);
      return page(
        request,
        reply,
        firstUuid,
        async (after, count) => {
          const rows = await db.read(scope, (sql) => listMonitors(sql, scope, projectId, after, count));
          return rows.map((row) => ({ body: monitorText(row), key: row.id }));
        },
        () => requireReadableProject(db, scope, projectId),
      );
    },
  );

  app.post(
    '/projects/:projectId/monitors',
    {
      schema: {
        operationId: 'createMonitor',
        summary: 'Create a monitor, which scores a share of the traces that arrive from now on.',
        tags,
        params: projectParams,
        body: MonitorCreate,
        response: { 201: ref(Monitor) },
      },
    },
    (request, reply) => {
      const projectId = numericId('project', request.params.projectId);
      return write(request, reply, 201, (tx, scope) => createMonitor(tx, scope, projectId, request.body));
    },
  );

  app.get(
    '/monitors/:monitorId',
    {
      schema: {
        operationId: 'getMonitor',
        summary: 'Get a monitor with its results.',
        tags,
        params,
        response: { 200: ref(Monitor) },
      },
    },
    async ({ scope, params: { monitorId } }, reply) => {
      const id = uuidId('monitor', monitorId);
      const rows = await db.read(scope, (sql) => findMonitor(sql, scope, id));
      return reply.json(monitorText(one(rows, 'monitor', monitorId)));
    },
  );

  app.patch(
    '/monitors/:monitorId',
    {
      schema: {
        operationId: 'updateMonitor',
        summary: 'Change, pause or resume a monitor. The change applies to traces that arrive afterwards.',
        tags,
        params,
        body: MonitorUpdate,
        response: { 200: ref(Monitor) },
      },
    },
    (request, reply) => {
      const id = uuidId('monitor', request.params.monitorId);
      return write(request, reply, 200, (tx, scope) => updateMonitor(tx, scope, id, request.body));
    },
  );

  app.delete(
    '/monitors/:monitorId',
    {
      schema: {
        operationId: 'deleteMonitor',
        summary: 'Delete a monitor and its pending scores. Scores that were given stay.',
        tags,
        params,
        response: { 200: ref(Success) },
      },
    },
    (request, reply) => {
      const id = uuidId('monitor', request.params.monitorId);
      return write(request, reply, 200, async (tx, scope) => {
        await deleteMonitor(tx, scope, id);
        return successBody;
      });
    },
  );
};
