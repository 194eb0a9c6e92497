import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Contents of an archive: each path below the directory with its bytes, or null for a directory. Directories come first. */
type Entries = [path: string, bytes: Uint8Array | null][];

const params = {
  // 19 saves another 0.2 MB and takes ten times as long.
  [constants.ZSTD_c_compressionLevel]: 12,
  // A new cluster has three databases that are nearly equal: a window over all of them takes a third of the bytes.
  [constants.ZSTD_c_windowLog]: 26,
  [constants.ZSTD_c_enableLongDistanceMatching]: 1,
};

/** Returns a directory with all its files as one compressed archive. */
export const archiveDirectory = (directory: string): Buffer => {
  const entries: Entries = readdirSync(directory, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return [path.slice(directory.length), entry.isDirectory() ? null : readFileSync(path)];
  });
  // Short paths first, so that a directory comes before what is in it.
  entries.sort(([a], [b]) => a.length - b.length);
  return zstdCompressSync(serialize(entries), { params });
};

/** Writes an archive of `archiveDirectory` to a new directory, which only its owner can read. */
export const unpackDirectory = (archive: Buffer, directory: string): void => {
  mkdirSync(directory, { mode: 0o700 });
  for (const [path, bytes] of deserialize(zstdDecompressSync(archive)) as Entries) {
    if (bytes) writeFileSync(join(directory, path), bytes, { mode: 0o600 });
    else mkdirSync(join(directory, path), { mode: 0o700 });
  }
};
