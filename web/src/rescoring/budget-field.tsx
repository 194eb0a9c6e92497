import { useQuery } from '@tanstack/react-query';
import { api } from '../api.ts';
import type { RunCostEstimate } from '../types.ts';
import { Input } from '../ui/field.tsx';
import { CostLine } from './cost-line.tsx';

type Props = {
  projectId: string;
  /** Empty without one: then nobody knows how many records there will be. */
  testsetId: string;
  metricIds: readonly string[];
  value: string;
  onChange: (value: string) => void;
};

/** What the judges of a new run may cost, and what they will. */
export const BudgetField = ({ projectId, testsetId, metricIds, value, onChange }: Props) => {
  const { data: cost } = useQuery({
    queryKey: [`/projects/${projectId}/runs/estimate`, testsetId, ...metricIds],
    queryFn: () =>
      api.post<RunCostEstimate>(`/projects/${projectId}/runs/estimate`, { testsetId, metricIds }),
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
        hint="Judges stop there and wait; a higher budget lets them go on."
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {cost && <CostLine cost={cost} />}
    </div>
  );
};
