import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { Zip, ZipDeflate } from 'fflate';

export type ZipWriter = {
  /** Adds a file from its parts, one after the other. */
  add: (
    path: string,
    parts: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  ) => Promise<void>;
  close: () => Promise<void>;
};

const encoder = new TextEncoder();

/** Writes a zip archive to a file as its parts come, so that its size is no matter of memory. */
export const zipWriter = (path: string): ZipWriter => {
  const file = createWriteStream(path);
  let failure: unknown;
  file.on('error', (error) => {
    failure = error;
  });
  // Rejects with an error that comes meanwhile: after that there is no drain.
  const drained = () => once(file, 'drain');
  const zip = new Zip((error, chunk, final) => {
    if (error) failure = error;
    else if (final) file.end(chunk);
    else file.write(chunk);
  });
  return {
    add: async (name, parts) => {
      const entry = new ZipDeflate(name, { level: 6 });
      // A fixed time: the same project gives the same archive.
      entry.mtime = new Date(2000, 0, 1);
      zip.add(entry);
      for await (const part of parts) {
        entry.push(typeof part === 'string' ? encoder.encode(part) : part);
        if (failure) throw failure;
        if (file.writableNeedDrain) await drained();
      }
      entry.push(new Uint8Array(), true);
    },
    close: async () => {
      zip.end();
      await finished(file);
      if (failure) throw failure;
    },
  };
};
