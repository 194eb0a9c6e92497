import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, keyOf } from '../../api.ts';
import { replacedBy } from '../../resources/rescoring/changes.ts';
import { useMay } from '../../resources/session/me.ts';
import { Decide } from '../../resources/trials/decide.tsx';
import { trialQuery } from '../../resources/trials/queries.ts';
import type { Rescoring, Trial } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/format.ts';
import { say, sayError } from '../../ui/toast.tsx';

type Act = (rescoring: Rescoring) => Promise<Trial>;

/** Retries or cancels the proposals of a rescoring, and reads it again. */
const changeProposals =
  (kind: 'retryRun' | 'cancelRun'): Act =>
  async ({ runId, metricId, number }) => {
    await api[kind](runId, { of: 'proposals', metricId, trialNumber: number });
    return api.getTrial(metricId, String(number));
  };

const decideAs =
  (decision: 'adopted' | 'discarded'): Act =>
  ({ metricId, number }) =>
    api.decideTrial(metricId, String(number), { decision });

const calls: Record<'extend' | 'retry' | 'cancel' | 'adopt' | 'discard', Act> = {
  extend: ({ metricId, number }) => api.extendTrial(metricId, String(number)),
  retry: changeProposals('retryRun'),
  cancel: changeProposals('cancelRun'),
  adopt: decideAs('adopted'),
  discard: decideAs('discarded'),
};
type Action = keyof typeof calls;

const done: Partial<Record<Action, string>> = {
  adopt: 'The proposed scores have replaced the current ones.',
  discard: 'Discarded. No score has changed.',
  cancel: 'Cancelled. You can still adopt the finished proposals.',
};

const useAction = (rescoring: Rescoring) => {
  const { metricId, number, runId } = rescoring;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (action: Action) => calls[action](rescoring),
    meta: { refreshes: [keyOf('listTrials'), keyOf('getRunDetails', runId)] },
    onSuccess: (changed, action) => {
      queries.setQueryData(trialQuery(metricId, String(number)).queryKey, changed);
      const said = done[action];
      if (said) say(said);
    },
  });
};

/** The actions that the state of a rescoring allows. */
export const DecideRescoring = ({ rescoring, metricName }: { rescoring: Rescoring; metricName: string }) => {
  const may = useMay();
  const act = useAction(rescoring);
  if (!may.write) return null;
  const { runId, state, changes, estimate, wholeRun } = rescoring;
  const isOpen = rescoring.endedAt === null;
  const missing = changes.failed + changes.unscored;
  const run = (action: Action) => act.mutate(action, { onError: sayError });
  const effect = (
    <>
      <p>
        {countOf(replacedBy(rescoring), 'record')} get the proposed score of {metricName}:{' '}
        {changes.passToFail} pass → fail, {changes.failToPass} fail → pass. Their current scores move to the
        history.
      </p>
      <p className="mt-2">
        {missing > 0 && `${countOf(missing, 'record')} that could not be scored keep their current score. `}
        {changes.givenSince > 0 && `${countOf(changes.givenSince, 'score')} by people or clients stay. `}
        {wholeRun && 'New records of the run are scored by this configuration too.'}
      </p>
    </>
  );
  return (
    <>
      {state === 'running' && (
        <Button disabled={act.isPending} onClick={() => run('cancel')}>
          Cancel
        </Button>
      )}
      {isOpen && missing > 0 && state !== 'running' && (
        <Button disabled={act.isPending} onClick={() => run('retry')}>
          Retry {missing.toLocaleString('en')}
        </Button>
      )}
      {isOpen && estimate && state !== 'running' && (
        <Button
          look={state === 'sampled' ? 'primary' : 'plain'}
          disabled={act.isPending}
          onClick={() => run('extend')}
        >
          Re-score the remaining {estimate.numRecords.toLocaleString('en')}
        </Button>
      )}
      <Decide
        isDecided={!isOpen}
        adopt={
          state === 'ready'
            ? { title: 'Adopt the proposed scores?', effect, send: () => act.mutateAsync('adopt') }
            : undefined
        }
        discard={() => act.mutateAsync('discard')}
        refreshes={[
          keyOf('getRun', runId),
          keyOf('summarizeRun', runId),
          keyOf('listProjectRecords'),
          keyOf('getRecord'),
        ]}
      />
    </>
  );
};
