import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../platform/errors.ts';
import type { Outcome } from '../store/ingest.ts';

/** Codes of google.rpc.Status, which OTLP's errors carry. */
const rpcCodes: Record<ErrorCode, number> = {
  VALIDATION_ERROR: 3,
  UNAUTHORIZED: 16,
  FORBIDDEN: 7,
  NOT_FOUND: 5,
  CONFLICT: 10,
  PAYLOAD_TOO_LARGE: 3,
  UNSUPPORTED_MEDIA_TYPE: 3,
  RANGE_NOT_SATISFIABLE: 11,
  RATE_LIMITED: 8,
  INTERNAL_ERROR: 13,
  UNAVAILABLE: 14,
};

export const protobufType = 'application/x-protobuf';

const varint = (value: number): number[] => {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) + 128);
  }
};
const numberField = (field: number, value: number) => Buffer.from([field * 8, ...varint(value)]);
const bytesField = (field: number, value: Buffer) =>
  Buffer.concat([Buffer.from([field * 8 + 2, ...varint(value.length)]), value]);

const isProtobuf = ({ headers }: FastifyRequest): boolean =>
  (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase() === protobufType;

const send = (request: FastifyRequest, reply: FastifyReply, protobuf: Buffer, json: object): FastifyReply =>
  isProtobuf(request)
    ? reply.type(protobufType).send(protobuf)
    : reply.type('application/json').send(JSON.stringify(json));

/** Why spans were rejected, for the person who reads the exporter's log. */
export const reasonsText = ({ rejected }: Outcome): string =>
  [...rejected].map(([reason, count]) => `${count} ${count === 1 ? 'span' : 'spans'}: ${reason}`).join('; ');

/** ExportTraceServiceResponse, in the encoding of the request; with the number of rejected spans when there are any. */
export const sendOutcome = (request: FastifyRequest, reply: FastifyReply, outcome: Outcome): FastifyReply => {
  const rejected = [...outcome.rejected.values()].reduce((sum, count) => sum + count, 0);
  if (rejected === 0) return send(request, reply, Buffer.alloc(0), {});
  const message = reasonsText(outcome);
  const partial = Buffer.concat([numberField(1, rejected), bytesField(2, Buffer.from(message))]);
  return send(request, reply, bytesField(1, partial), {
    partialSuccess: { rejectedSpans: String(rejected), errorMessage: message },
  });
};

/** google.rpc.Status, which OTLP has for errors, in the encoding of the request. */
export const sendStatus = (
  request: FastifyRequest,
  reply: FastifyReply,
  code: ErrorCode,
  message: string,
): FastifyReply =>
  send(request, reply, Buffer.concat([numberField(1, rpcCodes[code]), bytesField(2, Buffer.from(message))]), {
    code: rpcCodes[code],
    message,
    details: [],
  });
