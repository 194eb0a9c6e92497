import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Client } from '../../../client/src/main.ts';
import { countsOfRows, type Header, notesOf, readArchive, readHeader } from '../archive.ts';
import { type Command, type Context, projectOption, serviceGoesOn, takeArguments } from '../command.ts';
import { exit } from '../errors.ts';
import { countOf, countsOf } from '../figures.ts';
import { isDatasetAddress } from '../hub.ts';
import { formats } from '../import/formats.ts';
import { metricsOf, type Scale } from '../import/metrics.ts';
import { readImports, readingOptions, scalesIn } from '../import/read-imports.ts';
import type { Import, Row } from '../import/rows.ts';
import { type ImportOptions, type Written, writeImport } from '../import/write.ts';
import { madeByOption, readMadeBy } from '../made-by.ts';

const words = ({ testcases, metrics, runs, records, scores, unscored, tags }: Written): string => {
  const counts = Object.entries({ testcases, metrics, runs, records, scores, unscored, tags });
  const written = counts.filter(([, count]) => count > 0);
  return written.length > 0 ? countsOf(Object.fromEntries(written)) : 'no changes';
};

const restore = async ({ out, client, signal }: Context, path: string, header: Header): Promise<number> => {
  const imported = await readArchive(await client(), path, header, out, signal);
  out.progress(undefined);
  const notes = imported.wasThere ? [] : notesOf(imported);
  for (const note of notes) out.note(note);
  const what = imported.wasThere ? 'no changes' : countsOf(countsOfRows(imported.rows));
  out.result(`Project ${imported.projectId}: ${what}.`, { ...imported, notes });
  return exit.pass;
};

type Told = { text: string; json: object };

const fieldsOf = (rows: readonly Row[], part: 'inputs' | 'expected' | 'outputs'): string => {
  const names = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row[part])) names.add(name);
  return [...names].join(', ') || 'none';
};

/** Returns the content of a file and its use, in words. */
const describe = (imported: Import, scales: ReadonlyMap<string, Scale>): Told => {
  const { tool, id, rows, systems, notes } = imported;
  const cases = new Set(rows.map(({ caseId }) => caseId)).size;
  const metrics = [...metricsOf(imported, scales).values()].map(({ name, kind, definition }) => ({
    name,
    outputType: kind.outputType,
    evalType: definition?.evalType ?? 'heuristic',
    from: definition?.kind ?? 'scores',
  }));
  const text = [
    `${tool} ${id}: ${countOf(rows.length, 'record')} of ${countOf(cases, 'case')} in ${countOf(systems.size, 'run')}.`,
    `  inputs: ${fieldsOf(rows, 'inputs')}`,
    `  expected: ${fieldsOf(rows, 'expected')}`,
    `  outputs: ${fieldsOf(rows, 'outputs')}`,
    ...metrics.map(
      ({ name, outputType, evalType, from }) =>
        `  metric '${name}': ${evalType}, ${outputType}, from ${from}`,
    ),
  ].join('\n');
  return { text, json: { tool, id, records: rows.length, cases, runs: systems.size, metrics, notes } };
};

const writeAll = async (
  client: Client,
  projectId: string,
  imports: Import[],
  scales: ReadonlyMap<string, Scale>,
  out: Context['out'],
  options: ImportOptions,
): Promise<Told[]> => {
  const told: Told[] = [];
  for (const imported of imports) {
    const progress = (text: string) => out.progress(text);
    const written = await writeImport(client, projectId, imported, scales, progress, options);
    const { tool, id, notes } = imported;
    const runs = written.runIds.length > 0 ? `, runs ${written.runIds.join(', ')}` : '';
    const text = `${tool} ${id}: ${words(written)}. Testset ${written.testsetId}${runs}.`;
    told.push({ text, json: { tool, id, ...written, notes } });
  }
  out.progress(undefined);
  return told;
};

export const importCommand: Command = {
  name: 'import',
  waits: serviceGoesOn,
  takes: 'FILE',
  summary: 'Import the results of another tool, a table, or an exported project.',
  about: `The file shows which tool wrote it:
${formats.map(({ name, about }) => `  ${name.padEnd(18)}${about}`).join('\n')}
  ${'table'.padEnd(18)}any other CSV, TSV, JSONL, JSON, XLSX, Parquet or Arrow, with columns named inputs.x, expected.x, outputs.x, scores.x

A file may be compressed with gzip. - is standard input.
The file becomes a testset, metrics, and runs with records and scores. The tool's own ids are kept: a testcase's id in its field
id, a record's id as its otelLinkId. Importing the same file again changes nothing. An archive from dokima export becomes a new project.

hf://OWNER/NAME[@REVISION][/SPLIT or PATH] is a dataset of Hugging Face. It becomes a testset. HF_ENDPOINT is the address of a mirror,
HF_TOKEN the token for private datasets.`,
  options: {
    ...projectOption,
    ...readingOptions,
    'dry-run': { type: 'boolean', about: 'Say what the file holds, and write nothing.' },
    ...madeByOption,
    testset: {
      type: 'string',
      short: 't',
      value: 'ID|NAME',
      about:
        'Testset that gets the cases, so that runs of several files compare. Default: one for each evaluation.',
    },
  },
  examples: [
    'dokima import -p 12 results.json',
    'dokima import -p 12 logs/2026-01-01_task.eval',
    'dokima import -p 12 hf://openai/gsm8k/main/test',
    'dokima import -p 12 answers.csv --inputs question --outputs reply --scores right',
  ],
  run: async (context, args, values) => {
    const { out, inputPath } = context;
    const [name] = takeArguments('import', args, 'The file');
    const isDataset = isDatasetAddress(name!);
    const path = isDataset ? name! : await inputPath(name!);
    const isFile = !isDataset && (await stat(path)).isFile();
    const header = isFile ? await readHeader(path) : undefined;
    if (header) return restore(context, path, header);
    // An archive is read twice, so standard input is kept as a file.
    const stdin = name === '-' ? Object.assign(createReadStream(path), { isTTY: false }) : context.stdin;
    const imports = await readImports({ ...context, stdin }, name!, values);
    const scales = scalesIn(values);
    const told = values.flag('dry-run')
      ? imports.map((imported) => describe(imported, scales))
      : await writeAll(await context.client(), values.required('project'), imports, scales, out, {
          testset: values.text('testset'),
          madeBy: readMadeBy(values),
        });
    for (const { notes } of imports) for (const note of notes) out.note(note);
    const [only] = told;
    out.result(
      told.map(({ text }) => text).join('\n'),
      told.length === 1 ? only!.json : { imports: told.map(({ json }) => json) },
    );
    return exit.pass;
  },
};
