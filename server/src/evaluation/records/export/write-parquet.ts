import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { batchesOf } from './batches.ts';
import type { Column, Kind } from './columns.ts';
import type { ExportRow } from './row.ts';

const types: Record<Kind, Pick<SchemaElement, 'type' | 'converted_type'>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
};

/** Writes rows as Parquet, a row group for each batch: only the description of the groups before stays in memory. */
export async function* writeParquet(
  columns: Column[],
  pages: AsyncIterable<ExportRow[]>,
): AsyncGenerator<Uint8Array> {
  const bytes = new ByteWriter();
  const taken = (): Uint8Array => {
    const part = bytes.getBytes().slice();
    bytes.index = 0;
    return part;
  };
  const schema: SchemaElement[] = [
    { name: 'root', num_children: columns.length },
    ...columns.map(
      ({ name, kind }): SchemaElement => ({ name, repetition_type: 'OPTIONAL', ...types[kind] }),
    ),
  ];
  const writer = new ParquetWriter({ writer: bytes, schema, createdBy: 'dokima' });
  for await (const { length, values } of batchesOf(columns, pages)) {
    const columnData = columns.map(({ name }, i) => ({ name, data: values[i]!, offsetIndex: false }));
    writer.write({ columnData, rowGroupSize: length });
    yield taken();
  }
  writer.finish();
  yield taken();
}
