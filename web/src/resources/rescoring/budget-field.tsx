import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { Input } from '../../ui/field.tsx';
import { CostLine } from './cost-line.tsx';

/** What the judges of a new run would cost; a run without a testset has no estimate. */
export const costQuery = (
  projectId: string,
  testsetId: string,
  metricIds: readonly string[],
  part: { snapshot?: number; split?: string } = {},
) => ({
  ...apiQuery('estimateRun', projectId, { testsetId, ...part, metricIds: [...metricIds] }),
  enabled: testsetId !== '' && metricIds.length > 0,
});

type InputProps = { value: string; onChange: (value: string) => void };

/** The most that the judges of a run may spend. */
export const BudgetInput = ({ value, onChange }: InputProps) => (
  <Input
    label="Max judge spend, USD"
    type="number"
    min={0}
    step="any"
    placeholder="No limit"
    hint="Judges stop when it is used up. A higher budget lets them continue."
    value={value}
    onChange={onChange}
  />
);

type Props = InputProps & {
  projectId: string;
  /** Empty for a run without a testset, whose cost cannot be estimated. */
  testsetId: string;
  metricIds: readonly string[];
  part?: { snapshot?: number; split?: string };
};

/** The judge budget of a new run, with the estimated cost. */
export const BudgetField = ({ projectId, testsetId, metricIds, part, ...input }: Props) => {
  const { data: cost } = useQuery(costQuery(projectId, testsetId, metricIds, part));
  return (
    <div className="flex flex-col gap-1">
      <BudgetInput {...input} />
      {cost && <CostLine cost={cost} />}
    </div>
  );
};
