import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createClient } from '../../client/src/main.ts';
import { parseAnswer } from '../../client/src/written-number.ts';
import { type Command, type Context, helpOf, overview, parseCommand } from './command.ts';
import { commands } from './commands.ts';
import { resolveAccess } from './config.ts';
import { CliError, describeError, exit } from './errors.ts';
import { inputFiles } from './input-files.ts';
import { nearest } from './near.ts';
import { outputOver } from './output.ts';
import { patientFetch } from './patient-fetch.ts';

/** The version of the published package, which has one manifest. In the repository, that of the command line. */
const version = async (): Promise<string> => {
  const [own, whole] = ['../package.json', '../../package.json'].map(
    (path) => new URL(path, import.meta.url),
  );
  const text = await readFile(existsSync(own!) ? own! : whole!, 'utf8');
  return (JSON.parse(text) as { version: string }).version;
};

type Stream = NodeJS.WritableStream & { isTTY?: boolean };

/** Inputs of the program from its process. */
export type Surroundings = {
  stdin: Context['stdin'];
  stdout: Stream;
  stderr: Stream;
  environment: NodeJS.ProcessEnv;
  directory: string;
  signal: AbortSignal;
};

/** Finds the command at the start of a line, which has one or two words, and returns the rest of the line with it. */
const find = (words: string[]): { command: Command; rest: string[] } | undefined => {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ');
    const command = commands.find((candidate) => candidate.name === name);
    if (command) return { command, rest: words.slice(length) };
  }
  return undefined;
};

const unknown = (words: string[]): CliError => {
  const names = commands.map(({ name }) => name);
  const group = names.filter((name) => name.startsWith(`${words[0]} `));
  const [one, two] = [words[0]!, words.slice(0, 2).join(' ')];
  const second = words[1] ?? '';
  const wantsNew = group.length > 0 && nearest(second, ['create', 'new', 'add']) !== undefined;
  const ofGroup = nearest(
    second,
    group.map((name) => name.slice(one.length + 1)),
  );
  const meant =
    group.length > 0
      ? (ofGroup && `${one} ${ofGroup}`) || (wantsNew ? `new ${one}` : undefined)
      : (nearest(
          two,
          names.filter((name) => name.includes(' ')),
        ) ??
        nearest(
          one,
          names.filter((name) => !name.includes(' ')),
        ));
  const next = group.length > 0 ? `Choose one of: ${group.join(', ')}` : 'dokima --help lists the commands.';
  const wrong = group.length > 0 ? two : one;
  return new CliError(`There is no command '${wrong}'.${meant ? ` Did you mean '${meant}'?` : ''}`, next);
};

/** Runs one command line and returns its exit code. Prints every error to stderr with the next step. */
export const dokima = async (words: string[], surroundings: Surroundings): Promise<number> => {
  const { stdin, stdout, stderr, environment, directory, signal } = surroundings;
  const out = outputOver(stdout, stderr, words.includes('--json'));
  // `dokima help run` is `dokima run --help`.
  if (words[0] === 'help' && words.length > 1) return dokima([...words.slice(1), '--help'], surroundings);
  if (words.length === 1 && ['--version', '-v', 'version'].includes(words[0]!)) {
    const found = await version();
    out.result(`dokima ${found}`, { version: found });
    return exit.pass;
  }
  if (words.length === 0 || ['--help', '-h', 'help'].includes(words[0]!)) {
    out.raw(`${overview(commands)}\n`);
    return exit.pass;
  }
  const inputs = inputFiles(stdin, directory);
  let limit: AbortSignal | undefined;
  let left: string | undefined;
  try {
    const found = find(words);
    if (!found) throw unknown(words);
    const { command, rest } = found;
    // `run lst`: a command without arguments that has others beside it.
    const isOdd = command.takes === undefined && rest[0] !== undefined && !rest[0].startsWith('-');
    if (isOdd && commands.some(({ name }) => name.startsWith(`${command.name} `))) throw unknown(words);
    const { args, values } = parseCommand(command, rest, environment);
    if (values.flag('help')) {
      out.raw(`${helpOf(command)}\n`);
      return exit.pass;
    }
    const client: Context['client'] = async () => {
      const { url, apiKey } = await resolveAccess(environment, values.text('url'));
      if (apiKey === undefined)
        throw new CliError(`There is no API key for ${url}.`, 'Run dokima login, or set DOKIMA_API_KEY.');
      const headers = { 'user-agent': 'dokima-cli' };
      const { looksAs } = command;
      const options = { baseUrl: url, apiKey, headers, looksAs, fetch: patientFetch, signal: limit };
      return createClient(options, parseAnswer);
    };
    left = command.waits;
    if (left !== undefined && values.has('timeout'))
      limit = AbortSignal.timeout(1_000 * values.count('timeout', 1));
    const until = limit ? AbortSignal.any([signal, limit]) : signal;
    return await command.run(
      { out, client, environment, stdin, signal: until, directory, inputPath: inputs.pathOf },
      args,
      values,
    );
  } catch (error) {
    out.progress(undefined);
    if (signal.aborted && !(error instanceof CliError)) {
      out.note('Interrupted.');
      return exit.interrupted;
    }
    if (limit?.aborted && !(error instanceof CliError)) {
      out.note(`dokima: It was not done within --timeout.\n  ${left}`);
      return exit.incomplete;
    }
    const { message, next, exitCode } = describeError(error);
    out.note(`dokima: ${message}${next ? `\n  ${next}` : ''}`);
    return exitCode;
  } finally {
    await inputs.remove();
  }
};
