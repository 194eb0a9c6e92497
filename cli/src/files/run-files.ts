import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Client } from '../../../client/src/main.ts';
import {
  type Command,
  type Context,
  nothingIsLeft,
  type Option,
  projectOption,
  type Values,
} from '../command.ts';
import { CliError } from '../errors.ts';
import { countOf } from '../figures.ts';
import { isDatasetAddress } from '../hub.ts';
import { readImports, readingOptions, scalesIn } from '../import/read-imports.ts';
import type { Import } from '../import/rows.ts';
import { writeImport } from '../import/write.ts';
import { startOwnService } from './own-service.ts';

/** The words that name a run of the service: its id, or what a gate finds it by. */
const isRun = (word: string): boolean => /^(\d+|(latest|first|merge-base):.+)$/.test(word);

const requireFile = (directory: string, word: string): void => {
  if (word === '-' || isDatasetAddress(word) || existsSync(resolve(directory, word))) return;
  throw new CliError(
    `There is no run and no file '${word}'.`,
    'A run is named by its id, a number. A file is named by its path.',
  );
};

/** The service that has the runs of the files, and where in it they are. */
type Place = { client: Client; projectId: string; end: () => Promise<void> };

/** Larger files make a database that may be too much for memory. */
const mostBytes = 50_000_000;

const isLarge = ({ directory }: Context, files: readonly string[]): boolean =>
  files
    .map((file) => statSync(resolve(directory, file), { throwIfNoEntry: false }))
    .some((found) => !found?.isFile() || found.size > mostBytes);

const placeOf = async (context: Context, values: Values, files: readonly string[]): Promise<Place> => {
  if (values.flag('keep'))
    return {
      client: await context.client(),
      projectId: values.required('project'),
      end: () => Promise.resolve(),
    };
  const { client, end } = await startOwnService(context.environment, {
    signal: context.signal,
    isLarge: isLarge(context, files),
  });
  const { id } = await client.createProject({ name: 'Files', description: '' });
  return { client, projectId: id, end };
};

/** Returns the testset of the first run of the service that stands beside files. Theirs have to join it. */
const testsetBeside = async ({ client }: Place, named: readonly string[]): Promise<string | undefined> => {
  const runId = named.find((word) => /^\d+$/.test(word));
  return runId === undefined ? undefined : ((await client.getRun(runId)).testsetId ?? undefined);
};

/** Writes the runs of one file. The cases join the testset of the file before it, so that their runs compare. */
const writeFile = async (
  { client, projectId }: Place,
  { out }: Context,
  name: string,
  imports: Import[],
  values: Values,
  testsetId: string | undefined,
): Promise<{ runIds: string[]; testsetId: string | undefined }> => {
  const runIds: string[] = [];
  let into = testsetId;
  for (const imported of imports) {
    const progress = (text: string) => out.progress(`${name}: ${text}`);
    try {
      const written = await writeImport(client, projectId, imported, scalesIn(values), progress, {
        testset: into,
      });
      runIds.push(...written.runIds);
      into = written.testsetId;
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      throw new CliError(`${name}: ${error.message}`, error.next, error.exitCode);
    }
  }
  out.progress(undefined);
  for (const { notes } of imports) for (const note of notes) out.note(`${name}: ${note}`);
  if (runIds.length === 0)
    throw new CliError(
      `${name} has questions and no answers.`,
      'Name the columns with answers: --outputs, --scores',
    );
  const records = imports.reduce((sum, { rows }) => sum + rows.length, 0);
  const runs = runIds.length === 1 ? `run ${runIds[0]}` : `runs ${runIds.join(', ')}`;
  out.note(`${name} is ${runs}: ${countOf(records, 'record')}.`);
  return { runIds, testsetId: into };
};

