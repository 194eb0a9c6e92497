import type { Column, Kind } from './columns.ts';
import { type ExportRow, textOf } from './row.ts';

/** Rows of a batch: enough to compress well, few enough that a batch is small in memory. */
const maxRows = 5_000;
const maxCharacters = 8_000_000;

/** A value as its column has it. A score that came after the columns were read may have another kind: then it is left out. */
const valueAs: Record<Kind, (value: unknown) => unknown> = {
  text: textOf,
  number: (value) => (Number.isFinite(value?.valueOf()) ? value?.valueOf() : null),
  boolean: (value) => (typeof value === 'boolean' ? value : null),
};

export type Batch = { length: number; values: unknown[][] };

/** Turns pages of rows into batches of columns. */
export async function* batchesOf(
  columns: Column[],
  pages: AsyncIterable<ExportRow[]>,
): AsyncGenerator<Batch> {
  const empty = (): Batch => ({ length: 0, values: columns.map(() => []) });
  let batch = empty();
  let characters = 0;
  for await (const rows of pages) {
    for (const row of rows) {
      batch.length += 1;
      for (const [i, { name, kind }] of columns.entries()) {
        const value = row[name];
        const written = value === null || value === undefined ? null : valueAs[kind](value);
        if (typeof written === 'string') characters += written.length;
        batch.values[i]!.push(written);
      }
      if (batch.length < maxRows && characters < maxCharacters) continue;
      yield batch;
      [batch, characters] = [empty(), 0];
    }
  }
  if (batch.length > 0) yield batch;
}
