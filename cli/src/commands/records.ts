import { resolve } from 'node:path';
import type { Client, ExportRecordsQuery } from '../../../client/src/main.ts';
import { megabytes, writeWhole } from '../archive.ts';
import { type Command, projectOption, takeArguments, type Values } from '../command.ts';
import { CliError, exit } from '../errors.ts';

const formats = ['csv', 'jsonl', 'parquet', 'arrow'] as const;
type Format = (typeof formats)[number];

/** Endings of files by their format. `.arrows` is the usual ending of a stream. */
const endings: Record<string, Format> = {
  csv: 'csv',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  parquet: 'parquet',
  arrow: 'arrow',
  arrows: 'arrow',
};

const formatOf = (file: string, given: string | undefined): Format => {
  const ending = /\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
  if (given === undefined) return endings[ending] ?? 'jsonl';
  const found = formats.find((one) => one === given);
  if (found) return found;
  throw new CliError(`There is no format '${given}'.`, `Choose one of: ${formats.join(', ')}`);
};

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
  takes: '[RUN] [FILE]',
  summary:
    'Write the records of a run or of a search, with their scores, as Parquet, Arrow, CSV or JSON lines.',
  about: `To FILE, whose ending says the format, or to stdout (-). Without RUN, the records of the project. The columns are id, run, testcase, created, and
those that dokima import reads: inputs.x, expected.x, outputs.x, scores.x. The service sends a file of any size as a stream.`,
  options: {
    ...projectOption,
    search: { type: 'string', value: 'WORDS', about: "Only these records, in the words of 'dokima find'." },
    format: { type: 'string', value: formats.join('|'), about: 'Default: by the ending of the file; jsonl.' },
  },
  examples: [
    'dokima records 17 run.parquet',
    "dokima records -p 12 --search 'score.Accuracy:fail created:>7d' fails.csv",
    'dokima records 17 --format csv | head',
  ],
  run: async (context, args, values) => {
    const { out, directory, signal } = context;
    const { runId, file } = targetOf(args);
    const format = formatOf(file, values.text('format'));
    const client = await context.client();
    const { projectId, query } = await queryOf(client, runId, values);
    const chunks = await client.exportRecords(projectId, { ...query, format }, { signal });
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
