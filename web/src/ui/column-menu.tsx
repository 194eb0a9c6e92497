import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from './button.tsx';
import { type ColumnChoice, defaultChoice } from './column-choice.ts';
import { Dialog } from './dialog.tsx';
import type { Column } from './grid-props.ts';
import { toggled } from './toggled.ts';

type ColumnMenuProps<Row> = {
  /** All columns in their order. */
  columns: readonly Column<Row>[];
  choice: ColumnChoice;
  onChange: (choice: ColumnChoice) => void;
};

const swapped = (ids: string[], i: number, j: number): string[] => {
  const next = [...ids];
  [next[i], next[j]] = [next[j]!, next[i]!];
  return next;
};

/** Lets the user choose and order the columns, as dragging a header also does. */
export const ColumnMenu = <Row,>({ columns, choice, onChange }: ColumnMenuProps<Row>) => {
  const [open, setOpen] = useState(false);
  const ids = columns.map(({ id }) => id);
  const toggle = (id: string) => onChange({ ...choice, hidden: [...toggled(new Set(choice.hidden), id)] });
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Columns3 size={14} aria-hidden /> Columns
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="Columns"
        description="Saved for this project in this browser."
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
                icon={ArrowUp}
                label={`Move ${header} up`}
                disabled={i === 0}
                onClick={() => onChange({ ...choice, order: swapped(ids, i, i - 1) })}
              />
              <IconButton
                icon={ArrowDown}
                label={`Move ${header} down`}
                disabled={i === ids.length - 1}
                onClick={() => onChange({ ...choice, order: swapped(ids, i, i + 1) })}
              />
            </li>
          ))}
        </ul>
        <div className="mt-3 flex justify-end">
          <Button onClick={() => onChange(defaultChoice)}>Reset columns</Button>
        </div>
      </Dialog>
    </>
  );
};
