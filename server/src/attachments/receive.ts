import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { ApiError, invalid } from '../errors.ts';
import type { AttachmentStore } from './store.ts';

/** Passes bytes on while they are no more than declared, and ends well only if size and SHA-256 are as declared. */
const checked = ({ sizeBytes, sha256 }: { sizeBytes: number; sha256: string }): Transform => {
  const hash = createHash('sha256');
  let received = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      hash.update(chunk);
      if (received > sizeBytes)
        done(invalid('/sizeBytes', `must be the size of what is sent, which is more`));
      else done(null, chunk);
    },
    flush(done) {
      if (received !== sizeBytes)
        done(invalid('/sizeBytes', `must be the size of what is sent, which is ${received}`));
      else if (hash.digest('hex') !== sha256) done(invalid('/sha256', 'must be the SHA-256 of what is sent'));
      else done();
    },
  });
};

/** Streams an upload to the store. Throws 400, with nothing kept, when it is not what was declared or breaks off. */
export const receive = async (
  store: AttachmentStore,
  id: string,
  upload: Readable,
  expected: { sizeBytes: number; sha256: string },
): Promise<void> => {
  const bytes = checked(expected);
  let refusal: unknown;
  bytes.once('error', (error) => {
    refusal ??= error;
  });
  upload.once('error', (error) => bytes.destroy(error));
  upload.once('close', () => upload.readableEnded || bytes.destroy(invalid('', 'must be sent whole')));
  upload.pipe(bytes);
  try {
    await store.write(id, bytes, expected);
  } catch (error) {
    // The store's own words for a stream that was refused are about the stream; the client is told why it was.
    throw refusal instanceof ApiError ? refusal : error;
  } finally {
    // What is left of a refused upload is read and dropped, or the client would never hear the answer.
    upload.resume();
  }
};
