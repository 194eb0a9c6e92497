import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';

const send = async (request: ClientRequest, body: RequestInit['body']): Promise<IncomingMessage> => {
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  if (body instanceof globalThis.ReadableStream) {
    // The service may answer before it has read everything, for example that the file is too large.
    const sent = pipeline(Readable.fromWeb(body as ReadableStream), request);
    await Promise.race([sent, answered]);
    sent.catch(() => {});
  } else request.end(new Uint8Array(await new Response(body).arrayBuffer()));
  return (await answered)[0];
};

/**
 * A fetch that waits for an answer as long as `signal` allows: the fetch of Node gives up five minutes after a request, and a judge or
 * an import of a project may take longer, as the columns of a large export. Other reads go through the fetch of Node, which they do not
 * need to outlast.
 */
export const patientFetch: typeof fetch = async (input, init = {}) => {
  const { method = 'GET', headers, body, signal } = init;
  const url = new URL(String(input));
  if (method === 'GET' && !url.pathname.endsWith('/records/export')) return fetch(input, init);
  const ask = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const request = ask(url, {
    method,
    headers: Object.fromEntries(new Headers(headers)),
    ...(signal && { signal }),
  });
  try {
    const response = await send(request, body);
    if (response.statusCode! >= 300 && response.headers.location !== undefined && typeof body === 'string') {
      response.resume();
      return await fetch(input, init);
    }
    const pairs = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    );
    const isEmpty = [204, 205, 304].includes(response.statusCode!);
    return new Response(isEmpty ? null : (Readable.toWeb(response) as globalThis.ReadableStream), {
      status: response.statusCode!,
      headers: pairs,
    });
  } catch (cause) {
    signal?.throwIfAborted();
    throw new TypeError('fetch failed', { cause });
  }
};
