import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { RecordDetail } from '../../../client/src/main.ts';
import { operationsOver } from '../../../client/src/operations.ts';
import { parseAsWritten, WrittenNumber } from '../../../client/src/written-number.ts';
import { type Command, type Context, takeArguments } from '../command.ts';
import { CliError, exit } from '../errors.ts';
import { countOf } from '../figures.ts';

const formats = ['csv', 'jsonl'] as const;
type Format = (typeof formats)[number];

const prefixed = (prefix: string, fields: object) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${prefix}.${name}`, value]));

/** A record as a row, with the columns that `dokima import` reads: fields by their part, scores by their metric. */
const rowOf = (record: RecordDetail): Record<string, unknown> => {
  const row: Record<string, unknown> = {
    id: record.id,
    testcase: record.testcaseId,
    ...prefixed('inputs', record.inputs),
    ...prefixed('expected', record.expected),
    ...prefixed('outputs', record.outputs),
  };
  for (const { metricName, score, reason } of record.scoreStates) {
    const { binaryScore, intScore, floatScore, reasoning } = (score ?? {}) as Record<string, unknown>;
    row[`scores.${metricName}`] = binaryScore ?? intScore ?? floatScore ?? null;
    row[`reasoning.${metricName}`] = reasoning ?? reason ?? null;
  }
  return row;
};

// A spreadsheet runs a cell that begins like a formula; a quote before it makes it text.
const harmless = (text: string): string =>
  /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d/.test(text) ? `'${text}` : text;

const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  const text =
    typeof value === 'string'
      ? harmless(value)
      : value instanceof WrittenNumber
        ? value.source
        : JSON.stringify(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const parts = ['inputs', 'expected', 'outputs', 'scores', 'reasoning'];
/** Columns stand by their part; within a part as they are met. */
const placeOf = (column: string): number => parts.indexOf(column.split('.')[0]!);

type Rows = () => AsyncIterable<Record<string, unknown>[]>;

/** Yields the text of the rows, page by page. CSV needs all columns first, so it reads the run twice and keeps only their names. */
async function* texts(rows: Rows, format: Format): AsyncGenerator<string> {
  if (format === 'jsonl') {
    for await (const page of rows()) yield page.map((row) => `${JSON.stringify(row)}\n`).join('');
    return;
  }
  const found = new Set<string>();
  for await (const page of rows())
    for (const row of page) for (const name of Object.keys(row)) found.add(name);
  const columns = [...found].sort((a, b) => placeOf(a) - placeOf(b));
  yield `${columns.map(cellOf).join(',')}\r\n`;
  for await (const page of rows())
    yield page.map((row) => `${columns.map((name) => cellOf(row[name])).join(',')}\r\n`).join('');
}

const formatOf = (file: string | undefined, given: string | undefined): Format => {
  const named = given ?? (file?.endsWith('.csv') ? 'csv' : 'jsonl');
  const found = formats.find((one) => one === named);
  if (found) return found;
  throw new CliError(`There is no format '${named}'.`, `Choose one of: ${formats.join(', ')}`);
};

const save = async (
  { directory, out }: Context,
  file: string,
  rows: AsyncIterable<string>,
): Promise<void> => {
  const handle = await open(resolve(directory, file), 'w');
  try {
    // Waits for each page to be written, so that memory stays flat.
    for await (const text of rows) await handle.writeFile(text);
  } finally {
    await handle.close();
    out.progress(undefined);
  }
};

export const records: Command = {
  name: 'records',
  takes: 'RUN [FILE]',
  summary: 'Write the records of a run with their scores as CSV or JSON lines.',
  about: `To FILE, whose ending says the format, or to stdout. The columns are those that dokima import reads: inputs.x, expected.x, outputs.x, scores.x. Records are
read and written page by page, the newest first, so that a run may have any size.`,
  options: {
    format: { type: 'string', value: formats.join('|'), about: 'Default: by the ending of the file; jsonl.' },
  },
  examples: ['dokima records 17 run.csv', 'dokima records 17 --format csv | head'],
  run: async (context, args, values) => {
    const { out } = context;
    const [runId, file] = args;
    if (runId === undefined || args.length > 2) takeArguments('records', args, 'The id of the run');
    const format = formatOf(file, values.text('format'));
    const client = await context.client();
    const { projectId } = await client.getRunDetails(runId!);
    const api = operationsOver(client.send, parseAsWritten);
    let count = 0;
    const rows: Rows = async function* () {
      count = 0;
      for await (const page of api.listProjectRecords(projectId, { runId: runId! }).pages()) {
        count += page.data.length;
        out.progress(`${count} records`);
        yield page.data.map(rowOf);
      }
    };
    if (file !== undefined && file !== '-') {
      await save(context, file, texts(rows, format));
      out.result(`${file}: ${countOf(count, 'record')}.`, { file, format, records: count });
      return exit.pass;
    }
    for await (const text of texts(rows, format)) out.raw(text);
    out.progress(undefined);
    return exit.pass;
  },
};
