import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../api.ts';
import { countOf } from '../ui/format.ts';

/** Warns of judges whose models end soon or have ended, with their metrics. */
export const ModelEndings = ({ projectId, metricId }: { projectId: string; metricId?: string }) => {
  const { data } = useQuery(apiQuery('listModelEndings', projectId));
  const endings = (data?.data ?? []).filter(
    ({ metricIds }) => metricIds.length > 0 && (!metricId || metricIds.includes(metricId)),
  );
  return endings.map(({ model, endsOn, daysLeft, metricIds }) => (
    <p key={model} role="status" className="mb-3 rounded-md bg-warn-wash px-3 py-2 text-warn">
      {daysLeft < 0
        ? `The provider shut down ${model} on ${endsOn}.`
        : `The provider shuts down ${model} on ${endsOn}, in ${countOf(daysLeft, 'day')}.`}{' '}
      {metricId ? 'It judges this metric' : `It judges ${countOf(metricIds.length, 'metric')}`}: try a
      successor before then.
    </p>
  ));
};
