import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CliError } from './errors.ts';

/** What login saves. */
export type Config = { url?: string; apiKey?: string };

const inHome = (environment: NodeJS.ProcessEnv, variable: string, fallback: string): string =>
  environment[variable] || join(environment.HOME ?? homedir(), fallback);

/** The configuration file, in the XDG configuration directory. */
export const configPath = (environment: NodeJS.ProcessEnv): string =>
  join(inHome(environment, 'XDG_CONFIG_HOME', '.config'), 'dokima', 'config.json');

/** A directory for what is to be remembered between two calls and may be lost. */
export const stateDirectory = (environment: NodeJS.ProcessEnv): string =>
  join(inHome(environment, 'XDG_STATE_HOME', '.local/state'), 'dokima');

export const readConfig = async (environment: NodeJS.ProcessEnv): Promise<Config> => {
  const path = configPath(environment);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  try {
    return JSON.parse(text) as Config;
  } catch {
    throw new CliError(`${path} is not JSON.`, 'Write it anew: dokima login');
  }
};

/** Saves the configuration for its owner's eyes only: it holds a key. */
export const writeConfig = async (environment: NodeJS.ProcessEnv, config: Config): Promise<string> => {
  const path = configPath(environment);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  // The mode above is only for a new file.
  await chmod(path, 0o600);
  return path;
};

export const defaultUrl = 'http://localhost:3000';

/** Throws for what is no address. */
export const requireUrl = (url: string): string => {
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url;
  throw new CliError(`'${url}' is no address of a service.`, 'As in: http://localhost:3000');
};

/** Whether both are the same address, with a slash at the end or without. */
const isSame = (a: string, b: string): boolean =>
  URL.canParse(a) && URL.canParse(b) && new URL(a).href === new URL(b).href;

/** Where the service is and with which key, from the option, the environment, the file. */
export const resolveAccess = async (
  environment: NodeJS.ProcessEnv,
  urlOption: string | undefined,
): Promise<{ url: string; apiKey: string | undefined }> => {
  const saved = await readConfig(environment);
  const url = requireUrl(urlOption ?? environment.DOKIMA_URL ?? saved.url ?? defaultUrl);
  // A saved key goes only to the service that it was saved for.
  const savedKey = saved.url === undefined || isSame(saved.url, url) ? saved.apiKey : undefined;
  return { url, apiKey: environment.DOKIMA_API_KEY ?? savedKey };
};
