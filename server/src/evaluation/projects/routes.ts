import { Type } from 'typebox';
import { type App, bodyOf, one } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { pathParam, ref, Success, successBody } from '../../platform/http/openapi.ts';
import { oldestFirst, PageQuery, pageOf } from '../../platform/http/pagination.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { deleteProject, findProject, insertProject, listProjects, updateProject } from './queries.ts';
import { Project, ProjectCreate, ProjectUpdate } from './schema.ts';

const tags = ['Projects'];
const params = Type.Object({ projectId: pathParam('project') });

export const projectRoutes = (app: App, { db, page, write }: RouteDeps): void => {
  app.addSchema({ $id: Project.name, ...Project.schema });

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

  app.get(
    '/projects/:projectId',
    {
      schema: {
        operationId: 'getProject',
        summary: 'Get a project.',
        tags,
        params,
        response: { 200: ref(Project) },
      },
    },
    async ({ scope, params: { projectId } }, reply) => {
      const id = numericId('project', projectId);
      return reply.json(
        bodyOf(await db.lookUp(scope, (sql) => findProject(sql, scope, id)), 'project', projectId),
      );
    },
  );

  app.patch(
    '/projects/:projectId',
    {
      schema: {
        operationId: 'updateProject',
        summary: 'Change the name or the description of a project.',
        tags,
        params,
        body: ProjectUpdate,
        response: { 200: ref(Project) },
      },
    },
    (request, reply) => {
      const { projectId } = request.params;
      const id = numericId('project', projectId);
      return write(request, reply, 200, async (tx, scope) =>
        bodyOf(await updateProject(tx, scope, id, request.body), 'project', projectId),
      );
    },
  );

  app.delete(
    '/projects/:projectId',
    {
      schema: {
        operationId: 'deleteProject',
        summary: 'Delete a project and everything in it. This cannot be undone.',
        tags,
        params,
        response: { 200: ref(Success) },
      },
    },
    (request, reply) => {
      const { projectId } = request.params;
      const id = numericId('project', projectId);
      return write(request, reply, 200, async (tx, scope) => {
        one(await deleteProject(tx, scope, id), 'project', projectId);
        return successBody;
      });
    },
  );
};
