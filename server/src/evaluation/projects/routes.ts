import { type App, bodyOf } from '../../platform/http/http.ts';
import { oldestFirst } from '../../platform/http/pagination.ts';
import {
  deleteRoute,
  getRoute,
  listRoute,
  ownOrganization,
  writeRoute,
} from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import type { Deletions } from '../deletions/deletions.ts';
import { project } from '../resources.ts';
import { findProject, insertProject, listProjects, updateProject } from './queries.ts';
import { Project, ProjectCreate, ProjectUpdate } from './schema.ts';

const tags = ['Projects'];

export const projectRoutes = (app: App, deps: RouteDeps & { deletions: Deletions }): void => {
  listRoute(app, deps, '/projects', {
    operationId: 'listProjects',
    summary: 'List the projects, oldest first.',
    tags,
    of: ownOrganization,
    item: ref(Project),
    first: oldestFirst,
    rows: (sql, scope, _, after, count) => listProjects(sql, scope, after, count),
  });

  writeRoute(app, deps, 'POST', '/projects', {
    config: { concerns: (_, id) => ({ kind: 'projectId', id: id! }) },
    operationId: 'createProject',
    summary: 'Create a project.',
    tags,
    of: ownOrganization,
    body: ProjectCreate,
    status: 201,
    response: ref(Project),
    work: async (tx, scope, _, body) => bodyOf(await insertProject(tx, scope, body), 'project', ''),
  });

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
    remove: deps.deletions.remove('project'),
    onSend: deps.deletions.hide,
  });
};
