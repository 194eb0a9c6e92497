import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Client, JsonObject, Testset } from '../../../client/src/main.ts';
import { operationsOver } from '../../../client/src/operations.ts';
import { parseAsWritten } from '../../../client/src/written-number.ts';
import { type Command, projectOption, takeArguments } from '../command.ts';
import { documentText, editDocument, type Place, readDocumentAsWritten, writeDocument } from '../document.ts';
import { CliError, exit } from '../errors.ts';
import { countOf } from '../figures.ts';

/** A testset as a file. A testset or testcase that is not on the service yet has no id. */
export type TestsetFile = Omit<Testset, 'id'> & {
  id?: string;
  testcases: { id?: string; data: JsonObject }[];
};

const readTestset = async (client: Client, testsetId: string): Promise<TestsetFile & { id: string }> => {
  const api = operationsOver(client.send, parseAsWritten);
  const { id, name, description, jsonSchema, fieldMapping } = await api.getTestset(testsetId);
  const testcases: { id: string; data: JsonObject }[] = [];
  for await (const testcase of api.listTestcases(testsetId))
    testcases.push({ id: testcase.id, data: testcase.jsonData });
  return { id, name, description, jsonSchema, fieldMapping, testcases };
};

const checked = (path: string, value: unknown): TestsetFile => {
  const file = value as Partial<TestsetFile> | null;
  const problem =
    typeof file !== 'object' || file === null
      ? 'is not a testset'
      : typeof file.name !== 'string'
        ? 'has no name'
        : !Array.isArray(file.testcases)
          ? 'has no list of testcases'
          : file.testcases.some(({ data }) => typeof data !== 'object' || data === null)
            ? 'has a testcase without data'
            : undefined;
  if (problem)
    throw new CliError(`${path} ${problem}.`, 'For the format, see the output of dokima testset pull');
  const { description = '', jsonSchema = { type: 'object' } } = file as TestsetFile;
  const { fieldMapping = { inputs: [], expected: [], metadata: [] } } = file as TestsetFile;
  return { ...(file as TestsetFile), description, jsonSchema, fieldMapping };
};

/** Returns the changes that make the testset on the service match the file. */
const planOf = (file: TestsetFile, there: TestsetFile) => {
  const before = new Map(there.testcases.map(({ id, data }) => [id, data]));
  const kept = new Set(file.testcases.map(({ id }) => id));
  const { name, description, jsonSchema, fieldMapping } = file;
  const head = { name, description, jsonSchema, fieldMapping };
  return {
    head,
    headDiffers: !Object.entries(head).every(([key, value]) =>
      isDeepStrictEqual(value, there[key as keyof typeof head]),
    ),
    added: file.testcases.filter(({ id }) => id === undefined || !before.has(id)),
    changed: file.testcases.filter(
      ({ id, data }) => id && before.has(id) && !isDeepStrictEqual(before.get(id), data),
    ),
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
  for (const { id, data } of plan.changed) await client.updateTestcase(id!, { jsonData: data });
  const items = plan.added.map(({ data }) => ({ jsonData: data }));
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
  examples: ['dokima testset pull 2 capitals.yaml'],
  run: async ({ out, client, directory }, args) => {
    const [testsetId, file] = args;
    if (!file) takeArguments('testset pull', args, 'The id of the testset');
    const testset = await readTestset(await client(), testsetId!);
    if (!file) {
      out.raw(documentText(out.json ? '.json' : '.yaml', testset));
      return exit.pass;
    }
    await writeDocument(resolve(directory, file), testset);
    out.result(`${file}: ${countOf(testset.testcases.length, 'testcase')} of '${testset.name}'.`, {
      file,
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
Testcases that are missing from the file are deleted only with --delete. A file without an id becomes a new testset of --project.`,
  options: {
    ...projectOption,
    delete: { type: 'boolean', about: 'Delete testcases that are missing from the file.' },
    'dry-run': { type: 'boolean', about: 'Print the changes without making them.' },
  },
  examples: ['dokima testset push capitals.yaml --dry-run'],
  run: async (context, args, values) => {
    const [name] = takeArguments('testset push', args, 'The file');
    const path = await context.inputPath(name!);
    const file = checked(name!, await readDocumentAsWritten(path));
    const client = await context.client();
    const there: TestsetFile = file.id ? await readTestset(client, file.id) : { ...file, testcases: [] };
    const plan = planOf(file, there);
    const counts = { added: plan.added.length, changed: plan.changed.length, gone: plan.gone.length };
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
    const what = `${counts.added} added, ${counts.changed} changed${gone}`;
    const text = `${dry ? 'Dry run: ' : ''}testset ${id ?? '(new)'}: ${what}.`;
    context.out.result(text, {
      testsetId: id ?? null,
      dryRun: dry,
      headChanged: plan.headDiffers,
      ...counts,
    });
    return exit.pass;
  },
};
