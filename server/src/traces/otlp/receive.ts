import type { Readable, Transform } from 'node:stream';
import { createGunzip, createInflate } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { ApiError, invalid, payloadTooLarge, unsupportedMediaType } from '../../platform/errors.ts';
import { Malformed } from '../store/span.ts';

/** Largest request, after decompression. */
const maxBodyBytes = 64 * 1024 * 1024;
/** Bytes of requests that the process holds at a time, from receipt to commit: exporters send the rest of a burst again. */
const maxHeldBytes = 2 * maxBodyBytes;

const decompressors: Record<string, (() => Transform) | undefined> = {
  identity: undefined,
  gzip: createGunzip,
  deflate: createInflate,
};

const busy = () =>
  new ApiError(
    'UNAVAILABLE',
    'Too many traces are arriving at the same time. Nothing was written; try again shortly.',
    { retryAfterSeconds: 1 },
  );

/**
 * Yields the chunks of a request's body, decompressed. Stopping early leaves the request itself open: its socket has yet to
 * carry the answer. Throws 400 when the sender goes away before the end.
 */
async function* chunksOf(payload: Readable, decompress?: Transform): AsyncGenerator<Buffer> {
  const source = decompress ? payload.pipe(decompress) : payload;
  const stop = () => payload.readableEnded || source.destroy(invalid('', 'must be complete'));
  payload.on('close', stop);
  // It may have gone away while it was authenticated.
  if (payload.destroyed) stop();
  try {
    yield* source.iterator({ destroyOnReturn: false });
  } finally {
    payload.off('close', stop);
    payload.unpipe();
    payload.pause();
    decompress?.destroy();
  }
}

/** A request's body; `release` must be called once its bytes are no longer held. */
export type Received = { body: Buffer; release: () => void };

/**
 * Returns the function that reads a request's body, decompressed. It counts bytes as it reads: a body that grows beyond
 * `limitBytes`, or a lower limit of its encoding, is a 413, regardless of its headers; one that takes the process beyond `heldLimitBytes` is a 503.
 */
export const receiver = (limitBytes = maxBodyBytes, heldLimitBytes = maxHeldBytes) => {
  let held = 0;
  return async (
    request: Pick<FastifyRequest, 'headers'>,
    payload: Readable,
    mostBytes = limitBytes,
  ): Promise<Received> => {
    const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
    if (!Object.hasOwn(decompressors, encoding))
      throw unsupportedMediaType(
        `Send the body with Content-Encoding gzip or without any, not with ${encoding}.`,
      );
    if (Number(request.headers['content-length'] ?? 0) > mostBytes) throw payloadTooLarge(mostBytes);
    const chunks: Buffer[] = [];
    let size = 0;
    const release = () => {
      held -= size;
      size = 0;
    };
    try {
      for await (const chunk of chunksOf(payload, decompressors[encoding]?.())) {
        size += chunk.length;
        held += chunk.length;
        if (size > mostBytes) throw payloadTooLarge(mostBytes);
        if (held > heldLimitBytes) throw busy();
        chunks.push(chunk);
      }
      return { body: Buffer.concat(chunks, size), release };
    } catch (error) {
      release();
      if (String((error as { code?: unknown }).code).startsWith('Z_'))
        throw new Malformed(`the body is not ${encoding}: ${(error as Error).message}`);
      throw error;
    }
  };
};
