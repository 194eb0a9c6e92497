import { X } from 'lucide-react';
import { IconButton } from '../../ui/button.tsx';
import { Input } from '../../ui/field.tsx';
import type { CriterionForm } from './criteria-form.ts';

type CheckProps = { label: string; value: boolean; disabled?: boolean; onChange: (value: boolean) => void };

/** A box with its label beside it. */
export const Check = ({ label, value, disabled, onChange }: CheckProps) => (
  <label className="flex items-center gap-2">
    <input
      type="checkbox"
      checked={value}
      disabled={disabled}
      onChange={(event) => onChange(event.target.checked)}
    />
    {label}
  </label>
);

type CriterionFieldsProps = {
  /** Its place in the list, from 0. */
  at: number;
  value: CriterionForm;
  /** What the id is without one; undefined where ids are not shown. */
  madeId?: string;
  readOnly?: boolean;
  onChange: (changes: Partial<CriterionForm>) => void;
  onRemove: () => void;
};

/** One criterion in a form: its text, weight, and whether it must pass. */
export const CriterionFields = ({
  at,
  value,
  madeId,
  readOnly = false,
  onChange,
  onRemove,
}: CriterionFieldsProps) => (
  <div className="flex flex-wrap items-end gap-2">
    <div className="min-w-60 flex-1">
      <Input
        label={`Criterion ${at + 1}`}
        required
        dir="auto"
        readOnly={readOnly}
        placeholder="Is the amount right?"
        value={value.text}
        onChange={(text) => onChange({ text })}
      />
    </div>
    {madeId !== undefined && (
      <div className="w-36">
        <Input
          label={`Id ${at + 1}`}
          maxLength={64}
          readOnly={readOnly}
          placeholder={madeId}
          title="The same id in several testcases is the same criterion. Without one it is made of the text."
          value={value.id ?? ''}
          onChange={(id) => onChange({ id })}
        />
      </div>
    )}
    <div className="w-20">
      <Input
        label="Weight"
        type="number"
        step="any"
        required
        readOnly={readOnly}
        value={value.weight}
        onChange={(weight) => onChange({ weight })}
      />
    </div>
    <div className="flex h-7 items-center">
      <Check
        label="Must pass"
        value={value.mustPass}
        disabled={readOnly}
        onChange={(mustPass) => onChange({ mustPass })}
      />
    </div>
    {!readOnly && <IconButton icon={X} label={`Remove criterion ${at + 1}`} onClick={onRemove} />}
  </div>
);
