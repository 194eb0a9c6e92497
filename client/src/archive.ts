import { DokimaError, errorOf } from './errors.ts';
import type { ProjectImport } from './generated.ts';
import { type ClientOptions, rootOf } from './http.ts';
import type { CallOptions } from './types.ts';

type Body = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Calls for archives of projects. An archive may have any size, so it is a stream, without a time limit and without retries. */
export const archiveCalls = ({
  baseUrl,
  apiKey,
  fetch = globalThis.fetch.bind(globalThis),
  headers = {},
}: ClientOptions) => {
  const ask = async (
    method: string,
    projectId: string,
    { signal }: CallOptions,
    body?: Body,
  ): Promise<Response> => {
    const path = `/api/v2/projects/${encodeURIComponent(projectId)}/archive`;
    const init = {
      method,
      headers: {
        ...headers,
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
        ...(body && { 'content-type': 'application/x-ndjson' }),
      },
      ...(signal && { signal }),
      ...(body && { body, duplex: 'half' as const }),
    };
    const response = await fetch(`${rootOf(baseUrl)}${path}`, init).catch((cause) => {
      signal?.throwIfAborted();
      throw new DokimaError('NO_ANSWER', `${rootOf(baseUrl)} did not answer ${method} ${path}.`, { cause });
    });
    if (response.ok) return response;
    throw errorOf(response, await response.text(), `${method} ${path}`);
  };
  return {
    /** Returns the archive of a project as JSON lines. It is complete if its last line has the part `end`. */
    exportProject: async (projectId: string, options: CallOptions = {}): Promise<Body> =>
      (await ask('GET', projectId, options)).body as Body,
    /** Imports an archive into an empty project. The same call again continues an interrupted import. */
    importProject: async (
      projectId: string,
      archive: Body,
      options: CallOptions = {},
    ): Promise<ProjectImport> =>
      (await ask('PUT', projectId, options, archive)).json() as Promise<ProjectImport>,
  };
};