/** Throws if an earlier file holds the same evaluation, by the id that its tool gave it: a copy of a file is the same run. */
const requireOther = (
  file: string,
  runIds: readonly string[],
  runsOf: ReadonlyMap<string, string[]>,
): void => {
  const [same] = [...runsOf].find(([, ids]) => ids.some((id) => runIds.includes(id))) ?? [];
  if (same === undefined) return;
  throw new CliError(
    `'${file}' holds the same evaluation as '${same}', and a run is not compared with itself.`,
    'Name the file of another evaluation.',
  );
};

/** Returns the values of a command whose options name runs of files, in the project that has these runs. */
const valuesWith = (
  values: Values,
  options: readonly string[],
  runsOf: ReadonlyMap<string, string[]>,
  projectId: string,
): Values => {
  const text: Values['text'] = (name) => (name === 'project' ? projectId : values.text(name));
  return {
    ...values,
    has: (name) => name === 'project' || values.has(name),
    text,
    required: (name) => text(name) ?? values.required(name),
    all: (name) =>
      options.includes(name)
        ? values.all(name).flatMap((word) => runsOf.get(word) ?? [word])
        : values.all(name),
  };
};

const keepOption: Record<string, Option> = {
  keep: {
    type: 'boolean',
    about: 'Keep the runs of files: write them into a project of the service. Default: nothing is kept.',
  },
};

/** What a command says of its runs: the options that name further ones, and the first argument that does. */
type Runs = {
  options?: readonly string[];
  from?: number;
  kept?: readonly string[];
  /** Whether it looks at all runs of the project instead of being told them. */
  ofProject?: boolean;
};

/**
 * Lets a command take files of results wherever it takes runs. A file is read as `dokima import` reads it, and becomes a run of a
 * service that lives as long as the command: so the statistics of a file are those of the service. `kept` names the options that
 * need a run that stays.
 */
export const withFiles = (
  command: Command,
  { options = [], from = 0, kept = [], ofProject = false }: Runs,
): Command => ({
  ...command,
  waits: nothingIsLeft,
  about: `${command.about ? `${command.about}\n` : ''}A file of results stands for a run, in any form that dokima import reads. No service and no key is needed then.`,
  options: { ...projectOption, ...command.options, ...readingOptions, ...keepOption },
  run: async (context, args, values) => {
    const named = [...options.flatMap((name) => values.all(name)), ...args.slice(from)];
    const files = named.filter((word) => !isRun(word));
    if (files.length === 0) return command.run(context, args, values);
    for (const file of files) requireFile(context.directory, file);
    const twice = files.find((file, i) => files.indexOf(file) < i);
    if (twice !== undefined)
      throw new CliError(
        `'${twice}' is named twice, and a run is not compared with itself.`,
        'Name another file.',
      );
    const wrong = kept.find((name) => values.has(name));
    if (!values.flag('keep')) {
      if (files.length < named.length)
        throw new CliError(
          'Some of these runs are files, and some are runs of the service.',
          'Add --keep and --project. Then the files become runs there too.',
        );
      if (wrong) throw new CliError(`--${wrong} needs runs that stay.`, 'Add --keep and --project.');
    }
    // The service starts while the files are read.
    const placing = placeOf(context, values, files);
    placing.catch(() => {});
    try {
      const read: [string, Import[]][] = [];
      for (const file of new Set(files)) read.push([file, await readImports(context, file, values)]);
      const place = await placing;
      const runsOf = new Map<string, string[]>();
      let testsetId = await testsetBeside(place, named);
      for (const [file, imports] of read) {
        const written = await writeFile(place, context, file, imports, values, testsetId);
        testsetId = written.testsetId;
        requireOther(file, written.runIds, runsOf);
        runsOf.set(file, written.runIds);
      }
      const runs = args.slice(from).flatMap((word) => runsOf.get(word) ?? [word]);
      return await command.run(
        { ...context, client: async () => place.client, isTemporary: !values.flag('keep') },
        ofProject ? args.slice(0, from) : [...args.slice(0, from), ...runs],
        valuesWith(values, options, runsOf, place.projectId),
      );
    } finally {
      await placing.then(({ end }) => end());
    }
  },
});
