import { posix } from 'node:path';
import { CliError } from '../errors.ts';
import { type Content, parseFile, type Reading } from './content.ts';
import { isObject, listAt, textOf } from './rows.ts';

// The routes that huggingface_hub 1.x uses: /api/datasets/{repo}/tree/{revision} and /datasets/{repo}/resolve/{revision}/{path}.
// The Hub converts other formats to Parquet in its own revision.
const converted = 'refs/convert/parquet';

type Address = { repo: string; revision: string | undefined; rest: string };

export const isDatasetAddress = (text: string): boolean => text.startsWith('hf://');

/** Reads hf://owner/name[@revision][/split or path], also with `datasets/` in front as huggingface_hub writes it. */
const addressOf = (text: string): Address => {
  const pattern =
    /^hf:\/\/(?:datasets\/)?([\w.-]+\/[\w.-]+)(?:@(refs\/(?:convert|pr)\/[^/]+|[^/]+))?(?:\/(.*?))?\/*$/;
  const [, repo, revision, rest = ''] = pattern.exec(text) ?? [];
  if (repo === undefined) {
    throw new CliError(
      `'${text}' is not the address of a dataset.`,
      'Example: hf://openai/gsm8k/main/test, with a revision hf://openai/gsm8k@main/main/test',
    );
  }
  return { repo, revision: revision === undefined ? undefined : decodeURIComponent(revision), rest };
};

type Hub = { endpoint: string; get: (path: string) => Promise<Response> };

const meanings: Record<number, (what: string) => CliError> = {
  401: (what) =>
    new CliError(`${what} needs a token, or the name is wrong.`, 'Set HF_TOKEN to a token that may read it.'),
  403: (what) =>
    new CliError(
      `The token may not read ${what}.`,
      'Accept the conditions of the dataset on its page, then try again.',
    ),
  404: (what) =>
    new CliError(
      `${what} does not exist.`,
      'Check owner, name, revision and path. A private dataset needs HF_TOKEN.',
    ),
};

/** Opens the Hub, or the mirror that HF_ENDPOINT names. The token is sent only to this address, never to the target of a redirect. */
const openHub = (environment: NodeJS.ProcessEnv, signal: AbortSignal): Hub => {
  const endpoint = (environment.HF_ENDPOINT || 'https://huggingface.co').replace(/\/+$/, '');
  const token = environment.HF_TOKEN;
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint))
    throw new CliError(`HF_ENDPOINT '${endpoint}' is not an address.`, 'Example: https://huggingface.co');
  const { origin } = new URL(endpoint);
  return {
    endpoint,
    get: (path) => {
      const url = new URL(path, `${endpoint}/`);
      const headers = token && url.origin === origin ? { authorization: `Bearer ${token}` } : {};
      // fetch takes the header away when it follows a redirect to another origin.
      return fetch(url, { headers, signal }).catch((error: Error) => {
        signal.throwIfAborted();
        const { message } = (error.cause ?? error) as Error;
        throw new CliError(
          `${url.origin} does not answer: ${message}`,
          'Set HF_ENDPOINT to a mirror that you can reach.',
        );
      });
    },
  };
};

const requireOk = (response: Response, what: string): Response => {
  if (response.ok) return response;
  const error = meanings[response.status]?.(what);
  throw (
    error ??
    new CliError(`${what} cannot be read: ${new URL(response.url).host} answered ${response.status}.`)
  );
};

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** Returns the paths of all files at a revision, or undefined if there is no such revision. */
const listFiles = async (hub: Hub, repo: string, revision: string, isOptional: boolean) => {
  const paths: string[] = [];
  let next: string | undefined = `api/datasets/${repo}/tree/${encodeURIComponent(revision)}?recursive=true`;
  while (next !== undefined) {
    const response: Response = await hub.get(next);
    if (isOptional && response.status === 404) return [];
    const page: unknown = await requireOk(response, `${repo} at revision ${revision}`).json();
    for (const entry of listAt({ page }, 'page')) {
      const path = textOf(entry.path);
      if (isObject(entry) && entry.type === 'file' && path !== undefined) paths.push(path);
    }
    next = /<([^>]+)>\s*;\s*rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  }
  return paths;
};

