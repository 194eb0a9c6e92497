import { run } from '../../evaluation/resources.ts';
import { findTestset } from '../../evaluation/testsets/queries.ts';
import { type App, requireOne } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { newestFirst } from '../../platform/http/pagination.ts';
import { answerRoute, listRoute, resource, writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import type { Ledger } from './open-ledger.ts';
import { listLooks } from './queries.ts';
import { readWear } from './read-wear.ts';
import { registerLook } from './register-look.ts';
import { LedgerLook, Look, LookCreate, Wear, WearQuery } from './schema.ts';

const testset = resource('testsetId', 'testset', numericId);

export const lookRoutes = (app: App, deps: RouteDeps & { ledger: Ledger }): void => {
  const { db, ledger } = deps;
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
  writeRoute(app, deps, 'POST', '/runs/:runId/looks', {
    operationId: 'createLook',
    summary: 'Register the look of a gate before it tests, or its outcome after.',
    description:
      'Answers which look of the period it is, and the part of `alpha` that it has: look t has t^-1.5 of it, divided by 2.612. All looks together err with probability `alpha` at most, however they depend on each other.',
    tags: ['Analysis'],
    of: run,
    body: LookCreate,
    response: ref(LedgerLook),
    read: async (body) => {
      await ledger.settled();
      return body;
    },
    work: registerLook,
  });

  answerRoute(app, 'GET', '/testsets/:testsetId/wear', {
    operationId: 'getWear',
    summary: 'Count the looks at a testset, and compare fresh testcases with old ones.',
    tags: ['Analysis'],
    of: testset,
    query: WearQuery,
    response: ref(Wear),
    answer: async ({ scope, key, params, query }) => {
      requireOne(await db.lookUp(scope, (sql) => findTestset(sql, scope, key)), 'testset', params.testsetId);
      await ledger.settled();
      return readWear(db, scope, key, query);
    },
  });
};
