// Not by name: before Node 22.15 there is no zstdDecompressSync, and no command would start.
import zlib from 'node:zlib';
import type { FlateError, UnzipDecoder } from 'fflate';
import { unzip } from '../../../client/src/tables/zip.ts';

/** Bytes of all files of a log or a folder. Each file is parsed alone. */
export const mostInArchive = 2 ** 30;

/** Zstandard, method 93 of the zip format. Inspect compresses its logs with it, and fflate does not support it. */
class UnzipZstandard implements UnzipDecoder {
  static compression = 93;
  ondata!: UnzipDecoder['ondata'];
  readonly #chunks: Uint8Array[] = [];

  push(data: Uint8Array, final: boolean): void {
    this.#chunks.push(data);
    if (!final) return;
    try {
      const bytes = Buffer.concat(this.#chunks);
      this.ondata(null, zlib.zstdDecompressSync(bytes, { maxOutputLength: mostInArchive }), true);
    } catch (error) {
      this.ondata(error as FlateError, new Uint8Array(), true);
    }
  }
}

/** Returns the files of a log of Inspect, or of any zip archive, by their paths. */
export const unzipLog = (archive: Uint8Array): Map<string, Buffer> => {
  const files = unzip(archive, { most: mostInArchive, decoders: [UnzipZstandard] });
  return new Map(
    Array.from(files, ([path, bytes]) => [
      path,
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    ]),
  );
};