/** Returns the configuration and the split in a path such as `main/train-00000-of-00001.parquet` or `default/test/0000.parquet`. */
const partOf = (path: string): string => {
  const folder = posix.dirname(path);
  const stem = posix.basename(path, '.parquet').replace(/[-_]?\d+(-of-\d+)?(-[0-9a-f]{16})?$/, '');
  return [folder === '.' ? '' : folder, stem].filter((name) => name !== '').join('/');
};

/** Returns the files that the rest of the address names: by path, by folder, or by split. */
const chosen = (paths: string[], rest: string): string[] => {
  if (rest === '') return paths;
  const within = paths.filter(
    (path) => path === rest || path.startsWith(`${rest}/`) || partOf(path) === rest,
  );
  if (within.length > 0) return within;
  return paths.filter(
    (path) => partOf(path).split('/').at(-1) === rest || partOf(path).replace(/^data\//, '') === rest,
  );
};

const findParquet = async (hub: Hub, address: Address): Promise<{ revision: string; paths: string[] }> => {
  const { repo, rest } = address;
  for (const revision of address.revision === undefined ? ['main', converted] : [address.revision]) {
    const all = await listFiles(hub, repo, revision, revision === converted);
    const parquet = all.filter((path) => path.endsWith('.parquet'));
    if (parquet.length === 0) continue;
    const paths = chosen(parquet, rest);
    const parts = [...new Set((paths.length > 0 ? paths : parquet).map(partOf))];
    const list = `Choose one: ${parts.map((part) => `hf://${repo}/${part}`).join(', ')}`;
    if (paths.length === 0) throw new CliError(`${repo} has no Parquet files for '${rest}'.`, list);
    if (parts.length > 1) throw new CliError(`${repo} has several parts.`, list);
    return { revision, paths };
  }
  throw new CliError(
    `${repo} has no Parquet files${address.revision === undefined ? ', and the Hub has converted none' : ` at revision ${address.revision}`}.`,
    `Name a file of it instead, JSON lines or CSV: hf://${repo}/data/test.jsonl`,
  );
};

/** Downloads a dataset of Hugging Face, or the split or file of it that the address names. */
export const readDataset = async (
  text: string,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
  reading: Reading,
  progress: (text: string) => void,
): Promise<Content> => {
  const address = addressOf(text);
  const { repo, rest } = address;
  const hub = openHub(environment, signal);
  const isFile = /\.(parquet|jsonl|ndjson|json|csv|tsv|xlsx)(\.gz)?$/.test(rest);
  const { revision, paths } = isFile
    ? { revision: address.revision ?? 'main', paths: [rest] }
    : await findParquet(hub, address);
  const items: Content['items'] = [];
  for (const [i, path] of paths.entries()) {
    progress(`file ${i + 1} of ${paths.length} from ${hub.endpoint}`);
    const file = `datasets/${repo}/resolve/${encodeURIComponent(revision)}/${encoded(path)}`;
    const response = requireOk(await hub.get(file), `${path} of ${repo} at revision ${revision}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    try {
      items.push(...(await parseFile(path, bytes, reading)).items);
    } catch (error) {
      throw new CliError(`${path} of ${repo} cannot be read. ${(error as Error).message}`);
    }
  }
  const part = isFile ? rest : partOf(paths[0]!);
  const name = part === '' ? repo : `${repo}/${part}`;
  const dataset = `${repo}${address.revision === undefined ? '' : `@${revision}`}${part && `/${part}`}`;
  return { name, digest: dataset, dataset, writtenMs: 0, form: 'parquet', items };
};
