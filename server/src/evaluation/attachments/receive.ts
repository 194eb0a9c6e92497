import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { ApiError, invalid } from '../../platform/errors.ts';
import type { AttachmentStore } from './store.ts';

/**
 * Passes bytes on, but holds back the last piece until size and SHA-256 match the declaration. So a store that knows the size
 * never completes a wrong file, even if it checks nothing itself.
 */
const checked = ({ sizeBytes, sha256 }: { sizeBytes: number; sha256: string }): Transform => {
  const hash = createHash('sha256');
  let received = 0;
  let held: Buffer | undefined;
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      received += piece.length;
      if (received > sizeBytes) {
        done(invalid('/sizeBytes', 'must be the size of the upload, which is larger'));
        return;
      }
      hash.update(piece);
      const before = held;
      held = piece;
      done(null, before);
    },
    flush(done) {
      if (received !== sizeBytes)
        done(invalid('/sizeBytes', `must be the size of the upload, which is ${received}`));
      else if (hash.digest('hex') !== sha256) done(invalid('/sha256', 'must be the SHA-256 of the upload'));
      else done(null, held);
    },
  });
};

const brokenOff = () => invalid('', 'must be complete');

/** Streams an upload to the store. Throws 400, and keeps nothing, if it differs from its declaration or breaks off. */
export const receive = async (
  store: AttachmentStore,
  id: string,
  upload: Readable,
  expected: { sizeBytes: number; sha256: string },
): Promise<void> => {
  // The client left while its row was looked up: no further event will report it.
  if (upload.destroyed) throw brokenOff();
  const bytes = checked(expected);
  let refusal: unknown;
  bytes.once('error', (error) => {
    refusal = error;
  });
  upload.once('error', () => bytes.destroy(brokenOff()));
  upload.once('close', () => upload.readableEnded || bytes.destroy(brokenOff()));
  upload.pipe(bytes);
  try {
    await store.write(id, bytes, expected);
  } catch (error) {
    // The store's own error is about the stream; the client needs the reason.
    throw refusal instanceof ApiError ? refusal : error;
  } finally {
    // The rest of a refused upload is read and dropped, or the client would never read the answer. It is unpiped first: a pipe
    // without a reader would pause it again.
    upload.unpipe(bytes);
    bytes.destroy();
    upload.resume();
  }
};
