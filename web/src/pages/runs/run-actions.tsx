import { useMutation } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { api, keyOf } from '../../api.ts';
import { RescoreDialog } from '../../resources/rescoring/rescore-dialog.tsx';
import type { Run } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/format.ts';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { say, sayError } from '../../ui/toast.tsx';
import { AddMetricDialog } from './add-metric-dialog.tsx';

const isWorking = ({ status }: Run): boolean =>
  ['awaiting_execution', 'running_execution', 'awaiting_scoring', 'running_scoring'].includes(status);

/** Starts and cancels the work of machines on a run. */
export const RunActions = ({ run, projectId }: { run: Run; projectId: string }) => {
  const [dialog, setDialog] = useState<'rescore' | 'metric'>();
  const close = () => setDialog(undefined);
  const cancel = useMutation({
    mutationFn: () => api.cancelRun(run.id, {}),
    meta: { refreshes: [keyOf('getRun', run.id), keyOf('getRunDetails', run.id)] },
    onSuccess: ({ numExecutions, numScores, numProposals }) =>
      say(
        `Cancelled: ${countOf(numExecutions, 'execution')}, ${countOf(numScores + numProposals, 'score')}.`,
      ),
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
          Re-score…
        </MenuItem>
        <MenuItem onSelect={() => setDialog('metric')}>Add metric…</MenuItem>
        <MenuItem onSelect={() => cancel.mutate()} disabled={!isWorking(run) || cancel.isPending}>
          Cancel remaining scores
        </MenuItem>
      </Menu>
      {dialog === 'rescore' && <RescoreDialog projectId={projectId} runId={run.id} onClose={close} />}
      {dialog === 'metric' && <AddMetricDialog projectId={projectId} run={run} onClose={close} />}
    </>
  );
};
