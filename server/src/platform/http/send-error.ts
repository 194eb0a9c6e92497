import { maxHeaderSize } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError, FastifyReply, FastifyRequest } from 'fastify';
import { isMemberGone, isStopped, isUnavailable } from '../db/database.ts';
import { isDiskFull } from '../db/disk.ts';
import {
  ApiError,
  internalError,
  invalid,
  outOfSpace,
  payloadTooLarge,
  tookTooLong,
  unauthorized,
  unavailable,
} from '../errors.ts';
import { bodyLimitBytes } from './http.ts';
import { notJson } from './read-bodies.ts';
import { noRoute } from './unknown-path.ts';

/** Converts anything that was thrown into the error for the client. */
export const toApiError = (error: unknown, request: FastifyRequest): ApiError => {
  if (error instanceof ApiError) return error;
  // The client left in the middle of its body. Its ECONNRESET must not look like one of the database.
  if (request.raw.destroyed && !request.raw.complete) return invalid('', 'must be complete');
  if (isDiskFull(String((error as { code?: unknown } | null)?.code))) return outOfSpace(error);
  if (isStopped(error)) return tookTooLong(error);
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
      return invalid('', 'must be complete');
    default:
      // A plugin refuses the path, such as one that leaves the folder of /docs.
      if ([403, 404].includes((error as { statusCode?: number } | null)?.statusCode ?? 0))
        return noRoute(request);
      return internalError(error);
  }
};

/** Answers with an error, in the form of all errors, and logs it when it is a 5xx. */
export const sendError = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const answer = toApiError(error, request);
  if (answer.status >= 500) request.log.error({ err: answer.cause ?? answer }, answer.message);
  if (answer.retryAfterSeconds !== undefined) reply.header('retry-after', answer.retryAfterSeconds);
  // RFC 9110 requires these headers: how to authenticate, the methods of a path, and the size of the file.
  if (answer.code === 'METHOD_NOT_ALLOWED')
    reply.header('allow', (answer.details.allowed as string[]).join(', '));
  if (answer.code === 'UNAUTHORIZED') reply.header('www-authenticate', 'Bearer');
  if (answer.code === 'RANGE_NOT_SATISFIABLE')
    reply.header('content-range', `bytes */${answer.details.sizeBytes}`);
  return reply.code(answer.status).type('application/json; charset=utf-8').send(JSON.stringify(answer));
};

const unreadable: Record<string, string> = {
  HPE_HEADER_OVERFLOW: `must have a URL and headers of at most ${maxHeaderSize} bytes`,
  HPE_INVALID_EOF_STATE: 'must be complete',
  ERR_HTTP_REQUEST_TIMEOUT: 'must be complete and arrive in time',
};

/** Answers bytes that are not an HTTP request in the form of all errors. They have no route and no reply. */
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
