import { ChevronDown, ChevronRight, TriangleAlert } from 'lucide-react';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { countOf } from '../../ui/format.ts';
import { Histogram } from '../../ui/histogram.tsx';
import { type Estimate, Interval } from '../../ui/interval.tsx';
import { Cell, Row } from '../../ui/table.tsx';
import { binsOf } from './bins.ts';
import { JudgeKnown } from './judge.tsx';
import { MetricDetails, type MetricSummary } from './metric-details.tsx';

/** The records by the state of their score, each a link to them. */
const States = ({
  metric,
  runId,
  projectId,
}: {
  metric: MetricSummary;
  runId: string;
  projectId: string;
}) => {
  const { scored, pending, unscored, failed } = metric.states;
  const { estimate, n } = metric.passRate;
  // With several trials the rate is over testcases and gives no number of records.
  const failures = estimate !== null && n === scored ? Math.round((1 - estimate) * n) : undefined;
  const failuresLabel = failures === undefined ? 'failures' : countOf(failures, 'failure');
  const parts = [
    { result: 'fail', label: failuresLabel, n: estimate === 1 ? 0 : scored },
    { result: 'pending', label: `${pending} pending`, n: pending },
    { result: 'unscored', label: `${unscored} unscored`, n: unscored },
    { result: 'failed', label: `${failed} failed to score`, n: failed },
  ];
  return (
    <span className="flex flex-wrap gap-x-3 leading-4">
      {parts
        .filter(({ n }) => n > 0)
        .map(({ result, label }) => (
          <TextLink
            key={result}
            {...paths.records(projectId, { q: `run:${runId} metric:${metric.metricId} result:${result}` })}
            className="whitespace-nowrap"
          >
            {label}
          </TextLink>
        ))}
    </span>
  );
};

/** A mean score with its interval; nothing for metrics that have none. */
const Mean = ({ mean }: { mean: Estimate | null }) => {
  if (!mean) return null;
  if (mean.estimate === null) return <span className="text-soft">N/A</span>;
  return (
    <span className="whitespace-nowrap">
      <span className="font-medium">{mean.estimate.toFixed(2)}</span>{' '}
      <span className="text-sm text-soft">
        {mean.interval && `${mean.interval.low.toFixed(2)}–${mean.interval.high.toFixed(2)}, `}n = {mean.n}
      </span>
    </span>
  );
};

type MetricRowProps = {
  metric: MetricSummary;
  runId: string;
  projectId: string;
  /** Warnings above the table, which the row does not repeat. */
  said: readonly string[];
  isOpen: boolean;
  onToggle: () => void;
};

/** A metric with its numbers; when open, its details follow in a row below. */
export const MetricRow = ({ metric, runId, projectId, said, isOpen, onToggle }: MetricRowProps) => {
  const warnings = metric.passRate.warnings.filter((warning) => !said.includes(warning));
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <>
      <Row>
        <Cell className="max-w-72">
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={onToggle}
            className="flex w-full items-center gap-1.5 text-left font-medium"
          >
            <Chevron size={14} className="shrink-0" aria-hidden />
            <bdi className="truncate" title={metric.metricName}>
              {metric.metricName}
            </bdi>
            {warnings.length > 0 && (
              <span title={warnings.join('\n')} className="shrink-0 text-warn">
                <TriangleAlert size={12} aria-label={countOf(warnings.length, 'warning')} />
              </span>
            )}
          </button>
        </Cell>
        {/* Without padding two lines are as high as one: no row moves the others when it arrives. */}
        <Cell className={metric.judge ? 'py-0!' : ''}>
          <Interval of={metric.passRate} />
          <JudgeKnown metric={metric} projectId={projectId} runId={runId} />
        </Cell>
        <Cell>
          <Mean mean={metric.mean} />
        </Cell>
        <Cell>
          <Histogram bins={binsOf(metric)} label={`Scores of ${metric.metricName}`} />
        </Cell>
        {/* As above: two lines are as high as one. */}
        <Cell className="py-0!">
          <States metric={metric} runId={runId} projectId={projectId} />
        </Cell>
      </Row>
      {isOpen && (
        <tr className="border-b bg-page">
          <td colSpan={5} className="px-4">
            <MetricDetails metric={metric} projectId={projectId} runId={runId} said={said} />
          </td>
        </tr>
      )}
    </>
  );
};
