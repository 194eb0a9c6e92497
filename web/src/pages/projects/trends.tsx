import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Answer } from '../../api.ts';
import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { CorrectedBeside } from '../../resources/judges/corrected-rate.tsx';
import { useMay } from '../../resources/session/me.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { ChartLegend } from '../../ui/chart-legend.tsx';
import { Interval, percentText } from '../../ui/interval.tsx';
import { TimeChart } from '../../ui/time-chart.tsx';
import { Trend, trendShape } from '../../ui/trend.tsx';

export type Trends = Answer<'listTrends'>;

/** More are shown when asked for. */
const fewLines = 9;
/** More would have colours that are used twice. */
const mostLabels = 8;

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

type LabelTrendProps = {
  name: string;
  points: Trends['metrics'][number]['points'];
  onOpen: (runId: string) => void;
};

/** How often each label of a category was given in the runs, of those that the newest run with labels knows. */
const LabelTrend = ({ name, points, onOpen }: LabelTrendProps) => {
  const labels = points.findLast((point) => point.labels)?.labels?.shares.map(({ label }) => label);
  if (!labels) return null;
  const shown = labels.slice(0, mostLabels);
  return (
    <div className="mt-3">
      <TimeChart
        label={`Labels of ${name}`}
        look="stack"
        buckets={points.map(({ runId }) => ({ label: `Run ${runId}`, words: `Run ${runId}` }))}
        series={shown.map((label) => ({
          id: label,
          label,
          values: points.map((point) => point.labels?.shares.find((each) => each.label === label)?.share),
        }))}
        format={percentText}
        high={1}
        onOpen={(run) => onOpen(points[run]!.runId)}
      />
      <ChartLegend look="stack" labels={shown} />
      {labels.length > shown.length && (
        <p className="text-sm text-soft">
          The first {shown.length} of {labels.length} labels.
        </p>
      )}
    </div>
  );
};

type PassRatesProps = {
  projectId: string;
  /** Undefined while they are read. */
  trends: Trends | undefined;
  /** The metrics whose places are held until then. */
  metricIds: readonly string[];
};

/** What to do next where records came, such as the first traces, and nothing scores them. */
const NoMetric = ({ projectId }: { projectId: string }) => {
  const may = useMay();
  return (
    <>
      <p className="mb-2 text-soft">
        No metric scores these records yet. Add one, then score the run with it: Score, Add metric on its
        page.
      </p>
      {may.write && (
        <Link {...paths.readyMetrics(projectId)} className={buttonClass('primary')}>
          Add a metric
        </Link>
      )}
    </>
  );
};

/** The pass rate of each metric over the latest runs, with its interval as a band. */
export const PassRates = ({ projectId, trends, metricIds }: PassRatesProps) => {
  const [isWhole, setWhole] = useState(false);
  const navigate = useNavigate();
  // A metric that no run has a score of would be an empty chart.
  const lines = (trends?.metrics ?? []).filter(({ points }) => points.some(({ passRate }) => passRate.n > 0));
  const shown = isWhole ? lines : lines.slice(0, fewLines);
  if (!trends && metricIds.length > 0)
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
  if (lines.length === 0)
    return metricIds.length > 0 ? (
      <p className="text-soft">These runs have no scores yet.</p>
    ) : (
      <NoMetric projectId={projectId} />
    );
  return (
    <>
      <ul className={grid}>
        {shown.map(({ metricId, metricName, points }) => (
          <li key={metricId} className="rounded-md border p-3">
            <QuietLink
              {...paths.metric(projectId, metricId)}
              title={metricName}
              className="block truncate font-medium"
            >
              <bdi>{metricName}</bdi>
            </QuietLink>
            <div className="mb-1 h-9">
              <Interval of={points.at(-1)!.passRate} bar={false} />
              <CorrectedBeside projectId={projectId} metricId={metricId} judge={points.at(-1)!.judge} />
            </div>
            <Trend
              label={`Pass rate of ${metricName}`}
              points={points.map(({ runId, testsetId, passRate }) => ({
                ...passRate,
                id: runId,
                label: `Run ${runId}`,
                // Rates over different testsets are not a trend.
                series: testsetId ?? '',
              }))}
              onOpen={(runId) => void navigate(paths.run(projectId, runId))}
            />
            <LabelTrend
              name={metricName}
              points={points}
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
