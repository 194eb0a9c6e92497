import { requireAuthor } from '../../accounts/require-author.ts';
import type { Sql } from '../../platform/db/database.ts';
import { type App, bodyOf, requireOne } from '../../platform/http/http.ts';
import { uuidId } from '../../platform/http/ids.ts';
import { wholeOf } from '../../platform/http/openapi.ts';
import { deleteRoute, getRoute, resource, writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { freeForm } from '../../platform/json/json.ts';
import { ref } from '../../platform/named-schema.ts';
import { requireProject } from '../projects/queries.ts';
import { requirePlace } from '../projects/require-place.ts';
import { project } from '../resources.ts';
import {
  countViews,
  deleteView,
  findView,
  insertView,
  listViews,
  lockView,
  maxViews,
  updateView,
} from './queries.ts';
import { SavedView, SavedViewCreate, SavedViewUpdate } from './schema.ts';

const tags = ['Views'];
const view = resource('viewId', 'view', uuidId);

/** Throws 404 for a view that the member can't see, 403 when the member may not change it. */
const requireOwn = async (tx: Sql, scope: Scope, id: string): Promise<void> => {
  const { memberId } = requireOne(await lockView(tx, scope, id), 'view', id);
  requireAuthor(scope, memberId, 'a view');
};

export const viewRoutes = (app: App, deps: RouteDeps): void => {
  getRoute(app, deps, '/projects/:projectId/views', {
    operationId: 'listViews',
    summary: 'List the saved views of a project by name: your own and the shared ones.',
    tags,
    of: project,
    response: wholeOf(ref(SavedView), 'Views, by name.'),
    find: listViews,
  });

  writeRoute(app, deps, 'POST', '/projects/:projectId/views', {
    config: { limited: true },
    operationId: 'createView',
    summary: "Save a search of a project's records under a name, with its display settings.",
    tags,
    of: project,
    body: SavedViewCreate,
    status: 201,
    response: ref(SavedView),
    read: (body, raw) => ({ body, display: freeForm(raw, ['display']).display! }),
    work: async (tx, scope, projectId, { body, display }) => {
      await requireProject(tx, scope, projectId);
      await requirePlace(tx, scope, projectId, { resources: 'views', limit: maxViews, count: countViews });
      return bodyOf(await insertView(tx, scope, projectId, body, display), 'view', '');
    },
  });

  writeRoute(app, deps, 'PATCH', '/views/:viewId', {
    operationId: 'updateView',
    auditedAs: findView,
    summary: 'Change a saved view.',
    description: 'Only its author may do this or, if it is shared, an admin.',
    tags,
    of: view,
    body: SavedViewUpdate,
    response: ref(SavedView),
    read: (body, raw) => ({ body, display: freeForm(raw, ['display']).display }),
    work: async (tx, scope, id, { body, display }) => {
      await requireOwn(tx, scope, id);
      return bodyOf(await updateView(tx, scope, id, body, display), 'view', id);
    },
  });

  deleteRoute(app, deps, '/views/:viewId', {
    operationId: 'deleteView',
    auditedAs: findView,
    summary: 'Delete a saved view.',
    description: 'Only its author may do this or, if it is shared, an admin.',
    tags,
    of: view,
    remove: async (tx, scope, id) => {
      await requireOwn(tx, scope, id);
      return deleteView(tx, scope, id);
    },
  });
};
