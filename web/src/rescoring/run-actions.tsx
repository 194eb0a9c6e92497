import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api.ts';
import { runQuery } from '../runs/queries.ts';
import type { Run } from '../types.ts';
import { countOf } from '../ui/bits.tsx';
import { Button } from '../ui/button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { say, sayError } from '../ui/toast.tsx';
import { AddMetricDialog } from './add-metric-dialog.tsx';
import { judgeBudgetQuery } from './queries.ts';
import { RescoreDialog } from './rescore-dialog.tsx';

type Cancelled = { executions: number; scores: number; proposals: number };

const isWorking = ({ status }: Run): boolean =>
  ['awaiting_execution', 'running_execution', 'awaiting_scoring', 'running_scoring'].includes(status);

/** What machines can be asked to do for a run, and to stop doing. */
export const RunActions = ({ run, projectId }: { run: Run; projectId: string }) => {
  const [dialog, setDialog] = useState<'rescore' | 'metric'>();
  const queries = useQueryClient();
  const close = () => setDialog(undefined);
  const cancel = useMutation({
    mutationFn: () => api.post<Cancelled>(`/runs/${run.id}/cancel`),
    onSuccess: async ({ executions, scores, proposals }) => {
      say(`Cancelled: ${countOf(executions, 'execution')}, ${countOf(scores + proposals, 'score')}.`);
      await Promise.all([
        queries.invalidateQueries(runQuery(run.id)),
        queries.invalidateQueries(judgeBudgetQuery(run.id)),
      ]);
    },
    onError: sayError,
  });
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button>
            Score
            <ChevronDown size={14} aria-hidden />
          </Button>
        }
      >
        <MenuItem onSelect={() => setDialog('rescore')} disabled={run.numRecords === 0}>
          Rescore…
        </MenuItem>
        <MenuItem onSelect={() => setDialog('metric')}>Add metric…</MenuItem>
        <MenuItem onSelect={() => cancel.mutate()} disabled={!isWorking(run) || cancel.isPending}>
          Cancel what is left
        </MenuItem>
      </Menu>
      <RescoreDialog projectId={projectId} runId={run.id} open={dialog === 'rescore'} onClose={close} />
      <AddMetricDialog projectId={projectId} run={run} open={dialog === 'metric'} onClose={close} />
    </>
  );
};
