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

/** A directory for state between two calls. Losing it costs only convenience. */
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
    throw new CliError(`${path} is not JSON.`, 'Save it again: dokima login');
  }
};

/** Saves the configuration so that only its owner can read it: it holds a key. */
export const writeConfig = async (environment: NodeJS.ProcessEnv, config: Config): Promise<string> => {
  const path = configPath(environment);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  // writeFile sets the mode of a new file only.
  await chmod(path, 0o600);
  return path;
};

export const defaultUrl = 'http://localhost:3000';

/** Returns the URL. Throws if it is not an HTTP address. */
export const requireUrl = (url: string): string => {
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url;
  throw new CliError(`'${url}' is not the address of a service.`, 'Example: http://localhost:3000');
};

/** Ignores a slash at the end. */
const isSameAddress = (a: string, b: string): boolean =>
  URL.canParse(a) && URL.canParse(b) && new URL(a).href === new URL(b).href;

/** Returns the address and the key of the service: from the option, else the environment, else the file. */
export const resolveAccess = async (
  environment: NodeJS.ProcessEnv,
  urlOption: string | undefined,
): Promise<{ url: string; apiKey: string | undefined }> => {
  const saved = await readConfig(environment);
  const url = requireUrl(urlOption ?? environment.DOKIMA_URL ?? saved.url ?? defaultUrl);
  // A saved key is sent only to the service that it was saved for.
  const savedKey = saved.url === undefined || isSameAddress(saved.url, url) ? saved.apiKey : undefined;
  return { url, apiKey: environment.DOKIMA_API_KEY ?? savedKey };
};
