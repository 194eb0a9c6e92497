import { Type } from 'typebox';
import { type App, bodyOf, one } from '../../platform/http/http.ts';
import { numericId, uuidId } from '../../platform/http/ids.ts';
import { pathParam, ref, Success, successBody } from '../../platform/http/openapi.ts';
import { firstUuid } from '../../platform/http/pagination.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { freeForm } from '../../platform/json/json.ts';
import { projectList } from '../projects/project-list.ts';
import { deleteSystem, findSystem, findSystemVersion, listSystems } from './queries.ts';
import { System, SystemUpdate, SystemUpsert, SystemVersion, SystemVersionUpsert } from './schema.ts';
import { updateSystem, upsertSystem, upsertSystemVersion } from './upsert-system.ts';

const tags = ['Systems'];
const projectParams = Type.Object({ projectId: pathParam('project') });
const params = Type.Object({ systemId: pathParam('system') });
const versionParams = Type.Object({ systemVersionId: pathParam('system version') });

export const systemRoutes = (app: App, deps: RouteDeps): void => {
  const { db, write } = deps;
  app.addSchema({ $id: System.name, ...System.schema });
  app.addSchema({ $id: SystemVersion.name, ...SystemVersion.schema });

  projectList(app, deps, '/projects/:projectId/systems', {
    operationId: 'listSystems',
    summary: 'List the systems of a project, oldest first.',
    tags,
    item: ref(System),
    first: firstUuid,
    rows: listSystems,
  });

  app.post(
    '/projects/:projectId/systems',
    {
      schema: {
        operationId: 'upsertSystem',
        summary:
          'Create a system with this name, or add the configuration to the existing one as its new production version.',
        tags,
        params: projectParams,
        body: SystemUpsert,
        response: { 201: ref(System) },
      },
    },
    (request, reply) => {
      const projectId = numericId('project', request.params.projectId);
      const { config } = freeForm(request.rawBody, ['config']);
      return write(request, reply, 201, (tx, scope) =>
        upsertSystem(tx, scope, projectId, { ...request.body, config: config! }),
      );
    },
  );

  app.get(
    '/systems/:systemId',
    {
      schema: {
        operationId: 'getSystem',
        summary: 'Get a system with the names of its versions.',
        tags,
        params,
        response: { 200: ref(System) },
      },
    },
    async ({ scope, params: { systemId } }, reply) => {
      const id = uuidId('system', systemId);
      return reply.json(
        bodyOf(await db.read(scope, (sql) => findSystem(sql, scope, id)), 'system', systemId),
      );
    },
  );

  app.patch(
    '/systems/:systemId',
    {
      schema: {
        operationId: 'updateSystem',
        summary: 'Change the name, the description or the production version of a system.',
        tags,
        params,
        body: SystemUpdate,
        response: { 200: ref(System) },
      },
    },
    (request, reply) => {
      const systemId = uuidId('system', request.params.systemId);
      return write(request, reply, 200, (tx, scope) => updateSystem(tx, scope, systemId, request.body));
    },
  );

  app.delete(
    '/systems/:systemId',
    {
      schema: {
        operationId: 'deleteSystem',
        summary: 'Delete a system. Its versions stay readable for the runs that used them.',
        tags,
        params,
        response: { 200: ref(Success) },
      },
    },
    (request, reply) => {
      const { systemId } = request.params;
      const id = uuidId('system', systemId);
      return write(request, reply, 200, async (tx, scope) => {
        one(await deleteSystem(tx, scope, id), 'system', systemId);
        return successBody;
      });
    },
  );

  app.get(
    '/systems/versions/:systemVersionId',
    {
      schema: {
        operationId: 'getSystemVersion',
        summary: 'Get one version of a system with its configuration.',
        tags,
        params: versionParams,
        response: { 200: ref(SystemVersion) },
      },
    },
    async ({ scope, params: { systemVersionId } }, reply) => {
      const id = uuidId('system version', systemVersionId);
      const rows = await db.read(scope, (sql) => findSystemVersion(sql, scope, id));
      return reply.json(bodyOf(rows, 'system version', systemVersionId));
    },
  );

  app.post(
    '/systems/:systemId/versions',
    {
      schema: {
        operationId: 'upsertSystemVersion',
        summary:
          'Add a configuration as a version, or rename the version that has it. The production version stays the same.',
        tags,
        params,
        body: SystemVersionUpsert,
        response: { 200: ref(SystemVersion) },
      },
    },
    (request, reply) => {
      const systemId = uuidId('system', request.params.systemId);
      const { config } = freeForm(request.rawBody, ['config']);
      return write(request, reply, 200, (tx, scope) =>
        upsertSystemVersion(tx, scope, systemId, config!, request.body.name),
      );
    },
  );
};
