import { Plus, X } from 'lucide-react';
import { type CriteriaForm, emptyCriterion } from '../../resources/metrics/criteria-form.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Input } from '../../ui/field.tsx';

type CriteriaEditorProps = {
  value: CriteriaForm;
  hasJudge: boolean;
  error: string | undefined;
  onChange: (value: CriteriaForm) => void;
};

type CheckProps = { label: string; value: boolean; onChange: (value: boolean) => void };

const Check = ({ label, value, onChange }: CheckProps) => (
  <label className="flex items-center gap-2">
    <input type="checkbox" checked={value} onChange={(event) => onChange(event.target.checked)} />
    {label}
  </label>
);

/** The criteria of a metric: each gets its own verdict, and the score is the share that is met. */
export const CriteriaEditor = ({ value, hasJudge, error, onChange }: CriteriaEditorProps) => {
  const { items, fromExpected, isolate } = value;
  const change = (at: number, changes: Partial<CriteriaForm['items'][number]>) =>
    onChange({ ...value, items: items.map((item, i) => (i === at ? { ...item, ...changes } : item)) });
  return (
    <fieldset aria-label="Criteria" className="flex flex-col gap-2">
      <div className="text-sm font-medium">Criteria</div>
      <p className="text-sm text-soft">
        Questions with a yes or a no, each with its own verdict. The score is the share of their weights that
        is met. Without criteria there is one score.
      </p>
      {items.map((item, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a criterion has no id before it is saved
        <div key={i} className="flex flex-wrap items-end gap-2">
          <div className="min-w-60 flex-1">
            <Input
              label={`Criterion ${i + 1}`}
              required
              placeholder="Is the amount right?"
              value={item.text}
              onChange={(text) => change(i, { text })}
            />
          </div>
          <div className="w-20">
            <Input
              label="Weight"
              type="number"
              step="any"
              required
              value={item.weight}
              onChange={(weight) => change(i, { weight })}
            />
          </div>
          <div className="flex h-7 items-center">
            <Check label="Must pass" value={item.mustPass} onChange={(mustPass) => change(i, { mustPass })} />
          </div>
          <IconButton
            icon={X}
            label={`Remove criterion ${i + 1}`}
            onClick={() => onChange({ ...value, items: items.filter((_, at) => at !== i) })}
          />
        </div>
      ))}
      <div>
        <Button onClick={() => onChange({ ...value, items: [...items, emptyCriterion] })}>
          <Plus size={14} aria-hidden /> Add criterion
        </Button>
      </div>
      <Check
        label="Each testcase adds its own, in expected.criteria"
        value={fromExpected}
        onChange={(next) => onChange({ ...value, fromExpected: next })}
      />
      {hasJudge && (items.length > 1 || fromExpected) && (
        <Check
          label="Ask the judge about each criterion by itself (one call each)"
          value={isolate}
          onChange={(next) => onChange({ ...value, isolate: next })}
        />
      )}
      {error && (
        <p role="alert" className="text-sm text-fail">
          {error}
        </p>
      )}
    </fieldset>
  );
};
