import { requireReadableProject } from '../../evaluation/projects/queries.ts';
import { project } from '../../evaluation/resources.ts';
import type { App } from '../../platform/http/http.ts';
import { ref } from '../../platform/http/openapi.ts';
import { PageQuery, pageOf } from '../../platform/http/pagination.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { listSessions, listUsers } from './list-sessions.ts';
import { listTraces } from './list-traces.ts';
import { SessionQuery, Trace, TraceSearchQuery, TraceSession, TraceUser } from './schema.ts';
import { readTraceSearch } from './trace-search.ts';

const tags = ['Traces'];

/** Routes that list traces, and the sessions and users that traces name. */
export const traceListRoutes = (app: App, deps: RouteDeps): void => {
  const { db, page } = deps;
  app.get(
    '/projects/:projectId/traces',
    {
      schema: {
        operationId: 'listTraces',
        summary: 'List the traces of a project, latest start first.',
        description: 'A search narrows the list and sorts it.',
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

  app.get(
    '/projects/:projectId/sessions',
    {
      schema: {
        operationId: 'listTraceSessions',
        summary: 'List the sessions that the traces of a project name, the one with the latest trace first.',
        tags,
        params: project.params,
        querystring: SessionQuery,
        response: { 200: pageOf(ref(TraceSession)) },
      },
    },
    async (request, reply) => {
      const { scope } = request;
      const projectId = project.keyOf(request.params);
      await requireReadableProject(db, scope, projectId);
      const { userId } = request.query;
      return page(request, reply, '', (after, count) =>
        listSessions(db, scope, projectId, userId, after, count),
      );
    },
  );

  app.get(
    '/projects/:projectId/users',
    {
      schema: {
        operationId: 'listTraceUsers',
        summary: 'List the users that the traces of a project name, the one with the latest trace first.',
        tags,
        params: project.params,
        querystring: PageQuery,
        response: { 200: pageOf(ref(TraceUser)) },
      },
    },
    async (request, reply) => {
      const { scope } = request;
      const projectId = project.keyOf(request.params);
      await requireReadableProject(db, scope, projectId);
      return page(request, reply, '', (after, count) => listUsers(db, scope, projectId, after, count));
    },
  );
};
