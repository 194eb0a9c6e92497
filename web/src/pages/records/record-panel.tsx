import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronUp, Maximize2 } from 'lucide-react';
import { apiQuery } from '../../api.ts';
import { paths } from '../../paths.ts';
import { AddRecordButton } from '../../resources/records/add-record-button.tsx';
import type { RecordDetail } from '../../types.ts';
import { IconButton } from '../../ui/button.tsx';
import { Scrolled, SidePanel } from '../../ui/side-panel.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { RecordView } from './record-view.tsx';

type RecordPanelProps = {
  recordId: string;
  projectId: string;
  q: string;
  /** The record of the list, shown until it is read by itself. */
  known: RecordDetail | undefined;
  onStep: (by: number) => void;
  onClose: () => void;
};

/** A record beside the table. */
export const RecordPanel = ({ recordId, projectId, q, known, onStep, onClose }: RecordPanelProps) => {
  const record = useQuery({ ...apiQuery('getRecord', recordId), ...(known && { placeholderData: known }) });
  return (
    <SidePanel
      label={`Record ${recordId}`}
      title={<h2 className="flex-1 font-mono font-semibold">{recordId}</h2>}
      actions={
        <>
          {record.data && <AddRecordButton key={recordId} projectId={projectId} record={record.data} />}
          <IconButton icon={ChevronUp} label="Previous record (k)" onClick={() => onStep(-1)} />
          <IconButton icon={ChevronDown} label="Next record (j)" onClick={() => onStep(1)} />
          <Link
            {...paths.record(projectId, recordId, q)}
            aria-label="Open as a page"
            title="Open as a page"
            className="inline-flex size-7 items-center justify-center rounded-md text-soft hover:bg-hover hover:text-ink"
          >
            <Maximize2 size={14} aria-hidden />
          </Link>
        </>
      }
      onClose={onClose}
    >
      <Scrolled key={recordId}>
        {record.error && <ErrorNote error={record.error} />}
        {record.data ? (
          <RecordView record={record.data} projectId={projectId} />
        ) : (
          <Skeleton lines={10} className="px-4" />
        )}
      </Scrolled>
    </SidePanel>
  );
};
