import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { ApiError, invalid } from '../../platform/errors.ts';
import type { AttachmentStore } from './store.ts';

/**
 * Passes bytes on, one piece behind: the last piece follows only when size and SHA-256 are as declared. So a store that
 * knows the size never has a wrong file whole, even one that checks nothing itself.
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

/** Streams an upload to the store. Throws 400, with nothing kept, when it is not what was declared or breaks off. */
export const receive = async (
  store: AttachmentStore,
  id: string,
  upload: Readable,
  expected: { sizeBytes: number; sha256: string },
): Promise<void> => {
  // A client that left while the row was looked up: there will be no further event to say so.
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
    // The store's own words for a stream that was refused are about the stream; the client is told why it was.
    throw refusal instanceof ApiError ? refusal : error;
  } finally {
    // What is left of a refused upload is read and dropped, or the client would never hear the answer. Unpiped first: a
    // pipe that nobody empties would pause it again.
    upload.unpipe(bytes);
    bytes.destroy();
    upload.resume();
  }
};
