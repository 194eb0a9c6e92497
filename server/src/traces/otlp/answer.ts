import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Type } from 'protobufjs';
import type { ApiError, ErrorCode } from '../../platform/errors.ts';
import type { Outcome } from '../store/ingest.ts';
import { isGrpc, sendResult } from './grpc.ts';
import { ExportTraceServiceResponse, RpcStatus } from './messages.ts';

/** Codes of google.rpc.Status, which OTLP's errors carry. */
const rpcCodes: Record<ErrorCode, number> = {
  VALIDATION_ERROR: 3,
  UNAUTHORIZED: 16,
  FORBIDDEN: 7,
  METHOD_NOT_ALLOWED: 12,
  NOT_FOUND: 5,
  CONFLICT: 10,
  PRECONDITION_FAILED: 9,
  PAYLOAD_TOO_LARGE: 3,
  UNSUPPORTED_MEDIA_TYPE: 3,
  RANGE_NOT_SATISFIABLE: 11,
  LIMIT_REACHED: 8,
  RATE_LIMITED: 8,
  INTERNAL_ERROR: 13,
  UNAVAILABLE: 14,
};

export const protobufType = 'application/x-protobuf';

const isProtobuf = ({ headers }: FastifyRequest): boolean =>
  (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase() === protobufType;

/** Sends a message in the encoding of the request. */
const send = (request: FastifyRequest, reply: FastifyReply, type: Type, message: object): FastifyReply => {
  const encoded = () => Buffer.from(type.encode(message).finish());
  if (isGrpc(request)) return sendResult(request, reply, { body: encoded() });
  return isProtobuf(request)
    ? reply.type(protobufType).send(encoded())
    : reply.type('application/json').send(JSON.stringify(message));
};

/** What requests of a signal consist of, and the field of its response in JSON; in protocol buffers all responses are alike. */
const signals = {
  traces: { item: 'span', rejectedField: 'rejectedSpans' },
  logs: { item: 'log record', rejectedField: 'rejectedLogRecords' },
} as const;
export type Signal = keyof typeof signals;

/** Describes the outcome for spans or log records, for the person who reads the exporter's log. */
export const reasonsText = (signal: Signal, reasons: Outcome['rejected']): string => {
  const { item } = signals[signal];
  return [...reasons]
    .map(([reason, count]) => `${count} ${item}${count === 1 ? '' : 's'}: ${reason}`)
    .join('; ');
};

/** Sends the response of a signal: with the number of rejected items, and with a warning, when there are any. */
export const sendOutcome = (
  request: FastifyRequest,
  reply: FastifyReply,
  signal: Signal,
  outcome: Pick<Outcome, 'rejected' | 'warned'>,
): FastifyReply => {
  const rejected = [...outcome.rejected.values()].reduce((sum, count) => sum + count, 0);
  const errorMessage = reasonsText(signal, new Map([...outcome.rejected, ...outcome.warned]));
  // JSON has 64-bit integers as text.
  const count =
    isProtobuf(request) || isGrpc(request)
      ? { rejectedSpans: rejected }
      : { [signals[signal].rejectedField]: String(rejected) };
  const partialSuccess = { ...count, errorMessage };
  return send(request, reply, ExportTraceServiceResponse, errorMessage === '' ? {} : { partialSuccess });
};

/** Reads the response of a receiver: how many items it rejected, and why. A body in another encoding says nothing. */
export const readResponse = (contentType: string, body: Buffer): { rejected: number; message: string } => {
  if (!contentType.startsWith(protobufType)) return { rejected: 0, message: '' };
  const { partialSuccess } = ExportTraceServiceResponse.toObject(ExportTraceServiceResponse.decode(body), {
    longs: Number,
  });
  return { rejected: partialSuccess?.rejectedSpans ?? 0, message: partialSuccess?.errorMessage ?? '' };
};

/** Sends a response that says that all was accepted: it has no fields, for traces as for the other signals. */
export const sendEmpty = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  send(request, reply, ExportTraceServiceResponse, {});

/** Sends an error as OTLP has it: a google.rpc.Status, over gRPC as the status of the call. */
export const sendStatus = (
  request: FastifyRequest,
  reply: FastifyReply,
  { code, message, status, retryAfterSeconds }: ApiError,
): FastifyReply => {
  const retry = retryAfterSeconds !== undefined && { retryAfterSeconds };
  if (isGrpc(request)) return sendResult(request, reply, { code: rpcCodes[code], message, ...retry });
  if (retry) reply.header('retry-after', retry.retryAfterSeconds);
  return send(request, reply.code(status), RpcStatus, { code: rpcCodes[code], message, details: [] });
};
