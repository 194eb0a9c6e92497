import type { Database, Sql } from '../../platform/db/database.ts';
import { type Issue, invalid, notFound } from '../../platform/errors.ts';
import { bodyOf, requireOne } from '../../platform/http/http.ts';
import { type TestcaseKey, testcaseKey } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { elements, freeForm, members, type RawJson } from '../../platform/json/json.ts';
import type { SchemaChecker } from './json-schema.ts';
import { countChosen, findSplitRules, markTestcases, splitTestcases } from './mark-queries.ts';
import { eraseFromSnapshots } from './past-queries.ts';
import {
  deleteTestcases,
  findTestcase,
  findTestcaseRules,
  type GivenMarks,
  insertTestcases,
  listTestcases,
  lockTestcase,
  takeEdition,
  takeTestcaseNumbers,
  testcasePage,
  updateTestcase,
  updateTestsetSettings,
} from './queries.ts';
import type { TestcasesMark, TestsetSettingsUpdate } from './schema.ts';
import { readTestcaseSearch } from './search-testcases.ts';
import { findPresent } from './snapshot-queries.ts';

/** Returns the `jsonData` of each item of a body, as sent. */
export const documentsOf = (body: RawJson): RawJson[] =>
  elements(members(body).get('items')!).map(
    (item, i) => freeForm(item, ['jsonData'], `/items/${i}`).jsonData!,
  );

/**
 * Returns the issues of each document that does not fit the testset's schema. Runs before the transaction, because a schema may take 2 s,
 * and no lock should be held that long.
 */
export const checkDocuments = async (
  { db, schemas }: { db: Database; schemas: SchemaChecker },
  scope: Scope,
  testsetId: bigint,
  documents: RawJson[],
): Promise<Issue[][]> => {
  const rows = await db.read(scope, (sql) => findTestcaseRules(sql, scope, testsetId));
  const { jsonSchema } = requireOne(rows, 'testset', String(testsetId));
  return schemas.schemaErrors(jsonSchema, documents, { owner: scope.organizationId });
};

/** Adds testcases to a testset, in the order sent. Those that break the schema are stored with their errors. */
export const createTestcases = async (
  tx: Sql,
  scope: Scope,
  testsetId: bigint,
  documents: RawJson[],
  errors: Issue[][],
  marks: readonly GivenMarks[] = [],
): Promise<string> => {
  const [taken] = await takeTestcaseNumbers(tx, scope, testsetId, documents.length);
  if (!taken) throw notFound('testset', String(testsetId));
  const before = taken.last - documents.length;
  const from = { firstN: before + 1, edition: taken.edition };
  await insertTestcases(tx, scope, testsetId, from, documents, errors, marks);
  const [ruled] = await findSplitRules(tx, scope, testsetId);
  if (ruled) await splitTestcases(tx, scope, testsetId, { ...ruled, edition: taken.edition, after: before });
  // The answer has all that the request had.
  const maxBytes = Number.MAX_SAFE_INTEGER;
  const made = await listTestcases(tx, scope, testsetId, String(before), documents.length, { maxBytes });
  const rows = testcasePage(made);
  return `{"items":[${rows.map((row) => row.body).join(',')}]}`;
};

/**
 * Replaces a testcase's data. Its revision is raised only by a change of a field that a system or a metric reads: with another description,
 * its old results can still be compared with new ones.
 */
export const replaceTestcase = async (
  tx: Sql,
  scope: Scope,
  key: TestcaseKey,
  document: RawJson,
  errors: Issue[][],
): Promise<string> => {
  const id = `${key.testsetId}-${key.n}`;
  const { edition } = requireOne(await takeEdition(tx, scope, key.testsetId), 'testcase', id);
  const { data, fields } = requireOne(await lockTestcase(tx, scope, key), 'testcase', id);
  const [before, after] = [members(data), members(document)];
  const isRevised = fields.some((field) => before.get(field) !== after.get(field));
  await updateTestcase(tx, scope, key, { data: document, errors: errors[0]!, isRevised, edition });
  return requireOne(testcasePage(await findTestcase(tx, scope, key)), 'testcase', id).body;
};

/** Sets the split and tags of the testcases that fit, and returns how many. Throws 404 for an id of another testset. */
export const setMarks = async (
  tx: Sql,
  scope: Scope,
  testsetId: bigint,
  { ids, q, share, seed = 1, split, addTags = [], removeTags = [], dryRun = false }: TestcasesMark,
): Promise<string> => {
  const keys = ids?.map(testcaseKey);
  const other = keys?.findIndex((key) => key.testsetId !== testsetId) ?? -1;
  if (other >= 0) throw notFound('testcase', ids![other]!);
  const [taken] = dryRun ? await findPresent(tx, scope, testsetId) : await takeEdition(tx, scope, testsetId);
  if (!taken) throw notFound('testset', String(testsetId));
  const chosen = { ids: keys?.map(({ n }) => n), search: readTestcaseSearch(q), share, seed };
  const [counted] = await countChosen(tx, scope, testsetId, chosen);
  const marks = { split, addTags, removeTags };
  const { count } = dryRun
    ? { count: 0 }
    : await markTestcases(tx, scope, testsetId, { chosen, marks, edition: taken.edition });
  return JSON.stringify({ numTestcases: counted!.n, numChanged: count });
};

/** Changes the settings of a testset. New rules split the testcases that have no split. */
export const changeSettings = async (
  tx: Sql,
  scope: Scope,
  testsetId: bigint,
  changes: TestsetSettingsUpdate,
): Promise<string> => {
  for (const { q } of changes.splitRules ?? []) readTestcaseSearch(q);
  const shares = (changes.splitRules ?? []).reduce((sum, { share = 0 }) => sum + share, 0);
  if (shares > 1 + 1e-9) throw invalid('/splitRules', 'must have shares that add up to 1 at most');
  const body = bodyOf(
    await updateTestsetSettings(tx, scope, testsetId, changes),
    'testset',
    String(testsetId),
  );
  const rules = changes.splitRules ?? [];
  if (rules.length > 0) {
    const [taken] = await takeEdition(tx, scope, testsetId);
    await splitTestcases(tx, scope, testsetId, { rules, edition: taken!.edition, after: 0 });
  }
  return body;
};

/**
 * Deletes testcases of any testsets. Throws 404 when one of them does not exist. Snapshots that have them keep them, unless their texts are
 * to be erased there too.
 */
export const bulkDeleteTestcases = async (
  tx: Sql,
  scope: Scope,
  all: TestcaseKey[],
  { erase }: { erase: boolean },
): Promise<void> => {
  const byTestset = Map.groupBy(all, (key) => key.testsetId);
  // In the order of ids, so that two requests do not deadlock.
  for (const [testsetId, keys] of [...byTestset].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const numbers = [...new Set(keys.map((key) => key.n))];
    const [taken] = await takeEdition(tx, scope, testsetId);
    const rows = taken ? await deleteTestcases(tx, scope, testsetId, numbers, taken.edition) : [];
    const deleted = new Set(rows.map((row) => row.n));
    const missing = numbers.find((n) => !deleted.has(n));
    if (missing !== undefined) throw notFound('testcase', `${testsetId}-${missing}`);
    if (erase) await eraseFromSnapshots(tx, scope, testsetId, numbers);
  }
};
