import { requireReadableProject } from '../../evaluation/projects/queries.ts';
import { project } from '../../evaluation/resources.ts';
import { databaseTime } from '../../platform/db/time.ts';
import { invalid } from '../../platform/errors.ts';
import { type App, requireOne } from '../../platform/http/http.ts';
import { uuidId } from '../../platform/http/ids.ts';
import { answerRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import { findMonitorOfProject } from './queries.ts';
import { readSeries } from './read-series.ts';
import { Series, SeriesQuery } from './schema.ts';

export const seriesRoutes = (app: App, { db }: RouteDeps): void => {
  answerRoute(app, 'GET', '/projects/:projectId/series', {
    operationId: 'getSeries',
    summary: "Get the measures and scores of a project's records over time.",
    description: 'Volume, errors, latency, tokens, cost and scores, each with its uncertainty.',
    tags: ['Analysis'],
    of: project,
    query: SeriesQuery,
    response: ref(Series),
    answer: async ({ scope, params, query }) => {
      const projectId = project.keyOf(params);
      await requireReadableProject(db, scope, projectId);
      const { monitorId: id, ...asked } = query;
      if (id !== undefined && asked.by !== undefined)
        throw invalid('/by', 'cannot split the records of a monitor; leave out `by` or `monitorId`');
      if (query.compare === 'groups' && query.by === undefined)
        throw invalid('/compare', 'groups needs `by`, which names the groups');
      const monitorId = id === undefined ? undefined : uuidId('monitor', id);
      if (monitorId !== undefined)
        requireOne(
          await db.read(scope, (sql) => findMonitorOfProject(sql, scope, projectId, monitorId)),
          'monitor',
          id!,
        );
      const series = await readSeries(
        db,
        scope,
        projectId,
        { ...asked, ...(monitorId !== undefined && { monitorId }) },
        (await databaseTime(db)).getTime(),
      );
      return JSON.stringify(series);
    },
  });
};
