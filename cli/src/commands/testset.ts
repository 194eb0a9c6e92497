import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Client, JsonObject, Testset, TestsetSettings } from '../../../client/src/main.ts';
import { operationsOver } from '../../../client/src/operations.ts';
import { parseAsWritten } from '../../../client/src/written-number.ts';
import { type Command, projectOption, takeArguments } from '../command.ts';
import { documentText, editDocument, type Place, readDocumentAsWritten, writeDocument } from '../document.ts';
import { CliError, exit } from '../errors.ts';
import { countOf } from '../figures.ts';
import { itemOf, marksBetween, writeMarks } from '../testcase-marks.ts';
import { snapshotNumber } from './testset-history.ts';

/** A testcase of a file. Without a split or tags, those that it has stay as they are; `null` and `[]` take them away. */
type FileTestcase = { id?: string; data: JsonObject; split?: string | null; tags?: string[] };

/** A testset as a file. A testset or testcase that is not on the service yet has no id. */
export type TestsetFile = Omit<Testset, 'id'> &
  Partial<TestsetSettings> & { id?: string; testcases: FileTestcase[] };

/** Reads a testset and its settings, with its testcases of now or of a snapshot. */
const readTestset = async (
  client: Client,
  testsetId: string,
  snapshot?: number,
): Promise<TestsetFile & { id: string }> => {
  const api = operationsOver(client.send, parseAsWritten);
  const { id, name, description, jsonSchema, fieldMapping } = await api.getTestset(testsetId);
  const { groupingField, splitRules } = await client.getTestsetSettings(testsetId);
  const testcases: FileTestcase[] = [];
  const query = snapshot === undefined ? {} : { snapshot };
  for await (const { id: testcaseId, jsonData, split, tags } of api.listTestcases(testsetId, query))
    testcases.push({
      id: testcaseId,
      data: jsonData,
      ...(split !== undefined && { split }),
      ...(tags !== undefined && { tags }),
    });
  return {
    id,
    name,
    description,
    jsonSchema,
    fieldMapping,
    ...(groupingField !== null && { groupingField }),
    ...(splitRules.length > 0 && { splitRules }),
    testcases,
  };
};

const settingsFields = ['groupingField', 'splitRules'] as const;
const fields = ['id', 'name', 'description', 'jsonSchema', 'fieldMapping', ...settingsFields, 'testcases'];
const testcaseFields = ['id', 'data', 'split', 'tags'];

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const unknownIn = (value: object, known: readonly string[]): string | undefined =>
  Object.keys(value).find((key) => !known.includes(key));

const problemOfTestcase = (testcase: unknown): string | undefined => {
  if (!isObject(testcase) || !isObject((testcase as FileTestcase).data)) return 'has a testcase without data';
  const { split, tags } = testcase as FileTestcase;
  const unknown = unknownIn(testcase, testcaseFields);
  if (unknown !== undefined) return `has a testcase with the unknown field '${unknown}'`;
  if (split != null && typeof split !== 'string') return 'has a testcase whose split is not a text';
  if (tags !== undefined && !(Array.isArray(tags) && tags.every((tag) => typeof tag === 'string')))
    return 'has a testcase whose tags are not a list of texts';
  return undefined;
};

const problemOf = (file: unknown): string | undefined => {
  if (!isObject(file)) return 'is not a testset';
  const { name, testcases } = file as Partial<TestsetFile>;
  if (typeof name !== 'string') return 'has no name';
  if (!Array.isArray(testcases)) return 'has no list of testcases';
  const unknown = unknownIn(file, fields);
  if (unknown !== undefined) return `has the unknown field '${unknown}'`;
  return testcases.map(problemOfTestcase).find((problem) => problem !== undefined);
};

/** What a new testset gets for the fields that its file lacks. An existing one keeps its own. */
const defaults = {
  description: '',
  jsonSchema: { type: 'object' },
  fieldMapping: { inputs: [], expected: [], metadata: [] },
};

type GivenFile = Omit<TestsetFile, keyof typeof defaults> & Partial<TestsetFile>;

const checked = (path: string, file: unknown): GivenFile => {
  const problem = problemOf(file);
  if (!problem) return file as GivenFile;
  throw new CliError(`${path} ${problem}.`, 'For the format, see the output of dokima testset pull');
};

/** Returns the changes that make the testset on the service match the file. */
const planOf = (file: TestsetFile, there: TestsetFile) => {
  const before = new Map(there.testcases.map((testcase) => [testcase.id, testcase]));
  const kept = new Set(file.testcases.map(({ id }) => id));
  const { name, description, jsonSchema, fieldMapping } = file;
  const head = { name, description, jsonSchema, fieldMapping };
  const { groupingField = null, splitRules = [] } = there;
  const found: TestsetSettings = { groupingField, splitRules };
  const here = file.testcases.flatMap((testcase) => {
    const former = testcase.id === undefined ? undefined : before.get(testcase.id);
    return former ? [{ ...testcase, id: testcase.id!, former }] : [];
  });
  return {
    head,
    headDiffers: !Object.entries(head).every(([key, value]) =>
      isDeepStrictEqual(value, there[key as keyof typeof head]),
    ),
    settings: Object.fromEntries(
      settingsFields
        .filter((key) => file[key] !== undefined && !isDeepStrictEqual(file[key], found[key]))
        .map((key) => [key, file[key]]),
    ) as Partial<TestsetSettings>,
    added: file.testcases.filter(({ id }) => id === undefined || !before.has(id)),
    changed: here.filter(({ data, former }) => !isDeepStrictEqual(former.data, data)),
    marked: here.flatMap(({ id, former, ...wanted }) => {
      const marks = marksBetween(former, wanted);
      return marks ? [{ id, marks }] : [];
    }),
    gone: there.testcases.flatMap(({ id }) => (id && !kept.has(id) ? [id] : [])),
  };
};

