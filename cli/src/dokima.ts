import { createClient } from '../../client/src/main.ts';
import { parseAnswer } from '../../client/src/written-number.ts';
import { type Command, type Context, helpOf, overview, parseCommand } from './command.ts';
import { commands } from './commands.ts';
import { resolveAccess } from './config.ts';
import { CliError, describeError, exit } from './errors.ts';
import { outputOver } from './output.ts';
import { patientFetch } from './patient-fetch.ts';

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
  const group = commands.filter(({ name }) => name.startsWith(`${words[0]} `)).map(({ name }) => name);
  const next = group.length > 0 ? `Choose one of: ${group.join(', ')}` : 'dokima --help lists the commands.';
  return new CliError(`There is no command '${words.slice(0, 2).join(' ')}'.`, next);
};

/** Runs one command line and returns its exit code. Prints every error to stderr with the next step. */
export const dokima = async (words: string[], surroundings: Surroundings): Promise<number> => {
  const { stdin, stdout, stderr, environment, directory, signal } = surroundings;
  const out = outputOver(stdout, stderr, words.includes('--json'));
  // `dokima help run` is `dokima run --help`.
  if (words[0] === 'help' && words.length > 1) return dokima([...words.slice(1), '--help'], surroundings);
  if (words.length === 0 || ['--help', '-h', 'help'].includes(words[0]!)) {
    out.raw(`${overview(commands)}\n`);
    return exit.pass;
  }
  try {
    const found = find(words);
    if (!found) throw unknown(words);
    const { command, rest } = found;
    const { args, values } = parseCommand(command, rest, environment);
    if (values.flag('help')) {
      out.raw(`${helpOf(command)}\n`);
      return exit.pass;
    }
    const client: Context['client'] = async () => {
      const { url, apiKey } = await resolveAccess(environment, values.text('url'));
      if (apiKey === undefined)
        throw new CliError(`There is no API key for ${url}.`, 'Run dokima login, or set DOKIMA_API_KEY.');
      const options = { baseUrl: url, apiKey, headers: { 'user-agent': 'dokima-cli' }, fetch: patientFetch };
      return createClient(options, parseAnswer);
    };
    return await command.run({ out, client, environment, stdin, signal, directory }, args, values);
  } catch (error) {
    out.progress(undefined);
    if (signal.aborted && !(error instanceof CliError)) {
      out.note('Interrupted.');
      return exit.interrupted;
    }
    const { message, next, exitCode } = describeError(error);
    out.note(`dokima: ${message}${next ? `\n  ${next}` : ''}`);
    return exitCode;
  }
};
