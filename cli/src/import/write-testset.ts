import { isDeepStrictEqual } from 'node:util';
import type { Client, JsonObject, Testset } from '../../../client/src/main.ts';
import { operationsOver } from '../../../client/src/operations.ts';
import { parseAsWritten } from '../../../client/src/written-number.ts';
import { CliError } from '../errors.ts';
import { isRowId } from './rows.ts';
import type { ImportedTestset } from './testset-of.ts';

type Target = { client: Client; projectId: string; written: { testcases: number } };

/** Creates testcases, and notes their ids. */
const createTestcases = async (
  { client, written }: Target,
  testsetId: string,
  missing: [caseId: string, data: JsonObject][],
  ids: Map<string, string>,
): Promise<void> => {
  const made = await client.createAllTestcases(
    testsetId,
    missing.map(([, jsonData]) => ({ jsonData })),
  );
  missing.forEach(([caseId], i) => {
    ids.set(caseId, made[i]!.id);
  });
  written.testcases += made.length;
};

/** Returns the testset of an earlier import of the same evaluation, found by its description, else creates one. */
const ownTestset = async ({ client, projectId }: Target, { head }: ImportedTestset): Promise<string> => {
  for await (const testset of client.listTestsets(projectId)) {
    if (testset.name !== head.name || testset.description !== head.description) continue;
    if (!isDeepStrictEqual(testset.fieldMapping, head.fieldMapping))
      await client.updateTestset(testset.id, head);
    return testset.id;
  }
  return (await client.createTestset(projectId, head)).id;
};

/** The content of a testcase without the tool's id and metadata. Equal content is one case, whatever its id in a file. */
const contentOf = ({ fieldMapping }: Pick<Testset, 'fieldMapping'>, data: JsonObject): string =>
  JSON.stringify(
    [...fieldMapping.inputs, ...fieldMapping.expected].sort().map((field) => [field, data[field] ?? null]),
  );

/** Returns the testset of the project with this id, else the only one with this name. Throws if its fields are not those of the file. */
const findTestset = async (
  { client, projectId }: Target,
  wanted: string,
  { head }: ImportedTestset,
): Promise<Testset> => {
  const all: Testset[] = [];
  for await (const testset of client.listTestsets(projectId)) all.push(testset);
  const byId = all.filter(({ id }) => id === wanted);
  const [testset, ...others] = byId.length > 0 ? byId : all.filter(({ name }) => name === wanted);
  if (!testset)
    throw new CliError(
      `The project has no testset '${wanted}'.`,
      'Use its id, or its name as it is written.',
    );
  if (others.length > 0)
    throw new CliError(
      `${others.length + 1} testsets are named '${wanted}'.`,
      `Use an id: ${[testset, ...others].map(({ id }) => id).join(', ')}`,
    );
  for (const part of ['inputs', 'expected'] as const) {
    const [theirs, ours] = [testset.fieldMapping[part], head.fieldMapping[part]].map((names) =>
      names.toSorted(),
    );
    if (!isDeepStrictEqual(theirs, ours))
      throw new CliError(
        `The file has other ${part} than testset ${testset.id}: ${ours!.join(', ') || 'none'}, not ${theirs!.join(', ') || 'none'}.`,
        'Import it without --testset. It becomes a separate testset.',
      );
  }
  return testset;
};

/** Returns an id that no testcase has, and notes that it is taken. */
const freeIdOf = (id: string, taken: Set<string>): string => {
  let free = id;
  for (let n = 2; taken.has(free); n++) free = `${id} (${n})`;
  taken.add(free);
  return free;
};

/**
 * Finds the cases of the file in a testset by their content, whatever their ids are, and adds those that it lacks. Throws for an id
 * that the testset has with other content: to replace that testcase would change what earlier runs were asked.
 */
const addTestcases = async (
  target: Target,
  testset: Testset,
  { cases, idField }: ImportedTestset,
): Promise<Map<string, string>> => {
  const asWritten = operationsOver(target.client.send, parseAsWritten);
  const [byContent, taken] = [new Map<string, string>(), new Set<string>()];
  for await (const { id, jsonData } of asWritten.listTestcases(testset.id)) {
    byContent.set(contentOf(testset, jsonData), id);
    taken.add(String(jsonData[idField]));
  }
  const ids = new Map<string, string>();
  const missing: [string, JsonObject][] = [];
  for (const [caseId, data] of cases) {
    const id = byContent.get(contentOf(testset, data));
    if (id !== undefined) ids.set(caseId, id);
    else if (isRowId(caseId)) missing.push([caseId, { ...data, [idField]: freeIdOf(caseId, taken) }]);
    else if (taken.has(caseId))
      throw new CliError(
        `Testset ${testset.id} has a testcase '${caseId}' with other content.`,
        'Import the file without --testset, or correct the id.',
      );
    else missing.push([caseId, data]);
  }
  await createTestcases(target, testset.id, missing, ids);
  return ids;
};

/** Makes the testcases match the file. Returns their ids by the tool's own ids. */
const writeTestcases = async (
  target: Target,
  testsetId: string,
  { cases, idField }: ImportedTestset,
): Promise<Map<string, string>> => {
  const ids = new Map<string, string>();
  // Every digit counts: data that differs in one of them is written again.
  const asWritten = operationsOver(target.client.send, parseAsWritten);
  for await (const { id, jsonData } of asWritten.listTestcases(testsetId)) {
    const caseId = String(jsonData[idField]);
    const wanted = cases.get(caseId);
    if (wanted === undefined) continue;
    ids.set(caseId, id);
    if (isDeepStrictEqual(wanted, jsonData)) continue;
    await target.client.updateTestcase(id, { jsonData: wanted });
    target.written.testcases++;
  }
  await createTestcases(
    target,
    testsetId,
    [...cases].filter(([caseId]) => !ids.has(caseId)),
    ids,
  );
  return ids;
};

/**
 * Writes the testset of a file. `into` is the id or the name of an existing one that gets the cases. Returns its id, and those of its
 * testcases by the tool's own ids.
 */
export const writeTestset = async (
  target: Target,
  testset: ImportedTestset,
  into: string | undefined,
): Promise<{ testsetId: string; testcaseIds: Map<string, string> }> => {
  if (into !== undefined) {
    const existing = await findTestset(target, into, testset);
    return { testsetId: existing.id, testcaseIds: await addTestcases(target, existing, testset) };
  }
  const testsetId = await ownTestset(target, testset);
  return { testsetId, testcaseIds: await writeTestcases(target, testsetId, testset) };
};
