import { archiveCalls } from './archive.ts';
import { attachmentCalls } from './attachments.ts';
import { bulkCalls } from './bulk.ts';
import type { Operations } from './generated.ts';
import { type ClientOptions, lookHeader, type Send, sender } from './http.ts';
import { operationsOver } from './operations.ts';
import { evaluationCalls } from './run-and-evaluate.ts';

/**
 * Returns a client of one Dokima service. It has a method for every operation of the API, and a few calls that combine several.
 *
 *     const dokima = createClient({ baseUrl: 'http://localhost:3000', apiKey: 'ak_…' });
 *     for await (const record of dokima.listRecords(runId)) console.log(record.outputs);
 *
 * `parse` reads the answers. JSON.parse rounds 12345678901234567890, as JavaScript does; a parser that keeps digits may take its place.
 */
export const createClient = (
  options: ClientOptions,
  parse: (text: string) => unknown = JSON.parse,
): Client => {
  const { looksAs, headers } = options;
  const send = sender({ ...options, headers: { ...headers, ...(looksAs && { [lookHeader]: looksAs }) } });
  const api = operationsOver(send, parse);
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  return {
    ...api,
    ...bulkCalls(api),
    ...evaluationCalls(api),
    ...attachmentCalls(api, fetch),
    ...archiveCalls(options),
    send,
  };
};

export type Client = Operations &
  ReturnType<typeof bulkCalls> &
  ReturnType<typeof evaluationCalls> &
  ReturnType<typeof attachmentCalls> &
  ReturnType<typeof archiveCalls> & {
    /**
     * Sends any request and returns the answer as text: for requests without a method, and if every digit of free-form JSON
     * matters.
     */
    send: Send;
  };

export type { ExportRecordsQuery } from './archive.ts';
export type { Upload } from './attachments.ts';
export { mapConcurrently } from './concurrency.ts';
export { DokimaError } from './errors.ts';
export { etagOf } from './etags.ts';
export type * from './generated.ts';
export type { ClientOptions, HttpRequest, Send } from './http.ts';
export {
  openPrompts,
  type Prompt,
  type PromptMessage,
  type Prompts,
  type PromptsOptions,
} from './prompts.ts';
export type { Attempt, Evaluated, Evaluation, Progress, Watched } from './run-and-evaluate.ts';
export type { CallOptions, JsonObject, List, Page } from './types.ts';
