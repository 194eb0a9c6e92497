import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync } from 'hyparquet';
import type { Client, ExportRecordsQuery } from '../../../client/src/main.ts';
import { megabytes, writeWhole } from '../archive.ts';
import {
  type Command,
  type Context,
  nothingIsLeft,
  projectOption,
  takeArguments,
  type Values,
} from '../command.ts';
import { CliError, exit } from '../errors.ts';
import { trajectoriesOf } from '../export/atif.ts';
import { cardOf } from '../export/card.ts';
import { writeEveryEvalEver } from '../export/every-eval-ever.ts';
import { inspectLogOf } from '../export/inspect.ts';
import { publish } from '../export/publish.ts';
import { runOf } from '../export/run-of.ts';
import { countOf } from '../figures.ts';
import { addressOf, isDatasetAddress } from '../hub.ts';

const formats = ['csv', 'jsonl', 'parquet', 'arrow'] as const;
type Format = (typeof formats)[number];

/** Forms of other tools. They are of one run. */
const toolFormats = ['inspect', 'atif', 'every-eval-ever'] as const;
type ToolFormat = (typeof toolFormats)[number];

/** Endings of files by their format. `.arrows` is the usual ending of a stream. */
const endings: Record<string, Format> = {
  csv: 'csv',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  parquet: 'parquet',
  arrow: 'arrow',
  arrows: 'arrow',
};

const formatOf = (file: string, given: string | undefined): Format | ToolFormat => {
  const ending = /\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
  if (given === undefined) return endings[ending] ?? 'jsonl';
  const all = [...formats, ...toolFormats];
  const found = all.find((one) => one === given);
  if (found) return found;
  throw new CliError(`There is no format '${given}'.`, `Choose one of: ${all.join(', ')}`);
};

type Target = {
  address: string;
  runId: string | undefined;
  projectId: string;
  query: Omit<ExportRecordsQuery, 'format'>;
};

/** Words for the types of Parquet. */
const typeNames: Record<string, string> = { DOUBLE: 'number', BOOLEAN: 'yes or no' };

const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : megabytes(bytes);

/** The words of the command line: a run, a file, both or neither. A run's id is a number. */
const targetOf = (args: string[]): { runId: string | undefined; file: string } => {
  const [first, second] = args;
  if (args.length > 2) takeArguments('records', args, 'The id of the run', 'The file');
  if (first !== undefined && /^\d+$/.test(first)) return { runId: first, file: second ?? '-' };
  if (second === undefined) return { runId: undefined, file: first ?? '-' };
  throw new CliError(`'${first}' is not the id of a run.`, 'See dokima records --help');
};

/** Writes a run as another tool reads it. */
const writeForTool = async (
  context: Context,
  client: Client,
  { address: file, runId, query }: Target,
  format: ToolFormat,
  values: Values,
): Promise<number> => {
  const { out, directory } = context;
  if (runId === undefined || query.q !== undefined)
    throw new CliError(
      `--format ${format} is for a whole run.`,
      'Example: dokima records 17 run.json --format inspect',
    );
  const exported = await runOf(client, runId, out);
  const model = values.text('model') ?? exported.run.title;
  const print = async (texts: AsyncIterable<string>): Promise<number> => {
    if (file === '-') for await (const text of texts) await out.bytes(Buffer.from(text));
    else {
      await writeWhole(resolve(directory, file), texts);
      out.progress(undefined);
      out.result(`${file}: ${countOf(exported.run.numRecords, 'record')}.`, { file, format });
    }
    return exit.pass;
  };
  if (format === 'inspect') return print(inspectLogOf(exported, model));
  if (format === 'atif') return print(trajectoriesOf(client, exported, model));
  if (file === '-')
    throw new CliError(
      'Every Eval Ever is two files.',
      'Name a folder: dokima records 17 out --format every-eval-ever',
    );
  const { organization } = await client.getMe();
  const named = { model, organization: organization.name };
  const written = await writeEveryEvalEver(exported, named, resolve(directory, file));
  out.progress(undefined);
  out.result(written.map((name) => join(file, name)).join('\n'), { files: written, format });
  return exit.pass;
};

