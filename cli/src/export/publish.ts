import { createHash } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import type { JsonObject } from '../../../client/src/main.ts';
import { parseAsWritten } from '../../../client/src/written-number.ts';
import { CliError } from '../errors.ts';
import { type Hub, openHub } from '../hub.ts';
import { isObject, listAt, objectAt, textOf } from '../import/rows.ts';

// The steps of huggingface_hub 1.x: create the repository, ask for each large file where it goes (Git LFS), send it, and commit.
const json = 'application/json';
const lfs = 'application/vnd.git-lfs+json';

const readAnswer = async (response: Response, what: string): Promise<JsonObject> => {
  const text = await response.text();
  if (response.ok) return text.startsWith('{') ? (parseAsWritten(text) as JsonObject) : {};
  const said = /"error"\s*:\s*"([^"]+)"/.exec(text)?.[1] ?? '';
  const isRefused = response.status === 401 || response.status === 403;
  throw new CliError(
    `${what}: ${new URL(response.url).host} answered ${response.status}${said && ` (${said})`}.`,
    isRefused ? 'Set HF_TOKEN to a token that may write to this owner.' : undefined,
  );
};

/** Creates the repository. One that exists stays as it is. */
const createRepository = async (hub: Hub, repo: string, isPublic: boolean): Promise<void> => {
  const [organization, name] = repo.split('/');
  const body = { type: 'dataset', name, organization, private: !isPublic };
  const response = await hub.post('api/repos/create', json, JSON.stringify(body));
  if (response.status !== 409) await readAnswer(response, `${repo} cannot be created`);
};

type Upload = { path: string; oid: string; size: number };

/** Reads the file once for its hash: the Hub stores it by that name. */
const describe = async (file: string): Promise<Omit<Upload, 'path'>> => {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of createReadStream(file)) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { oid: hash.digest('hex'), size };
};

/** Sends the parts of a large file, and says when they are complete. */
const sendParts = async (
  hub: Hub,
  blob: Blob,
  { oid }: Upload,
  href: string,
  header: Record<string, unknown>,
  progress: (bytes: number) => void,
): Promise<void> => {
  const size = Number(header.chunk_size);
  const urls = Object.entries(header).filter(([name]) => /^\d+$/.test(name));
  const parts: { partNumber: number; etag: string }[] = [];
  for (const [i, [name, url]] of urls.sort(([a], [b]) => Number(a) - Number(b)).entries()) {
    const response = await hub.put(`${url}`, blob.slice(i * size, (i + 1) * size));
    await readAnswer(response, 'A part of the file cannot be sent');
    parts.push({ partNumber: Number(name), etag: response.headers.get('etag') ?? '' });
    progress(Math.min((i + 1) * size, blob.size));
  }
  await readAnswer(await hub.post(href, lfs, JSON.stringify({ oid, parts })), 'The file cannot be completed');
};

/** Sends a file to where the Hub says. The Hub may have it already. */
const sendFile = async (
  hub: Hub,
  repo: string,
  file: string,
  upload: Upload,
  progress: (bytes: number) => void,
): Promise<void> => {
  const { oid, size } = upload;
  const ask = {
    operation: 'upload',
    transfers: ['basic', 'multipart'],
    hash_algo: 'sha_256',
    ref: { name: 'main' },
    objects: [{ oid, size }],
  };
  const address = `datasets/${repo}.git/info/lfs/objects/batch`;
  const answer = await readAnswer(
    await hub.post(address, lfs, JSON.stringify(ask)),
    'The file cannot be sent',
  );
  const [object = {}] = listAt(answer, 'objects');
  if (isObject(object.error)) throw new CliError(`The file cannot be sent: ${textOf(object.error.message)}.`);
  const { upload: to, verify } = objectAt(object, 'actions') as JsonObject;
  if (!isObject(to)) return;
  const href = `${to.href}`;
  const header = objectAt(to, 'header');
  const blob = await openAsBlob(file);
  if (header.chunk_size !== undefined) await sendParts(hub, blob, upload, href, header, progress);
  else
    await readAnswer(await hub.put(href, blob, header as Record<string, string>), 'The file cannot be sent');
  if (isObject(verify)) {
    const response = await hub.post(`${verify.href}`, lfs, JSON.stringify({ oid, size }));
    await readAnswer(response, 'The file did not arrive');
  }
};

/** Publishes a file with a card as one commit of a dataset. Returns its address. */
export const publish = async (
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
  {
    repo,
    isPublic,
    file,
    path,
    card,
    message,
    progress,
  }: {
    repo: string;
    isPublic: boolean;
    file: string;
    /** Where the file stands in the dataset. */
    path: string;
    card: string;
    message: string;
    progress: (bytes: number) => void;
  },
): Promise<string> => {
  if (!environment.HF_TOKEN)
    throw new CliError(
      'A token is needed to write a dataset.',
      'Set HF_TOKEN to a token with the right to write.',
    );
  const hub = openHub(environment, signal);
  await createRepository(hub, repo, isPublic);
  const upload = { path, ...(await describe(file)) };
  await sendFile(hub, repo, file, upload, progress);
  const content = Buffer.from(card).toString('base64');
  const lines = [
    { key: 'header', value: { summary: message, description: '' } },
    { key: 'file', value: { path: 'README.md', content, encoding: 'base64' } },
    { key: 'lfsFile', value: { path, algo: 'sha256', oid: upload.oid, size: upload.size } },
  ];
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  await readAnswer(
    await hub.post(`api/datasets/${repo}/commit/main`, 'application/x-ndjson', body),
    `${repo} cannot be written`,
  );
  return `${hub.endpoint}/datasets/${repo}`;
};
