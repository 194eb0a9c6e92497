import { DokimaError, errorOf } from './errors.ts';
import type { ListProjectRecordsQuery, ProjectImport } from './generated.ts';
import { type ClientOptions, rootOf } from './http.ts';
import type { CallOptions } from './types.ts';

type Body = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Which records an export has, in which order and form. */
export type ExportRecordsQuery = Omit<ListProjectRecordsQuery, 'limit' | 'cursor' | 'offset'> & {
  format: 'csv' | 'jsonl' | 'parquet' | 'arrow';
};

const searchOf = (query: object): string =>
  new URLSearchParams(
    Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, `${value}`]],
    ),
  ).toString();

/** Calls for files of any size, such as the archive of a project. They are streams, without a time limit and without retries. */
export const archiveCalls = ({
  baseUrl,
  apiKey,
  fetch = globalThis.fetch.bind(globalThis),
  headers = {},
}: ClientOptions) => {
  const ask = async (
    method: string,
    projectId: string,
    file: string,
    { signal }: CallOptions,
    body?: Body,
  ): Promise<Response> => {
    const path = `/api/v2/projects/${encodeURIComponent(projectId)}/${file}`;
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
      (await ask('GET', projectId, 'archive', options)).body as Body,
    /** Returns records with their scores as a file: CSV, JSON lines, Parquet or a stream of Arrow. A file that breaks off is an error. */
    exportRecords: async (
      projectId: string,
      query: ExportRecordsQuery,
      options: CallOptions = {},
    ): Promise<Body> =>
      (await ask('GET', projectId, `records/export?${searchOf(query)}`, options)).body as Body,
    /** Imports an archive into an empty project. The same call again continues an interrupted import. */
    importProject: async (
      projectId: string,
      archive: Body,
      options: CallOptions = {},
    ): Promise<ProjectImport> =>
      (await ask('PUT', projectId, 'archive', options, archive)).json() as Promise<ProjectImport>,
  };
};
