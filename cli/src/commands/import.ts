import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Client } from '../../../client/src/main.ts';
import type { ColumnType } from '../../../client/src/tables/column-types.ts';
import { type Encoding, encodings } from '../../../client/src/tables/encoding.ts';
import { countsOfRows, type Header, notesOf, readArchive, readHeader } from '../archive.ts';
import { type Command, type Context, projectOption, takeArguments, type Values } from '../command.ts';
import { CliError, exit } from '../errors.ts';
import { countOf, countsOf } from '../figures.ts';
import { type Content, type Reading, readContent, readInput } from '../import/content.ts';
import type { Columns } from '../import/formats/table.ts';
import { formats, importsOf } from '../import/formats.ts';
import { isDatasetAddress, readDataset } from '../import/hugging-face.ts';
import { metricsOf, type Scale, scalesOf } from '../import/metrics.ts';
import type { Import, Row } from '../import/rows.ts';
import { type Written, writeImport } from '../import/write.ts';

const column = (what: string) => ({
  type: 'string' as const,
  multiple: true as const,
  value: 'COLUMN',
  about: `Column of a table with ${what}. Can be repeated.`,
});

const columnTypes = ['string', 'number', 'boolean', 'json'] as const;

const typesIn = (texts: readonly string[]): Map<string, ColumnType> =>
  new Map(
    texts.map((text) => {
      const [, column, name] = /^(.+)=(\w+)$/.exec(text) ?? [];
      const type = columnTypes.find((one) => one === name);
      if (column === undefined || type === undefined)
        throw new CliError(`--type must be COLUMN=${columnTypes.join('|')}, not '${text}'.`);
      return [column, type];
    }),
  );

const columnsOf = (values: Values): Columns => ({
  id: values.text('id'),
  inputs: values.all('inputs'),
  expected: values.all('expected'),
  outputs: values.all('outputs'),
  scores: values.all('scores'),
  types: typesIn(values.all('type')),
});

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

const readingOf = (values: Values): Reading => {
  const encoding = values.text('encoding');
  if (encoding !== undefined && !Object.hasOwn(encodings, encoding)) {
    const names = Object.keys(encodings).join(', ');
    throw new CliError(
      `There is no encoding '${encoding}'.`,
      `UTF-8 and UTF-16 need no option. Others: ${names}`,
    );
  }
  return { encoding: encoding as Encoding | undefined, sheet: values.text('sheet') };
};

const contentOf = (
  { stdin, environment, signal, out }: Context,
  name: string,
  path: string,
  reading: Reading,
): Promise<Content> => {
  if (name === '-') return readInput(stdin, reading);
  return isDatasetAddress(name)
    ? readDataset(name, environment, signal, reading, (text) => out.progress(text))
    : readContent(path, reading);
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
  testset: string | undefined,
): Promise<Told[]> => {
  const told: Told[] = [];
  for (const imported of imports) {
    const progress = (text: string) => out.progress(text);
    const written = await writeImport(client, projectId, imported, scales, progress, testset);
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
  takes: 'FILE',
  summary: 'Import the results of another tool, a table, or an exported project.',
  about: `The file shows which tool wrote it:
${formats.map(({ name, about }) => `  ${name.padEnd(14)}${about}`).join('\n')}
  table         any other CSV, TSV, JSONL, JSON, XLSX, Parquet or Arrow, with columns named inputs.x, expected.x, outputs.x, scores.x

A file may be compressed with gzip. - is standard input.
The file becomes a testset, metrics, and runs with records and scores. The tool's own ids are kept: a testcase's id in its field
id, a record's id as its otelLinkId. Importing the same file again changes nothing. An archive from dokima export becomes a new project.

hf://OWNER/NAME[@REVISION][/SPLIT or PATH] is a dataset of Hugging Face. It becomes a testset. HF_ENDPOINT is the address of a mirror,
HF_TOKEN the token for private datasets.`,
  options: {
    ...projectOption,
    from: { type: 'string', value: 'TOOL', about: 'Tool that wrote the file, if the file does not show it.' },
    'dry-run': { type: 'boolean', about: 'Say what the file holds, and write nothing.' },
    encoding: {
      type: 'string',
      value: 'NAME',
      about: 'Encoding of text that is not UTF-8 or UTF-16: windows-1252.',
    },
    sheet: { type: 'string', value: 'NAME', about: 'Sheet of a spreadsheet. Default: the first with rows.' },
    scale: {
      type: 'string',
      multiple: true,
      value: '[METRIC=]LOW..HIGH',
      about:
        'Scale of a metric, where the file does not say it: helpful=1..5. Without a metric: of all others. Can be repeated.',
    },
    direction: {
      type: 'string',
      multiple: true,
      value: 'METRIC=lower|higher',
      about:
        'Whether low values of a metric are good: hallucination=lower. It is stored as its distance from the top. Can be repeated.',
    },
    skip: {
      type: 'string',
      multiple: true,
      value: 'METRIC',
      about: 'A metric to leave out. Can be repeated.',
    },
    testset: {
      type: 'string',
      short: 't',
      value: 'ID|NAME',
      about:
        'Testset that gets the cases, so that runs of several files compare. Default: one for each evaluation.',
    },
    id: { type: 'string', value: 'COLUMN', about: 'Column of a table with the id.' },
    inputs: column('inputs'),
    expected: column('expected outputs'),
    outputs: column('outputs'),
    scores: column('scores'),
    type: {
      type: 'string',
      multiple: true,
      value: `COLUMN=${columnTypes.join('|')}`,
      about:
        'Type of a column of a table whose cells are texts, if not the one that its values have. Can be repeated.',
    },
  },
  examples: [
    'dokima import -p 12 results.json',
    'dokima import -p 12 logs/2026-01-01_task.eval',
    'dokima import -p 12 hf://openai/gsm8k/main/test',
    'dokima import -p 12 answers.csv --inputs question --outputs reply --scores right',
  ],
  run: async (context, args, values) => {
    const { out, directory } = context;
    const [name] = takeArguments('import', args, 'The file');
    const path = resolve(directory, name!);
    const isFile = name !== '-' && !isDatasetAddress(name!) && (await stat(path)).isFile();
    const header = isFile ? await readHeader(path) : undefined;
    if (header) return restore(context, path, header);
    const content = await contentOf(context, name!, path, readingOf(values));
    out.progress(undefined);
    const skipped = new Set(values.all('skip'));
    const imports = importsOf(content, values.text('from'), columnsOf(values)).map((one) => ({
      ...one,
      rows: one.rows.map((row) => ({ ...row, scores: row.scores.filter(({ name }) => !skipped.has(name)) })),
    }));
    const scales = scalesOf(values.all('scale'), values.all('direction'));
    const told = values.flag('dry-run')
      ? imports.map((imported) => describe(imported, scales))
      : await writeAll(
          await context.client(),
          values.required('project'),
          imports,
          scales,
          out,
          values.text('testset'),
        );
    for (const { notes } of imports) for (const note of notes) out.note(note);
    const [only] = told;
    out.result(
      told.map(({ text }) => text).join('\n'),
      told.length === 1 ? only!.json : { imports: told.map(({ json }) => json) },
    );
    return exit.pass;
  },
};