type Plan = ReturnType<typeof planOf>;

/** Makes the planned changes. Returns the new ids for the file, so that the next push finds its testcases again. */
const applyPlan = async (
  client: Client,
  testsetId: string,
  file: TestsetFile,
  plan: Plan,
  deletes: boolean,
): Promise<[Place, string][]> => {
  if (plan.headDiffers) await client.updateTestset(testsetId, plan.head);
  // Before the testcases: rules give a split only to those that have none.
  if (Object.keys(plan.settings).length > 0) await client.updateTestsetSettings(testsetId, plan.settings);
  for (const { id, data } of plan.changed) await client.updateTestcase(id, { jsonData: data });
  await writeMarks(client, testsetId, plan.marked);
  const items = plan.added.map(({ data, split, tags }) => itemOf({ jsonData: data, split, tags }));
  const made = await client.createAllTestcases(testsetId, items);
  if (deletes && plan.gone.length > 0) await client.deleteTestcases({ ids: plan.gone });
  return plan.added.map((testcase, i) => [
    ['testcases', file.testcases.indexOf(testcase), 'id'],
    made[i]!.id,
  ]);
};

export const testsetPull: Command = {
  name: 'testset pull',
  takes: 'TESTSET [FILE]',
  summary: 'Write a testset as YAML or JSON to a file, or to stdout.',
  options: {
    snapshot: {
      type: 'string',
      value: 'N',
      about: 'Write the testcases of this snapshot. Default: as they are now.',
    },
  },
  examples: ['dokima testset pull 2 capitals.yaml', 'dokima testset pull 2 then.yaml --snapshot 3'],
  run: async ({ out, client, directory }, args, values) => {
    const [testsetId, file] = args;
    if (!file) takeArguments('testset pull', args, 'The id of the testset');
    const snapshot = values.has('snapshot') ? snapshotNumber(values.text('snapshot')) : undefined;
    const testset = await readTestset(await client(), testsetId!, snapshot);
    if (!file) {
      out.raw(documentText(out.json ? '.json' : '.yaml', testset));
      return exit.pass;
    }
    await writeDocument(resolve(directory, file), testset);
    const of = `${snapshot === undefined ? '' : `snapshot ${snapshot} of `}'${testset.name}'`;
    out.result(`${file}: ${countOf(testset.testcases.length, 'testcase')} of ${of}.`, {
      file,
      ...(snapshot !== undefined && { snapshot }),
      ...testset,
    });
    return exit.pass;
  },
};

export const testsetPush: Command = {
  name: 'testset push',
  takes: 'FILE',
  summary: 'Make a testset on the service match a file.',
  about: `Testcases with an id are updated if they differ. Testcases without an id are created, and their ids are written into the file.
Testcases that are missing from the file are deleted only with --delete. A file without an id becomes a new testset of --project.
A testcase without a split or tags in the file keeps its own; "split: null" and "tags: []" take them away.`,
  options: {
    ...projectOption,
    delete: { type: 'boolean', about: 'Delete testcases that are missing from the file.' },
    'dry-run': { type: 'boolean', about: 'Print the changes without making them.' },
  },
  examples: ['dokima testset push capitals.yaml --dry-run'],
  run: async (context, args, values) => {
    const [name] = takeArguments('testset push', args, 'The file');
    const path = await context.inputPath(name!);
    const given = checked(name!, await readDocumentAsWritten(path));
    const client = await context.client();
    const there: TestsetFile = given.id
      ? await readTestset(client, given.id)
      : { ...defaults, ...given, groupingField: null, splitRules: [], testcases: [] };
    const { description, jsonSchema, fieldMapping } = there;
    const file: TestsetFile = { description, jsonSchema, fieldMapping, ...given };
    const plan = planOf(file, there);
    const counts = {
      added: plan.added.length,
      changed: plan.changed.length,
      marked: plan.marked.length,
      gone: plan.gone.length,
    };
    const deletes = values.flag('delete');
    const dry = values.flag('dry-run');
    let id = file.id;
    if (!dry) {
      id ??= (await client.createTestset(values.required('project'), plan.head)).id;
      if (!file.id) await editDocument(path, [[['id'], id]]);
      await editDocument(path, await applyPlan(client, id, file, plan, deletes));
    }
    const gone =
      counts.gone > 0
        ? `, ${counts.gone} ${deletes ? 'deleted' : 'missing from the file (--delete deletes them)'}`
        : '';
    const marked = counts.marked > 0 ? `, ${counts.marked} with another split or tags` : '';
    const settings = Object.keys(plan.settings).length > 0 ? ', another grouping or split rules' : '';
    const what = `${counts.added} added, ${counts.changed} changed${marked}${gone}${settings}`;
    const text = `${dry ? 'Dry run: ' : ''}testset ${id ?? '(new)'}: ${what}.`;
    context.out.result(text, {
      testsetId: id ?? null,
      dryRun: dry,
      headChanged: plan.headDiffers,
      settingsChanged: Object.keys(plan.settings).length > 0,
      ...counts,
    });
    return exit.pass;
  },
};
