import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, watch } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { execPath } from 'node:process';
import { type Command, type Context, projectOption, takeArguments, type Values } from '../command.ts';
import { resolveAccess } from '../config.ts';
import { CliError, exit } from '../errors.ts';
import { startOwnService } from '../files/own-service.ts';

const javascript = ['.js', '.mjs', '.cjs', '.ts', '.mts'];

const interpreterOf = (path: string, values: Values): string[] => {
  const given = values.text('with');
  if (given !== undefined) return given.split(/\s+/);
  const ending = extname(path);
  if (ending === '.py') return ['python3'];
  if (javascript.includes(ending)) return [execPath];
  throw new CliError(
    `It is not known what runs ${path}.`,
    `Name it: --with python3. Known are .py, ${javascript.join(', ')}`,
  );
};

/** Runs the program, and passes on what it prints. Resolves with its exit code, or with undefined if it was stopped. */
const runOnce = (
  { out }: Context,
  [command, ...words]: string[],
  env: NodeJS.ProcessEnv,
  directory: string,
  signal: AbortSignal,
): Promise<number | undefined> =>
  new Promise((done, fail) => {
    const child = spawn(command!, words, {
      cwd: directory,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => out.raw(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => out.note(text.trimEnd()));
    child.once('error', (error) => {
      if (signal.aborted) return;
      fail(new CliError(`${command} does not start: ${error.message}.`, 'Name what runs it: --with COMMAND'));
    });
    child.once('close', (code) => done(signal.aborted ? undefined : (code ?? 1)));
  });

const isSource = (name: string): boolean =>
  !/(^|[\\/])(\.|node_modules|dokima-results|__pycache__)/.test(name) && !/~$|\.(pyc|log|tmp)$/.test(name);

/** Yields once, and again after each change of a file beside the program or below, but not for one that has the same content. */
async function* changes(directory: string, signal: AbortSignal): AsyncGenerator<AbortSignal> {
  const contents = new Map<string, string>();
  let [stop, wake] = [new AbortController(), () => {}];
  let changed = true;
  const watcher = watch(directory, { recursive: true, signal }, (_event, name) => {
    if (name === null || !isSource(name)) return;
    let digest = '';
    try {
      digest = createHash('sha256')
        .update(readFileSync(join(directory, name)))
        .digest('hex');
    } catch {
      // It was deleted, or is a folder.
    }
    if (contents.get(name) === digest) return;
    contents.set(name, digest);
    changed = true;
    stop.abort();
    wake();
  });
  // It ends with an error when the signal is aborted.
  watcher.on('error', () => {});
  signal.addEventListener('abort', () => {
    stop.abort();
    wake();
  });
  while (!signal.aborted) {
    if (changed) {
      changed = false;
      stop = new AbortController();
      yield stop.signal;
    } else {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
}

/** The variables by which evaluate() finds its service: the user's, else one that lives as long as this command. */
const serviceFor = async ({ environment, signal }: Context, values: Values) => {
  const { url, apiKey } = await resolveAccess(environment, values.text('url'));
  const { DOKIMA_API_KEY: _key, ...rest } = environment;
  const project = values.text('project');
  const env = { ...rest, ...(project !== undefined && { DOKIMA_PROJECT: project }) };
  if (apiKey !== undefined && !values.flag('offline'))
    return { env: { ...env, DOKIMA_URL: url, DOKIMA_API_KEY: apiKey }, end: async () => {} };
  // A ready metric may be code, which workers run.
  const own = await startOwnService(environment, {
    settings: { DOKIMA_WORKERS: '1', DOKIMA_PAGES: 'on' },
    signal,
  });
  const access = JSON.stringify({ url: own.url, apiKey: own.apiKey });
  return { env: { ...env, DOKIMA_TEMPORARY: access }, end: own.end };
};

export const evalCommand: Command = {
  name: 'eval',
  waits: 'The answers that are there are kept. Run the command again to get the others.',
  takes: 'FILE',
  summary: 'Run a program that calls evaluate(), here and now or after each change.',
  about: `The program is Python, JavaScript or TypeScript, and gets the address, key and project of this command. Without a key it gets a service
that lives as long as this command. Exit code: 0, or 1 if the program ends with another code, as after NotBetter.`,
  options: {
    ...projectOption,
    watch: { type: 'boolean', about: 'Run it again after each change of a file beside it or below.' },
    offline: { type: 'boolean', about: 'Send nothing to the service, although there is a key.' },
    with: { type: 'string', value: 'COMMAND', about: 'What runs the program. Default: by its ending.' },
  },
  examples: ['dokima eval capitals.py', 'dokima eval capitals.ts --watch --offline'],
  run: async (context, args, values) => {
    const { directory, signal, out } = context;
    const [name] = takeArguments('eval', args, 'The program') as [string];
    const path = resolve(directory, name);
    if (!existsSync(path)) throw new CliError(`There is no file '${name}'.`);
    const words = [...interpreterOf(path, values), path];
    const { env, end } = await serviceFor(context, values);
    try {
      if (!values.flag('watch')) {
        const code = await runOnce(context, words, env, directory, signal);
        signal.throwIfAborted();
        return code === 0 ? exit.pass : exit.worse;
      }
      for await (const stopped of changes(dirname(path), signal)) {
        const code = await runOnce(context, words, env, directory, stopped);
        if (code !== undefined)
          out.note(`${code === 0 ? 'Done' : `Ended with ${code}`}. Waiting for a change; Ctrl-C ends.`);
      }
      signal.throwIfAborted();
      return exit.pass;
    } finally {
      await end();
    }
  },
};
