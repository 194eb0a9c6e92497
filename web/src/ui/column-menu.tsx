import { ArrowDown, ArrowUp, Columns3, X } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { Button, IconButton } from './button.tsx';
import { type ColumnChoice, defaultChoice } from './column-choice.ts';
import { Dialog } from './dialog.tsx';
import { Input } from './field.tsx';
import type { Column } from './grid-props.ts';
import { toggled } from './toggled.ts';

type ColumnMenuProps<Row> = {
  /** All columns in their order. */
  columns: readonly Column<Row>[];
  choice: ColumnChoice;
  onChange: (choice: ColumnChoice) => void;
  /** Columns that the user can add by a path: those to offer, and whether a text is one. */
  paths?: { known: readonly string[]; isPath: (text: string) => boolean };
};

const swapped = (ids: string[], i: number, j: number): string[] => {
  const next = [...ids];
  [next[i], next[j]] = [next[j]!, next[i]!];
  return next;
};

/** Lets the user choose and order the columns, as dragging a header also does. */
export const ColumnMenu = <Row,>({ columns, choice, onChange, paths }: ColumnMenuProps<Row>) => {
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
              {choice.paths?.includes(id) && (
                <IconButton
                  icon={X}
                  label={`Remove ${header}`}
                  onClick={() => onChange({ ...choice, paths: choice.paths!.filter((path) => path !== id) })}
                />
              )}
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
        {paths && (
          <AddPath
            {...paths}
            onAdd={(path) => onChange({ ...choice, paths: [...new Set([...(choice.paths ?? []), path])] })}
          />
        )}
        <div className="mt-3 flex justify-end">
          <Button onClick={() => onChange(defaultChoice)}>Reset columns</Button>
        </div>
      </Dialog>
    </>
  );
};

type AddPathProps = NonNullable<ColumnMenuProps<never>['paths']> & { onAdd: (path: string) => void };

/** Adds a column by the path of a field, such as one within an object. */
const AddPath = ({ known, isPath, onAdd }: AddPathProps) => {
  const [path, setPath] = useState('');
  const list = useId();
  const isWrong = path.trim() !== '' && !isPath(path.trim());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPath(path.trim())) return;
    onAdd(path.trim());
    setPath('');
  };
  return (
    <form onSubmit={submit} className="mt-3 flex items-end gap-2 border-t pt-3">
      <div className="flex-1">
        <Input
          label="Column from a path"
          placeholder="outputs.answer.amount"
          list={list}
          value={path}
          onChange={setPath}
          aria-invalid={isWrong}
        />
        <datalist id={list}>
          {known.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      </div>
      <Button type="submit" disabled={!isPath(path.trim())}>
        Add
      </Button>
    </form>
  );
};
