import { useQueries } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { SelectionBar } from '../../resources/records/selection-bar.tsx';
import type { RecordDetail, Trace } from '../../types.ts';
import { countOf } from '../../ui/format.ts';

type TraceSelectionProps = { projectId: string; traces: readonly Trace[]; onClear: () => void };

/** The records that are read; actions wait until all are there. */
const whole = (results: { data: RecordDetail | undefined }[]): RecordDetail[] | undefined => {
  const records = results.flatMap(({ data }) => data ?? []);
  return records.length === results.length ? records : undefined;
};

/** The actions on the records of the selected traces. Traces of one session have one record. */
export const TraceSelection = ({ projectId, traces, onClear }: TraceSelectionProps) => {
  const ids = [...new Set(traces.flatMap(({ recordId }) => recordId ?? []))];
  const records = useQueries({ queries: ids.map((id) => apiQuery('getRecord', id)), combine: whole });
  const title = `${countOf(traces.length, 'trace')} (${countOf(ids.length, 'record')})`;
  if (!records) return <span className="text-soft">{title} selected</span>;
  return (
    <SelectionBar projectId={projectId} records={records} title={title} traces={traces} onClear={onClear} />
  );
};
