import type { IncomingHttpHeaders } from 'node:http';
import { type Static, Type } from 'typebox';
import type { App } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { pathParam } from '../../platform/http/openapi.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { Authenticate } from '../../platform/http/scope.ts';
import { requireReadableProject } from '../projects/queries.ts';
import { changeFeed } from './feed.ts';
import { ChangeEvents, ChangesQuery } from './schema.ts';

type Following = { headers: IncomingHttpHeaders; query: Static<typeof ChangesQuery> };

/** A browser that connects again names the last event that it received in a header. */
const readOptions = ({ headers, query: { maxSeconds = 600, since } }: Following) => ({
  maxSeconds,
  since: (headers['last-event-id'] as string | undefined) || since,
});

export const changeRoutes = (
  app: App,
  { db, authenticate }: RouteDeps & { authenticate: Authenticate },
): void => {
  const feed = changeFeed(db, app.log);
  app.addHook('preClose', async () => feed.close());

  app.get(
    '/events',
    {
      schema: {
        operationId: 'streamChanges',
        summary: 'Stream the changes in the organization as server-sent events.',
        description: 'An event names the kinds of resources (members, providers, projects) that changed.',
        tags: ['Changes'],
        querystring: ChangesQuery,
        produces: ['text/event-stream'],
        response: { 200: ChangeEvents },
      },
    },
    async (request, reply) => {
      const events = await feed.follow({
        scope: request.scope,
        projectId: null,
        ...readOptions(request),
        checkAccess: async () => void (await authenticate(request)),
      });
      return reply.events(events);
    },
  );

  app.get(
    '/projects/:projectId/events',
    {
      schema: {
        operationId: 'streamProjectChanges',
        summary: 'Stream the changes in a project as server-sent events.',
        description: 'An event names the runs, the records and the other kinds of resources that changed.',
        tags: ['Changes'],
        params: Type.Object({ projectId: pathParam('project') }),
        querystring: ChangesQuery,
        produces: ['text/event-stream'],
        response: { 200: ChangeEvents },
      },
    },
    async (request, reply) => {
      const { scope, params } = request;
      const projectId = numericId('project', params.projectId);
      await requireReadableProject(db, scope, projectId);
      const checkAccess = async () => {
        await authenticate(request);
        await requireReadableProject(db, scope, projectId);
      };
      const events = await feed.follow({ scope, projectId, ...readOptions(request), checkAccess });
      return reply.events(events);
    },
  );
};
