import { requireReadableProject } from '../../evaluation/projects/queries.ts';
import { project } from '../../evaluation/resources.ts';
import { keepSummaries } from '../../insights/analysis/keep-summaries.ts';
import { databaseTime } from '../../platform/db/time.ts';
import type { App } from '../../platform/http/http.ts';
import { answerRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import { readNews } from './read-news.ts';
import { News, NewsQuery } from './schema.ts';

export const newsRoutes = (app: App, { db }: RouteDeps): void => {
  const kept = keepSummaries(db);
  answerRoute(app, 'GET', '/projects/:projectId/news', {
    operationId: 'getProjectNews',
    summary: 'Get what happened in a project lately.',
    description:
      'New runs with their verdict against the run before, changes of traffic that are shown, alerts, failures in monitors and labels of other members.',
    tags: ['Analysis'],
    of: project,
    query: NewsQuery,
    response: ref(News),
    answer: async ({ scope, params, query: { hours = 24 } }) => {
      const projectId = project.keyOf(params);
      await requireReadableProject(db, scope, projectId);
      const now = (await databaseTime(db)).getTime();
      return JSON.stringify(await readNews({ db, scope, projectId, kept }, { hours, now }));
    },
  });
};
