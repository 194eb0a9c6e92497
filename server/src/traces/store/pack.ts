import { hash } from 'node:crypto';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** A pack that can't be read: its bytes have changed since they were written. */
export class DamagedPack extends Error {}

/** Level of zstd. Level 9 takes three times as long and saves 4 %. */
const level = 3;
/** Bytes of a span's id, and of a content's place: the id and its length. */
const [idBytes, placeBytes] = [8, 12];
/** Bytes of the number of contents, which come first. */
const countBytes = 4;
/** Most bytes of a pack without compression: a span of 15 MB may have a text of six times its size. */
const maxBytes = 256 * 1024 * 1024;

const params = { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_checksumFlag]: 1 };

/** Packs contents by the ids of their spans, in hexadecimal. Neighbours that repeat each other take little: give them by time. */
export const pack = (contents: ReadonlyMap<string, string>): Buffer => {
  const texts: Buffer[] = [];
  const places = Buffer.alloc(countBytes + placeBytes * contents.size);
  let at = places.writeUInt32LE(contents.size);
  for (const [spanId, content] of contents) {
    const text = Buffer.from(content);
    places.write(spanId, at, idBytes, 'hex');
    at = places.writeUInt32LE(text.length, at + idBytes);
    texts.push(text);
  }
  return zstdCompressSync(Buffer.concat([places, ...texts]), { params });
};

const decompress = (packed: Buffer): Buffer => {
  try {
    return zstdDecompressSync(packed, { maxOutputLength: maxBytes });
  } catch (error) {
    throw new DamagedPack((error as Error).message);
  }
};

/** An open pack. */
export type Pack = {
  /** Returns the content of a span; undefined if the pack has none. */
  of: (spanId: string) => string | undefined;
  /** Ids of its spans, in the order in which they were packed. */
  spanIds: string[];
};

/** Opens a pack. Throws DamagedPack if `pack` did not write these bytes. */
export const unpack = (packed: Buffer): Pack => {
  const bytes = decompress(packed);
  const count = bytes.length < countBytes ? -1 : bytes.readUInt32LE();
  let from = countBytes + placeBytes * count;
  if (count < 0 || from > bytes.length) throw new DamagedPack('its places are cut off');
  const places = new Map<string, [number, number]>();
  for (let i = 0; i < count; i++) {
    const at = countBytes + placeBytes * i;
    const to = from + bytes.readUInt32LE(at + idBytes);
    places.set(bytes.toString('hex', at, at + idBytes), [from, to]);
    from = to;
  }
  if (from !== bytes.length || places.size !== count)
    throw new DamagedPack('its places do not fit its length');
  return {
    of: (spanId) => {
      const place = places.get(spanId);
      return place && bytes.toString('utf8', ...place);
    },
    spanIds: [...places.keys()],
  };
};

/** Returns the hash of a content: 64 bits, as a signed number of PostgreSQL. */
export const hashOf = (content: string): bigint => hash('sha256', content, 'buffer').readBigInt64BE();
