import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../api.ts';
import { runQuery } from '../runs/queries.ts';
import { useMay } from '../session/who.ts';
import type { Rescoring } from '../types.ts';
import { countOf } from '../ui/bits.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { focusTitle } from '../ui/page.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { say, sayError } from '../ui/toast.tsx';
import { replacedBy } from './changes.ts';
import { judgeBudgetQuery, rescoringPath, rescoringQuery, rescoringsQuery } from './queries.ts';

type Action = 'extend' | 'retry' | 'cancel' | 'keep' | 'discard';

const done: Partial<Record<Action, string>> = {
  keep: 'The proposals are the scores now.',
  discard: 'Discarded. No score has changed.',
  cancel: 'Cancelled. What is there can still be kept.',
};

const useAction = ({ id, runId }: Rescoring) => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (action: Action) => api.post<Rescoring>(`${rescoringPath(runId, id)}/${action}`),
    onSuccess: async (changed, action) => {
      queries.setQueryData(rescoringQuery(runId, id).queryKey, changed);
      const said = done[action];
      if (said) say(said);
      await Promise.all([
        queries.invalidateQueries(rescoringsQuery(runId)),
        queries.invalidateQueries(judgeBudgetQuery(runId)),
        ...(action === 'keep'
          ? [
              queries.invalidateQueries(runQuery(runId)),
              queries.invalidateQueries({ queryKey: [`/runs/${runId}/summary`] }),
              queries.invalidateQueries({
                predicate: ({ queryKey: [path] }) => /\/records\b/.test(String(path)),
              }),
            ]
          : []),
      ]);
    },
  });
};

/** What can be done with a rescoring as it stands. */
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
          Rescore the other {estimate.numRecords.toLocaleString('en')}
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
          {changes.failToPass} fail → pass. The scores they have now stay as their history.
        </p>
        <p className="mt-2 text-soft">
          {missing > 0 && `${countOf(missing, 'record')} that could not be scored keep the score they have. `}
          {changes.givenMeanwhile > 0 &&
            `${countOf(changes.givenMeanwhile, 'score')} given by people or clients stay. `}
          {wholeRun && 'Records that come to the run are then scored by this configuration too.'}
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
