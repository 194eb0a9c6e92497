import { invalid } from '../../platform/errors.ts';
import type { App } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { ref } from '../../platform/http/openapi.ts';
import { deleteRoute, getRoute, resource } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { readSource, requireJudge, requireMetric } from '../labels/read-judge.ts';
import { pinRecords } from './pin-records.ts';
import { deleteOpenTrials, deletePinnedSet, findPinnedSet } from './pinned-queries.ts';
import { PinnedSet, PinnedSetCreate, sizeOf } from './pinned-schema.ts';

const tags = ['Trials'];
const path = '/metrics/:metricId/pinned-set';
const pinnedSet = resource('metricId', 'pinned set', numericId);

export const pinnedRoutes = (app: App, deps: RouteDeps): void => {
  const { db, write } = deps;
  getRoute(app, deps, path, {
    operationId: 'getPinnedSet',
    summary: 'Get the pinned set of a metric.',
    tags,
    of: pinnedSet,
    response: ref(PinnedSet),
    find: findPinnedSet,
  });

  app.put(
    path,
    {
      config: { audit: 'settings' },
      schema: {
        operationId: 'upsertPinnedSet',
        summary: 'Pin labelled records, on which judges are then tried.',
        description: "The judge's verdicts on them are the reference of later trials.",
        tags,
        params: pinnedSet.params,
        body: PinnedSetCreate,
        response: { 200: ref(PinnedSet) },
      },
    },
    async (request, reply) => {
      const { scope, body } = request;
      const metric = await requireMetric(db, scope, request.params.metricId);
      const source = await readSource(db, scope, metric, body);
      const judge = await requireJudge(db, scope, metric.id, body.metricConfigId, null);
      if (judge.evalType === 'human') throw invalid('', 'must be about a metric that a model or code scores');
      const set = { judge, source, automatic: body.automatic ?? false, size: sizeOf(body) };
      return write(request, reply, 200, (tx) => pinRecords(tx, scope, metric.id, set));
    },
  );

  deleteRoute(app, deps, path, {
    config: { audit: 'settings' },
    operationId: 'deletePinnedSet',
    summary: 'Delete the pinned set of a metric.',
    description: 'The runs of its trials stay.',
    tags,
    of: pinnedSet,
    remove: async (tx, scope, metricId) => {
      await deleteOpenTrials(tx, scope, metricId);
      return deletePinnedSet(tx, scope, metricId);
    },
  });
};
