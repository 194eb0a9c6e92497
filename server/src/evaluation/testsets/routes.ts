import { type Static, Type } from 'typebox';
import type { FindAudited } from '../../platform/http/audit.ts';
import { type App, bodyOf, requireOne } from '../../platform/http/http.ts';
import { numericId, testcaseKey } from '../../platform/http/ids.ts';
import { ApiErrorBody, pathParam, Success, successBody } from '../../platform/http/openapi.ts';
import { newestFirst, oldestFirst } from '../../platform/http/pagination.ts';
import {
  deleteRoute,
  getRoute,
  listRoute,
  resource,
  writeRoute,
} from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { freeForm, type RawJson } from '../../platform/json/json.ts';
import { ref } from '../../platform/named-schema.ts';
import { findProject, requireProject } from '../projects/queries.ts';
import { project } from '../resources.ts';
import { freshRoutes } from './fresh-routes.ts';
import { findTestsetCounts } from './mark-queries.ts';
import { maskDocuments, type TestsetDeps } from './mask-documents.ts';
import {
  findTestcase,
  findTestset,
  findTestsetSettings,
  insertTestset,
  listTestcases,
  listTestsetDetails,
  listTestsets,
  testcasePage,
  updateTestset,
} from './queries.ts';
import {
  ListedTestset,
  Testcase,
  TestcaseListQuery,
  TestcasesCreate,
  TestcasesCreated,
  TestcasesDelete,
  TestcasesMark,
  TestcasesMarked,
  TestcaseUpdate,
  Testset,
  TestsetCounts,
  TestsetCreate,
  TestsetSettings,
  TestsetSettingsUpdate,
  TestsetUpdate,
} from './schema.ts';
import { readTestcaseSearch } from './search-testcases.ts';
import { findEdition } from './snapshot-queries.ts';
import { snapshotRoutes } from './snapshot-routes.ts';
import {
  bulkDeleteTestcases,
  changeSettings,
  checkDocuments,
  createTestcases,
  documentsOf,
  replaceTestcase,
  setMarks,
} from './write-testcases.ts';

const tags = ['Testsets'];
const testset = resource('testsetId', 'testset', numericId);
const testcaseParams = Type.Object({ testcaseId: pathParam('testcase') });

/** Finds a testcase by the parameters of its path, as JSON text. */
const findTestcaseText: FindAudited = async (sql, scope, params) => {
  const { testcaseId } = params as { testcaseId: string };
  return testcasePage(await findTestcase(sql, scope, testcaseKey(testcaseId)));
};

export const testsetRoutes = (app: App, deps: TestsetDeps): void => {
  const { schemas } = deps;
  listRoute(app, deps, '/projects/:projectId/testsets', {
    operationId: 'listTestsets',
    summary: 'List the testsets of a project, newest first.',
    tags,
    of: project,
    parent: findProject,
    item: ref(Testset),
    first: newestFirst,
    rows: listTestsets,
  });

  listRoute(app, deps, '/projects/:projectId/testset-details', {
    operationId: 'listTestsetDetails',
    summary: 'List the testsets of a project with the number of their testcases, newest first.',
    tags,
    of: project,
    parent: findProject,
    item: ref(ListedTestset),
    first: newestFirst,
    rows: listTestsetDetails,
  });

  writeRoute(app, deps, 'POST', '/projects/:projectId/testsets', {
    operationId: 'createTestset',
    summary: 'Create a testset with the schema of its testcases and the meaning of their fields.',
    tags,
    of: project,
    body: TestsetCreate,
    status: 201,
    response: ref(Testset),
    read: async ({ name, description, fieldMapping }, raw, { scope }) => {
      const jsonSchema = freeForm(raw, ['jsonSchema']).jsonSchema!;
      await schemas.requireSchema(jsonSchema, { owner: scope.organizationId });
      return { name, description, jsonSchema, ...fieldMapping };
    },
    work: async (tx, scope, projectId, given) => {
      await requireProject(tx, scope, projectId);
      return bodyOf(await insertTestset(tx, scope, projectId, given), 'testset', '');
    },
  });

  getRoute(app, deps, '/testsets/:testsetId', {
    operationId: 'getTestset',
    summary: 'Get a testset.',
    tags,
    of: testset,
    response: ref(Testset),
    find: findTestset,
  });

  writeRoute(app, deps, 'PATCH', '/testsets/:testsetId', {
    operationId: 'updateTestset',
    summary: 'Change a testset.',
    description: 'Its testcases keep the validation errors of the schema at the time they were written.',
    tags,
    of: testset,
    body: TestsetUpdate,
    response: ref(Testset),
    read: async ({ name, description, fieldMapping }, raw, { scope }) => {
      const { jsonSchema } = freeForm(raw, ['jsonSchema']);
      if (jsonSchema !== undefined) await schemas.requireSchema(jsonSchema, { owner: scope.organizationId });
      return {
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
        ...(jsonSchema !== undefined && { jsonSchema }),
        ...fieldMapping,
      };
    },
    work: async (tx, scope, id, changes) =>
      bodyOf(await updateTestset(tx, scope, id, changes), 'testset', String(id)),
  });

  deleteRoute(app, deps, '/testsets/:testsetId', {
    config: { ignoresBody: true },
    operationId: 'deleteTestset',
    summary: 'Delete a testset and its testcases.',
    description: 'Their records stay.',
    tags,
    of: testset,
    remove: deps.deletions.remove('testset'),
    onSend: deps.deletions.hide,
  });

  settingsRoutes(app, deps);
  testcaseRoutes(app, deps);
  snapshotRoutes(app, deps);
  freshRoutes(app, deps);
};

