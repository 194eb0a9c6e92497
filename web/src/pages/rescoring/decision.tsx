import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, apiQuery, keyOf } from '../../api.ts';
import { replacedBy } from '../../resources/rescoring/changes.ts';
import { useMay } from '../../resources/session/me.ts';
import type { Rescoring } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { countOf } from '../../ui/format.ts';
import { focusTitle } from '../../ui/page.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { say, sayError } from '../../ui/toast.tsx';

type Action = 'extend' | 'retry' | 'cancel' | 'keep' | 'discard';

const calls = {
  extend: api.extendRescoring,
  retry: api.retryRescoring,
  cancel: api.cancelRescoring,
  keep: api.keepRescoring,
  discard: api.discardRescoring,
};

const done: Partial<Record<Action, string>> = {
  keep: 'The proposed scores have replaced the current ones.',
  discard: 'Discarded. No score has changed.',
  cancel: 'Cancelled. You can still keep the finished proposals.',
};

const useAction = ({ id, runId }: Rescoring) => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (action: Action) => calls[action](runId, id),
    meta: { refreshes: [keyOf('listRescorings', runId), keyOf('getRunDetails', runId)] },
    onSuccess: (changed, action) => {
      queries.setQueryData(apiQuery('getRescoring', runId, id).queryKey, changed);
      const said = done[action];
      if (said) say(said);
      if (action !== 'keep') return;
      const changedByKeep = [
        keyOf('getRun', runId),
        keyOf('summarizeRun', runId),
        keyOf('listProjectRecords'),
        keyOf('getRecord'),
      ];
      for (const queryKey of changedByKeep) void queries.invalidateQueries({ queryKey });
    },
  });
};

/** The actions that the status of a rescoring allows. */
export const Decision = ({ rescoring, metricName }: { rescoring: Rescoring; metricName: string }) => {
  const may = useMay();
  const [isKeeping, setKeeping] = useState(false);
  const act = useAction(rescoring);
  const run = (action: Action) => act.mutate(action, { onError: sayError });
  const { status, changes, estimate, wholeRun } = rescoring;
  const isDecided = status === 'kept' || status === 'discarded';
  useEffect(() => {
    if (isDecided && act.isSuccess) focusTitle();
  }, [isDecided, act.isSuccess]);
  if (!may.write || isDecided) return null;
  const missing = changes.failed + changes.unscored;
  const count = replacedBy(rescoring);
  const keep = () => act.mutate('keep', { onSuccess: () => setKeeping(false) });
  return (
    <>
      {status === 'running' && (
        <Button disabled={act.isPending} onClick={() => run('cancel')}>
          Cancel
        </Button>
      )}
      {missing > 0 && status !== 'running' && (
        <Button disabled={act.isPending} onClick={() => run('retry')}>
          Retry {missing.toLocaleString('en')}
        </Button>
      )}
      {estimate && status !== 'running' && (
        <Button
          look={status === 'sampled' ? 'primary' : 'plain'}
          disabled={act.isPending}
          onClick={() => run('extend')}
        >
          Re-score the remaining {estimate.numRecords.toLocaleString('en')}
        </Button>
      )}
      {status === 'ready' && (
        <Button look="primary" disabled={act.isPending} onClick={() => setKeeping(true)}>
          Keep…
        </Button>
      )}
      <Button look="danger" disabled={act.isPending} onClick={() => run('discard')}>
        Discard
      </Button>
      <Dialog open={isKeeping} onClose={() => setKeeping(false)} title="Keep the proposed scores?">
        <p>
          {countOf(count, 'record')} get the proposed score of {metricName}: {changes.passToFail} pass → fail,{' '}
          {changes.failToPass} fail → pass. Their current scores move to the history.
        </p>
        <p className="mt-2 text-soft">
          {missing > 0 && `${countOf(missing, 'record')} that could not be scored keep their current score. `}
          {changes.givenSince > 0 && `${countOf(changes.givenSince, 'score')} by people or clients stay. `}
          {wholeRun && 'New records of the run are scored by this configuration too.'}
        </p>
        {act.error && isKeeping && (
          <div className="mt-3">
            <ErrorNote error={act.error} />
          </div>
        )}
        <div className="mt-4 flex justify-end gap-2">
          <Button onClick={() => setKeeping(false)}>Not yet</Button>
          <Button look="primary" disabled={act.isPending} onClick={keep}>
            Keep
          </Button>
        </div>
      </Dialog>
    </>
  );
};
