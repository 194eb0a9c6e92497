import { invalid } from '../../platform/errors.ts';
import type { App } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { deleteRoute, getRoute, resource, writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import { unnamedPeople } from '../labels/queries.ts';
import { readSource, requireJudge, requireMetric } from '../labels/read-judge.ts';
import { pinRecords } from './pin-records.ts';
import { deleteOpenTrials, deletePinnedSet, findPinnedSet } from './pinned-queries.ts';
import { PinnedSet, PinnedSetCreate, sizeOf } from './pinned-schema.ts';

const tags = ['Trials'];
const path = '/metrics/:metricId/pinned-set';
const pinnedSet = resource('metricId', 'pinned set', numericId);

export const pinnedRoutes = (app: App, deps: RouteDeps): void => {
  const { db } = deps;
  getRoute(app, deps, path, {
    operationId: 'getPinnedSet',
    summary: 'Get the pinned set of a metric.',
    tags,
    of: pinnedSet,
    response: ref(PinnedSet),
    find: findPinnedSet,
  });

  writeRoute(app, deps, 'PUT', path, {
    config: { audit: 'settings' },
    operationId: 'upsertPinnedSet',
    summary: 'Pin labelled records, on which judges are then tried.',
    description: "The judge's verdicts on them are the reference of later trials.",
    tags,
    of: pinnedSet,
    body: PinnedSetCreate,
    response: ref(PinnedSet),
    read: async (body, _, { scope, params }) => {
      const metric = await requireMetric(db, scope, params.metricId);
      const source = await readSource(db, scope, metric, body);
      const judge = await requireJudge(db, scope, metric.id, body.metricConfigId, null);
      if (judge.evalType === 'human') throw invalid('', 'must be about a metric that a model or code scores');
      if (source.of === 'none') throw invalid('/against', `is required: ${unnamedPeople}`);
      return { judge, source, automatic: body.automatic ?? false, size: sizeOf(body) };
    },
    work: pinRecords,
  });

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
