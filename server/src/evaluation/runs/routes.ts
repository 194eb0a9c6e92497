import type { Sql } from '../../platform/db/database.ts';
import type { App } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { newestFirst } from '../../platform/http/pagination.ts';
import { answerRoute, deleteRoute, getRoute, listRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { ref } from '../../platform/named-schema.ts';
import { countValues, mostNewest, sumGroups, ValueGroups } from '../../platform/search/value-groups.ts';
import type { Deletions } from '../deletions/deletions.ts';
import { findProject, requireReadableProject } from '../projects/queries.ts';
import { project, run } from '../resources.ts';
import { runFactRoutes } from './facts-routes.ts';
import { findRun, foundRuns, listRunDetails, listRuns, type RunFilters } from './queries.ts';
import { ListedRun, Run, RunGroupsQuery, RunListQuery } from './schema.ts';
import { readRunSearch, runGrouping } from './search-runs.ts';

const tags = ['Runs'];

/** Reads the filters. Throws 404 when an id is ill-formed, and 400 with each problem of the search. */
const filtersOf = ({ testsetId, metricId, q = '' }: Partial<RunListQuery>): RunFilters => ({
  testsetId: testsetId === undefined ? undefined : numericId('testset', testsetId),
  metricId: metricId === undefined ? undefined : numericId('metric', metricId),
  search: readRunSearch(q),
});

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

  answerRoute(app, 'GET', '/projects/:projectId/runs/groups', {
    operationId: 'groupProjectRuns',
    summary: 'Count the runs of a project by the value of a field.',
    description: 'The filters are those of the list. Each group has the filter that finds its runs.',
    tags,
    of: project,
    query: RunGroupsQuery,
    response: ref(ValueGroups),
    answer: async ({ scope, key, query }) => {
      const { by, most, newest = mostNewest, ...filters } = query;
      await requireReadableProject(deps.db, scope, key);
      const [values, asked] = [runGrouping(by), filtersOf(filters)];
      const rows = await deps.db.read(scope, (sql) =>
        countValues(sql, {
          found: foundRuns(sql, scope, key, newest, filters, asked),
          as: 'run',
          values: values(sql, scope),
        }),
      );
      return JSON.stringify(sumGroups(by, [rows], { most, partial: (rows[0]?.read ?? 0) >= newest }));
    },
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
