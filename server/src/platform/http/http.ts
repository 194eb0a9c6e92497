import { isUtf8 } from 'node:buffer';
import { type IncomingMessage, maxHeaderSize, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type {
  ConnectionError,
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifyTypeProvider,
  RawServerDefault,
} from 'fastify';
import type { Static, TSchema } from 'typebox';
import { isMemberGone, isUnavailable } from '../db/database.ts';
import { isDiskFull } from '../db/disk.ts';
import {
  ApiError,
  internalError,
  invalid,
  notFound,
  outOfSpace,
  payloadTooLarge,
  unauthorized,
  unavailable,
  unsupportedMediaType,
} from '../errors.ts';
import { parseJson } from '../json/parse-json.ts';

/** Gives handlers the types of their schemas. Answers are finished JSON text, so the type system has no say in them. */
export interface TypeBoxTypeProvider extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown;
  serializer: unknown;
}

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as text, as it was sent; '' without one. Free-form JSON is taken from here. */
    rawBody: string;
  }
  interface FastifyContextConfig {
    /** Takes NDJSON beside JSON. */
    ndjson?: boolean;
  }
  interface FastifyReply {
    /** Sends JSON text that PostgreSQL or json.ts has finished, as it is: whole, or in parts that follow each other. */
    json(text: string | readonly string[], status?: 200 | 201): FastifyReply;
    /** Sends server-sent events, each to arrive when it is written. */
    events(events: Readable): FastifyReply;
  }
}

/** Largest request body, 15 MB. */
export const bodyLimitBytes = 15 * 1024 * 1024;

/** The same where nobody knows yet who sends it: JSON of 15 MB can take a second to parse, in which nobody else is answered. */
export const publicBodyLimitBytes = 64 * 1024;

/** The one row that was asked for; 404 when there is none. */
export const one = <T>(rows: readonly T[], noun: string, id: string): T => {
  const [row] = rows;
  if (row === undefined) throw notFound(noun, id);
  return row;
};

/** The body of the one row that was asked for; 404 when there is none. */
export const bodyOf = (rows: readonly { body: string }[], noun: string, id: string): string =>
  one(rows, noun, id).body;

const parseText = (request: FastifyRequest, body: Buffer): string => {
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
  if (charset && !/^utf-?8$/i.test(charset)) throw unsupportedMediaType('Send the body in UTF-8.');
  if (!isUtf8(body)) throw invalid('', 'must be UTF-8 text');
  return body.toString('utf8');
};

const refuseEncoded = (request: FastifyRequest): void => {
  const encoding = request.headers['content-encoding'];
  if (encoding && encoding !== 'identity')
    throw unsupportedMediaType(`Send the body without Content-Encoding: ${encoding}.`);
};

const notJson = () => unsupportedMediaType('Send JSON, with the header Content-Type: application/json.');

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Reads JSON bodies, and NDJSON where a route takes it, keeping their text. Everything else is a 415. */
export const readBodies = (app: App): void => {
  app.decorateRequest('rawBody', '');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      refuseEncoded(request);
      if (body.length === 0) return undefined;
      request.rawBody = parseText(request, body);
      try {
        return parseJson(request.rawBody);
      } catch (error) {
        throw invalid('', `must be JSON: ${(error as Error).message}`);
      }
    },
  );
  app.addContentTypeParser(
    'application/x-ndjson',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      if (!request.routeOptions.config.ndjson) throw notJson();
      refuseEncoded(request);
      request.rawBody = parseText(request, body);
      return undefined;
    },
  );
  // Where nothing is sent its type does not matter: `curl -d ''` says that it is a form.
  app.addContentTypeParser('*', (request, _payload, done) => done(hasBody(request) ? notJson() : null));
};

const heads = new WeakSet<IncomingMessage>();

/**
 * HEAD takes the route of GET: Fastify's own routes for it were a tenth of a start. Called with each request before its route is
 * looked for (`rewriteUrl`, which leaves the URL as it is); `restoreHead` undoes it. Node leaves the body out by itself.
 */
export const routeHeadAsGet = (request: IncomingMessage): string => {
  if (request.method === 'HEAD') {
    heads.add(request);
    request.method = 'GET';
  }
  return request.url ?? '';
};

