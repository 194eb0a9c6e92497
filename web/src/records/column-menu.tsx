import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react';
import { useState } from 'react';
import type { RecordDetail } from '../types.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { Column } from '../ui/grid-props.ts';
import type { ColumnChoice } from './columns.tsx';

type ColumnMenuProps = {
  /** All of them, in their order. */
  columns: readonly Column<RecordDetail>[];
  choice: ColumnChoice;
  onChange: (choice: ColumnChoice) => void;
};

const swapped = (ids: string[], i: number, j: number): string[] => {
  const next = [...ids];
  [next[i], next[j]] = [next[j]!, next[i]!];
  return next;
};

/** Chooses and orders columns; the same can be done by dragging headers. */
export const ColumnMenu = ({ columns, choice, onChange }: ColumnMenuProps) => {
  const [open, setOpen] = useState(false);
  const ids = columns.map(({ id }) => id);
  const toggle = (id: string) => {
    const hidden = choice.hidden.includes(id)
      ? choice.hidden.filter((h) => h !== id)
      : [...choice.hidden, id];
    onChange({ ...choice, hidden });
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Columns3 size={14} aria-hidden /> Columns
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="Columns"
        description="Kept for this project on this machine."
      >
        <ul>
          {columns.map(({ id, header, group }, i) => (
            <li key={id} className="flex h-8 items-center gap-2">
              <label className="flex min-w-0 flex-1 items-center gap-2">
                <input type="checkbox" checked={!choice.hidden.includes(id)} onChange={() => toggle(id)} />
                {group && <span className="text-soft">{group}</span>}
                <span className="truncate">{header}</span>
              </label>
              <IconButton
                label={`Move ${header} up`}
                disabled={i === 0}
                onClick={() => onChange({ ...choice, order: swapped(ids, i, i - 1) })}
              >
                <ArrowUp size={14} />
              </IconButton>
              <IconButton
                label={`Move ${header} down`}
                disabled={i === ids.length - 1}
                onClick={() => onChange({ ...choice, order: swapped(ids, i, i + 1) })}
              >
                <ArrowDown size={14} />
              </IconButton>
            </li>
          ))}
        </ul>
        <div className="mt-3 flex justify-end">
          <Button onClick={() => onChange({ order: [], hidden: [], widths: {} })}>As it was at first</Button>
        </div>
      </Dialog>
    </>
  );
};
