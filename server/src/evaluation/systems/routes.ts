import { Type } from 'typebox';
import { type App, bodyOf } from '../../platform/http/http.ts';
import { numericId, uuidId } from '../../platform/http/ids.ts';
import { pathParam, Success } from '../../platform/http/openapi.ts';
import { firstUuid, lastUuid } from '../../platform/http/pagination.ts';
import {
  deleteRoute,
  getRoute,
  listRoute,
  type Resource,
  resource,
  writeRoute,
} from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { freeForm } from '../../platform/json/json.ts';
import { ref } from '../../platform/named-schema.ts';
import { findProject } from '../projects/queries.ts';
import { project } from '../resources.ts';
import { type LabelKey, removeSystemLabel, setSystemLabel, withVariables } from './labels.ts';
import {
  deleteSystem,
  findLabelledVersion,
  findSystem,
  findSystemLabel,
  findSystemVersion,
  listSystems,
  listSystemVersions,
} from './queries.ts';
import {
  System,
  SystemLabelSet,
  SystemUpdate,
  SystemUpsert,
  SystemVersion,
  SystemVersionDetails,
  SystemVersionUpsert,
} from './schema.ts';
import { updateSystem, upsertSystem, upsertSystemVersion } from './upsert-system.ts';

const tags = ['Systems'];
const system = resource('systemId', 'system', uuidId);
const labelName = Type.String({
  description: 'Name of the label: 1 to 64 small letters, digits, dots, _ or -.',
});
const labelParams = Type.Object({ systemId: pathParam('system'), label: labelName });
const label: Resource<typeof labelParams, LabelKey> = {
  name: 'system',
  params: labelParams,
  keyOf: (params) => ({ systemId: uuidId('system', params.systemId), label: params.label }),
  idOf: ({ systemId }) => systemId,
};
const systemVersion = resource('systemVersionId', 'system version', uuidId);

export const systemRoutes = (app: App, deps: RouteDeps): void => {
  listRoute(app, deps, '/projects/:projectId/systems', {
    operationId: 'listSystems',
    summary: 'List the systems of a project, oldest first.',
    tags,
    of: project,
    parent: findProject,
    item: ref(System),
    first: firstUuid,
    rows: listSystems,
  });

  writeRoute(app, deps, 'POST', '/projects/:projectId/systems', {
    operationId: 'upsertSystem',
    summary: 'Create a system, or add a production version to the one with this name.',
    description: 'The configuration becomes the new production version.',
    tags,
    of: project,
    body: SystemUpsert,
    status: 201,
    response: ref(System),
    read: (body, raw) => ({ ...body, config: freeForm(raw, ['config']).config! }),
    work: upsertSystem,
  });

  getRoute(app, deps, '/systems/:systemId', {
    operationId: 'getSystem',
    summary: 'Get a system with the names of its versions.',
    tags,
    of: system,
    response: ref(System),
    find: findSystem,
  });

  writeRoute(app, deps, 'PATCH', '/systems/:systemId', {
    operationId: 'updateSystem',
    summary: 'Change the name, the description or the production version of a system.',
    tags,
    of: system,
    body: SystemUpdate,
    response: ref(System),
    work: updateSystem,
  });

  deleteRoute(app, deps, '/systems/:systemId', {
    config: { ignoresBody: true },
    operationId: 'deleteSystem',
    summary: 'Delete a system.',
    description: 'Its versions stay readable for the runs that used them.',
    tags,
    of: system,
    remove: deleteSystem,
  });

  getRoute(app, deps, '/systems/versions/:systemVersionId', {
    operationId: 'getSystemVersion',
    summary: 'Get one version of a system with its configuration.',
    tags,
    of: systemVersion,
    response: ref(SystemVersion),
    find: findSystemVersion,
  });

  writeRoute(app, deps, 'POST', '/systems/:systemId/versions', {
    operationId: 'upsertSystemVersion',
    summary: 'Add a configuration as a version, or rename the version that has it.',
    description: 'The production version stays the same.',
    tags,
    of: system,
    body: SystemVersionUpsert,
    response: ref(SystemVersion),
    read: ({ name, note }, raw) => ({ name, note, config: freeForm(raw, ['config']).config! }),
    work: upsertSystemVersion,
  });

  listRoute(app, deps, '/systems/:systemId/versions', {
    operationId: 'listSystemVersions',
    summary: 'List the versions of a system with their labels and notes, newest first.',
    tags,
    of: system,
    parent: findSystem,
    item: ref(SystemVersionDetails),
    first: lastUuid,
    rows: listSystemVersions,
    text: 'text',
    itemsOf: (rows) => rows.map(({ text, ...row }) => ({ ...row, body: withVariables(text) })),
  });

  writeRoute(app, deps, 'PUT', '/systems/:systemId/labels/:label', {
    operationId: 'upsertSystemLabel',
    summary: 'Point a label to a version of the system.',
    description: 'production is the production version.',
    tags,
    of: label,
    body: SystemLabelSet,
    response: ref(SystemVersionDetails),
    auditedAs: findSystemLabel,
    work: setSystemLabel,
  });

  writeRoute(app, deps, 'DELETE', '/systems/:systemId/labels/:label', {
    operationId: 'deleteSystemLabel',
    summary: 'Remove a label of a system.',
    description: 'Clients that ask for it then get 404.',
    tags,
    of: label,
    auditedAs: findSystemLabel,
    response: ref(Success),
    work: removeSystemLabel,
  });

  app.get(
    '/projects/:projectId/systems/:systemName/versions/:label',
    {
      schema: {
        operationId: 'getLabelledVersion',
        summary: 'Get the version that a label points to, as a prompt by its name.',
        description: 'Labels are production, latest, or a label of the team.',
        tags,
        params: Type.Object({
          projectId: pathParam('project'),
          systemName: Type.String({ description: 'Name of the system.' }),
          label: labelName,
        }),
        response: { 200: ref(SystemVersionDetails) },
      },
    },
    async (request, reply) => {
      const { projectId, systemName, label } = request.params;
      const id = numericId('project', projectId);
      const found = await deps.db.lookUp(request.scope, (sql) =>
        findLabelledVersion(sql, request.scope, id, systemName, label),
      );
      return reply.json(withVariables(bodyOf(found, 'system version', `${systemName} ${label}`)));
    },
  );
};
