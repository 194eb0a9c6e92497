import { findTestset } from '../../evaluation/testsets/queries.ts';
import type { App } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { newestFirst } from '../../platform/http/pagination.ts';
import { listRoute, resource } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import type { Ledger } from './open-ledger.ts';
import { listLooks } from './queries.ts';
import { Look } from './schema.ts';

const testset = resource('testsetId', 'testset', numericId);

export const lookRoutes = (app: App, deps: RouteDeps & { ledger: Ledger }): void => {
  const { ledger } = deps;
  listRoute(app, deps, '/testsets/:testsetId/looks', {
    operationId: 'listLooks',
    summary: 'List the verdicts about a testset that left the service, newest first.',
    description:
      'Comparisons, gates, reports, answers to agents and code, and summaries of new versions, each with who asked and when.',
    tags: ['Analysis'],
    of: testset,
    parent: findTestset,
    item: ref(Look),
    first: newestFirst,
    read: () => ledger.settled(),
    rows: (sql, scope, testsetId, before, count) => listLooks(sql, scope, testsetId, before, count),
  });
};
