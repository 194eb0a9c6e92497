import { FlaskConical, RotateCw, Scale, Tag, Trash2, UserPlus, X } from 'lucide-react';
import { useState } from 'react';
import type { RecordDetail, Trace } from '../../types.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { exportItems } from '../../ui/export.ts';
import { ExportMenu } from '../../ui/export-menu.tsx';
import { countOf } from '../../ui/format.ts';
import { useKeys } from '../../ui/keys.ts';
import { sayError } from '../../ui/toast.tsx';
import { RescoreDialog } from '../rescoring/rescore-dialog.tsx';
import { useMay } from '../session/me.ts';
import { AddToTestset } from './add-to-testset.tsx';
import { DeleteSelected } from './delete-selected.tsx';
import { flatRecord } from './export.ts';
import { PersonPicker, TagPicker } from './pickers.tsx';
import { ScoreSelected } from './score-selected.tsx';
import { useBulkWrites } from './use-bulk-writes.ts';

type SelectionBarProps = {
  projectId: string;
  records: readonly RecordDetail[];
  /** What is selected, in words; default the number of records. */
  title?: string;
  /** The traces that are selected, if these and not records are: Delete deletes them. */
  traces?: readonly Trace[];
  onClear: () => void;
};

/** The actions on the selected records. */
// Long: the bar has each action beside the dialog that it opens.
export const SelectionBar = ({ projectId, records, title, traces, onClear }: SelectionBarProps) => {
  const may = useMay();
  const writes = useBulkWrites();
  const [picking, setPicking] = useState<'tag' | 'person' | 'score' | 'testset' | 'rescoring' | 'deletion'>();
  useKeys(
    'Selected records',
    {
      t: ['Tag them', () => setPicking('tag')],
      a: ['Assign them', () => setPicking('person')],
    },
    may.write,
  );
  const isOfOneRun = new Set(records.map(({ runId }) => runId)).size === 1;
  return (
    <div role="toolbar" aria-label="Selected records" className="flex min-h-7 flex-wrap items-center gap-2">
      <span aria-live="polite" className="font-medium">
        {title ?? countOf(records.length, 'record')} selected
      </span>
      {may.write && (
        <>
          <Button onClick={() => setPicking('tag')}>
            <Tag size={14} aria-hidden /> Tag
          </Button>
          <Button onClick={() => setPicking('person')}>
            <UserPlus size={14} aria-hidden /> Assign
          </Button>
          <Button onClick={() => setPicking('score')}>
            <Scale size={14} aria-hidden /> Score
          </Button>
          <Button onClick={() => setPicking('testset')}>
            <FlaskConical size={14} aria-hidden /> Add to testset
          </Button>
          <Button
            disabled={!isOfOneRun}
            title={isOfOneRun ? undefined : 'Select records of one run to re-score them.'}
            onClick={() => setPicking('rescoring')}
          >
            <RotateCw size={14} aria-hidden /> Re-score
          </Button>
          <Button onClick={() => setPicking('deletion')}>
            <Trash2 size={14} aria-hidden /> Delete
          </Button>
        </>
      )}
      <ExportMenu
        onExport={(format) => void exportItems('records', format, records, flatRecord).catch(sayError)}
      />
      <IconButton icon={X} label="Clear the selection" onClick={onClear} />
      {picking === 'testset' && (
        <AddToTestset projectId={projectId} records={records} onClose={() => setPicking(undefined)} />
      )}
      {picking === 'score' && (
        <ScoreSelected {...{ projectId, records, writes }} onClose={() => setPicking(undefined)} />
      )}
      {picking === 'deletion' && (
        <DeleteSelected
          {...{ projectId, records, traces }}
          onClose={() => setPicking(undefined)}
          onDone={onClear}
        />
      )}
      {picking === 'rescoring' && records[0] && (
        <RescoreDialog
          projectId={projectId}
          runId={records[0].runId}
          recordIds={records.map(({ id }) => id)}
          onClose={() => setPicking(undefined)}
        />
      )}
      <TagPicker
        projectId={projectId}
        open={picking === 'tag'}
        onClose={() => setPicking(undefined)}
        onPick={(text) => void writes.tag(records, text)}
      />
      <PersonPicker
        open={picking === 'person'}
        onClose={() => setPicking(undefined)}
        chosen={[]}
        onPick={(userId) => void writes.assign(records, userId)}
      />
    </div>
  );
};
