import type { IncomingHttpHeaders } from 'node:http';
import type { Static } from 'typebox';
import type { SessionLimits } from '../../accounts/sign-ins/session-limits.ts';
import type { App } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { ApiErrorBody } from '../../platform/http/openapi.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { Authenticate } from '../../platform/http/scope.ts';
import { ref } from '../../platform/named-schema.ts';
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
  {
    db,
    authenticate,
    sessions,
    changesPollMs: pollMs,
  }: RouteDeps & { authenticate: Authenticate; sessions: SessionLimits; changesPollMs?: number | undefined },
): void => {
  const feed = changeFeed(db, app.log, sessions, { pollMs });
  app.addHook('preClose', async () => feed.close());

  app.get(
    '/events',
    {
      schema: {
        operationId: 'streamChanges',
        summary: 'Stream the changes in the organization, or in one of its projects, as server-sent events.',
        description:
          'An event names the kinds of resources that changed: members, providers and projects; with projectId, also the runs, the records and the resources of the project.',
        tags: ['Changes'],
        querystring: ChangesQuery,
        produces: ['text/event-stream'],
        response: { 200: ChangeEvents, 404: ref(ApiErrorBody) },
      },
    },
    async (request, reply) => {
      const { scope, query } = request;
      const projectId = query.projectId === undefined ? null : numericId('project', query.projectId);
      const requireReadable = async () => {
        if (projectId !== null) await requireReadableProject(db, scope, projectId);
      };
      await requireReadable();
      const checkAccess = async () => {
        await authenticate(request);
        await requireReadable();
      };
      return reply.events(await feed.follow({ scope, projectId, ...readOptions(request), checkAccess }));
    },
  );
};