/** Publishes the records as a dataset: Parquet with a card. */
const publishRecords = async (
  { out, environment, signal }: Context,
  client: Client,
  { address, runId, projectId, query }: Target,
  values: Values,
): Promise<number> => {
  const { repo, revision, rest } = addressOf(address);
  if (revision !== undefined || rest !== '' || (values.text('format') ?? 'parquet') !== 'parquet')
    throw new CliError('Records are published as Parquet in a dataset.', `Example: hf://datasets/${repo}`);
  const directory = await mkdtemp(join(tmpdir(), 'dokima-records-'));
  try {
    const file = join(directory, 'records.parquet');
    const chunks = await client.exportRecords(projectId, { ...query, format: 'parquet' }, { signal });
    await writeWhole(file, chunks, (bytes) => out.progress(megabytes(bytes)));
    const { num_rows, schema } = await parquetMetadataAsync(await asyncBufferFromFile(file));
    const path = 'data/test-00000-of-00001.parquet';
    const run = runId === undefined ? undefined : await client.getRunDetails(runId);
    const numRecords = Number(num_rows);
    const card = cardOf({
      name: run === undefined ? `Records of project ${projectId}` : run.title,
      license: values.text('license'),
      path,
      numRecords,
      columns: schema.slice(1).map(({ name, type }) => ({ name, type: typeNames[type!] ?? 'text' })),
      // The rates of a run are those of all its records.
      summary: run === undefined || query.q ? undefined : await client.summarizeRun(run.id),
      search: query.q,
    });
    const message = `${countOf(numRecords, 'record')} from Dokima`;
    const progress = (bytes: number) => out.progress(`${megabytes(bytes)} sent`);
    const isPublic = values.flag('public');
    const published = { repo, isPublic, file, path, card, message, progress };
    const url = await publish(environment, signal, published);
    out.progress(undefined);
    out.result(`${url}: ${countOf(numRecords, 'record')}.`, { url, records: numRecords });
    return exit.pass;
  } finally {
    await rm(directory, { recursive: true });
  }
};

const queryOf = async (
  client: Client,
  runId: string | undefined,
  values: Values,
): Promise<{ projectId: string; query: Omit<ExportRecordsQuery, 'format'> }> => {
  const q = values.text('search');
  const projectId =
    runId === undefined ? values.required('project') : (await client.getRunDetails(runId)).projectId;
  return { projectId, query: { ...(q && { q }), ...(runId !== undefined && { runId }) } };
};

export const records: Command = {
  name: 'records',
  waits: nothingIsLeft,
  takes: '[RUN] [FILE]',
  summary:
    'Write the records of a run or of a search, with their scores, as Parquet, Arrow, CSV or JSON lines.',
  about: `To FILE, whose ending says the format, or to stdout (-). Without RUN, the records of the project. The columns are id, run, testcase, created, and
those that dokima import reads: inputs.x, expected.x, outputs.x, scores.x. The service sends a file of any size as a stream.

--format inspect writes a log of Inspect, atif trajectories of agents (a line each), and every-eval-ever two files below a folder.

hf://datasets/OWNER/NAME in place of FILE is a dataset of Hugging Face, which gets the records as Parquet and a card with columns, counts and the rates of the run.
HF_TOKEN is a token that may write. A new dataset is private.`,
  options: {
    ...projectOption,
    search: { type: 'string', value: 'WORDS', about: "Only these records, in the words of 'dokima find'." },
    license: { type: 'string', value: 'ID', about: 'Licence in the card of a dataset, such as cc-by-4.0.' },
    public: { type: 'boolean', about: 'Make a new dataset of Hugging Face public.' },
    format: {
      type: 'string',
      value: 'FORMAT',
      about: `One of ${[...formats, ...toolFormats].join(', ')}. Default: by the ending of the file; jsonl.`,
    },
    model: {
      type: 'string',
      value: 'ID',
      about: 'Model in the files of other tools, such as openai/gpt-5. Default: the title of the run.',
    },
  },
  examples: [
    'dokima records 17 run.parquet',
    "dokima records -p 12 --search 'score.Accuracy:fail created:>7d' fails.csv",
    'dokima records 17 --format csv | head',
    'dokima records 17 hf://datasets/acme/support-answers --license cc-by-4.0',
  ],
  run: async (context, args, values) => {
    const { out, directory, signal } = context;
    const { runId, file } = targetOf(args);
    const format = formatOf(file, values.text('format'));
    const client = await context.client();
    const { projectId, query } = await queryOf(client, runId, values);
    const tool = toolFormats.find((one) => one === format);
    if (tool) return writeForTool(context, client, { address: file, runId, projectId, query }, tool, values);
    if (isDatasetAddress(file))
      return publishRecords(context, client, { address: file, runId, projectId, query }, values);
    const chunks = await client.exportRecords(projectId, { ...query, format: format as Format }, { signal });
    const progress = (bytes: number) => out.progress(megabytes(bytes));
    try {
      if (file === '-') {
        for await (const chunk of chunks) await out.bytes(chunk);
        return exit.pass;
      }
      const bytes = await writeWhole(resolve(directory, file), chunks, progress);
      out.progress(undefined);
      out.result(`${file}: ${sizeOf(bytes)}.`, { file, format, bytes });
      return exit.pass;
    } catch (error) {
      signal.throwIfAborted();
      if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error;
      throw new CliError('The export was interrupted.', 'Run the command again.');
    }
  },
};
