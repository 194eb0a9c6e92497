/** First bytes of an LZ4 frame. */
const magic = 0x184d2204;
/** Bits of the frame's flags. */
const flags = { blockChecksum: 0x10, contentSize: 0x08, dictionary: 0x01 };

const torn = (): Error => new Error('It is compressed with LZ4, and damaged or not complete.');

/** Reads one byte after another. Throws at the end. */
const bytesOf = (input: Uint8Array, at: number) => {
  const reader = {
    at,
    byte: (): number => {
      const byte = input[reader.at++];
      if (byte === undefined) throw torn();
      return byte;
    },
    /** A length is 15, and more in each byte until one is not 255. */
    length: (nibble: number): number => {
      let length = nibble;
      for (let more = nibble === 15; more; ) {
        const byte = reader.byte();
        length += byte;
        more = byte === 255;
      }
      return length;
    },
  };
  return reader;
};

/** Decompresses a block behind what is there already, which it may repeat. Returns where it ends. */
const readBlock = (block: Uint8Array, output: Uint8Array, start: number): number => {
  const reader = bytesOf(block, 0);
  let end = start;
  while (reader.at < block.length) {
    const token = reader.byte();
    const literals = reader.length(token >> 4);
    if (reader.at + literals > block.length || end + literals > output.length) throw torn();
    output.set(block.subarray(reader.at, reader.at + literals), end);
    end += literals;
    reader.at += literals;
    // The last sequence of a block has no match.
    if (reader.at === block.length) break;
    const offset = reader.byte() | (reader.byte() << 8);
    const length = reader.length(token & 15) + 4;
    if (offset === 0 || offset > end || end + length > output.length) throw torn();
    for (let i = 0; i < length; i++, end++) output[end] = output[end - offset]!;
  }
  return end;
};

/** Decompresses a block that is not in a frame. */
export const decompressLz4Block = (block: Uint8Array, length: number): Uint8Array => {
  const output = new Uint8Array(length);
  if (readBlock(block, output, 0) !== length) throw torn();
  return output;
};

/**
 * Decompresses an LZ4 frame, in which Arrow files keep their columns. Checksums are not compared. The kept libraries read a
 * block alone, and the blocks of a frame repeat what is in those before them.
 */
export const decompressLz4Frame = (input: Uint8Array, length: number): Uint8Array => {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  if (input.length < 7 || view.getUint32(0, true) !== magic) throw torn();
  const described = input[4]!;
  let at = 7 + (described & flags.contentSize ? 8 : 0) + (described & flags.dictionary ? 4 : 0);
  const output = new Uint8Array(length);
  let end = 0;
  for (;;) {
    if (at + 4 > input.length) throw torn();
    const size = view.getUint32(at, true);
    at += 4;
    if (size === 0) break;
    // The highest bit says that the block is not compressed.
    const stored = size >>> 31 === 1;
    const block = input.subarray(at, at + (size & 0x7fffffff));
    if (block.length < (size & 0x7fffffff) || (stored && end + block.length > length)) throw torn();
    if (stored) output.set(block, end);
    end = stored ? end + block.length : readBlock(block, output, end);
    at += block.length + (described & flags.blockChecksum ? 4 : 0);
  }
  if (end !== length) throw torn();
  return output;
};
