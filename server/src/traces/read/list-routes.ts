import { findProject, requireReadableProject } from '../../evaluation/projects/queries.ts';
import { project } from '../../evaluation/resources.ts';
import type { App } from '../../platform/http/http.ts';
import { ref } from '../../platform/http/openapi.ts';
import { PageQuery, pageOf } from '../../platform/http/pagination.ts';
import { listRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { itemsOf, listSessions, listUsers } from './list-sessions.ts';
import { listTraces } from './list-traces.ts';
import { SessionQuery, Trace, TraceSearchQuery, TraceSession, TraceUser } from './schema.ts';
import { readTraceSearch } from './trace-search.ts';

const tags = ['Traces'];

/** Routes that list traces, and the sessions and users that traces name. */
export const traceListRoutes = (app: App, deps: RouteDeps): void => {
  const { db, page } = deps;
  for (const { name, schema } of [Trace, TraceSession, TraceUser]) app.addSchema({ $id: name, ...schema });

  app.get(
    '/projects/:projectId/traces',
    {
      schema: {
        operationId: 'listTraces',
        summary: 'List the traces of a project, latest start first. A search narrows the list and sorts it.',
        tags,
        params: project.params,
        querystring: TraceSearchQuery,
        response: { 200: pageOf(ref(Trace)) },
      },
    },
    async (request, reply) => {
      const { scope } = request;
      const projectId = project.keyOf(request.params);
      await requireReadableProject(db, scope, projectId);
      const { q = '', sort } = request.query;
      const search = await readTraceSearch(db, scope, projectId, q, sort);
      return page(request, reply, '', (after, count) =>
        listTraces(db, scope, projectId, search, after, count),
      );
    },
  );

  listRoute(app, deps, '/projects/:projectId/sessions', {
    operationId: 'listTraceSessions',
    summary: 'List the sessions that the traces of a project name, the last seen first.',
    tags,
    of: project,
    parent: findProject,
    query: SessionQuery,
    item: ref(TraceSession),
    first: '',
    rows: (sql, scope, projectId, after, count, { userId }) =>
      listSessions(sql, scope, projectId, userId, after, count),
    itemsOf,
  });

  listRoute(app, deps, '/projects/:projectId/users', {
    operationId: 'listTraceUsers',
    summary: 'List the users that the traces of a project name, the last seen first.',
    tags,
    of: project,
    parent: findProject,
    query: PageQuery,
    item: ref(TraceUser),
    first: '',
    rows: (sql, scope, projectId, after, count) => listUsers(sql, scope, projectId, after, count),
    itemsOf,
  });
};