const settingsRoutes = (app: App, deps: RouteDeps): void => {
  getRoute(app, deps, '/testsets/:testsetId/settings', {
    operationId: 'getTestsetSettings',
    summary: 'Get how the testcases of a testset are grouped and split.',
    tags,
    of: testset,
    response: ref(TestsetSettings),
    find: findTestsetSettings,
  });

  writeRoute(app, deps, 'PATCH', '/testsets/:testsetId/settings', {
    operationId: 'updateTestsetSettings',
    summary: 'Choose how the testcases of a testset are grouped and split.',
    description: 'Intervals are then based on the groups.',
    tags,
    of: testset,
    body: TestsetSettingsUpdate,
    response: ref(TestsetSettings),
    work: changeSettings,
  });

  getRoute(app, deps, '/testsets/:testsetId/counts', {
    operationId: 'getTestsetCounts',
    summary: 'Get the numbers of testcases of a testset, of its splits and of its tags.',
    tags,
    of: testset,
    response: ref(TestsetCounts),
    find: findTestsetCounts,
  });
};

const testcaseRoutes = (app: App, deps: TestsetDeps): void => {
  const { db, write } = deps;
  listRoute(app, deps, '/testsets/:testsetId/testcases', {
    operationId: 'listTestcases',
    summary: 'List the testcases of a testset, oldest first.',
    tags,
    of: testset,
    parent: findTestset,
    query: TestcaseListQuery,
    item: ref(Testcase),
    first: oldestFirst,
    read: async ({ scope, key, query: { q, snapshot: n } }) => {
      const search = q === undefined ? {} : { search: readTestcaseSearch(q) };
      if (n === undefined) return search;
      const found = await db.read(scope, (sql) => findEdition(sql, scope, { testsetId: key, n }));
      return { ...search, edition: requireOne(found, 'snapshot', String(n)).edition };
    },
    rows: listTestcases,
    text: 'jsonData',
    itemsOf: testcasePage,
  });

  writeRoute(app, deps, 'PATCH', '/testsets/:testsetId/testcases', {
    config: { audit: 'rows' },
    operationId: 'updateTestcaseMarks',
    summary: 'Set the split and the tags of the testcases that fit.',
    description:
      'Without ids, search and share, of all testcases. A share is drawn by groups, so that no group is in two splits.',
    tags,
    of: testset,
    body: TestcasesMark,
    response: ref(TestcasesMarked),
    auditedAs: findTestset,
    work: setMarks,
  });

  app.post(
    '/testsets/:testsetId/testcases',
    {
      config: { audit: 'rows' },
      schema: {
        operationId: 'createTestcases',
        summary: 'Add 1 to 100 testcases to a testset, all or none.',
        tags,
        params: testset.params,
        body: TestcasesCreate,
        response: { 201: TestcasesCreated },
      },
    },
    async (request, reply) => {
      const testsetId = testset.keyOf(request.params);
      const documents = await maskDocuments(deps, request.scope, testsetId, documentsOf(request.rawBody));
      const errors = await checkDocuments(deps, request.scope, testsetId, documents);
      return write(request, reply, 201, (tx, scope) =>
        createTestcases(tx, scope, testsetId, documents, errors, request.body.items),
      );
    },
  );

  app.get(
    '/testcases/:testcaseId',
    {
      schema: {
        operationId: 'getTestcase',
        summary: 'Get a testcase.',
        tags,
        params: testcaseParams,
        response: { 200: ref(Testcase) },
      },
    },
    async ({ scope, params }, reply) => {
      const key = testcaseKey(params.testcaseId);
      const rows = testcasePage(await db.read(scope, (sql) => findTestcase(sql, scope, key)));
      return reply.json(bodyOf(rows, 'testcase', params.testcaseId));
    },
  );

  app.put(
    '/testcases/:testcaseId',
    {
      config: { audit: 'rows', auditedAs: findTestcaseText },
      schema: {
        operationId: 'updateTestcase',
        summary: 'Replace the data of a testcase.',
        description: 'Records keep the revision that they were created from.',
        tags,
        params: testcaseParams,
        body: TestcaseUpdate,
        response: { 200: ref(Testcase) },
      },
    },
    async (request, reply) => {
      const { scope, params } = request;
      const key = testcaseKey(params.testcaseId);
      const given = freeForm(request.rawBody, ['jsonData']).jsonData!;
      const [document] = (await maskDocuments(deps, scope, key.testsetId, [given])) as [RawJson];
      requireOne(await db.read(scope, (sql) => findTestcase(sql, scope, key)), 'testcase', params.testcaseId);
      const errors = await checkDocuments(deps, scope, key.testsetId, [document]);
      return write(request, reply, 200, (tx) => replaceTestcase(tx, scope, key, document, errors));
    },
  );

  app.post(
    '/testcases/bulk-delete',
    {
      config: {
        audit: 'rows',
        concerns: ({ body }) => ({
          kind: 'testcaseId',
          id: (body as Static<typeof TestcasesDelete>).ids[0]!,
        }),
      },
      schema: {
        operationId: 'deleteTestcases',
        summary: 'Delete testcases by their ids, all or none.',
        tags,
        body: TestcasesDelete,
        response: { 200: ref(Success), 404: ref(ApiErrorBody) },
      },
    },
    (request, reply) => {
      const { ids, erase = false } = request.body;
      const keys = ids.map(testcaseKey);
      return write(request, reply, 200, async (tx, scope) => {
        await bulkDeleteTestcases(tx, scope, keys, { erase });
        return successBody;
      });
    },
  );
};
