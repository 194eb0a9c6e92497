import { type Static, Type } from 'typebox';
import { notFound } from '../../platform/errors.ts';
import { type App, bodyOf, requireOne } from '../../platform/http/http.ts';
import { numberWithin, numericId, testcaseKey } from '../../platform/http/ids.ts';
import { pathParam } from '../../platform/http/openapi.ts';
import { oldestFirst } from '../../platform/http/pagination.ts';
import {
  getRoute,
  listRoute,
  type Resource,
  resource,
  searchRoute,
  writeRoute,
} from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import { findTestset } from './queries.ts';
import {
  findEdition,
  findSnapshot,
  listDifferences,
  listSnapshots,
  presentEdition,
  renameSnapshot,
  type SnapshotKey,
} from './snapshot-queries.ts';
import {
  Snapshot,
  SnapshotCreate,
  SnapshotDiffQuery,
  SnapshotRestored,
  SnapshotUpdate,
  TestcaseDifference,
} from './snapshot-schema.ts';
import { restoreSnapshot, takeSnapshot } from './take-snapshot.ts';

const tags = ['Testsets'];
const testset = resource('testsetId', 'testset', numericId);
const SnapshotParams = Type.Object({
  testsetId: pathParam('testset'),
  snapshotNumber: Type.String({ description: 'Number of the snapshot, within its testset.' }),
});
const snapshot: Resource<typeof SnapshotParams, SnapshotKey> = {
  name: 'snapshot',
  params: SnapshotParams,
  keyOf: ({ testsetId, snapshotNumber }: Static<typeof SnapshotParams>) => ({
    testsetId: numericId('testset', testsetId),
    n: numberWithin('snapshot', snapshotNumber),
  }),
  idOf: ({ snapshotNumber }) => snapshotNumber,
};
const path = '/testsets/:testsetId/snapshots/:snapshotNumber';

/** The number of a testcase of the testset. Throws notFound for one of another. */
const numberOf = (testsetId: bigint, id: string): number => {
  const key = testcaseKey(id);
  if (key.testsetId !== testsetId) throw notFound('testcase', id);
  return key.n;
};

export const snapshotRoutes = (app: App, deps: RouteDeps): void => {
  const { db } = deps;
  listRoute(app, deps, '/testsets/:testsetId/snapshots', {
    operationId: 'listSnapshots',
    summary: 'List the snapshots of a testset, newest first.',
    tags,
    of: testset,
    parent: findTestset,
    item: ref(Snapshot),
    first: String(2 ** 31 - 1),
    rows: listSnapshots,
  });

  writeRoute(app, deps, 'POST', '/testsets/:testsetId/snapshots', {
    operationId: 'createSnapshot',
    summary: 'Make a snapshot of a testset as it is now, or name the one that exists.',
    description:
      'No testcase is copied. A run makes a snapshot of its testset when it starts, so none has to be made for it.',
    tags,
    of: testset,
    body: SnapshotCreate,
    status: 201,
    response: ref(Snapshot),
    work: async (tx, scope, testsetId, { name }) => {
      const { n } = await takeSnapshot(tx, scope, testsetId, { name, madeBy: 'member' });
      return bodyOf(await findSnapshot(tx, scope, { testsetId, n }), 'snapshot', String(n));
    },
  });

  getRoute(app, deps, path, {
    operationId: 'getSnapshot',
    summary: 'Get a snapshot of a testset.',
    tags,
    of: snapshot,
    response: ref(Snapshot),
    find: findSnapshot,
  });

  writeRoute(app, deps, 'PATCH', path, {
    operationId: 'updateSnapshot',
    summary: 'Change the name of a snapshot.',
    tags,
    of: snapshot,
    body: SnapshotUpdate,
    response: ref(Snapshot),
    work: async (tx, scope, key, { name }) => {
      await renameSnapshot(tx, scope, key, name);
      return bodyOf(await findSnapshot(tx, scope, key), 'snapshot', String(key.n));
    },
  });

  writeRoute(app, deps, 'POST', `${path}/restore`, {
    operationId: 'restoreSnapshot',
    summary: 'Make the testcases of a testset what they were in a snapshot.',
    description:
      'The testset as it is gets a snapshot first, so restoring can be undone. A testcase gets back its revision too: results of then and of now compare again.',
    tags,
    of: snapshot,
    response: ref(SnapshotRestored),
    auditedAs: findSnapshot,
    work: restoreSnapshot,
  });

  searchRoute(app, deps, `${path}/differences`, {
    operationId: 'listSnapshotDifferences',
    summary: 'List the testcases that differ between two snapshots of a testset.',
    description: 'Without the second, between the snapshot and the testset as it is now.',
    tags,
    of: snapshot,
    query: SnapshotDiffQuery,
    item: ref(TestcaseDifference),
    first: oldestFirst,
    read: async ({ scope, key, query: { against, testcaseId } }) => {
      const editionOf = async (n: number) => {
        const found = await db.read(scope, (sql) => findEdition(sql, scope, { ...key, n }));
        return requireOne(found, 'snapshot', String(n)).edition;
      };
      return {
        from: await editionOf(key.n),
        to: against === undefined ? presentEdition : await editionOf(against),
        only: testcaseId === undefined ? undefined : numberOf(key.testsetId, testcaseId),
      };
    },
    find: (editions, after, count, { scope, key }) =>
      db.read(scope, (sql) => listDifferences(sql, scope, key.testsetId, editions, after, count)),
  });
};
