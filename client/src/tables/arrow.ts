import type { Codec } from '@uwdata/flechette';
import { requireBytes, requireCells } from './bounds.ts';
import { plainValue } from './plain-value.ts';
import { type Table, tableOf } from './table.ts';

/** Returns a codec that throws before a file decompresses to more than fits. */
const bounded = (decompress: (bytes: Uint8Array, length: number) => Uint8Array): Codec => {
  let total = 0;
  return {
    decode: (bytes, length) => {
      total += length;
      requireBytes(total);
      return decompress(bytes, length);
    },
    encode: () => {
      throw new Error('Tables are only read.');
    },
  };
};

/** Returns the rows of an Arrow or Feather file, or of a stream of Arrow. */
export const readArrow = async (bytes: Uint8Array): Promise<Table> => {
  const [{ CompressionType, setCompressionCodec, tableFromIPC }, { decompress }, { decompressLz4Frame }] =
    await Promise.all([import('@uwdata/flechette'), import('fzstd'), import('./lz4.ts')]);
  setCompressionCodec(
    CompressionType.ZSTD,
    bounded((part, length) => decompress(part, new Uint8Array(length))),
  );
  setCompressionCodec(CompressionType.LZ4_FRAME, bounded(decompressLz4Frame));
  try {
    const table = tableFromIPC(new Uint8Array(bytes), { useBigInt: true, useDate: true });
    requireCells(table.numRows, table.numCols);
    return tableOf(table.toArray().map((row, i) => ({ value: plainValue(row), line: i + 1 })));
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
    throw new Error(`It is an Arrow file, damaged or not complete: ${error.message}`);
  }
};
