import { stat } from 'node:fs/promises';
import { rootOf } from '../../../client/src/http.ts';
import { createClient, DokimaError } from '../../../client/src/main.ts';
import { type Command, type Context, takeArguments } from '../command.ts';
import { configPath, resolveAccess } from '../config.ts';
import { certificateProblem, exit } from '../errors.ts';

type Check = { name: string; ok: boolean; said: string; next?: string };

const neededNode = 24;

const nodeVersion = (): Check => {
  const ok = Number(process.versions.node.split('.')[0]) >= neededNode;
  return {
    name: 'Node',
    ok,
    said: process.version,
    ...(!ok && { next: `Install Node ${neededNode} or newer.` }),
  };
};

const configFile = async (environment: NodeJS.ProcessEnv): Promise<Check> => {
  const path = configPath(environment);
  const name = 'configuration';
  const found = await stat(path).catch(() => undefined);
  if (!found) return { name, ok: true, said: `none; ${path} does not exist` };
  const open = process.platform !== 'win32' && (found.mode & 0o077) !== 0;
  if (open) return { name, ok: false, said: `${path} can be read by others`, next: `chmod 600 ${path}` };
  return { name, ok: true, said: path };
};

const service = async (url: string): Promise<Check> => {
  const next =
    'Start the service (npm start, or dokima serve), or give its address with --url, DOKIMA_URL or dokima login URL.';
  try {
    const response = await fetch(`${rootOf(url)}/readyz`, { signal: AbortSignal.timeout(10_000) });
    if (response.ok) return { name: 'service', ok: true, said: url };
    return {
      name: 'service',
      ok: false,
      said: `${url} answers ${response.status}: it is not ready`,
      next: "Check the service's log.",
    };
  } catch (error) {
    const certificate = certificateProblem(error);
    const said = certificate
      ? `${url} has a certificate that is refused (${certificate.code})`
      : `nothing answers at ${url}`;
    return { name: 'service', ok: false, said, next: certificate?.next ?? next };
  }
};

const key = async (url: string, apiKey: string | undefined): Promise<Check> => {
  const next = 'Run dokima login, or set DOKIMA_API_KEY.';
  if (apiKey === undefined) return { name: 'key', ok: false, said: `there is no key for ${url}`, next };
  try {
    const { user, organization, key } = await createClient({ baseUrl: url, apiKey, retries: 0 }).getMe();
    // The answer to a request with a key always has the key.
    const { prefix, access, expiresAt } = key!;
    const ends = expiresAt ? `, expires ${expiresAt}` : '';
    return {
      name: 'key',
      ok: true,
      said: `${prefix}… of ${user.name}, ${organization.name}; ${access} access${ends}`,
    };
  } catch (error) {
    if (!(error instanceof DokimaError)) throw error;
    return { name: 'key', ok: false, said: error.message, next };
  }
};

const examine = async ({ environment }: Context, urlOption: string | undefined): Promise<Check[]> => {
  const { url, apiKey } = await resolveAccess(environment, urlOption);
  const reached = await service(url);
  const checks = [nodeVersion(), await configFile(environment), reached];
  return reached.ok ? [...checks, await key(url, apiKey)] : checks;
};

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check Node, the configuration, the service and the key, and say how to fix what is wrong.',
  run: async (context, args, values) => {
    takeArguments('doctor', args);
    const checks = await examine(context, values.text('url'));
    const lines = checks.map(
      ({ name, ok, said, next }) => `${ok ? 'ok ' : 'NO '} ${name}: ${said}${next ? `\n     ${next}` : ''}`,
    );
    context.out.result(lines.join('\n'), { checks });
    return checks.every(({ ok }) => ok) ? exit.pass : exit.broken;
  },
};
