import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, apiQuery, keyOf } from '../../api.ts';
import { MetricChoice } from '../../resources/metrics/metric-choice.tsx';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { CostLine } from '../../resources/rescoring/cost-line.tsx';
import type { Run } from '../../types.ts';
import { Dialog, FormDialog } from '../../ui/dialog.tsx';
import { countOf } from '../../ui/format.ts';
import { say } from '../../ui/toast.tsx';

/** Adds metrics to a run: existing and future records are scored by their current configurations. */
export const AddMetricDialog = ({
  projectId,
  run,
  onClose,
}: {
  projectId: string;
  run: Run;
  onClose: () => void;
}) => {
  const { data, isPending } = useQuery(metricsQuery(projectId));
  const metrics = (data ?? []).filter(({ id }) => !run.metricIds.includes(id));
  const [picked, setChosen] = useState<ReadonlySet<string>>();
  // The only one there is needs no choice.
  const chosen = picked ?? new Set(metrics.length === 1 ? [metrics[0]!.id] : []);
  const metricIds = metrics.map(({ id }) => id).filter((id) => chosen.has(id));
  const queries = useQueryClient();
  const add = useMutation({
    mutationFn: () => api.addRunMetrics(run.id, { metricIds }),
    // A run that had ended is followed again: its page would not ask by itself.
    meta: { refreshes: [keyOf('getRunDetails', run.id), keyOf('summarizeRun', run.id)] },
    onSuccess: (changed) => {
      queries.setQueryData(apiQuery('getRun', run.id).queryKey, changed);
      say(`Added ${countOf(metricIds.length, 'metric')}.`);
      onClose();
    },
  });
  const { data: cost } = useQuery({
    ...apiQuery('estimateRun', projectId, { metricIds, numRecords: run.numRecords }),
    enabled: metricIds.length > 0,
    placeholderData: keepPreviousData,
  });
  const dialog = {
    open: true,
    onClose,
    title: 'Add metrics',
    description: `They score the ${countOf(run.numRecords, 'record')} of the run and all future records.`,
  };
  if (!isPending && metrics.length === 0)
    return (
      <Dialog {...dialog}>
        <p className="text-soft">The run has every metric of this project.</p>
      </Dialog>
    );
  return (
    <FormDialog {...dialog} write={add} action="Add metrics" disabled={metricIds.length === 0}>
      {!isPending && <MetricChoice metrics={metrics} chosen={chosen} onChange={setChosen} />}
      {cost && metricIds.length > 0 && <CostLine cost={cost} />}
    </FormDialog>
  );
};
