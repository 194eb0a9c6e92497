import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { GradeBadge } from '../../resources/judges/grade.tsx';
import { useFollowedRun } from '../../resources/runs/follow-run.ts';
import { NextSteps } from '../../resources/runs/next-steps.tsx';
import { runQuery, summaryQuery } from '../../resources/runs/queries.ts';
import { RunStatus } from '../../resources/runs/status.tsx';
import type { RunDetail, RunSummary } from '../../types.ts';
import { buttonClass } from '../../ui/button.tsx';
import { countOf, percentOf } from '../../ui/format.ts';
import { percentText } from '../../ui/interval.tsx';
import { Progress } from '../../ui/progress.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';

type MetricResult = RunSummary['metrics'][number];

/** How far the run is, until machines have done their part. */
const Underway = ({ run }: { run: RunDetail }) => {
  const total = Math.max(run.numRecords, run.numExpectedRecords ?? 0);
  return (
    <p role="status" className="flex flex-wrap items-center gap-2">
      <RunStatus run={run} progress={run.progress} />
      <Progress label="Answers" total={total} parts={[{ label: 'there', n: run.numRecords, fill: 'done' }]} />
      <span className="text-soft">
        {run.numRecords} of {countOf(total, 'answer')}, {countOf(run.numScores, 'score')}
      </span>
    </p>
  );
};

/** The answer in large: the pass rate, and what the number of testcases can say. */
const Verdict = ({ metric, level }: { metric: MetricResult; level: number }) => {
  const { estimate, interval, n } = metric.passRate;
  const { unscored, failed } = metric.states;
  if (estimate === null)
    return (
      <p>
        <span className="font-medium">{metric.metricName}</span> has no scores yet
        {unscored + failed > 0 && `: ${countOf(unscored + failed, 'answer')} could not be scored`}.
      </p>
    );
  return (
    <div>
      <p className="text-focal font-semibold">{percentText(estimate)}</p>
      <p>
        of {countOf(n, 'answer')} pass <span className="font-medium">{metric.metricName}</span>.
        {interval && (
          <span className="text-soft">
            {' '}
            Other questions like these would pass at {percentText(interval.low)} to{' '}
            {percentText(interval.high)} ({percentOf(level)} % interval).
          </span>
        )}
      </p>
      {metric.judge && (
        <p>
          Judge: <GradeBadge judge={metric.judge} />
        </p>
      )}
    </div>
  );
};

type OfRun = { projectId: string; run: RunDetail };

const Followed = ({ projectId, run }: OfRun) => {
  useFollowedRun(run);
  const { data } = useQuery(summaryQuery(run));
  const isUnderway = !['completed', 'awaiting_human_scoring'].includes(run.status);
  const metrics = data?.metrics ?? [];
  const element = useRef<HTMLDivElement>(null);
  const numMetrics = metrics.length;
  // It comes below what the reader has just pressed, and grows with each metric.
  useEffect(() => {
    element.current?.scrollIntoView({ block: numMetrics > 0 ? 'end' : 'nearest' });
  }, [numMetrics]);
  return (
    <div ref={element} className="flex scroll-mb-8 flex-col gap-4">
      {isUnderway && <Underway run={run} />}
      <div className="flex flex-wrap gap-x-8 gap-y-4">
        {metrics.map((metric) => (
          <Verdict key={metric.metricConfigId} metric={metric} level={data!.level} />
        ))}
      </div>
      {!isUnderway && (
        <NextSteps projectId={projectId} runId={run.id} metrics={metrics}>
          <Link {...paths.newRun(projectId, undefined, run.id)} className={buttonClass()}>
            Run another version
          </Link>
          <TextLink {...paths.run(projectId, run.id)}>Open the run</TextLink>
        </NextSteps>
      )}
    </div>
  );
};

/** The result of the first run, on the page that started it. */
export const FirstResult = ({ projectId, runId }: { projectId: string; runId: string }) => {
  const { data: run, error } = useQuery(runQuery(runId));
  if (error) return <ErrorNote error={error} />;
  return run ? <Followed projectId={projectId} run={run} /> : <Skeleton lines={3} />;
};
