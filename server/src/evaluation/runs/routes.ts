import { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { Sql } from '../../platform/db/database.ts';
import { type App, one } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { ref } from '../../platform/http/openapi.ts';
import { newestFirst } from '../../platform/http/pagination.ts';
import { deleteRoute, getRoute, listRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { Authenticate, Scope } from '../../platform/http/scope.ts';
import { findProject } from '../projects/queries.ts';
import { project, run } from '../resources.ts';
import { runFactRoutes } from './facts-routes.ts';
import { findRunProgress, progressEvents } from './progress.ts';
import { deleteRun, findRun, listRunDetails, listRuns } from './queries.ts';
import { ListedRun, Run, RunListQuery } from './schema.ts';

const tags = ['Runs'];

/** Reads the ids of the filters, and then the page. Throws 404 when an id is ill-formed. */
const filtered =
  (list: typeof listRuns) =>
  (sql: Sql, scope: Scope, projectId: bigint, before: string, count: number, query: RunListQuery) =>
    list(sql, scope, projectId, before, count, query, {
      testsetId: query.testsetId === undefined ? undefined : numericId('testset', query.testsetId),
      metricId: query.metricId === undefined ? undefined : numericId('metric', query.metricId),
    });

export const runRoutes = (app: App, deps: RouteDeps & { authenticate: Authenticate }): void => {
  const { db, authenticate } = deps;
  const stopping = new AbortController();
  app.addHook('preClose', async () => stopping.abort());
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
    remove: deleteRun,
  });

  app.get(
    '/runs/:runId/events',
    {
      schema: {
        operationId: 'streamRunProgress',
        summary: 'Stream the progress of a run as server-sent events until no work is pending.',
        tags,
        params: run.params,
        produces: ['text/event-stream'],
        response: { 200: Type.String({ description: 'Events `progress`, then `done` or `deleted`.' }) },
      },
    },
    async (request, reply) => {
      const {
        scope,
        params: { runId },
      } = request;
      const id = numericId('run', runId);
      const mayWatch = async () => {
        try {
          await authenticate(request);
          return true;
        } catch {
          return false;
        }
      };
      const read = () => db.read(scope, (sql) => findRunProgress(sql, scope, id));
      one(await read(), 'run', runId);
      return reply.events(
        Readable.from(progressEvents(async () => (await read())[0], mayWatch, stopping.signal)),
      );
    },
  );
};
