import { Unzip, type UnzipDecoderConstructor, UnzipInflate } from 'fflate';
import { maxBytes, megabytes } from './bounds.ts';
import { joined } from './bytes.ts';

/** Start of the last record of a complete archive. After it comes at most 64 KB of comment. */
const endOfDirectory = 'PK\u0005\u0006';
const longestEnd = 65_600;
/** An archive that needs more has its counts in another place. */
const maxFiles = 65_534;
/** Bytes that are inflated at once: a thousand times as many at most. */
const piece = 65_536;

/** Returns the number of files that the end of an archive states. Throws if the archive is cut. */
const countFiles = (archive: Uint8Array): number => {
  const tail = archive.subarray(-longestEnd);
  const at = new TextDecoder('latin1').decode(tail).lastIndexOf(endOfDirectory);
  if (at === -1) throw new Error('The archive is truncated. Fetch or write it again.');
  return (tail[at + 10] ?? 0) + 256 * (tail[at + 11] ?? 0);
};

/**
 * Returns the files of a zip archive by their paths, which name no place to write to. Throws if the archive is truncated, instead of
 * returning a part, and as soon as its files are larger than the limit, whatever size it states.
 */
export const unzip = (
  archive: Uint8Array,
  { most = maxBytes, decoders = [] }: { most?: number; decoders?: readonly UnzipDecoderConstructor[] } = {},
): Map<string, Uint8Array> => {
  if (countFiles(archive) > maxFiles)
    throw new Error('The archive has more than 65,534 files. Extract it, and import some of them.');
  const files = new Map<string, Uint8Array>();
  let bytes = 0;
  const reader = new Unzip((file) => {
    const chunks: Uint8Array[] = [];
    file.ondata = (error, chunk, final) => {
      if (error) throw error;
      bytes += chunk.length;
      if (bytes > most) throw new Error(`The archive holds more than ${megabytes(most)}.`);
      chunks.push(chunk);
      if (final) files.set(file.name, joined(chunks));
    };
    file.start();
  });
  for (const decoder of [UnzipInflate, ...decoders]) reader.register(decoder);
  // Piece by piece, so that a file that inflates too far is found before all of it is in memory.
  for (let at = 0; at < archive.length; at += piece)
    reader.push(archive.subarray(at, at + piece), at + piece >= archive.length);
  return files;
};
