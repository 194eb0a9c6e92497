import type { Readable, Transform } from 'node:stream';
import { constants, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { invalid, payloadTooLarge, unsupportedMediaType } from '../../platform/errors.ts';
import { type Budget, weights } from '../../platform/http/byte-budget.ts';
import { Malformed } from '../store/span.ts';

/** Largest request, after decompression. */
export const maxBodyBytes = 64 * 1024 * 1024;

/** Largest window of a zstd frame, 8 MB: what every decoder must support. A frame may ask for 2 GB. */
const maxWindowLog = 23;

const decompressors: Record<string, (() => Transform) | undefined> = {
  identity: undefined,
  gzip: createGunzip,
  deflate: createInflate,
  zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: maxWindowLog } }),
};

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

type Receiving = {
  budget: Budget;
  /** The organization that sends it. */
  owner: bigint;
  /** Most bytes after decompression. */
  mostBytes?: number;
};

/**
 * Reads a request's body, decompressed. It counts bytes as it reads: a body that grows beyond `mostBytes` is a 413, regardless of its
 * headers; one that grows beyond what is free of the budget is a 503, and exporters send it again.
 */
export const receive = async (
  request: Pick<FastifyRequest, 'headers'>,
  payload: Readable,
  { budget, owner, mostBytes = maxBodyBytes }: Receiving,
): Promise<Received> => {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (!Object.hasOwn(decompressors, encoding))
    throw unsupportedMediaType(
      `Send the body with Content-Encoding gzip or zstd or without any, not with ${encoding}.`,
    );
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) throw payloadTooLarge(mostBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  const held = budget.begin({ owner, cut: () => payload.readableEnded || payload.destroy() });
  try {
    for await (const chunk of chunksOf(payload, decompressors[encoding]?.())) {
      size += chunk.length;
      if (size > mostBytes) throw payloadTooLarge(mostBytes);
      held.resize(weights.spans * size);
      chunks.push(chunk);
    }
    return { body: Buffer.concat(chunks, size), release: held.release };
  } catch (error) {
    held.release();
    if (/^(Z|ZSTD)_/.test(String((error as { code?: unknown }).code)))
      throw new Malformed(`the body is not ${encoding}: ${(error as Error).message}`);
    throw error;
  }
};
