import { requireProject } from '../../evaluation/projects/queries.ts';
import { project } from '../../evaluation/resources.ts';
import { type App, bodyOf } from '../../platform/http/http.ts';
import { ref } from '../../platform/http/openapi.ts';
import { answerRoute, writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { findRetention, upsertRetention } from './queries.ts';
import { Retention, RetentionQuery, RetentionUpdate } from './schema.ts';

const tags = ['Projects'];

export const retentionRoutes = (app: App, deps: RouteDeps): void => {
  const { db } = deps;
  answerRoute(app, 'GET', '/projects/:projectId/retention', {
    operationId: 'getRetention',
    summary: 'Get how long a project keeps records and traces, and what the next purge would delete.',
    tags,
    of: project,
    query: RetentionQuery,
    response: ref(Retention),
    answer: async ({ scope, params, query }) => {
      const projectId = project.keyOf(params);
      const found = await db.read(scope, (sql) => findRetention(sql, scope, projectId, query));
      return bodyOf(found, 'project', params.projectId);
    },
  });

  writeRoute(app, deps, 'PUT', '/projects/:projectId/retention', {
    operationId: 'updateRetention',
    summary: 'Change how long a project keeps records and traces.',
    description: 'Admins only.',
    tags,
    of: project,
    config: { admin: true },
    auditedAs: findRetention,
    body: RetentionUpdate,
    response: ref(Retention),
    work: async (tx, scope, projectId, settings) => {
      await requireProject(tx, scope, projectId);
      await upsertRetention(tx, scope, projectId, settings);
      return bodyOf(await findRetention(tx, scope, projectId), 'project', String(projectId));
    },
  });
};