/** From here on the request is what was sent. */
export const restoreHead = ({ raw }: FastifyRequest): void => {
  if (heads.has(raw)) raw.method = 'HEAD';
};

/** The answer's body, but for HEAD no stream: it would be read to its end, and events have none. */
export const withoutStreamOfHead = (request: FastifyRequest, payload: unknown): unknown => {
  if (request.method !== 'HEAD' || !(payload instanceof Readable)) return payload;
  payload.destroy();
  return null;
};

/** 404 for a path, or a method of it, that is not there. */
export const unknownPath = ({ method, url }: FastifyRequest): ApiError =>
  new ApiError('NOT_FOUND', `There is no ${method} ${url.split('?', 1)[0]}. See /docs.`);

/** What a client is told about an error that was thrown anywhere. */
export const toApiError = (error: unknown, request: FastifyRequest): ApiError => {
  if (error instanceof ApiError) return error;
  // The client left before its body was whole: its ECONNRESET is not the database's.
  if (request.raw.destroyed && !request.raw.complete) return invalid('', 'must be sent whole');
  if (isDiskFull(String((error as { code?: unknown } | null)?.code))) return outOfSpace(error);
  if (isUnavailable(error)) return unavailable(error);
  if (isMemberGone(error)) return unauthorized();
  switch ((error as { code?: unknown } | null)?.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return payloadTooLarge(request.routeOptions.bodyLimit ?? bodyLimitBytes);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return notJson();
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return invalid('', 'must be as long as Content-Length says');
    case 'FST_ERR_BAD_URL':
      return invalid('', 'must have a URL that can be percent-decoded');
    case 'ECONNABORTED':
      return invalid('', 'must be sent whole');
    default:
      // What a plugin forbids or does not find, such as a path out of the folder of /docs, is not there.
      if ([403, 404].includes((error as { statusCode?: number } | null)?.statusCode ?? 0))
        return unknownPath(request);
      return internalError(error);
  }
};

/** Answers an error in the one form that all errors have, and logs it when it is ours. */
export const sendError = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const answer = toApiError(error, request);
  if (answer.status >= 500) request.log.error({ err: answer.cause ?? answer }, answer.message);
  if (answer.retryAfterSeconds !== undefined) reply.header('retry-after', answer.retryAfterSeconds);
  // Both as RFC 9110 wants them: a client learns how to sign in, and that a download it would resume has all its bytes.
  if (answer.code === 'UNAUTHORIZED') reply.header('www-authenticate', 'Bearer');
  if (answer.code === 'RANGE_NOT_SATISFIABLE')
    reply.header('content-range', `bytes */${answer.details.sizeBytes}`);
  return reply.code(answer.status).type('application/json; charset=utf-8').send(JSON.stringify(answer));
};

const unreadable: Record<string, string> = {
  HPE_HEADER_OVERFLOW: `must have a URL and headers of at most ${maxHeaderSize} bytes`,
  HPE_INVALID_EOF_STATE: 'must be sent whole',
  ERR_HTTP_REQUEST_TIMEOUT: 'must be sent whole, and sooner',
};

/** Answers what can't be read as an HTTP request, and so has neither a route nor a reply, in the form of every error. */
export const refuseUnreadable = (error: ConnectionError, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(invalid('', unreadable[error.code] ?? 'must be well-formed HTTP/1.1'));
  socket.write(
    'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  socket.destroySoon();
};

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

/** 400 for a query string that can't be percent-decoded: read leniently, it would mean something nobody wrote. */
export const refuseBadQuery = (request: FastifyRequest): void => {
  // All of it: what follows another question mark belongs to it too.
  const query = request.url.slice(request.url.indexOf('?') + 1);
  if (!isDecodable(query)) throw invalid('', 'must have a URL that can be percent-decoded');
};

/** A name or an address, with a port or without: RFC 9110, 7.2. */
const host = /^(\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(:\d*)?$/i;

/** 400 for a request that names no host, or what can't be one: links that it is answered begin with it. */
export const requireHost = ({ headers, raw }: FastifyRequest): void => {
  if (!headers.host && raw.httpVersion === '1.1') throw invalid('/Host', 'is required');
  if (headers.host && !host.test(headers.host))
    throw invalid('/Host', 'must be a host, with a port or without');
};
