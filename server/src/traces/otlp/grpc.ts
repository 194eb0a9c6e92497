import { constants, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Budget } from '../../platform/http/byte-budget.ts';
import { Malformed } from '../store/span.ts';
import { RetryInfo, RpcStatus } from './messages.ts';
import { maxBodyBytes, type Received, receive } from './receive.ts';

/** The part of gRPC that unary calls need: https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md. */

export const grpcTypes = ['application/grpc', 'application/grpc+proto'];

/** Path of the call that exports a signal: traces, metrics or logs. */
export const grpcPath = (signal: 'traces' | 'metrics' | 'logs'): string => {
  const name = signal === 'traces' ? 'trace' : signal;
  const service = { traces: 'TraceService', metrics: 'MetricsService', logs: 'LogsService' }[signal];
  return `/opentelemetry.proto.collector.${name}.v1.${service}/Export`;
};

/** Whether a request came over gRPC: only its port speaks HTTP/2. */
export const isGrpc = ({ raw }: FastifyRequest): boolean => raw.httpVersionMajor === 2;

const prefixBytes = 5;

/** A message begins with one byte that says whether it is compressed, and with its length in four bytes. */
const prefix = (length: number): Buffer => {
  const bytes = Buffer.alloc(prefixBytes);
  bytes.writeUInt32BE(length, 1);
  return bytes;
};

/** Reads the message of a call, decompressed. Throws Malformed if it is shorter or longer than its declared length. */
export const receiveMessage = async (
  { headers }: FastifyRequest,
  payload: Readable,
  receiving: { budget: Budget; owner: bigint },
): Promise<Received> => {
  const { body, release } = await receive({ headers: {} }, payload, receiving);
  const message = body.subarray(prefixBytes);
  try {
    if (body.length < prefixBytes) throw new Malformed('the call has no message');
    const length = body.readUInt32BE(1);
    if (message.length !== length)
      throw new Malformed(`the message has ${message.length} bytes, but its header says ${length}`);
    if (body[0] === 0) return { body: message, release };
    const given = { 'content-encoding': String(headers['grpc-encoding'] ?? 'identity') };
    // Both forms of the message are held for a moment.
    const mostBytes = maxBodyBytes - message.length;
    const received = await receive({ headers: given }, Readable.from([message]), { ...receiving, mostBytes });
    release();
    return received;
  } catch (error) {
    release();
    throw error;
  }
};

/** The details that make an exporter send again after this time. Without them it gives up on RESOURCE_EXHAUSTED. */
const retryDetails = (code: number, message: string, seconds: number): string => {
  const value = RetryInfo.encode({ retryDelay: { seconds } }).finish();
  const details = [{ typeUrl: 'type.googleapis.com/google.rpc.RetryInfo', value }];
  return Buffer.from(RpcStatus.encode({ code, message, details }).finish()).toString('base64');
};

/** The result of a call: a message, or a code of google.rpc.Code with its reason. */
export type GrpcResult = { body: Buffer } | { code: number; message: string; retryAfterSeconds?: number };

const trailersOf = (result: GrpcResult): Record<string, string> => {
  if ('body' in result) return { 'grpc-status': '0' };
  const { code, message, retryAfterSeconds } = result;
  return {
    'grpc-status': String(code),
    'grpc-message': encodeURIComponent(message.toWellFormed()),
    ...(retryAfterSeconds !== undefined && {
      'grpc-status-details-bin': retryDetails(code, message, retryAfterSeconds),
    }),
  };
};

/** Writes a result to an HTTP/2 response. Its status is 200: the outcome of the call is in the trailers. */
export const endCall = (
  request: Pick<Http2ServerRequest, 'readableEnded'>,
  response: Http2ServerResponse,
  result: GrpcResult,
): void => {
  response.writeHead(200, { 'content-type': 'application/grpc' });
  if ('body' in result) response.write(Buffer.concat([prefix(result.body.length), result.body]));
  response.addTrailers(trailersOf(result));
  // A client that still sends its message would otherwise keep the stream open.
  const { stream } = response;
  const close = () => request.readableEnded || stream.close(constants.NGHTTP2_NO_ERROR);
  // The trailers are sent in this event; there is none after them.
  stream.once('wantTrailers', () => setImmediate(close));
  response.end();
};

/** Sends a result in place of Fastify, which has no trailers without a body. */
export const sendResult = (
  request: FastifyRequest,
  reply: FastifyReply,
  result: GrpcResult,
): FastifyReply => {
  reply.hijack();
  endCall(request.raw, reply.raw as unknown as Http2ServerResponse, result);
  return reply;
};
