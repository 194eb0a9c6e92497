import type { Sql } from '../../platform/db/database.ts';
import type { App } from '../../platform/http/http.ts';
import { newestFirst } from '../../platform/http/pagination.ts';
import { deleteRoute, getRoute, listRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { ref } from '../../platform/named-schema.ts';
import type { Deletions } from '../deletions/deletions.ts';
import { findProject } from '../projects/queries.ts';
import { project, run } from '../resources.ts';
import { runFactRoutes } from './facts-routes.ts';
import { findRun, listRunDetails, listRuns } from './queries.ts';
import { ListedRun, Run, RunListQuery } from './schema.ts';
import { filtersOf } from './search-runs.ts';

const tags = ['Runs'];

const filtered =
  (list: typeof listRuns) =>
  (sql: Sql, scope: Scope, projectId: bigint, before: string, count: number, query: RunListQuery) =>
    list(sql, scope, projectId, before, count, query, filtersOf(query));

export const runRoutes = (app: App, deps: RouteDeps & { deletions: Deletions }): void => {
  runFactRoutes(app, deps);

  listRoute(app, deps, '/projects/:projectId/runs', {
    operationId: 'listRuns',
    summary: 'List the runs of a project, newest first.',
    tags,
    of: project,
    parent: findProject,
    query: RunListQuery,
    item: ref(Run),
    first: newestFirst,
    rows: filtered(listRuns),
  });

  listRoute(app, deps, '/projects/:projectId/run-details', {
    operationId: 'listRunDetails',
    summary: 'List the runs of a project with their names, tags and marks, newest first.',
    tags,
    of: project,
    parent: findProject,
    query: RunListQuery,
    item: ref(ListedRun),
    first: newestFirst,
    rows: filtered(listRunDetails),
  });

  getRoute(app, deps, '/runs/:runId', {
    operationId: 'getRun',
    summary: 'Get a run with its counts and its status.',
    tags,
    of: run,
    response: ref(Run),
    find: findRun,
  });

  deleteRoute(app, deps, '/runs/:runId', {
    operationId: 'deleteRun',
    summary: 'Delete a run and its records, with their scores, tags and annotations.',
    description: 'This cannot be undone.',
    tags,
    of: run,
    remove: deps.deletions.remove('run'),
    onSend: deps.deletions.hide,
  });
};
