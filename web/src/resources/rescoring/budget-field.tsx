import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { Input } from '../../ui/field.tsx';
import { CostLine } from './cost-line.tsx';

type Props = {
  projectId: string;
  /** Empty for a run without a testset, whose cost cannot be estimated. */
  testsetId: string;
  metricIds: readonly string[];
  value: string;
  onChange: (value: string) => void;
};

/** The judge budget of a new run, with the estimated cost. */
export const BudgetField = ({ projectId, testsetId, metricIds, value, onChange }: Props) => {
  const { data: cost } = useQuery({
    ...apiQuery('estimateRun', projectId, { testsetId, metricIds: [...metricIds] }),
    enabled: testsetId !== '' && metricIds.length > 0,
  });
  return (
    <div className="flex flex-col gap-1">
      <Input
        label="Judge budget, USD"
        type="number"
        min={0}
        step="any"
        placeholder="No limit"
        hint="Judges stop when it is used up. A higher budget lets them continue."
        value={value}
        onChange={onChange}
      />
      {cost && <CostLine cost={cost} />}
    </div>
  );
};
