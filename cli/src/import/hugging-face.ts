import { posix } from 'node:path';
import { CliError } from '../errors.ts';
import { type Address, addressOf, type Hub, openHub, requireOk } from '../hub.ts';
import { type Content, parseFile, type Reading } from './content.ts';
import { isObject, listAt, textOf } from './rows.ts';

// The routes that huggingface_hub 1.x uses: /api/datasets/{repo}/tree/{revision} and /datasets/{repo}/resolve/{revision}/{path}.
// The Hub converts other formats to Parquet in its own revision.
const converted = 'refs/convert/parquet';

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
