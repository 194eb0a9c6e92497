import { project } from '../../evaluation/resources.ts';
import { type App, bodyOf } from '../../platform/http/http.ts';
import { answerRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import { findDue } from './queries.ts';
import { RetentionPreview, RetentionQuery } from './schema.ts';

export const retentionRoutes = (app: App, { db }: RouteDeps): void =>
  answerRoute(app, 'GET', '/projects/:projectId/retention/preview', {
    operationId: 'previewRetention',
    summary: 'Show what the next purge of a project would delete.',
    tags: ['Projects'],
    of: project,
    query: RetentionQuery,
    response: ref(RetentionPreview),
    answer: async ({ scope, key, query }) =>
      bodyOf(await db.read(scope, (sql) => findDue(sql, scope, key, query)), 'project', String(key)),
  });
