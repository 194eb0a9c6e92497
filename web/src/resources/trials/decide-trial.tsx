import { api, keyOf } from '../../api.ts';
import type { PinnedTrial } from '../../types.ts';
import { useMay } from '../session/me.ts';
import { Decide } from './decide.tsx';

/** Adopts the proposed candidate of a trial, or discards the trial. */
export const DecideTrial = ({ projectId, trial }: { projectId: string; trial: PinnedTrial }) => {
  const may = useMay();
  if (!may.write) return null;
  const { metricId, proposedConfigId } = trial;
  const number = String(trial.number);
  const proposed = trial.candidates.find(({ metricConfigId }) => metricConfigId === proposedConfigId);
  return (
    <Decide
      isDecided={trial.endedAt !== null}
      adopt={
        proposed && {
          title: `Adopt ${proposed.evalModelName}?`,
          effect:
            "New runs use it. Existing scores stay, and trends split each change into the system's part and the judge's.",
          send: () =>
            api.decideTrial(metricId, number, {
              decision: 'adopted',
              metricConfigId: proposed.metricConfigId,
            }),
        }
      }
      discard={() => api.decideTrial(metricId, number, { decision: 'discarded' })}
      refreshes={[
        keyOf('listTrials'),
        keyOf('getTrial', metricId),
        keyOf('listMetricVersions', metricId),
        keyOf('getMetric', metricId),
        keyOf('listMetrics', projectId),
      ]}
    />
  );
};
