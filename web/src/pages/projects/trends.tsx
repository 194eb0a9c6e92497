import { useQueries } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { CorrectedBeside } from '../../resources/judges/corrected-rate.tsx';
import { summaryQuery } from '../../resources/runs/queries.ts';
import type { Run, RunSummary } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Interval } from '../../ui/interval.tsx';
import { Trend, trendShape } from '../../ui/trend.tsx';

type MetricSummary = RunSummary['metrics'][number];
type Line = { metric: MetricSummary; points: { runId: string; metric: MetricSummary }[] };
type Series = Map<string, string>;

/** One line a metric, its runs oldest first. */
const linesOf = (summaries: readonly RunSummary[]): Line[] => {
  const lines = new Map<string, Line>();
  for (const { runId, metrics } of summaries) {
    for (const metric of metrics) {
      const line = lines.get(metric.metricId) ?? { metric, points: [] };
      lines.set(metric.metricId, { metric, points: [...line.points, { runId, metric }] });
    }
  }
  return [...lines.values()];
};

/** More are shown when asked for. */
const fewLines = 9;

/** Placeholder for a metric's line, of the same height. */
const Placeholder = () => (
  <li aria-hidden className="rounded-md border p-3">
    <div className="h-5">
      <div className="skeleton h-4 w-1/2" />
    </div>
    <div className="mb-1 h-9" />
    <div className={trendShape} />
    <div className="h-4" />
  </li>
);
const grid = 'grid grid-cols-[repeat(auto-fill,minmax(260px,1fr))] gap-3';

/** The pass rate of each metric over the latest runs, with its interval as a band. */
export const PassRates = ({ projectId, runs }: { projectId: string; runs: readonly Run[] }) => {
  const [isWhole, setWhole] = useState(false);
  const summaries = useQueries({ queries: runs.toReversed().map((run) => summaryQuery(run)) });
  const isPending = summaries.some((summary) => summary.isPending);
  const navigate = useNavigate();
  // Rates over different testsets are no trend.
  const series: Series = new Map(runs.map(({ id, testsetId }) => [id, testsetId ?? '']));
  // A metric that no run has a score of would be an empty chart.
  const lines = linesOf(summaries.flatMap(({ data }) => data ?? [])).filter(({ points }) =>
    points.some(({ metric }) => metric.passRate.n > 0),
  );
  const shown = isWhole ? lines : lines.slice(0, fewLines);
  const metricIds = [...new Set(runs.flatMap(({ metricIds }) => metricIds))];
  if (isPending && metricIds.length > 0)
    return (
      <>
        <ul className={grid}>
          {metricIds.slice(0, fewLines).map((id) => (
            <Placeholder key={id} />
          ))}
        </ul>
        {metricIds.length > fewLines && <div className="mt-2 h-7" />}
      </>
    );
  if (lines.length === 0) return <p className="text-soft">These runs have no scores yet.</p>;
  return (
    <>
      <ul className={grid}>
        {shown.map(({ metric, points }) => (
          <li key={metric.metricId} className="rounded-md border p-3">
            <QuietLink
              {...paths.metric(projectId, metric.metricId)}
              title={metric.metricName}
              className="block truncate font-medium"
            >
              <bdi>{metric.metricName}</bdi>
            </QuietLink>
            <div className="mb-1 h-9">
              <Interval of={metric.passRate} bar={false} />
              <CorrectedBeside
                {...{ projectId, metricId: metric.metricId, runId: points.at(-1)!.runId }}
                judge={
                  metric.judge
                    ? { metricConfigId: metric.metricConfigId, labels: metric.judge.labels }
                    : undefined
                }
              />
            </div>
            <Trend
              label={`Pass rate of ${metric.metricName}`}
              points={points.map(({ runId, metric: { passRate } }) => ({
                ...passRate,
                id: runId,
                label: `Run ${runId}`,
                series: series.get(runId) ?? '',
              }))}
              onOpen={(runId) => void navigate(paths.run(projectId, runId))}
            />
          </li>
        ))}
      </ul>
      {lines.length > shown.length && (
        <Button look="quiet" className="mt-2" onClick={() => setWhole(true)}>
          Show all {lines.length} metrics
        </Button>
      )}
    </>
  );
};
