import type { App } from '../../platform/http/http.ts';
import { listRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import { findProject } from '../projects/queries.ts';
import { project } from '../resources.ts';
import { listCreators } from './queries.ts';
import { Creator, CreatorListQuery } from './schema.ts';

export const creatorRoutes = (app: App, deps: RouteDeps): void => {
  listRoute(app, deps, '/projects/:projectId/creators', {
    operationId: 'listCreators',
    summary: 'List who created the testsets, the metrics or the systems of a project.',
    description: 'The oldest resource first, without those that the service created.',
    tags: ['Projects'],
    of: project,
    parent: findProject,
    query: CreatorListQuery,
    item: ref(Creator),
    first: '',
    rows: listCreators,
  });
};
