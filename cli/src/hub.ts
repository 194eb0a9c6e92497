import { CliError } from './errors.ts';

export type Address = { repo: string; revision: string | undefined; rest: string };

export const isDatasetAddress = (text: string): boolean => text.startsWith('hf://');

/** Reads hf://owner/name[@revision][/split or path], also with `datasets/` in front as huggingface_hub writes it. */
export const addressOf = (text: string): Address => {
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

export type Hub = {
  endpoint: string;
  get: (path: string) => Promise<Response>;
  /** Sends a body with the token. */
  post: (path: string, type: string, body: string) => Promise<Response>;
  /** Sends a file to an address that the Hub has signed, without the token. */
  put: (address: string, body: Blob, headers?: Record<string, string>) => Promise<Response>;
};

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
export const openHub = (environment: NodeJS.ProcessEnv, signal: AbortSignal): Hub => {
  const endpoint = (environment.HF_ENDPOINT || 'https://huggingface.co').replace(/\/+$/, '');
  const token = environment.HF_TOKEN;
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint))
    throw new CliError(`HF_ENDPOINT '${endpoint}' is not an address.`, 'Example: https://huggingface.co');
  const { origin } = new URL(endpoint);
  const ask = (address: string, init: RequestInit, isSigned = false): Promise<Response> => {
    const url = new URL(address, `${endpoint}/`);
    const headers = new Headers(init.headers);
    if (token && url.origin === origin && !isSigned) headers.set('authorization', `Bearer ${token}`);
    // fetch takes the header away when it follows a redirect to another origin.
    return fetch(url, { ...init, headers, signal }).catch((error: Error) => {
      signal.throwIfAborted();
      const { message } = (error.cause ?? error) as Error;
      throw new CliError(
        `${url.origin} does not answer: ${message}`,
        'Set HF_ENDPOINT to a mirror that you can reach.',
      );
    });
  };
  return {
    endpoint,
    get: (path) => ask(path, {}),
    post: (path, type, body) =>
      ask(path, { method: 'POST', headers: { 'content-type': type, accept: type }, body }),
    put: (address, body, headers = {}) => ask(address, { method: 'PUT', headers, body }, true),
  };
};

export const requireOk = (response: Response, what: string): Response => {
  if (response.ok) return response;
  const error = meanings[response.status]?.(what);
  throw (
    error ??
    new CliError(`${what} cannot be read: ${new URL(response.url).host} answered ${response.status}.`)
  );
};
