import type { Issue } from '../../platform/errors.ts';
import { invalid, notFound } from '../../platform/errors.ts';
import { type App, requireOne } from '../../platform/http/http.ts';
import { numericId } from '../../platform/http/ids.ts';
import { Success, successBody } from '../../platform/http/openapi.ts';
import { newestFirst } from '../../platform/http/pagination.ts';
import { listRoute, resource, writeRoute } from '../../platform/http/resource-routes.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { members, type RawJson } from '../../platform/json/json.ts';
import { ref } from '../../platform/named-schema.ts';
import {
  type DrawnRecord,
  deleteFresh,
  drawTraffic,
  findDrawnFields,
  insertFresh,
  listFreshTestcases,
} from './fresh-queries.ts';
import {
  FreshDraw,
  type FreshDrawCreate as FreshDrawBody,
  FreshDrawCreate,
  FreshTestcase,
  FreshTestcasesCreate,
  FreshTestcasesCreated,
  FreshTestcasesDelete,
} from './fresh-schema.ts';
import { maskDocuments, type TestsetDeps } from './mask-documents.ts';
import { findTestset } from './queries.ts';
import { lockTestset } from './snapshot-queries.ts';
import { checkDocuments, documentsOf } from './write-testcases.ts';

const tags = ['Testsets'];
const testset = resource('testsetId', 'testset', numericId);

/** Returns the fields of a record that the testset has, as a testcase. */
const testcaseOf = ({ inputs, expected }: DrawnRecord, fields: ReadonlySet<string>): RawJson => {
  const given = new Map([...members(expected), ...members(inputs)]);
  const kept = [...given].filter(([name]) => fields.has(name));
  return `{${kept.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
};

type Drawn = {
  records: readonly DrawnRecord[];
  documents: RawJson[];
  errors: Issue[][];
  isPreview: boolean;
};

/** Draws records of the traffic and makes testcases of them. A record without any field of the testset breaks its schema. */
const drawFresh = async (
  deps: TestsetDeps,
  scope: Scope,
  testsetId: bigint,
  { numTestcases = 60, days = 30, seed = 1, dryRun = false }: FreshDrawBody,
): Promise<Drawn> => {
  const [found] = await deps.db.read(scope, (sql) => findDrawnFields(sql, scope, testsetId));
  const { fields } = requireOne(found ? [found] : [], 'testset', String(testsetId));
  const records = await deps.db.read(scope, (sql) =>
    drawTraffic(sql, scope, testsetId, { count: numTestcases, days, seed }),
  );
  const documents = records.map((record) => testcaseOf(record, new Set(fields)));
  const errors = await checkDocuments(deps, scope, testsetId, documents);
  for (const [i, document] of documents.entries())
    if (document === '{}' && errors[i]!.length === 0)
      errors[i] = [{ path: '', message: 'must have a field of the testset' }];
  return { records, documents, errors, isPreview: dryRun };
};

const drawnText = (
  { records, documents, errors }: Drawn,
  chance: number | null,
  numbers: readonly number[],
): string => {
  const counts = {
    numRecords: records[0]?.numRecords ?? 0,
    numDrawn: records.length,
    inclusionProbability: chance,
    numMisfits: errors.filter(({ length }) => length > 0).length,
    numbers,
  };
  return `${JSON.stringify(counts).slice(0, -1)},"first":[${documents.slice(0, 5).join(',')}]}`;
};

/** Fresh testcases: those that no version was chosen by, which wait until a run takes them. */
export const freshRoutes = (app: App, deps: TestsetDeps): void => {
  listRoute(app, deps, '/testsets/:testsetId/fresh-testcases', {
    operationId: 'listFreshTestcases',
    summary: 'List the fresh testcases of a testset, newest first.',
    description: 'Those that wait, and those that a run took, with the run.',
    tags,
    of: testset,
    parent: findTestset,
    item: ref(FreshTestcase),
    first: newestFirst,
    rows: listFreshTestcases,
  });

  writeRoute(app, deps, 'POST', '/testsets/:testsetId/fresh-testcases/bulk-create', {
    config: { audit: 'rows' },
    operationId: 'createFreshTestcases',
    summary: 'Add 1 to 100 fresh testcases, all or none.',
    description: 'They wait outside of the testset, unseen by runs, until a run takes them (`fresh`).',
    tags,
    of: testset,
    body: FreshTestcasesCreate,
    status: 201,
    response: ref(FreshTestcasesCreated),
    auditedAs: findTestset,
    read: async (_body, raw, { scope, key }) => {
      const documents = await maskDocuments(deps, scope, key, documentsOf(raw));
      return { documents, errors: await checkDocuments(deps, scope, key, documents) };
    },
    work: async (tx, scope, testsetId, { documents, errors }) => {
      await lockTestset(tx, scope, testsetId);
      const items = documents.map((data, i) => ({ data, errors: errors[i]! }));
      const made = await insertFresh(tx, scope, testsetId, items);
      const numMisfits = errors.filter(({ length }) => length > 0).length;
      return JSON.stringify({ numbers: made.map(({ n }) => n).sort((a, b) => a - b), numMisfits });
    },
  });

  writeRoute(app, deps, 'POST', '/testsets/:testsetId/fresh-testcases/draw', {
    config: { audit: 'rows' },
    operationId: 'drawFreshTestcases',
    summary: 'Draw fresh testcases from the traffic of the project, or preview the draw.',
    description:
      'Each record of the traffic has the same chance, and is drawn once. A testcase has the fields of the record that the testset has too.',
    tags,
    of: testset,
    body: FreshDrawCreate,
    response: ref(FreshDraw),
    auditedAs: findTestset,
    read: (body, _raw, { scope, key }) => drawFresh(deps, scope, key, body),
    work: async (tx, scope, testsetId, drawn) => {
      const { records, documents, errors, isPreview } = drawn;
      const chance = records.length === 0 ? null : records.length / records[0]!.numRecords;
      if (isPreview || chance === null) return drawnText(drawn, chance, []);
      await lockTestset(tx, scope, testsetId);
      const items = records.map(({ runId, n }, i) => ({
        data: documents[i]!,
        errors: errors[i]!,
        probability: chance,
        originRunId: runId,
        originN: n,
      }));
      const made = await insertFresh(tx, scope, testsetId, items);
      return drawnText(
        drawn,
        chance,
        made.map(({ n }) => n).sort((a, b) => a - b),
      );
    },
  });

  writeRoute(app, deps, 'POST', '/testsets/:testsetId/fresh-testcases/bulk-delete', {
    config: { audit: 'rows' },
    operationId: 'deleteFreshTestcases',
    summary: 'Delete fresh testcases that wait, all or none.',
    tags,
    of: testset,
    body: FreshTestcasesDelete,
    response: ref(Success),
    auditedAs: findTestset,
    work: async (tx, scope, testsetId, { numbers }) => {
      const wanted = [...new Set(numbers)];
      const deleted = new Set((await deleteFresh(tx, scope, testsetId, wanted)).map(({ n }) => n));
      const missing = wanted.find((n) => !deleted.has(n));
      if (missing === undefined) return successBody;
      if (deleted.size === 0) throw notFound('fresh testcase', `${testsetId}-${missing}`);
      throw invalid('/numbers', `must name fresh testcases that wait: ${missing} does not`);
    },
  });
};
