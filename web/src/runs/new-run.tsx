import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { api } from '../api.ts';
import { metricsQuery } from '../metrics/queries.ts';
import { paths } from '../paths.ts';
import { BudgetField } from '../rescoring/budget-field.tsx';
import { testsetsQuery } from '../testsets/queries.ts';
import type { Run } from '../types.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Select } from '../ui/field.tsx';
import { ErrorNote } from '../ui/states.tsx';

/** Starts a run: its metrics are pinned as they are now. */
export const NewRun = ({
  projectId,
  open,
  onClose,
}: {
  projectId: string;
  open: boolean;
  onClose: () => void;
}) => {
  const { data: metrics = [] } = useQuery(metricsQuery(projectId));
  const { data: testsets = [] } = useQuery(testsetsQuery(projectId));
  const [testsetId, setTestsetId] = useState('');
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [budget, setBudget] = useState('');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const metricIds = metrics.map(({ id }) => id).filter((id) => !left.has(id));
  const create = useMutation({
    mutationFn: () =>
      api.post<Run>(`/projects/${projectId}/runs`, {
        testsetId: testsetId || null,
        metricIds,
        ...(budget && { judgeBudgetUsd: Number(budget) }),
      }),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: [`/projects/${projectId}/runs`] });
      await navigate(paths.run(projectId, id));
    },
  });
  const toggle = (id: string) => {
    const next = new Set(left);
    if (!next.delete(id)) next.add(id);
    setLeft(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="New run"
      description="Your system then sends its records to the run; each gets a score of every metric."
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Select
          label="Testset"
          value={testsetId}
          onChange={(event) => setTestsetId(event.target.value)}
          options={[
            { value: '', label: 'None' },
            ...testsets.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <fieldset>
          <legend className="mb-1 text-sm font-medium">Metrics</legend>
          {metrics.length === 0 && (
            <p className="text-soft">This project has no metrics; the records will have no scores.</p>
          )}
          {metrics.map(({ id, name, evalType, outputType }) => (
            <label key={id} className="flex h-7 items-center gap-2">
              <input type="checkbox" checked={!left.has(id)} onChange={() => toggle(id)} />
              <span className="truncate">{name}</span>
              <span className="text-soft">
                {evalType}, {outputType}
              </span>
            </label>
          ))}
        </fieldset>
        <BudgetField
          projectId={projectId}
          testsetId={testsetId}
          metricIds={metricIds}
          value={budget}
          onChange={setBudget}
        />
        {create.error && <ErrorNote error={create.error} />}
        <Button type="submit" look="primary" disabled={create.isPending} className="self-end">
          Start the run
        </Button>
      </form>
    </Dialog>
  );
};
