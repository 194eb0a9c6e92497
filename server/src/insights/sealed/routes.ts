import { findTestset } from '../../evaluation/testsets/queries.ts';
import type { App } from '../../platform/http/http.ts';
import { numericId, uuidId } from '../../platform/http/ids.ts';
import { lastUuid } from '../../platform/http/pagination.ts';
import { getRoute, listRoute, resource, writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import { openSeal } from './open-seal.ts';
import { findSeal, listSealedLooks, listSeals } from './queries.ts';
import { Seal, SealCreate, SealedLook, SealedLookCreate } from './schema.ts';
import { type SealDeps, sealTestcases } from './seal-testcases.ts';
import { takeLook } from './take-look.ts';

const tags = ['Testsets'];
const testset = resource('testsetId', 'testset', numericId);
const seal = resource('sealId', 'sealed split', uuidId);
/** Beyond the number of any look. */
const lastNumber = '1000000';

/** Sealed splits of testsets, and looks at them. */
export const sealedRoutes = (app: App, deps: RouteDeps & { seal: SealDeps }): void => {
  writeRoute(app, deps, 'POST', '/testsets/:testsetId/seals', {
    operationId: 'createSeal',
    summary: 'Seal testcases of a testset: no one reads them until their looks are spent.',
    description:
      'Their texts leave the testset and its snapshots. Only counts and the answers of looks are shown, to no member, admin, agent or judge page more. Records of earlier runs stay as they are; `numSeen` counts the testcases that have some.',
    tags,
    of: testset,
    body: SealCreate,
    status: 201,
    response: ref(Seal),
    work: sealTestcases(deps.seal),
  });

  listRoute(app, deps, '/testsets/:testsetId/seals', {
    operationId: 'listSeals',
    summary: 'List the sealed splits of a testset, newest first.',
    tags,
    of: testset,
    parent: findTestset,
    item: ref(Seal),
    first: lastUuid,
    rows: (sql, scope, testsetId, before, count) => listSeals(sql, scope, testsetId, before, count),
  });

  getRoute(app, deps, '/seals/:sealId', {
    operationId: 'getSeal',
    summary: 'Get a sealed split: its counts, its figures and its budget.',
    tags,
    of: seal,
    response: ref(Seal),
    find: findSeal,
  });

  writeRoute(app, deps, 'POST', '/seals/:sealId/open', {
    operationId: 'openSeal',
    summary: 'Open a sealed split before its looks are spent.',
    description:
      'Without a look, its testcases return to the testset as they were. After a look, they get the split of the seal, and its runs become a project.',
    tags,
    of: seal,
    response: ref(Seal),
    auditedAs: findSeal,
    work: openSeal,
  });

  writeRoute(app, deps, 'POST', '/seals/:sealId/looks', {
    operationId: 'createSealedLook',
    summary: 'Look at a version: call it with the sealed testcases, and compare it with the baseline.',
    description:
      'Takes one look of the budget. The answer comes when the calls and scores are made: read the list of looks. A version that was looked at has its former answer.',
    tags,
    of: seal,
    body: SealedLookCreate,
    status: 201,
    response: ref(SealedLook),
    work: takeLook,
  });

  listRoute(app, deps, '/seals/:sealId/looks', {
    operationId: 'listSealedLooks',
    summary: 'List the looks at a sealed split, newest first.',
    tags,
    of: seal,
    parent: findSeal,
    item: ref(SealedLook),
    first: lastNumber,
    rows: (sql, scope, sealId, before, count) => listSealedLooks(sql, scope, sealId, before, count),
  });
};
