import { toCsv } from './csv.ts';
import { download } from './download.ts';

export const exportFormats = { csv: 'CSV', jsonl: 'JSONL', parquet: 'Parquet' } as const;
export type ExportFormat = keyof typeof exportFormats;

/** Lets the browser save a file of items: JSONL has whole items, tables have a `flat` row for each. `cellOf` writes the cells of CSV. */
export const exportItems = async <Item extends object>(
  name: string,
  format: ExportFormat,
  items: readonly Item[],
  flat: (item: Item) => Record<string, unknown>,
  cellOf?: (value: unknown) => string,
): Promise<void> => {
  const file = `${name}.${format}`;
  if (format === 'csv') download(file, [toCsv(items.map(flat), cellOf)], 'text/csv;charset=utf-8');
  else if (format === 'jsonl')
    download(file, [items.map((item) => `${JSON.stringify(item)}\n`).join('')], 'application/x-ndjson');
  else {
    const { toParquet } = await import('./parquet.ts');
    download(file, [toParquet(items.map(flat))], 'application/vnd.apache.parquet');
  }
};
