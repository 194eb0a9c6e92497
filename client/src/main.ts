import { archiveCalls } from './archive.ts';
import { attachmentCalls } from './attachments.ts';
import { bulkCalls } from './bulk.ts';
import type { Operations } from './generated.ts';
import { type ClientOptions, type Send, sender } from './http.ts';
import { operationsOver } from './operations.ts';
import { evaluationCalls } from './run-and-evaluate.ts';

/**
 * A client of one Dokima service: every operation of the API as a method, and a few calls made of several of them.
 *
 *     const dokima = createClient({ baseUrl: 'http://localhost:3000', apiKey: 'ak_…' });
 *     for await (const record of dokima.listRecords(runId)) console.log(record.outputs);
 */
export const createClient = (options: ClientOptions): Client => {
  const send = sender(options);
  const api = operationsOver(send);
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  return {
    ...{ ...api, ...bulkCalls(api), ...evaluationCalls(api) },
    ...{ ...attachmentCalls(api, fetch), ...archiveCalls(options), send },
  };
};

export type Client = Operations &
  ReturnType<typeof bulkCalls> &
  ReturnType<typeof evaluationCalls> &
  ReturnType<typeof attachmentCalls> &
  ReturnType<typeof archiveCalls> & {
    /** Any request, its answer as text: for what has no method, and where every digit of free-form JSON matters. */
    send: Send;
  };

export type { Upload } from './attachments.ts';
export { mapConcurrently } from './concurrency.ts';
export { DokimaError } from './errors.ts';
export type * from './generated.ts';
export type { ClientOptions, HttpRequest, Send } from './http.ts';
export type { Attempt, Evaluated, Evaluation, Progress, Watched } from './run-and-evaluate.ts';
export type { CallOptions, JsonObject, List, Page } from './types.ts';
