import { Download, FlaskConical, RotateCw, Tag, UserPlus, X } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../session/who.ts';
import type { RecordDetail } from '../types.ts';
import { countOf } from '../ui/bits.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { say, sayError } from '../ui/toast.tsx';
import { AddToTestset } from './add-to-testset.tsx';
import { exportRecords } from './export.ts';
import { PersonPicker, TagPicker } from './pickers.tsx';
import { useRecordWrites } from './use-record-writes.ts';

// Few at a time: the service answers each when it is committed, and others are waiting too.
const atOnce = 4;

/** Does the same to every record; says how many it was done to. What failed has said so itself. */
const each = async (
  records: readonly RecordDetail[],
  write: (id: string) => Promise<unknown>,
): Promise<number> => {
  const waiting = records.map(({ id }) => id);
  let done = 0;
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      const ok = await write(id).then(
        () => true,
        () => false,
      );
      if (ok) done += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return done;
};

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
  const writes = useRecordWrites();
  const [picking, setPicking] = useState<'tag' | 'person' | 'testset'>();
  const isOfOneRun = new Set(records.map(({ runId }) => runId)).size === 1;
  const tag = async (text: string) =>
    say(`Tagged ${countOf(await each(records, (id) => writes.addTag(id, text)), 'record')}.`);
  const assign = async (userId: string) =>
    say(`Assigned ${countOf(await each(records, (id) => writes.assign(id, userId)), 'record')}.`);
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
        onPick={tag}
      />
      <PersonPicker
        open={picking === 'person'}
        onClose={() => setPicking(undefined)}
        chosen={[]}
        onPick={assign}
      />
    </div>
  );
};
