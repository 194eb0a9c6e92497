import { Download, FlaskConical, RotateCw, Tag, UserPlus, X } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../session/who.ts';
import type { RecordDetail } from '../types.ts';
import { countOf } from '../ui/bits.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { useKeys } from '../ui/keys.ts';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { sayError } from '../ui/toast.tsx';
import { AddToTestset } from './add-to-testset.tsx';
import { exportRecords } from './export.ts';
import { PersonPicker, TagPicker } from './pickers.tsx';
import { useBulkWrites } from './use-bulk-writes.ts';

type SelectionBarProps = {
  projectId: string;
  records: readonly RecordDetail[];
  onClear: () => void;
  /** Has the selected records scored anew; without it that is not offered. */
  onRescore?: ((records: readonly RecordDetail[]) => void) | undefined;
};

const formats = { csv: 'CSV', jsonl: 'JSONL', parquet: 'Parquet' } as const;

/** What can be done to the selected records. */
export const SelectionBar = ({ projectId, records, onClear, onRescore }: SelectionBarProps) => {
  const may = useMay();
  const writes = useBulkWrites();
  const [picking, setPicking] = useState<'tag' | 'person' | 'testset'>();
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
    <div role="toolbar" aria-label="Selected records" className="flex h-7 items-center gap-2">
      <span aria-live="polite" className="font-medium">
        {countOf(records.length, 'record')} selected
      </span>
      {may.write && (
        <>
          <Button onClick={() => setPicking('tag')}>
            <Tag size={14} aria-hidden /> Tag
          </Button>
          <Button onClick={() => setPicking('person')}>
            <UserPlus size={14} aria-hidden /> Assign
          </Button>
          <Button onClick={() => setPicking('testset')}>
            <FlaskConical size={14} aria-hidden /> Add to testset
          </Button>
          {onRescore && (
            <Button
              disabled={!isOfOneRun}
              title={isOfOneRun ? undefined : 'Records of one run are scored anew together.'}
              onClick={() => onRescore(records)}
            >
              <RotateCw size={14} aria-hidden /> Rescore
            </Button>
          )}
        </>
      )}
      <Menu
        trigger={
          <Button>
            <Download size={14} aria-hidden /> Export
          </Button>
        }
      >
        {(['csv', 'jsonl', 'parquet'] as const).map((format) => (
          <MenuItem key={format} onSelect={() => void exportRecords(records, format).catch(sayError)}>
            {formats[format]}
          </MenuItem>
        ))}
      </Menu>
      <IconButton label="Clear the selection" onClick={onClear}>
        <X size={14} />
      </IconButton>
      {picking === 'testset' && (
        <AddToTestset projectId={projectId} records={records} onClose={() => setPicking(undefined)} />
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
