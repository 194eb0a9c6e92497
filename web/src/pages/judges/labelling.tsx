import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import type { AskedRun, Calibration, Labels } from '../../resources/judges/queries.ts';
import type { Metric } from '../../types.ts';
import { ErrorNote } from '../../ui/states.tsx';
import { ChoosePeople } from './choose-people.tsx';
import { LabelMore } from './label-more.tsx';

type Props = {
  projectId: string;
  metric: Metric;
  /** The metrics of the project. */
  metrics: readonly Metric[];
  labels: Labels;
  /** Runs that this configuration of the judge scored, the shown one first. */
  runs: readonly [AskedRun, ...AskedRun[]] | undefined;
  calibration: Calibration;
};

/** What to do next for labels of a judge: say which human metric is the truth about it, then draw records for people. */
export const Labelling = ({ projectId, metric, metrics, labels, runs, calibration }: Props) => {
  // With its own labels, the calibration names the judge's human metric.
  const isOwn = labels === undefined;
  const settings = useQuery({ ...apiQuery('getMetricSettings', metric.id), enabled: !isOwn });
  if (settings.error) return <ErrorNote error={settings.error} />;
  if (!isOwn && !settings.data) return null;
  const peopleMetricId = isOwn ? calibration.judge.peopleMetricId : (settings.data?.peopleMetricId ?? null);
  const people = metrics.filter(({ evalType, spans }) => evalType === 'human' && !spans);
  if (peopleMetricId === null && people.length > 0)
    return <ChoosePeople projectId={projectId} judge={metric} people={people} />;
  if (!runs) return <p className="text-soft">It has scored no run yet, so there is nothing to label.</p>;
  return (
    <LabelMore
      projectId={projectId}
      metric={metric}
      people={people}
      peopleMetricId={peopleMetricId}
      runs={runs}
      calibration={calibration}
    />
  );
};
