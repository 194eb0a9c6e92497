import type { Codec } from '@uwdata/flechette';
import { checkHeaders } from './arrow-header.ts';
import { maxBytes, maxCells, requireBytes, requireCells, unreadable } from './bounds.ts';
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

/** The parts of a batch that say how far its lists and texts reach. */
type Batch = {
  length: number;
  offsets?: ArrayLike<number | bigint>;
  sizes?: ArrayLike<number | bigint>;
  typeIds?: unknown;
  stride?: number;
  children?: Batch[];
  dictionary?: { data: Batch[] };
};

/** Throws unless the offsets of lists and texts ascend to at most `most`: a damaged one names billions of values, or each many times. */
const requireOffsets = ({ length, offsets, sizes }: Batch, most: number): void => {
  let before = 0;
  let sum = 0;
  for (let i = 0; i < (sizes ? length : length + 1); i++) {
    const at = Number(offsets![i]);
    const size = sizes ? Number(sizes[i]) : 0;
    sum += size;
    const isSound = at >= (sizes ? 0 : before) && size >= 0 && at + size <= most && sum <= maxCells;
    if (!isSound) throw new RangeError('its offsets do not fit its values');
    before = at;
  }
};

/** Throws for batches whose values, with those in lists, are more than fit, or that reach outside of what they hold. */
const requireSound = (batches: readonly Batch[]): void => {
  let values = 0;
  const walk = (batch: Batch): void => {
    const { length, offsets, typeIds, stride, children, dictionary } = batch;
    values += length;
    if (!(length >= 0) || values > maxCells) throw new RangeError('it names more than 10 million values');
    const [child] = children ?? [];
    // The offsets of a union are places, in any order.
    if (offsets && typeIds === undefined && length > 0) requireOffsets(batch, child?.length ?? maxBytes);
    if (stride !== undefined && child && length * stride > child.length)
      throw new RangeError('its lists reach beyond their values');
    for (const each of children ?? []) walk(each);
    for (const each of dictionary?.data ?? []) walk(each);
  };
  for (const batch of batches) walk(batch);
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
    checkHeaders(bytes);
    const table = tableFromIPC(new Uint8Array(bytes), { useBigInt: true, useDate: true });
    requireCells(table.numRows, table.numCols);
    requireSound(table.children.flatMap(({ data }) => data as unknown as Batch[]));
    return tableOf(table.toArray().map((row, i) => ({ value: plainValue(row), line: i + 1 })));
  } catch (error) {
    throw unreadable('an Arrow file', error);
  }
};
