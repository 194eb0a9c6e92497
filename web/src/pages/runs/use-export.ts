import { useState } from 'react';
import { flatRecord } from '../../resources/records/export.ts';
import { readRunRecords } from '../../resources/runs/queries.ts';
import { type ExportFormat, exportItems } from '../../ui/export.ts';
import { sayError } from '../../ui/toast.tsx';

/** Exports the records of a run; `progress` is the number that is read, while it reads. */
export const useExport = (projectId: string, runId: string) => {
  const [progress, setProgress] = useState<number>();
  const start = (format: ExportFormat) =>
    void readRunRecords(projectId, runId, setProgress)
      .then((records) => exportItems(`run-${runId}`, format, records, flatRecord))
      .catch(sayError)
      .finally(() => setProgress(undefined));
  return { progress, start };
};
