import { ValueGroups } from '../../evaluation/groups/schema.ts';
import { requireReadableProject } from '../../evaluation/projects/queries.ts';
import { project } from '../../evaluation/resources.ts';
import type { App } from '../../platform/http/http.ts';
import { type ReadRows, wholeRow } from '../../platform/http/read-texts.ts';
import { answerRoute, searchRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import { groupTraces } from './group-traces.ts';
import { listSessions, listUsers } from './list-sessions.ts';
import { listTraces } from './list-traces.ts';
import {
  SessionQuery,
  Trace,
  TraceGroupsQuery,
  TraceSearchQuery,
  TraceSession,
  TraceUser,
} from './schema.ts';
import { readTraceSearch } from './trace-search.ts';

const tags = ['Traces'];

/** Routes that list traces, and the sessions and users that traces name. */
export const traceListRoutes = (app: App, deps: RouteDeps): void => {
  const { db } = deps;
  searchRoute(app, deps, '/projects/:projectId/traces', {
    operationId: 'listTraces',
    summary: 'List the traces of a project, latest start first.',
    description: 'A search narrows the list and sorts it.',
    tags,
    of: project,
    query: TraceSearchQuery,
    item: ref(Trace),
    first: '',
    read: async ({ scope, key, query: { q = '', sort } }) => {
      await requireReadableProject(db, scope, key);
      return readTraceSearch(db, scope, key, q, sort);
    },
    find: (search, after, count, { scope, key, readTexts }) => {
      const read: ReadRows = (statement) => readTexts(db, statement, { text: wholeRow, kind: 'values' });
      return listTraces(read, scope, key, search, after, count);
    },
  });

  answerRoute(app, 'GET', '/projects/:projectId/traces/groups', {
    operationId: 'groupProjectTraces',
    summary: 'Count the traces of a project by the value of a field.',
    description: 'The search is that of the list. Each group has the filter that finds its traces.',
    tags,
    of: project,
    query: TraceGroupsQuery,
    response: ref(ValueGroups),
    answer: async ({ scope, key, query: { q = '', ...asked }, leaves }) => {
      await requireReadableProject(db, scope, key);
      const search = await readTraceSearch(db, scope, key, q);
      return JSON.stringify(await groupTraces(db, scope, key, search, asked, leaves()));
    },
  });

  searchRoute(app, deps, '/projects/:projectId/sessions', {
    operationId: 'listTraceSessions',
    summary: 'List the sessions that the traces of a project name, the one with the latest trace first.',
    tags,
    of: project,
    query: SessionQuery,
    item: ref(TraceSession),
    first: '',
    read: ({ scope, key }) => requireReadableProject(db, scope, key),
    find: (_, after, count, { scope, key, query }) =>
      listSessions(db, scope, key, query.userId, after, count),
  });

  searchRoute(app, deps, '/projects/:projectId/users', {
    operationId: 'listTraceUsers',
    summary: 'List the users that the traces of a project name, the one with the latest trace first.',
    tags,
    of: project,
    item: ref(TraceUser),
    first: '',
    read: ({ scope, key }) => requireReadableProject(db, scope, key),
    find: (_, after, count, { scope, key }) => listUsers(db, scope, key, after, count),
  });
};
