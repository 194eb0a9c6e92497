import { type Static, Type } from 'typebox';
import type { App } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { pathParam } from '../../platform/http/openapi.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { Authenticate } from '../../platform/http/scope.ts';
import { requireReadableProject } from '../projects/queries.ts';
import { changeFeed } from './feed.ts';
import { ChangeEvents, ChangesQuery } from './schema.ts';

/** All changes that are kept are told as past ones: when a row was written does not tell when it was committed. */
const readOptions = ({ maxSeconds = 600, pastSeconds = 0 }: Static<typeof ChangesQuery>) => ({
  maxSeconds,
  withPast: pastSeconds > 0,
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
        summary:
          'Follow changes of the members, providers and projects of the organization as server-sent events.',
        tags: ['Members'],
        querystring: ChangesQuery,
        produces: ['text/event-stream'],
        response: { 200: ChangeEvents },
      },
    },
    async (request, reply) => {
      const events = await feed.follow({
        scope: request.scope,
        projectId: null,
        ...readOptions(request.query),
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
        summary:
          'Follow changes of the runs, records and other resources of a project as server-sent events.',
        tags: ['Projects'],
        params: Type.Object({ projectId: pathParam('project') }),
        querystring: ChangesQuery,
        produces: ['text/event-stream'],
        response: { 200: ChangeEvents },
      },
    },
    async (request, reply) => {
      const { scope, params, query } = request;
      const projectId = numericId('project', params.projectId);
      await requireReadableProject(db, scope, projectId);
      const checkAccess = async () => {
        await authenticate(request);
        await requireReadableProject(db, scope, projectId);
      };
      const events = await feed.follow({
        scope,
        projectId,
        ...readOptions(query),
        checkAccess,
      });
      return reply.events(events);
    },
  );
};
