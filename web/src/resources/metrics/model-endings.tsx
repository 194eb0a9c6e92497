import { useQuery } from '@tanstack/react-query';
import { endingSentence } from '../../../../client/src/model-endings.ts';
import { apiList } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import type { RunDetail } from '../../types.ts';
import { countOf } from '../../ui/format.ts';

type Ending = { modelName: string; endsOn: string; daysLeft: number; metricIds: string[] };

const Endings = ({
  projectId,
  endings,
  metricId,
}: {
  projectId: string;
  endings: readonly Ending[];
  metricId?: string | undefined;
}) =>
  endings.map((ending) => {
    const [first] = ending.metricIds;
    const judge = metricId ?? first!;
    return (
      <p key={ending.modelName} role="status" className="mb-3 rounded-md bg-warn-wash px-3 py-2 text-warn">
        {endingSentence(ending)}{' '}
        {metricId ? 'It judges this metric.' : `It judges ${countOf(ending.metricIds.length, 'metric')}.`}{' '}
        <TextLink {...paths.successors(projectId, judge)}>Test replacement models</TextLink>
      </p>
    );
  });

/** Warns of judges whose models end soon or have ended, with their metrics. */
export const ModelEndings = ({ projectId, metricId }: { projectId: string; metricId?: string }) => {
  const { data } = useQuery(apiList('listModelEndings', projectId));
  const endings = (data ?? []).filter(
    ({ metricIds }) => metricIds.length > 0 && (!metricId || metricIds.includes(metricId)),
  );
  return <Endings projectId={projectId} endings={endings} metricId={metricId} />;
};

/** Warns of the judges of a run. */
export const ModelEndingsOfRun = ({ projectId, run }: { projectId: string; run: RunDetail }) => (
  <Endings projectId={projectId} endings={run.modelEndings} />
);
