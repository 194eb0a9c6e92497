import { requireBytes, requireCells, unreadable } from './bounds.ts';
import { checkColumns, checkPages } from './parquet-pages.ts';
import { plainValue } from './plain-value.ts';
import { type Table, tableOf } from './table.ts';

/** Decompresses a page to at most as many bytes. */
type Decompress = (bytes: Uint8Array, length: number) => Uint8Array;
/** Decompressors that only some places have: Brotli, which browsers lack. */
export type Compressors = Record<string, Decompress>;

/** Returns the decompressors of Parquet's pages. They throw before a file decompresses to more than fits. */
const decompressors = async (more: Compressors): Promise<Compressors> => {
  const [{ snappyUncompress }, { gunzipSync }, { decompress }, { decompressLz4Block }] = await Promise.all([
    import('hyparquet'),
    import('fflate'),
    import('fzstd'),
    import('./lz4.ts'),
  ]);
  const all: Compressors = {
    SNAPPY: (bytes, length) => {
      const output = new Uint8Array(length);
      snappyUncompress(bytes, output);
      return output;
    },
    GZIP: (bytes, length) => gunzipSync(bytes, { out: new Uint8Array(length) }),
    ZSTD: (bytes, length) => decompress(bytes, new Uint8Array(length)),
    LZ4_RAW: decompressLz4Block,
    ...more,
  };
  let total = 0;
  return Object.fromEntries(
    Object.entries(all).map(([codec, decompressPage]) => [
      codec,
      (bytes: Uint8Array, length: number) => {
        total += length;
        requireBytes(total);
        return decompressPage(bytes, length);
      },
    ]),
  );
};

/** Returns the rows of a Parquet file. */
export const readParquet = async (bytes: Uint8Array, compressors: Compressors = {}): Promise<Table> => {
  const { parquetMetadata, parquetReadObjects, parquetSchema } = await import('hyparquet');
  const file = new Uint8Array(bytes).buffer;
  try {
    const metadata = parquetMetadata(file);
    requireCells(Number(metadata.num_rows), metadata.row_groups[0]?.columns.length ?? 0);
    checkPages(bytes, metadata);
    checkColumns(metadata, parquetSchema(metadata));
    const rows = await parquetReadObjects({ file, metadata, compressors: await decompressors(compressors) });
    return tableOf(rows.map((row, i) => ({ value: plainValue(row), line: i + 1 })));
  } catch (error) {
    throw unreadable('a Parquet file', error);
  }
};
