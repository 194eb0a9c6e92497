import { Plus } from 'lucide-react';
import { useState } from 'react';
import { type CriteriaForm, emptyCriterion } from '../../resources/metrics/criteria-form.ts';
import { Check, CriterionFields } from '../../resources/metrics/criterion-fields.tsx';
import { useMay } from '../../resources/session/me.ts';
import { Button } from '../../ui/button.tsx';
import { CriteriaDrafts } from './criteria-drafts.tsx';

type CriteriaEditorProps = {
  projectId: string;
  guidelines: string;
  value: CriteriaForm;
  hasJudge: boolean;
  error: string | undefined;
  onChange: (value: CriteriaForm) => void;
};

/** The criteria of a metric: each gets its own verdict, and the score is the share that is met. */
export const CriteriaEditor = ({
  projectId,
  guidelines,
  value,
  hasJudge,
  error,
  onChange,
}: CriteriaEditorProps) => {
  const [isDrafting, setDrafting] = useState(false);
  const may = useMay();
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
        <CriterionFields
          // biome-ignore lint/suspicious/noArrayIndexKey: a criterion has no id before it is saved
          key={i}
          at={i}
          value={item}
          onChange={(changes) => change(i, changes)}
          onRemove={() => onChange({ ...value, items: items.filter((_, at) => at !== i) })}
        />
      ))}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => onChange({ ...value, items: [...items, emptyCriterion] })}>
          <Plus size={14} aria-hidden /> Add criterion
        </Button>
        {may.write && !isDrafting && (
          <Button onClick={() => setDrafting(true)}>Write criteria with a model</Button>
        )}
      </div>
      {isDrafting && (
        <CriteriaDrafts
          projectId={projectId}
          guidelines={guidelines}
          items={items}
          onAccept={(item) => onChange({ ...value, items: [...items, item] })}
          onClose={() => setDrafting(false)}
        />
      )}
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
