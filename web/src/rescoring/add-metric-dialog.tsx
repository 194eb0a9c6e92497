import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../api.ts';
import { metricsQuery } from '../metrics/queries.ts';
import { runQuery } from '../runs/queries.ts';
import type { Run, RunCostEstimate } from '../types.ts';
import { countOf } from '../ui/bits.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { say } from '../ui/toast.tsx';
import { CostLine } from './cost-line.tsx';

type Props = { projectId: string; run: Run; open: boolean; onClose: () => void };

/** Has a run scored by further metrics, as they are now. */
export const AddMetricDialog = ({ projectId, run, open, onClose }: Props) => (
  <Dialog
    open={open}
    onClose={onClose}
    title="Add metrics"
    description={`Each of the ${countOf(run.numRecords, 'record')} gets a score of them, and so do records to come.`}
  >
    {open && <AddMetricForm projectId={projectId} run={run} onClose={onClose} />}
  </Dialog>
);

const AddMetricForm = ({ projectId, run, onClose }: Omit<Props, 'open'>) => {
  const { data, isPending } = useQuery(metricsQuery(projectId));
  const metrics = (data ?? []).filter(({ id }) => !run.metricIds.includes(id));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const metricIds = metrics.map(({ id }) => id).filter((id) => chosen.has(id));
  const queries = useQueryClient();
  const add = useMutation({
    mutationFn: () => api.post<Run>(`/runs/${run.id}/metrics`, { metricIds }),
    onSuccess: (changed) => {
      queries.setQueryData(runQuery(run.id).queryKey, changed);
      say(`Added ${countOf(metricIds.length, 'metric')}.`);
      onClose();
    },
  });
  const { data: cost } = useQuery({
    queryKey: [`/projects/${projectId}/runs/estimate`, run.numRecords, ...metricIds],
    queryFn: () =>
      api.post<RunCostEstimate>(`/projects/${projectId}/runs/estimate`, {
        metricIds,
        numRecords: run.numRecords,
      }),
    enabled: metricIds.length > 0,
    placeholderData: (before) => before,
  });
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  if (!isPending && metrics.length === 0)
    return <p className="text-soft">The run has every metric of this project.</p>;
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <fieldset>
        <legend className="mb-1 text-sm font-medium">Metrics</legend>
        {metrics.map(({ id, name, evalType, outputType }) => (
          <label key={id} className="flex h-7 items-center gap-2">
            <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} />
            <span className="truncate">{name}</span>
            <span className="text-soft">
              {evalType}, {outputType}
            </span>
          </label>
        ))}
      </fieldset>
      {cost && metricIds.length > 0 && <CostLine cost={cost} />}
      {add.error && <ErrorNote error={add.error} />}
      <Button
        type="submit"
        look="primary"
        disabled={metricIds.length === 0 || add.isPending}
        className="self-end"
      >
        Add
      </Button>
    </form>
  );
};
