import type { Readable, Transform } from 'node:stream';
import { createGunzip, createInflate } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { ApiError, invalid, payloadTooLarge, unsupportedMediaType } from '../../platform/errors.ts';
import { Malformed } from '../store/span.ts';

/** Largest request, after decompression. */
const maxBodyBytes = 64 * 1024 * 1024;
/** Bytes of requests that one process holds at a time, received and not yet committed: a burst waits outside. */
const maxHeldBytes = 2 * maxBodyBytes;

const decompressors: Record<string, (() => Transform) | undefined> = {
  identity: undefined,
  gzip: createGunzip,
  deflate: createInflate,
};

const busy = () =>
  new ApiError(
    'UNAVAILABLE',
    'More traces are arriving than can be held. Nothing was written; try again shortly.',
    {
      retryAfterSeconds: 1,
    },
  );

/**
 * Calls `visit` with each chunk, decompressed. Where it throws, reading stops, but the request is not destroyed, as a
 * pipeline would: its socket has yet to carry the answer.
 */
const eachChunk = (payload: Readable, decompress: Transform | undefined, visit: (chunk: Buffer) => void) =>
  new Promise<void>((resolve, reject) => {
    const source = decompress ? payload.pipe(decompress) : payload;
    const stop = (error: unknown) => {
      source.removeListener('data', take);
      payload.unpipe();
      payload.pause();
      decompress?.destroy();
      reject(error);
    };
    const take = (chunk: Buffer) => {
      try {
        visit(chunk);
      } catch (error) {
        stop(error);
      }
    };
    source.on('data', take);
    source.on('end', resolve);
    for (const stream of new Set([source, payload])) stream.on('error', stop);
    payload.on('close', () => payload.readableEnded || stop(invalid('', 'must be sent whole')));
  });

/** A request's body, and what says that its bytes are no longer held. */
export type Received = { body: Buffer; release: () => void };

/**
 * Returns the function that reads a request's body, decompressed. Counts while it reads: what grows beyond the limit is a
 * 413, whether it says so itself or is a bomb; what would be more than the process may hold is a 503.
 */
export const receiver = (limitBytes = maxBodyBytes, heldLimitBytes = maxHeldBytes) => {
  let held = 0;
  return async (request: FastifyRequest, payload: Readable): Promise<Received> => {
    const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
    if (!Object.hasOwn(decompressors, encoding))
      throw unsupportedMediaType(`Send the body with Content-Encoding gzip, or without; not ${encoding}.`);
    if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw payloadTooLarge(limitBytes);
    const chunks: Buffer[] = [];
    let size = 0;
    const release = () => {
      held -= size;
      size = 0;
    };
    const collect = (chunk: Buffer) => {
      size += chunk.length;
      held += chunk.length;
      if (size > limitBytes) throw payloadTooLarge(limitBytes);
      if (held > heldLimitBytes) throw busy();
      chunks.push(chunk);
    };
    try {
      await eachChunk(payload, decompressors[encoding]?.(), collect);
      return { body: Buffer.concat(chunks, size), release };
    } catch (error) {
      release();
      if (String((error as { code?: unknown }).code).startsWith('Z_'))
        throw new Malformed(`the body is not ${encoding}: ${(error as Error).message}`);
      throw error;
    }
  };
};
