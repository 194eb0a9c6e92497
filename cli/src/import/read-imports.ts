import { resolve } from 'node:path';
import type { ColumnType } from '../../../client/src/tables/column-types.ts';
import { type Encoding, encodings } from '../../../client/src/tables/encoding.ts';
import type { Context, Option, Values } from '../command.ts';
import { CliError } from '../errors.ts';
import { isDatasetAddress } from '../hub.ts';
import { type Content, type Reading, readContent, readInput } from './content.ts';
import type { Columns } from './formats/table.ts';
import { importsOf } from './formats.ts';
import { readDataset } from './hugging-face.ts';
import { type Scale, scalesOf } from './metrics.ts';
import type { Import } from './rows.ts';

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

/** The options that say how a file is read. */
export const readingOptions: Record<string, Option> = {
  from: { type: 'string', value: 'TOOL', about: 'Tool that wrote the file, if the file does not show it.' },
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
  passing: {
    type: 'string',
    multiple: true,
    value: 'METRIC=LABEL,…',
    about:
      'The labels of a metric that pass: Grade=Right,Perfect. Its values are then labels. Labels that differ in their case alone are one. Can be repeated.',
  },
  order: {
    type: 'string',
    multiple: true,
    value: 'METRIC=LABEL,…',
    about:
      'All labels of a metric of --passing, from worst to best: Grade=Wrong,Partly,Right. Can be repeated.',
  },
  skip: {
    type: 'string',
    multiple: true,
    value: 'METRIC',
    about: 'A metric to leave out. Can be repeated.',
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
  { stdin, environment, signal, out, directory }: Context,
  name: string,
  reading: Reading,
): Promise<Content> => {
  if (name === '-') return readInput(stdin, reading);
  return isDatasetAddress(name)
    ? readDataset(name, environment, signal, reading, (text) => out.progress(text))
    : readContent(resolve(directory, name), reading);
};

/** The scales and directions of metrics that the options name. */
export const scalesIn = (values: Values): ReadonlyMap<string, Scale> =>
  scalesOf({
    scales: values.all('scale'),
    directions: values.all('direction'),
    passing: values.all('passing'),
    orders: values.all('order'),
  });

/** Reads a file, a folder, a dataset's address, or `-` for standard input, as the options say. Returns one import for each evaluation in it. */
export const readImports = async (context: Context, name: string, values: Values): Promise<Import[]> => {
  const content = await contentOf(context, name, readingOf(values));
  context.out.progress(undefined);
  const skipped = new Set(values.all('skip'));
  const read = () => {
    try {
      return importsOf(content, values.text('from'), columnsOf(values));
    } catch (error) {
      // A command may read several files.
      if (!(error instanceof CliError) || error.message.includes(content.name)) throw error;
      throw new CliError(`${name}: ${error.message}`, error.next, error.exitCode);
    }
  };
  return read().map((one) => ({
    ...one,
    rows: one.rows.map((row) => ({ ...row, scores: row.scores.filter(({ name }) => !skipped.has(name)) })),
  }));
};
