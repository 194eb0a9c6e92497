import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import { useRef } from 'react';
import type { LabelsForm } from '../../resources/metrics/labels-form.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Input } from '../../ui/field.tsx';

type LabelsEditorProps = {
  value: LabelsForm;
  error: string | undefined;
  onChange: (value: LabelsForm) => void;
};

type Item = LabelsForm['items'][number];

/** The items with the one at a place moved by one. */
const moved = (items: Item[], at: number, by: number): Item[] => {
  const next = [...items];
  const [item] = next.splice(at, 1);
  next.splice(at + by, 0, item!);
  return next;
};

/** The labels of a category: their texts, their order, and which of them pass. */
export const LabelsEditor = ({ value, error, onChange }: LabelsEditorProps) => {
  const { items, ordered } = value;
  const list = useRef<HTMLOListElement>(null);
  const change = (at: number, changes: Partial<Item>) =>
    onChange({ ...value, items: items.map((item, i) => (i === at ? { ...item, ...changes } : item)) });
  const move = (at: number, by: number) => {
    onChange({ ...value, items: moved(items, at, by) });
    // The focus stays on the button of the row that moved, so that it can be pressed again.
    const name = `Move label ${at + by + 1} ${by < 0 ? 'up' : 'down'}`;
    requestAnimationFrame(() =>
      list.current?.children[at + by]?.querySelector<HTMLButtonElement>(`[aria-label="${name}"]`)?.focus(),
    );
  };
  const add = () => {
    const key = Math.max(-1, ...items.map((item) => item.key)) + 1;
    onChange({ ...value, items: [...items, { key, text: '', passes: false }] });
  };
  return (
    <fieldset aria-label="Labels" className="flex flex-col gap-2">
      <div className="text-sm font-medium">Labels</div>
      <p className="text-sm text-soft">
        Each score is one of these. The labels that pass make the pass rate, which gates and alerts read.
      </p>
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          checked={ordered}
          onChange={(event) => onChange({ ...value, ordered: event.target.checked })}
        />
        The labels go from worst to best
      </label>
      <ol ref={list} className="flex flex-col gap-2">
        {items.map((item, i) => (
          <LabelRow
            key={item.key}
            {...{ item, i, count: items.length, change, move }}
            remove={() => onChange({ ...value, items: items.filter((_, at) => at !== i) })}
          />
        ))}
      </ol>
      <div>
        <Button disabled={items.length >= 100} onClick={add}>
          <Plus size={14} aria-hidden /> Add label
        </Button>
      </div>
      {error && (
        <p role="alert" className="text-sm text-fail">
          {error}
        </p>
      )}
    </fieldset>
  );
};

type LabelRowProps = {
  item: Item;
  i: number;
  count: number;
  change: (at: number, changes: Partial<Item>) => void;
  move: (at: number, by: number) => void;
  remove: () => void;
};

const LabelRow = ({ item, i, count, change, move, remove }: LabelRowProps) => (
  <li className="flex flex-wrap items-end gap-2">
    <div className="min-w-48 flex-1">
      <Input
        label={`Label ${i + 1}`}
        required
        maxLength={200}
        value={item.text}
        onChange={(text) => change(i, { text })}
      />
    </div>
    <label className="flex h-7 items-center gap-2">
      <input
        type="checkbox"
        checked={item.passes}
        aria-label={`Label ${i + 1} passes`}
        onChange={(event) => change(i, { passes: event.target.checked })}
      />
      Passes
    </label>
    <IconButton
      icon={ArrowUp}
      label={`Move label ${i + 1} up`}
      disabled={i === 0}
      onClick={() => move(i, -1)}
    />
    <IconButton
      icon={ArrowDown}
      label={`Move label ${i + 1} down`}
      disabled={i === count - 1}
      onClick={() => move(i, 1)}
    />
    <IconButton icon={X} label={`Remove label ${i + 1}`} disabled={count <= 2} onClick={remove} />
  </li>
);
