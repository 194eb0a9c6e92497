import { useState } from 'react';
import { flatRecord } from '../records/export.ts';
import { toCsv } from '../ui/csv.ts';
import { download } from '../ui/download.ts';
import { exactText } from '../ui/exact-json.ts';
import { sayError } from '../ui/toast.tsx';
import { readRunRecords } from './queries.ts';

export type ExportFormat = 'csv' | 'jsonl' | 'parquet';

/** Reads a run's records and saves them as a file; `progress` is how many are read while it goes on. */
export const useExport = (projectId: string, runId: string) => {
  const [progress, setProgress] = useState<number>();
  const start = async (format: ExportFormat) => {
    const records = await readRunRecords(projectId, runId, setProgress);
    const name = `run-${runId}.${format}`;
    if (format === 'csv') download(name, [toCsv(records.map(flatRecord))], 'text/csv;charset=utf-8');
    else if (format === 'jsonl')
      download(name, [records.map((record) => `${exactText(record)}\n`).join('')], 'application/x-ndjson');
    else {
      const { toParquet } = await import('../ui/parquet.ts');
      download(name, [toParquet(records.map(flatRecord))], 'application/vnd.apache.parquet');
    }
  };
  return {
    progress,
    start: (format: ExportFormat) =>
      void start(format)
        .catch(sayError)
        .finally(() => setProgress(undefined)),
  };
};
