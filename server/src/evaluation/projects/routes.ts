import { type App, bodyOf, one } from '../../platform/http/http.ts';
import { ref } from '../../platform/http/openapi.ts';
import { oldestFirst, PageQuery, pageOf } from '../../platform/http/pagination.ts';
import { deleteRoute, getRoute, writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { project } from '../resources.ts';
import { deleteProject, findProject, insertProject, listProjects, updateProject } from './queries.ts';
import { Project, ProjectCreate, ProjectUpdate } from './schema.ts';

const tags = ['Projects'];

export const projectRoutes = (app: App, deps: RouteDeps): void => {
  const { db, page, write } = deps;
  app.get(
    '/projects',
    {
      schema: {
        operationId: 'listProjects',
        summary: 'List the projects, oldest first.',
        tags,
        querystring: PageQuery,
        response: { 200: pageOf(ref(Project)) },
      },
    },
    (request, reply) =>
      page(request, reply, oldestFirst, (after, count) =>
        db.read(request.scope, (sql) => listProjects(sql, request.scope, after, count)),
      ),
  );

  app.post(
    '/projects',
    {
      schema: {
        operationId: 'createProject',
        summary: 'Create a project.',
        tags,
        body: ProjectCreate,
        response: { 201: ref(Project) },
      },
    },
    (request, reply) =>
      write(
        request,
        reply,
        201,
        async (tx, scope) => one(await insertProject(tx, scope, request.body), 'project', '').body,
      ),
  );

  getRoute(app, deps, '/projects/:projectId', {
    operationId: 'getProject',
    summary: 'Get a project.',
    tags,
    of: project,
    response: ref(Project),
    find: findProject,
    by: 'lookUp',
  });

  writeRoute(app, deps, 'PATCH', '/projects/:projectId', {
    operationId: 'updateProject',
    summary: 'Change the name or the description of a project.',
    tags,
    of: project,
    body: ProjectUpdate,
    response: ref(Project),
    work: async (tx, scope, key, body) =>
      bodyOf(await updateProject(tx, scope, key, body), 'project', String(key)),
  });

  deleteRoute(app, deps, '/projects/:projectId', {
    operationId: 'deleteProject',
    summary: 'Delete a project and everything in it.',
    description: 'This cannot be undone.',
    tags,
    of: project,
    remove: deleteProject,
  });
};
