import {
  type Column as ArrowColumn,
  bool,
  columnFromArray,
  float64,
  tableFromColumns,
  tableToIPC,
  utf8,
} from '@uwdata/flechette';
import { type Batch, batchesOf } from './batches.ts';
import type { Column, Kind } from './columns.ts';
import type { ExportRow } from './row.ts';

const types = { text: utf8, number: float64, boolean: bool } satisfies Record<Kind, unknown>;

/** The stream of one batch: its schema, its rows, and the mark of the end. */
const streamOf = (columns: Column[], { values }: Batch): Uint8Array => {
  const table = tableFromColumns(
    columns.map(({ name, kind }, i): [string, ArrowColumn<unknown>] => [
      name,
      columnFromArray(values[i]!, types[kind]()),
    ]),
  );
  return tableToIPC(table, { format: 'stream' })!;
};

const endBytes = 8;

/** Length of the schema: a message without a body begins with a mark of four bytes and the length of the rest. */
const schemaBytes = (stream: Uint8Array): number =>
  8 + new DataView(stream.buffer, stream.byteOffset).getInt32(4, true);

/** Writes rows as a stream of Arrow, a record batch for each batch. The schema comes once, and the end once. */
export async function* writeArrow(
  columns: Column[],
  pages: AsyncIterable<ExportRow[]>,
): AsyncGenerator<Uint8Array> {
  const none = streamOf(columns, { length: 0, values: columns.map(() => []) });
  const end = none.subarray(-endBytes);
  yield none.subarray(0, schemaBytes(none));
  for await (const batch of batchesOf(columns, pages)) {
    const stream = streamOf(columns, batch);
    yield stream.subarray(schemaBytes(stream), -endBytes);
  }
  yield end;
}
