import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { GradeBadge } from '../../resources/judges/grade.tsx';
import type { Result } from '../../resources/runs/latest-results.ts';
import type { Metric } from '../../types.ts';
import { Focal } from '../../ui/focal.tsx';
import { Interval, percentText, spreadText } from '../../ui/interval.tsx';
import { Time } from '../../ui/time.tsx';

type ResultProps = { projectId: string; results: readonly Result[] | undefined };

/** The rate of the newest run that the metric scored; how far its judge can be trusted is in the next row. */
export const LatestRate = ({ projectId, results, metricId }: ResultProps & { metricId: string }) => {
  if (!results) return <span className="skeleton block h-4 w-40" />;
  const newest = results.find((result) => result.metricId === metricId);
  if (!newest) return <span className="text-soft">No score yet</span>;
  return (
    <span className="flex items-center gap-2">
      <Interval of={newest.passRate} bar={false} />
      <QuietLink {...paths.run(projectId, newest.runId)} className="text-sm whitespace-nowrap text-soft">
        Run {newest.runId}
      </QuietLink>
    </span>
  );
};

/** Whether people's labels show that a judge can be trusted; code needs no labels. */
export const Trust = ({ projectId, results, of }: ResultProps & { of: Pick<Metric, 'id' | 'evalType'> }) => {
  if (of.evalType !== 'ai') return null;
  const judge = results?.find((result) => result.metricId === of.id)?.judge;
  if (!results) return <span className="skeleton block h-4 w-24" />;
  return (
    <QuietLink {...paths.judge(projectId, of.id)}>
      {judge ? <GradeBadge judge={judge} /> : 'Not validated yet'}
    </QuietLink>
  );
};

/** The rate of the newest run that the metric scored, in large on its page. */
export const NewestRate = ({ projectId, metricId }: { projectId: string; metricId: string }) => {
  const { data, isPending } = useQuery({
    ...apiQuery('listTrends', projectId, { metricId, scored: true, judges: true, limit: 1 }),
    staleTime: 60_000,
  });
  const newest = data?.metrics[0]?.points.at(-1);
  const none = { key: 'none', value: 'No score yet', says: 'A run with this metric gives its pass rate.' };
  const answers = newest
    ? [
        {
          key: newest.runId,
          value: percentText(newest.passRate.estimate),
          says: (
            <>
              pass in <QuietLink {...paths.run(projectId, newest.runId)}>run {newest.runId}</QuietLink>,{' '}
              <Time at={newest.createdAt} />: {spreadText(newest.passRate)}{' '}
              {newest.judge && <GradeBadge judge={newest.judge} />}
            </>
          ),
        },
      ]
    : [none];
  return <Focal label="Latest result" answers={isPending ? [] : answers} />;
};
