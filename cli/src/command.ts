import { parseArgs } from 'node:util';
import type { Client } from '../../client/src/main.ts';
import { CliError, exitMeanings } from './errors.ts';
import { nearest } from './near.ts';
import type { Output } from './output.ts';

/** An option of a command. */
export type Option = {
  type: 'string' | 'boolean';
  multiple?: true;
  short?: string;
  /** Placeholder of the value in the help, as in `--limit N`. */
  value?: string;
  about: string;
};

/** Surroundings of a command. Tests pass their own. */
export type Context = {
  out: Output;
  /** Creates the client from the configuration at the first call. */
  client: () => Promise<Client>;
  /** Whether the service of the client lives as long as the command, with runs of files. */
  isTemporary?: boolean;
  environment: NodeJS.ProcessEnv;
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** Base of relative paths. */
  directory: string;
  /** The path of a file that the command reads; `-` is standard input. */
  inputPath: (name: string) => Promise<string>;
};

export type Values = {
  /** Says whether the option is on the command line. */
  has: (name: string) => boolean;
  /** Returns the value of an option that is given at most once. */
  text: (name: string) => string | undefined;
  /** Returns the value, or throws an error that says how to give it. */
  required: (name: string) => string;
  /** Returns all values, also those that commas separate. */
  all: (name: string) => string[];
  /** Returns all values as they were given, commas included. */
  each: (name: string) => string[];
  flag: (name: string) => boolean;
  /** Returns a whole number. Throws if it is less than `minimum` (1). */
  count: (name: string, fallback: number, minimum?: number) => number;
};

export type Command = {
  name: string;
  summary: string;
  /** The arguments, as in `RUN` or `[FILE]`. */
  takes?: string;
  /** More text for the command's own help. */
  about?: string;
  options?: Record<string, Option>;
  examples?: string[];
  /** What is left when --timeout is over, and how to go on. A command that says it has --timeout. */
  waits?: string;
  /** What the list of looks at a testset calls what it asks. */
  looksAs?: 'gate' | 'mcp';
  /** Does the work and returns the exit code. */
  run: (context: Context, args: string[], values: Values) => Promise<number>;
};

/** Options that every command has. */
export const commonOptions: Record<string, Option> = {
  url: {
    type: 'string',
    value: 'URL',
    about: 'Address of the service. Default: DOKIMA_URL, else the address that login saved.',
  },
  json: { type: 'boolean', about: 'Print one JSON value to stdout.' },
  help: { type: 'boolean', short: 'h', about: 'Print this help.' },
};

/** Said by a command that only waited for the service. */
export const serviceGoesOn = 'The service goes on. Run the command again to wait on.';

/** Said by a command whose service was temporary, and by one that only reads. */
export const nothingIsLeft = 'Nothing of it is kept. Give a longer --timeout.';

const waitOption: Record<string, Option> = {
  timeout: { type: 'string', value: 'SECONDS', about: 'Stop after so long, with exit code 3.' },
};

const optionsOf = ({ options, waits }: Command): Record<string, Option> => ({
  ...options,
  ...(waits !== undefined && waitOption),
  ...commonOptions,
});

export const projectOption: Record<string, Option> = {
  project: { type: 'string', short: 'p', value: 'ID', about: 'Project. Default: DOKIMA_PROJECT.' },
};

const optionLabel = (name: string, { short, value, type }: Option): string =>
  `  ${short ? `-${short}, ` : '    '}--${name}${type === 'string' ? ` ${value ?? 'TEXT'}` : ''}`;

const aligned = (rows: [string, string][]): string => {
  const width = Math.max(...rows.map(([label]) => label.length)) + 2;
  return rows.map(([label, about]) => `${label.padEnd(width)}${about}`).join('\n');
};

const usage = ({ name, takes, options }: Command): string =>
  `dokima ${name}${takes ? ` ${takes}` : ''}${options ? ' [options]' : ''}`;

/** Returns the help of one command. */
export const helpOf = (command: Command): string => {
  const { summary, about, examples = [] } = command;
  const rows = Object.entries(optionsOf(command)).map(([name, option]): [string, string] => [
    optionLabel(name, option),
    option.about,
  ]);
  return [
    `${usage(command)}\n\n${summary}`,
    ...(about ? [about] : []),
    `Options:\n${aligned(rows)}`,
    ...(examples.length > 0 ? [`Examples:\n${examples.map((line) => `  ${line}`).join('\n')}`] : []),
  ].join('\n\n');
};

/** Returns the help of the whole program. */
export const overview = (commands: readonly Command[]): string => {
  const rows = commands.map(({ name, summary }): [string, string] => [`  ${name}`, summary]);
  const codes = exitMeanings.map(([code, meaning]): [string, string] => [`  ${code}`, meaning]);
  return [
    'dokima evaluates AI systems with a Dokima service. Without a command it starts one.',
    `Commands:\n${aligned(rows)}`,
    `Exit codes:\n${aligned(codes)}`,
    'Help for one command: dokima COMMAND --help\nStart with: dokima login',
  ].join('\n\n');
};

const valuesOf = (
  values: Record<string, unknown>,
  command: Command,
  environment: NodeJS.ProcessEnv,
): Values => {
  const text = (name: string): string | undefined =>
    (values[name] as string | undefined) ?? (name === 'project' ? environment.DOKIMA_PROJECT : undefined);
  return {
    has: (name) => values[name] !== undefined,
    text,
    required: (name) => {
      const value = text(name);
      if (value) return value;
      throw new CliError(`--${name} is missing.`, `See dokima ${command.name} --help`);
    },
    all: (name) => ((values[name] as string[] | undefined) ?? []).flatMap((value) => value.split(',')),
    each: (name) => (values[name] as string[] | undefined) ?? [],
    flag: (name) => values[name] === true,
    count: (name, fallback, minimum = 1) => {
      const given = text(name);
      if (given === undefined) return fallback;
      const count = Number(given);
      if (/^\d+$/.test(given) && count >= minimum) return count;
      throw new CliError(`--${name} must be a whole number of at least ${minimum}, not '${given}'.`);
    },
  };
};

/** Parses the arguments and options of a command. Throws for an unknown option. */
export const parseCommand = (command: Command, args: string[], environment: NodeJS.ProcessEnv) => {
  const options = Object.fromEntries(
    Object.entries(optionsOf(command)).map(([name, { type, multiple, short }]) => [
      name,
      { type, ...(multiple && { multiple }), ...(short && { short }) },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    return { args: positionals, values: valuesOf(values, command, environment) };
  } catch (error) {
    const [message] = (error as Error).message.split('. ');
    const [, unknown] = /^Unknown option '--([^']+)'/.exec(message!) ?? [];
    const meant = unknown && nearest(unknown, Object.keys(options));
    const help = `See dokima ${command.name} --help`;
    const isWord = /^Unknown option '-[^-]/.test(message!);
    const words = `\n  An argument that begins with - stands after --, as in dokima ${command.name} -- '-word'`;
    throw new CliError(
      `${message}.${meant ? ` Did you mean --${meant}?` : ''}`,
      isWord ? `${help}${words}` : help,
    );
  }
};

/** Returns the arguments by position. Throws if one is missing or there are too many. */
export const takeArguments = (command: string, args: string[], ...names: string[]): string[] => {
  if (args.length === names.length) return args;
  const problem =
    args.length < names.length
      ? `${names[args.length]} is missing`
      : `Unexpected argument '${args[names.length]}'`;
  throw new CliError(`${problem}.`, `See dokima ${command} --help`);
};
